"""A vehicle from the side and from above, to scale, from the drawing as data."""

from typing import Any

from nicegui.element import Element


class VehicleDrawing(Element, component="drawing.js"):
    def __init__(self, drawing: dict[str, Any]):
        super().__init__()
        self._props["drawing"] = drawing
        self.props("data-testid=drawing")
