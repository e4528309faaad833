"""One folder per paper or system: its equations, pictures, example and claims together."""
