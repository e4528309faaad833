"""Speed next to peers, as ratios measured in one run: what `klingel bench` prints."""
