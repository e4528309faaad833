"""Worn wheel profiles as a workshop measures them, made by simple wear laws from the S1002.

Wear takes material off along the inward normal of the profile:

hollow   a raised cosine over the tread, deepest near the running circle: 0.3 to 3 mm
flange   full where the profile stands steeper than 45 degrees, none below 20: 1 to 6 mm of flange thickness
noise    normally distributed along the normal, independent from point to point: 0.01 to 0.05 mm
"""

from dataclasses import dataclass
from math import pi

import numpy as np

from klingel.contact.profiles.profile import Body, Profile
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.smoothing import from_points

SPACING = 4e-4  # of the measured points [m]
ENDS = 5e-4  # of the profile that are not measured [m]


@dataclass(frozen=True)
class Wear:
    hollow: float = 0.0  # depth [m]
    centre: float = 0.003  # of the hollow, from the running circle to the field side [m]
    width: float = 0.044  # of the hollow [m]
    flange: float = 0.0  # taken off the flange face, along its normal [m]
    noise: float = 0.0  # standard deviation [m]
    seed: int = 0

    @property
    def name(self) -> str:
        parts = (("hollow", self.hollow), ("flange", self.flange), ("noise", self.noise))
        return "-".join(f"{word}{1e3 * size:g}" for word, size in parts if size > 0.0) or "new"


def worn_points(wear: Wear, spacing: float = SPACING) -> np.ndarray:
    """Measured points, y to the field side and z down [m]."""
    new = s1002()
    t = np.linspace(0.0, len(new.pieces), 40 * len(new.pieces) + 1)
    fine = new.sample(t)
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(fine[:, :2], axis=0).T))])
    at = np.arange(ENDS, length[-1] - ENDS, spacing)
    y, z, dy, dz, _, _ = new.sample(np.interp(at, length, t)).T
    steep = np.arctan2(-dz, dy)  # positive on the flange face
    place = np.clip((y - wear.centre) / (0.5 * wear.width), -1.0, 1.0)
    depth = wear.hollow * 0.5 * (1.0 + np.cos(pi * place))
    rise = np.clip((steep - np.radians(20.0)) / np.radians(25.0), 0.0, 1.0)
    depth = np.maximum(depth, wear.flange * rise * rise * (3.0 - 2.0 * rise))
    depth += wear.noise * np.random.default_rng(wear.seed).standard_normal(y.size)
    size = np.hypot(dy, dz)
    return np.column_stack([y + depth * dz / size, z - depth * dy / size])  # the body lies on the side of -z


def worn_profile(wear: Wear, residual: float | None = None) -> Profile:
    """The smoothed profile; what is taken is the noise of the measurement if nothing else is said."""
    taken = (wear.noise or 1e-6) if residual is None else residual
    return from_points(worn_points(wear), Body.WHEEL, taken, wear.name)


HOLLOW = (0.0003, 0.0008, 0.0012, 0.002, 0.003)
FLANGE = (0.001, 0.002, 0.004, 0.006)
NOISE = (1e-5, 2e-5, 3.5e-5, 5e-5)
TWENTY = (
    *(Wear(hollow=h) for h in HOLLOW),
    *(Wear(flange=f) for f in FLANGE),
    *(Wear(hollow=h, flange=f) for h, f in zip(HOLLOW[1:], FLANGE, strict=True)),
    *(Wear(noise=n, seed=k) for k, n in enumerate(NOISE)),
    Wear(hollow=0.001, noise=3e-5, seed=11),
    Wear(flange=0.002, noise=5e-5, seed=12),
    Wear(hollow=0.003, flange=0.003, noise=5e-5, seed=13),
)
