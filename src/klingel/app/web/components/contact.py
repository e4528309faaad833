"""Wheel and rail in contact, moved by a slider or the arrow keys; all of it in the browser."""

from typing import Any

from nicegui.element import Element


class Contact(Element, component="contact.js"):
    def __init__(self, content: dict[str, Any]):
        super().__init__()
        self._props["content"] = content
        self.props("data-testid=contact")
