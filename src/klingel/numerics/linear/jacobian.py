"""Sparsity of Jacobians: detection, colouring for shared differences, and independent blocks.

Columns of J that have no row in common can be perturbed together, so a difference Jacobian costs one
right-hand side per *colour* instead of one per column (Curtis, Powell, Reid, J. Inst. Math. Appl. 13 (1974)
117). When an implicit method keeps only part of J, dropped entries still reach the differences of their rows:
two columns may share a colour only if no kept entry of one meets any entry of the other.

These helpers run once per system, before the compiled loop.
"""

from collections.abc import Callable

import numpy as np

from klingel._errors import InputError

SPREAD = 1e-3  # size of the perturbations as a share of the scale of each component
NOT_PERTURBED = -1  # colour of a column of which nothing is kept


def detect_pattern(
    evaluate: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    samples: int = 3,
    scale: np.ndarray | None = None,
) -> np.ndarray:
    """Boolean (n, n): true where component i of `evaluate` was seen to react to x_j.

    Every component is moved alone, up and down, at `samples` points around x. An entry that is found is
    real; one that vanishes at all those points, or hides below rounding, is missed. `scale` is the typical
    size of each component, by default max(|x|, 1); NaN is never fed in, for compiled tables index with it.
    """
    x = np.asarray(x, dtype=np.float64)
    if samples < 1:
        raise InputError("samples", samples, "must be at least 1")
    reach = SPREAD * (np.maximum(np.abs(x), 1.0) if scale is None else np.asarray(scale, dtype=np.float64))
    rng = np.random.default_rng(0)
    pattern = np.zeros((x.size, x.size), dtype=bool)
    for sample in range(samples):
        base = x + (reach * rng.uniform(-1.0, 1.0, x.size) if sample else 0.0)
        reference = np.array(evaluate(base.copy()), dtype=np.float64)
        if not np.all(np.isfinite(reference)):
            bad = int(np.flatnonzero(~np.isfinite(reference))[0])
            raise InputError("right-hand side", reference[bad], f"component {bad} must be finite around x")
        for j in range(x.size):
            for direction in (-1.0, 1.0):
                moved = base.copy()
                moved[j] += direction * reach[j] * rng.uniform(0.5, 1.0)
                pattern[:, j] |= np.asarray(evaluate(moved)) != reference
    return pattern


def colour(pattern: np.ndarray, kept: np.ndarray | None = None) -> tuple[np.ndarray, int]:
    """Colours (int32, one per column) and their number; equal colours may be perturbed together.

    Greedy, in natural order and by falling number of entries; the better of both. With `kept`, the part of
    the pattern an implicit method uses, columns without a kept entry get the colour NOT_PERTURBED.
    """
    full = _square(pattern, "pattern")
    used = full if kept is None else _square(kept, "kept") & full
    overlap = used.astype(np.int64).T @ full.astype(np.int64) > 0
    conflict = overlap | overlap.T
    columns = np.flatnonzero(used.any(axis=0)) if kept is not None else np.arange(full.shape[0])
    by_size = columns[np.argsort(-full[:, columns].sum(axis=0), kind="stable")]
    results = [_greedy(conflict, order) for order in (columns, by_size)]
    return min(results, key=lambda result: result[1])


def _greedy(conflict: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, int]:
    colours = np.full(conflict.shape[0], NOT_PERTURBED, dtype=np.int32)
    for j in order:
        taken = set(colours[conflict[j]].tolist())
        colours[j] = next(c for c in range(order.size) if c not in taken)
    return colours, int(colours.max(initial=NOT_PERTURBED)) + 1


def blocks(pattern: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Connected components of a pattern: `order[starts[b]:starts[b + 1]]` are the indices of block b (int32).

    Blocks are sorted by their smallest index, indices rise inside a block, and an index that is coupled to
    nothing is a block of its own.
    """
    label = _smallest_reached(_square(pattern, "pattern"))
    groups = [np.flatnonzero(label == first) for first in np.unique(label)]
    order = np.concatenate(groups) if groups else np.zeros(0)
    starts = np.cumsum([0, *(group.size for group in groups)])
    return order.astype(np.int32), starts.astype(np.int32)


def _smallest_reached(square: np.ndarray) -> np.ndarray:
    """The smallest index each index is connected with, directly or through others."""
    touches = square | square.T
    label = np.full(len(square), -1)
    for first in range(len(square)):
        front = np.array([first] if label[first] < 0 else [], int)
        while front.size:
            label[front] = first
            front = np.flatnonzero(touches[front].any(axis=0) & (label < 0))
    return label


def _square(pattern: np.ndarray, name: str) -> np.ndarray:
    matrix = np.asarray(pattern, dtype=bool)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(name, matrix.shape, "must be a square matrix")
    return matrix
