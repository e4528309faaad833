"""Stability of the integration methods (thesis of Hoffmann, figures 3.1 and 3.2, and beyond).

Surface and top view of |R(z)| for ESDIRK34 NT1, the regions of all explicit methods at equal cost, and the
error estimate of NT1 with and without its filter.
"""

from dataclasses import dataclass
from math import isfinite, sqrt
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.literature.example import Check, ExampleResult
from klingel.literature.stability_regions import pictures
from klingel.numerics.ode.stability import (
    error_function,
    imaginary_limit,
    real_limit,
    stability_function,
)
from klingel.numerics.ode.tableaus import METHODS
from klingel.plots.style import save

FAR = -1e6  # stands for an infinitely stiff component; the functions are within 1e-5 of their limits there


@dataclass(frozen=True)
class Parameters:
    points: int = 401  # grid points per axis of the pictures

    def __post_init__(self) -> None:
        if not 11 <= self.points <= 4001:
            raise InputError("points", self.points, "must be between 11 and 4001")


def quantities() -> dict[str, float]:
    """Stability limits of all methods that have one, whole and per evaluation."""
    found: dict[str, float] = {}
    for name, method in METHODS.items():
        for axis, limit in (("real", real_limit(method)), ("imaginary", imaginary_limit(method))):
            if isfinite(limit):
                found[f"{name}_{axis}_limit"] = limit
                found[f"{name}_{axis}_limit_per_evaluation"] = limit / method.stages
    return found


def checks(limits: dict[str, float]) -> tuple[Check, ...]:
    """Printed and closed-form values."""
    nt1 = METHODS["esdirk34"]
    far = float(np.real(error_function(nt1, FAR))) / (1.0 - nt1.gamma * FAR)
    return (
        Check("esdirk34: |R| for infinitely stiff components, 17/125", 0.136, _modulus(FAR), 1e-5),
        Check("esdirk34: |R| where its pole's mirror image lies", _printed(-2.4), _modulus(-2.4), 1e-14),
        Check("esdirk34: filtered estimate for infinitely stiff components, -444/625", -0.7104, far, 1e-5),
        Check("bs32: real limit", 2.5127, limits["bs32_real_limit"], 5e-5),
        Check("bs32: imaginary limit, square root of 3", sqrt(3.0), limits["bs32_imaginary_limit"], 1e-12),
        Check("dopri54: real limit", 3.3066, limits["dopri54_real_limit"], 5e-5),
    )


def _modulus(z: float) -> float:
    return float(abs(stability_function(METHODS["esdirk34"], z)))


def _printed(z: float) -> float:
    """|R(z)| as printed below equation 3.7 of the thesis."""
    return abs((1.0 - z / 4.0 - 11.0 * z**2 / 48.0 - 17.0 * z**3 / 1728.0) / (1.0 - 5.0 * z / 12.0) ** 3)


def run(folder: Path, parameters: Parameters) -> ExampleResult:
    """Draw the four pictures and compare the limits with known ones."""
    nt1 = METHODS["esdirk34"]
    # chain33 and rkf23 have the stability function of bs32
    explicit = [m for m in METHODS.values() if m.explicit and m.name not in ("chain33", "rkf23")]
    points = parameters.points
    drawn = {
        "stability-surface": pictures.surface(nt1, points=max(points // 3, 11)),
        "stability-top-view": pictures.top_view(nt1, points=points),
        "stability-regions": pictures.regions(explicit, points=points),
        "error-estimate": pictures.error_estimate(nt1),
    }
    files = tuple(save(fig, folder / f"{name}.png") for name, fig in drawn.items())
    limits = quantities()
    return ExampleResult("stability-regions", limits, checks(limits), files)
