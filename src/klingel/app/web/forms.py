"""Fields of forms: a number with its unit as people type it, checked by the rules of files and commands."""

import re
from collections.abc import Callable
from typing import Any

from nicegui import ui

from klingel.io.units import DIMENSIONS, BadQuantity, read_checked, split_quantity

# in which unit a field of a request is shown where it has none yet
UNITS = {"speed": "m/s", "time": "s", "acceleration": "m/s2", "length": "mm", "angle": "mrad", "number": ""}


def typed(text: str, unit: str) -> str:
    """What was typed, with the unit shown beside the field where none was."""
    parts = split_quantity(text)
    if parts is None or parts[2] or parts[1] or not unit:
        return text.strip()
    return f"{parts[0]} {unit}"


def problem(text: str, dimension: str, allowed: str = "", unit: str = "") -> str | None:
    """What is wrong with it, in words; None if nothing is."""
    sign = allowed.removesuffix("infinite").removesuffix(" or ")
    try:
        read_checked(typed(text, unit), dimension, sign, allowed.endswith("infinite"))
    except BadQuantity as bad:
        return str(bad)
    return None


def split(text: str | float, dimension: str) -> tuple[str, str]:
    """Number and unit of a stored quantity."""
    parts = split_quantity(str(text))
    if parts is None:
        return str(text), ""
    number = f"{parts[0]}/{parts[1]}" if parts[1] else parts[0]
    return number, parts[2] or (next(iter(DIMENSIONS[dimension])) if not parts[1] else "")


def shown_unit(unit: str) -> str:
    """As it is printed: m/s², kg m²."""
    return re.sub(r"(?<=[ms])([23])\b", lambda found: "²" if found[1] == "2" else "³", unit)


def quantity(
    label: str, value: str | float, dimension: str, on_value: Callable[[str], object], allowed: str = "",
    hint: str = "",
) -> ui.input:  # fmt: skip
    """A field; `on_value` hears of good values only, with their unit."""
    number, unit = split(value, dimension)

    def hear() -> None:
        if field.validate():
            on_value(typed(field.value or "", unit))

    field = ui.input(label, value=number, validation=lambda text: problem(text or "", dimension, allowed, unit))
    field.props(f'dense outlined suffix="{shown_unit(unit)}" debounce=300 hide-bottom-space')
    field.on("blur", hear).on("keydown.enter", hear).on_value_change(lambda _: hear())
    if hint:
        field.props(f'hint="{hint}"')
    return field


def upload(
    label: str, on_upload: Callable[..., Any], largest: int, tell: Callable[[str], object], ending: str = ""
) -> ui.upload:  # fmt: skip
    """A field for a file of at most `largest` bytes; `tell` hears why one is not taken."""
    allowed = f"must have at most {largest // 1024**2} MB" + (
        f" and a name that ends with {ending}" if ending else ""
    )
    field = ui.upload(
        label=label, on_upload=on_upload, auto_upload=True, max_file_size=largest,
        on_rejected=lambda: tell(f"file: {allowed}"),
    )  # fmt: skip
    return field.props(f"flat dense {f'accept={ending}' if ending else ''}").classes("w-full")
