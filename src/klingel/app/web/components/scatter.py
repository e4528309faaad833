"""A bifurcation diagram that fills in, with branches and rest; a click on a point tells which motion it was."""

from collections.abc import Callable, Sequence
from typing import Any

from nicegui.element import Element


class Scatter(Element, component="scatter.js"):
    def __init__(
        self, run: str, quantity: str, live: bool, on_point: Callable[[dict[str, Any]], Any],
        branches: Sequence[str] = (), rests: Sequence[str] = (),
    ):  # fmt: skip
        """Ids: of a sweep or empty, of branches, of sets of rest."""
        super().__init__()
        self._props["run"] = run
        self._props["quantity"] = quantity
        self._props["live"] = live
        self._props["branches"] = list(branches)
        self._props["rests"] = list(rests)
        self.props("data-testid=scatter")
        self.on("point", lambda e: on_point(e.args))

    def show(self, quantity: str) -> None:
        self._props["quantity"] = quantity
        self.update()

    def set_beside(self, branches: Sequence[str], rests: Sequence[str]) -> None:
        self._props["branches"], self._props["rests"] = list(branches), list(rests)
        self.update()

    def set_live(self, live: bool) -> None:
        self._props["live"] = live
        self.update()
