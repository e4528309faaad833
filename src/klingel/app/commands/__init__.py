"""One module per command of `klingel`."""
