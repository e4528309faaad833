"""The two lines between which the force of a leaf spring lies (Hoffmann 2006, section 2.3.2)."""

import numpy as np

from klingel.elements.leaf_spring import LeafSpring


def envelope_along(spring: LeafSpring, compression: np.ndarray, direction: float) -> np.ndarray:
    """Upper (+1) or lower (-1) line the force tends to [N]."""
    second = compression > spring.second_leaf
    static = np.where(
        second,
        spring.stiffness_second * (compression - spring.z_star),
        spring.stiffness * compression,
    )
    return static + direction * (spring.friction * static + spring.residual)
