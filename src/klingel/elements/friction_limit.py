"""Limit of a dry friction force: a constant part, and a part that follows a normal load.

    T = limit + friction load_factor N,      N >= 0 the pressing force of another port

`load_factor` is the normal force of the face per force of that port: tan(gamma) for the link of a Lenoir damper,
inclined by gamma to the vertical; 1 for a side bearer; the effective radius in metres for a pivot whose moment is
limited. Sliding begins at `static_ratio` T.
"""

from math import isfinite
from typing import Any

from klingel._errors import InputError
from klingel._jit import kernel


def check_limits(law: Any) -> None:
    """One line for the first parameter of a friction law that cannot be."""
    for field in ("limit", "friction"):
        value = getattr(law, field)
        if not (isfinite(value) and value >= 0.0):
            raise InputError(field, value, "must be finite and not negative")
    if law.limit == 0.0 and law.friction == 0.0:
        raise InputError("limit", law.limit, "must be positive where no friction coefficient is given")
    if not (isfinite(law.load_factor) and law.load_factor > 0.0):
        raise InputError("load_factor", law.load_factor, "must be finite and positive")
    if not (isfinite(law.static_ratio) and law.static_ratio >= 1.0):
        allowed = "must not be below 1: the static limit is at least the kinetic one"
        raise InputError("static_ratio", law.static_ratio, allowed)


@kernel
def kinetic_limit(load, limit, friction):
    """T; `friction` is the product with the load factor. A load that pulls does not press."""
    return limit + friction * max(load, 0.0)
