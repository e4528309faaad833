"""Hoffmann (2006), section 2.3.2, appendix B.2 and figure 5.40: leaf springs alone and under one mass.

Not printed and chosen: where the masses are released (`example`), and for figure 5.40 two heights
between which the sequence does not change.
"""

from collections.abc import Mapping
from math import inf

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing

SEQUENCE = (1, 2, 3, 4, 1, 4, 0, 1, 4, 0)  # numbers of table 5.1
CARBODY = 15176.0  # empty Hbbills 311 [kg]
HEIGHTS = (0.045, 0.055)  # of the release above rest [m]
PRINTED_MASS = 7500.0  # [kg]
RTOL = 1e-6
QUIET = 2.0  # after which the mass only trembles [s]
LOADED, EMPTY = 41176.0, 8860.0  # loaded Hbbills 311, empty G69 [kg]

LOOP = "Hoffmann 2006, section 2.3.2, below figure 2.30"

CLAIMS = (
    Claim("leaf-dynamic-factor", "Hoffmann 2006, section 2.3.2",
          "trapezoidal spring: dynamic over static stiffness under the 7500 kg of the example that follows", 5.0,
          "",
          0.5, "printed as about 5", "the load it was chosen for is not printed"),
    Claim("leaf-light-rest", "Hoffmann 2006, figure 2.36", "parabolic spring: compression at rest under 3000 kg",
          (0.0, 62.9), "mm", 0.0, "the second leaf, at 62.9 mm, does not carry"),
    Claim("leaf-heavy-rest", "Hoffmann 2006, figure 2.37", "parabolic spring: compression at rest under 7500 kg",
          (62.9, inf), "mm", 0.0, "the second leaf, at 62.9 mm, carries", given_kind="range"),
    Claim("leaf-corner-steps", "Hoffmann 2006, figure 2.35",
          "trapezoidal spring, 7500 kg: rejected steps at corners",
          0.0, "", 0.0, "printed as none"),
    Claim("leaf-no-events-near-rest", "Hoffmann 2006, figure 2.34",
          "trapezoidal spring, 7500 kg: events between 2 and 6 s, when it still swings a little", 0.0, "", 0.0,
          "printed as detected far from equilibrium only"),
    Claim("leaf-lingering", "Hoffmann 2006, figures 2.38, 2.39",
          "parabolic spring, 7500 kg: loss per swing of the last swings over that of the first", (0.01, 1.0), "",
          0.0,
          "'poorly damped', 'sustain for a while': less than large ones, but damped, by a hundredth at least"),
    Claim("leaf-damping-amplitude", LOOP, "parabolic spring: energy lost per cycle, 73.2 mm over 20 mm amplitude",
          (1.0, inf), "", 0.0, "printed as rising with the amplitude", "about a mean compression of 80 mm, ours"),
    Claim("leaf-damping-load", LOOP, "parabolic spring: energy lost per cycle of 20 mm, mean 90 mm over 30 mm",
          (1.0, inf), "", 0.0, "printed as rising with the load"),
    Claim("leaf-rate-amplitude", LOOP, "parabolic spring: effective rate, 73.2 mm over 20 mm amplitude",
          (-inf, 1.0), "", 0.0, "printed as falling with the amplitude",
          "about a mean compression of 80 mm, ours"),
    Claim("leaf-rate-load", LOOP, "parabolic spring: effective rate at 20 mm amplitude, mean 30 mm over 90 mm",
          (-inf, 1.0), "", 0.0, "printed as falling with a smaller load"),
    Claim("leaf-sequence", "Hoffmann 2006, figure 5.40",
          "states of the printed sequence 1 2 3 4 1 4 0 1 4 0 met in order and no other", 10.0, "", 0.0,
          "a count", "one mass on one spring, released 45 and 55 mm above rest"),
)  # fmt: skip


def run(case: Case) -> Mapping[str, Result]:
    parabolic, trapezoidal = springs(case)
    factors = {m: stiffness_factor(trapezoidal, m) for m in (EMPTY / 4, PRINTED_MASS, LOADED / 4)}
    light, heavy, corners = (
        released(case, spring, mass)
        for spring, mass in ((parabolic, 3000.0), (parabolic, 7500.0), (trapezoidal, 7500.0))
    )
    swings = ", ".join(f"{factor:.1f} at {mass:.0f} kg" for mass, factor in factors.items())
    return {
        "leaf-dynamic-factor": Outcome(factors[PRINTED_MASS], swings),
        "leaf-light-rest": 1e3 * rest_compression(light),
        "leaf-heavy-rest": 1e3 * rest_compression(heavy),
        "leaf-corner-steps": Outcome(
            float(corners.stats.rejected),
            f"{len(corners.events)} turns; one step is rejected within 30 ms after each of the first four, where "
            "the force is steeper, none to locate a turn",
        ),
        "leaf-no-events-near-rest": float((corners.events.time > QUIET).sum()),
        "leaf-lingering": damping_ratio(heavy),
        **loop_ratios(case, parabolic),
        "leaf-sequence": float(min(length_in_common(case, parabolic, height) for height in HEIGHTS)),
    }


def springs(case: Case):
    """The parabolic and the trapezoidal one, in the reading of the case."""
    from dataclasses import replace

    from klingel.elements.leaf_spring import PARABOLIC, TRAPEZOIDAL, Reading

    reading = Reading[case.reading.upper()]
    return tuple(case.fields(replace(spring, reading=reading)) for spring in (PARABOLIC, TRAPEZOIDAL))


def stiffness_factor(spring, mass: float) -> float:
    from klingel.literature.leaf_spring.system import GRAVITY, dynamic_stiffness, static_stiffness

    load = mass * GRAVITY
    return dynamic_stiffness(spring, load) / static_stiffness(spring, load)


def released(case: Case, spring, mass: float, start: float = 0.0, duration: float = 6.0):
    """The mass released at rest at the compression `start`, every step kept."""
    from klingel.literature.leaf_spring.system import mass_on_leaf_spring
    from klingel.numerics.integrate import integrate

    problem, x0 = mass_on_leaf_spring(spring, mass, start)
    rtol = case.rtol(RTOL)
    return integrate(problem, x0, duration, method="dopri54", rtol=rtol, atol=1e-2 * rtol)


def rest_compression(out) -> float:
    """Middle of the last swings [m]."""
    last = out["compression"][out.t > out.t[-1] - 1.0]
    return 0.5 * float(last.max() + last.min())


def loop_ratios(case: Case, spring) -> dict[str, float]:
    """Loops of different amplitude and mean compression, over one another."""
    lost, rate = zip(
        *(loop(case, spring, mean, size) for mean, size in ((80, 73.2), (80, 20), (90, 20), (30, 20))), strict=True
    )
    return {
        "leaf-damping-amplitude": lost[0] / lost[1],
        "leaf-damping-load": lost[2] / lost[3],
        "leaf-rate-amplitude": rate[0] / rate[1],
        "leaf-rate-load": rate[3] / rate[2],
    }


def loop(case: Case, spring, mean: float, amplitude: float) -> tuple[float, float]:
    """Energy lost per cycle [J] and force range over displacement range [N/m] of a closed loop; lengths in mm."""
    import numpy as np

    from klingel.literature.leaf_spring.system import force_along, moved_leaf_spring
    from klingel.numerics.integrate import integrate

    problem, x0 = moved_leaf_spring(spring, 1e-3 * amplitude, 1e-3 * mean)
    rtol = case.rtol(1e-9)
    out = integrate(problem, x0, 3.0, rtol=rtol, atol=1e-2 * rtol, redo_events=True, output_step=1 / 400)
    last = slice(-401, None)
    force = force_along(out["compression"][last], out.memory[last])
    return float(out["work"][-1] - out["work"][-401]), float(np.ptp(force)) / (2e-3 * amplitude)


def damping_ratio(out) -> float:
    """Loss of amplitude per swing, relative, at the end over at the beginning."""
    import numpy as np

    z, v = out["compression"], out["speed"]
    turns = np.flatnonzero(np.sign(v[1:-1]) * np.sign(v[2:]) < 0) + 1
    swings = np.abs(np.diff(z[turns]))
    losses = 1.0 - swings[1:] / swings[:-1]
    return float(losses[-4:].mean() / losses[:2].mean())


def length_in_common(case: Case, spring, height: float) -> int:
    """How far the modes of one run follow the printed sequence; 0 if they go on after it."""
    from itertools import groupby

    from klingel.literature.leaf_spring.system import GRAVITY

    rest = spring.static_deflection(0.25 * CARBODY * GRAVITY)
    out = released(case, spring, 0.25 * CARBODY, rest - height)
    modes = [int(mode) for mode, _ in groupby(out.mode[:, 0].tolist())]
    if len(modes) > len(SEQUENCE):
        return 0
    same = [a == b for a, b in zip(modes, SEQUENCE, strict=False)]
    return same.index(False) if False in same else len(same)


_COUNTED = failing(
    CLAIMS, "near_equilibrium", 0.02, "leaf-corner-steps", "leaf-no-events-near-rest", "leaf-sequence"
)
_STIFF = failing(_COUNTED, "stiffness", 2.0, "leaf-heavy-rest", "leaf-dynamic-factor")
_SOFT = failing(_STIFF, "stiffness", 0.6, "leaf-light-rest", "leaf-lingering")
STUDIES = (Study("leaf-springs", run, _SOFT, fast=True, leaf_springs=True, rtol=RTOL),)
