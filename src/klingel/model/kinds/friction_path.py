"""What friction faces hold at rest, and their stiffness to and fro; hooks of both kinds."""

from typing import Any

from klingel.elements.friction_limit import kinetic_limit


def hold(law: Any, u: float, load: float) -> tuple[float, float]:
    limit = law.static_ratio * kinetic_limit(load, law.limit, law.friction * law.load_factor)
    return -limit, limit


def secant(law: Any, amplitude: float) -> float:
    """Stiffness of a motion to and fro, for estimates, with the constant part of the limit [N/m]."""
    return law.limit / amplitude
