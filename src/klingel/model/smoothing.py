"""A vehicle for runs that do not locate its events: with corners and jumps rounded, or with corners ignored.

Rounded: every law in the smooth form its kind states by the hook `smooth`. A kind whose laws have no events stays
as it is; an element of a kind without a smooth form is refused by name. Contacts of wheels are not touched: their
forces are continuous.

Ignored: continuous laws with corners become forces of their deformation, and steps go across the corners (hook
`ignored`). Laws that jump, stick or strike keep their modes, which then change at the ends of steps.
"""

from dataclasses import replace

from klingel._errors import InputError
from klingel.elements.smooth_widths import NoSmoothForm, Widths
from klingel.model.description import Vehicle
from klingel.model.kinds.registry import kind_of, of


def smoothed(vehicle: Vehicle, length: float | None = None, speed: float | None = None) -> Vehicle:
    """The vehicle with smooth laws: `length` [m] rounds corners, `speed` [m/s] the jump of dry friction.

    Raises
    ------
    InputError
        An element without a smooth form, or a width that is needed and not given; named.
    """
    widths = Widths(length, speed)
    elements = []
    for element in vehicle.elements:
        kind = of(element.law)
        if not kind.ABOUT.events:
            elements.append(element)
            continue
        word = kind_of(element.law).word
        try:
            if not hasattr(kind, "smooth"):
                raise NoSmoothForm(f"{word} has no smooth form")
            elements.append(replace(element, law=kind.smooth(element.law, widths)))
        except NoSmoothForm as error:
            raise InputError(element.name, word, f"cannot be smoothed: {error}; locate its events") from None
        except InputError as error:
            raise InputError(error.field, error.given, f"{error.allowed} ({element.name}, {word})") from None
    return replace(vehicle, elements=tuple(elements))


def corners_ignored(vehicle: Vehicle) -> Vehicle:
    """The vehicle with nobody told of corners in its continuous laws."""
    elements = tuple(
        replace(e, law=of(e.law).ignored(e.law)) if hasattr(of(e.law), "ignored") else e for e in vehicle.elements
    )
    return replace(vehicle, elements=elements)
