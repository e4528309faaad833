"""A seeded fuzzer: good input, changed at random, must end in a result or in one clear line."""
