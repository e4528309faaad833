"""Conditions under which a study computes: seed, reading of AUTO, tolerance, a parameter made wrong on purpose.

Two computations of a study differ by its case only. A wrong parameter is one of the engine's inputs times a
factor; a claim that cannot tell it from the right one says nothing.
"""

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import numpy as np

    from klingel.model.description import Vehicle

PRINTED, FULL = "simplified", "full"  # readings of AUTO, the mode of leaf springs near rest
SEEDS = 5  # of a claim on irregular motion
WRONG_SEEDS = 2  # with a wrong parameter
ENOUGH = 0.8  # of them that must hold
TIGHTER = 10.0  # division of the tolerances that shows the error they cause
VEHICLE = "vehicle."  # begins the name of a value of the vehicle

T = TypeVar("T")


@dataclass(frozen=True)
class Wrong:
    """A parameter and the factor that makes it wrong."""

    name: str
    factor: float

    def __str__(self) -> str:
        return f"{self.name} x {self.factor:g}"


@dataclass(frozen=True)
class Case:
    seed: int = 0
    reading: str = PRINTED
    tighter: float = 1.0
    wrong: Wrong | None = None

    def rtol(self, usual: float) -> float:
        return usual / self.tighter

    def generators(self, count: int = SEEDS) -> "list[np.random.Generator]":
        """One for each of several starts; fewer with a wrong parameter, which must fail anyhow."""
        import numpy as np

        count = min(count, WRONG_SEEDS) if self.wrong is not None else count
        return [np.random.default_rng([self.seed, k]) for k in range(count)]

    def number(self, name: str, value: float) -> float:
        """`value`, unless it is the one that is made wrong."""
        return value * self.wrong.factor if self.wrong is not None and self.wrong.name == name else value

    def fields(self, parameters: T) -> T:
        """A dataclass of parameters, with the one that is made wrong."""
        names = {field.name for field in fields(parameters)}  # type: ignore[arg-type]
        if self.wrong is None or self.wrong.name not in names:
            return parameters
        name = self.wrong.name
        return replace(parameters, **{name: self.wrong.factor * getattr(parameters, name)})  # type: ignore[type-var]

    def vehicle(self, vehicle: "Vehicle") -> "Vehicle":
        """A vehicle, with the value of it that is made wrong."""
        from klingel.vehicles.values import value, with_value

        if self.wrong is None or not self.wrong.name.startswith(VEHICLE):
            return vehicle
        name = self.wrong.name.removeprefix(VEHICLE)
        return with_value(vehicle, name, self.wrong.factor * float(value(vehicle, name)))

    def wagon(self, name: str, **options: Any) -> "Vehicle":
        """A wagon of the library in the reading of this case."""
        from klingel.io.vehicle.files import load_vehicle

        if options.get("leaf_model") is None:
            options["leaf_model"] = self.reading
        return self.vehicle(load_vehicle(name, **options))
