"""Templates: a few parameters in, the full description of a vehicle out."""

from collections.abc import Callable
from typing import Any

from klingel.model.description import Vehicle
from klingel.vehicles.two_axle import two_axle

TEMPLATES: dict[str, Callable[[Any], Vehicle]] = {"two_axle": two_axle}
