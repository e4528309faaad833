"""What `klingel example NAME` runs: the catalogue, and what every example returns."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from klingel._errors import InputError

# name -> (module, one line); each module has a frozen dataclass `Parameters` with SI defaults
# and a function run(folder, parameters) -> ExampleResult
CATALOGUE: dict[str, tuple[str, str]] = {
    "stability-regions": (
        "klingel.literature.stability_regions.example",
        "stability functions and regions of the integration methods (Hoffmann 3.1, 3.2)",
    ),
    "leaf-spring": (
        "klingel.literature.leaf_spring.example",
        "mass on a leaf spring, its loops, swings that linger (Hoffmann B.2)",
    ),
    "link-hysteresis": (
        "klingel.literature.links.example",
        "UIC links: loops of five sets, free sway, identification from a record (Hoffmann 2.3.3)",
    ),
    "impact-oscillator": (
        "klingel.literature.impact_oscillator.example",
        "mass with dry friction, dead band and a wall it hits (Hoffmann B.1)",
    ),
    "event-location": (
        "klingel.literature.impact_oscillator.event_location",
        "the same run with its corners located and ignored (Hoffmann 1.12, 1.13)",
    ),
    "de-pater": (
        "klingel.literature.de_pater.example",
        "contact of S1002 on UIC60, and a wheelset in single and double contact, parameters ours (de Pater)",
    ),
    "guided-rod": (
        "klingel.literature.guided_rod.example",
        "rod between four guides, single and double impacts (Hoffmann B.3)",
    ),
    "constrained-wheelset": (
        "klingel.literature.constrained_wheelset.example",
        "conical wheels on rigid round rails, two forms of one DAE (Hoffmann B.4)",
    ),
    "nonsmooth-manifold": (
        "klingel.literature.nonsmooth_manifold.example",
        "rigid wheel on rail: manifold with ridges, jump laws, a wheelset that crosses them (Frischmuth)",
    ),
    "hunting-solvers": (
        "klingel.literature.nonsmooth_bogies.example",
        "wagon of 66 equations by explicit and implicit methods (True, Engsig-Karup, Bigoni, table 1)",
    ),
    "wagon-branches": (
        "klingel.literature.hoffmann.wagon_branches",
        "orbits of the Hbbills 311 over its speed, borders between motions by bisection (Hoffmann 5.1-5.3)",
    ),
    "three-ways": (
        "klingel.literature.nonsmooth_bogies.three_ways",
        "corners and impacts located, ignored or smoothed, by five solvers (True, Engsig-Karup, Bigoni)",
    ),
    "wheelset-dae": (
        "klingel.literature.wheelset_dae.example",
        "constrained wheelset of 17 equations, next to the published DAE solvers (Bari test set II.22)",
    ),
}


@dataclass(frozen=True)
class Check:
    """One comparison with something known; `ok` is |computed - expected| <= tolerance."""

    what: str
    expected: float
    computed: float
    tolerance: float

    @property
    def ok(self) -> bool:
        return bool(abs(self.computed - self.expected) <= self.tolerance)

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ok": self.ok}


@dataclass(frozen=True)
class ExampleResult:
    name: str
    quantities: Mapping[str, float]  # names end in their unit: "impact_speed_m_s"
    checks: tuple[Check, ...]
    files: tuple[Path, ...] = field(default=())

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "quantities": dict(self.quantities),
            "checks": [check.as_dict() for check in self.checks],
            "files": [str(path) for path in self.files],
        }


def find(name: str) -> tuple[type, Callable[[Path, Any], ExampleResult]]:
    """Parameters class and run function of an example."""
    if name not in CATALOGUE:
        raise InputError("example", name, f"must be one of {', '.join(sorted(CATALOGUE))}")
    module = import_module(CATALOGUE[name][0])
    return module.Parameters, module.run
