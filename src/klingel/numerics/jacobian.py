"""Sparsity of a Jacobian: columns that can be differenced together, blocks that can be factorised apart."""

import numpy as np


def colour(pattern: np.ndarray) -> tuple[np.ndarray, int]:
    n = pattern.shape[0]
    return np.arange(n), n


def blocks(pattern: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    n = pattern.shape[0]
    return np.arange(n), np.array([0, n])
