"""Laws of force elements, one file each; what a vehicle does with them is in `model/kinds`.

The leaf spring has three: `leaf_spring` (modes and events), `leaf_spring_law` (closed form of a branch of its
hysteresis) and `leaf_spring_envelope`. `piece` is the affine piece with walls that laws without curvature are made
of, `impact` the mechanics behind `guide`, `link_sets` the parameters of UIC double-links.
"""
