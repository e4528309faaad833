"""A bifurcation diagram that fills in; a click on a point tells which one it was."""

from collections.abc import Callable
from typing import Any

from nicegui.element import Element


class Scatter(Element, component="scatter.js"):
    def __init__(self, run: str, quantity: str, live: bool, on_point: Callable[[dict[str, Any]], Any]):
        super().__init__()
        self._props["run"] = run
        self._props["quantity"] = quantity
        self._props["live"] = live
        self.props("data-testid=scatter")
        self.on("point", lambda e: on_point(e.args))

    def show(self, quantity: str) -> None:
        self._props["quantity"] = quantity
        self.update()

    def set_live(self, live: bool) -> None:
        self._props["live"] = live
        self.update()
