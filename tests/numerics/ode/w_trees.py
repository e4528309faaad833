"""Order conditions of W-methods over rooted trees whose vertices are derivatives of f or the matrix J.

A vertex F with n branches is the n-th derivative of f, a vertex J has one branch and is the matrix that stands in
for the Jacobian. Conditions of trees without J are those of Runge-Kutta methods; with J the right side is zero.

Source: Steihaug and Wolfbrandt, Math. Comp. 33 (1979) 521; Hairer and Wanner, Solving ODEs II, section IV.7.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np

from klingel.numerics.ode.w_methods import WTableau

Tree = tuple  # ("F", branches ...) or ("J", branch)


@cache
def w_trees(order: int) -> tuple[Tree, ...]:
    """All trees with `order` vertices."""

    def forests(vertices: int, largest: int) -> set[Tree]:
        if vertices == 0:
            return {()}
        return {
            tuple(sorted((tree, *rest)))
            for size in range(1, min(vertices, largest) + 1)
            for tree in w_trees(size)
            for rest in forests(vertices - size, size)
        }

    plain = {("F", *branches) for branches in forests(order - 1, order - 1)}
    return tuple(sorted(plain | {("J", tree) for tree in w_trees(order - 1)} if order > 1 else plain))


def has_matrix(tree: Tree) -> bool:
    return tree[0] == "J" or any(map(has_matrix, tree[1:]))


def _vertices(tree: Tree) -> int:
    return 1 + sum(map(_vertices, tree[1:]))


def _density(tree: Tree) -> int:
    product = _vertices(tree)
    for branch in tree[1:]:
        product *= _density(branch)
    return product


def _weights(w: WTableau, tree: Tree) -> np.ndarray:
    """Elementary weight of every stage."""
    if tree[0] == "J":
        return w.gamma @ _weights(w, tree[1])
    product = np.ones(w.b.size)
    for branch in tree[1:]:
        product *= w.alpha @ _weights(w, branch)
    return product


def residuals(w: WTableau, b: np.ndarray, trees: Iterable[Tree]) -> list[float]:
    """By how much the weights b miss the condition of each tree."""
    wanted = {tree: 0.0 if has_matrix(tree) else 1 / _density(tree) for tree in trees}
    return [abs(float(b @ _weights(w, tree)) - value) for tree, value in wanted.items()]
