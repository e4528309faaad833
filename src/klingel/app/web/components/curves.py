"""Small pictures of one quantity over another: given curves, or pairs of quantities of runs."""

from collections.abc import Sequence
from typing import Any

from nicegui.element import Element


class Curves(Element, component="curves.js"):
    def __init__(
        self, curves: Sequence[dict[str, Any]] = (), runs: Sequence[tuple[str, str]] = (),
        pairs: Sequence[Sequence[str]] | None = None, window: Sequence[float] | None = None,
    ):  # fmt: skip
        super().__init__()
        self._props["curves"] = list(curves)
        self._props["runs"] = [{"id": id, "label": label} for id, label in runs]
        self._props["pairs"] = None if pairs is None else [list(pair) for pair in pairs]
        self._props["window"] = None if window is None else list(window)
        self.props("data-testid=curves")
