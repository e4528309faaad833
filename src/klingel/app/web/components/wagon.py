"""The vehicle of a run in three dimensions, moving as it did."""

from typing import Any

from nicegui.element import Element


class Wagon(Element, component="wagon.js"):
    def __init__(self, run: str, drawing: dict[str, Any]):
        super().__init__()
        self._props["run"] = run
        self._props["drawing"] = drawing
        self.props("data-testid=wagon")
