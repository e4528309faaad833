"""Hooks that all kinds of affine pieces share: the pieces of their modes on the ports, and their forces."""

from typing import Any

from klingel._jit import kernel
from klingel.elements import piece as pieces
from klingel.model.port_pieces import add_piece, moved


def affine_hooks(piece_of: Any, count: int, at: int, fields: Any) -> tuple[Any, Any]:
    """`enter` and `report` of a kind; `fields` are those of its integer rows, with PORT and SLOT."""
    size, port, slot = int(fields.SIZE), int(fields.PORT), int(fields.SLOT)

    @kernel(inner=True)
    def enter(p, memory, mode):
        i = p[1]
        for k in range(i[count]):
            add_piece(p, i[i[at] + size * k + port], piece_of(p, k, memory, mode))

    @kernel(inner=True)
    def report(p, x, memory, mode, force):
        i = p[1]
        for k in range(i[count]):
            o = i[at] + size * k
            u, v = moved(p, i[o + port])
            force[i[o + slot]] = pieces.force(piece_of(p, k, memory, mode), u, v)

    return enter, report
