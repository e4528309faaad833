"""Cubic splines against straight lines in the contact table: steps of the implicit method, and the motion.

Empty Hbbills 311, PTP, 1/40, 20 m/s for 20 s from 1 mm, on a table with an entry every 0.2 mm as in the thesis,
with its method at one tolerance for both. The tolerance is not printed: 1e-4 here, 1e-6 next to it. Source:
Hoffmann (2006), figures 5.48, 5.49.
"""

from typing import NamedTuple

import numpy as np

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing

THESIS = "Hoffmann 2006, "
ENTRIES = 2e-4  # [m]
SPEED, DURATION = 20.0, 20.0  # [m/s], [s]
METHOD = "esdirk34"
RTOL, TIGHT = 1e-4, 1e-6
PRINTED = (6059, 20942)  # steps, good and bad


class _Work(NamedTuple):
    good: int
    bad: int
    width: float  # half of peak to peak, front wheelset, last 5 s [m]


def _run(case: Case, interpolation: int, rtol: float) -> _Work:
    from klingel.contact.table.build import Grid
    from klingel.contact.table.wheel_table import Interpolation, compile_side
    from klingel.io.contact.cache import contact_table
    from klingel.model.builder import compile_vehicle
    from klingel.simulation.integration import Solving, bare_run, rest_of, start_from_rest
    from klingel.track.track import Track

    vehicle = case.wagon("hbbills311", links="PTP")
    table = contact_table(inclination=1 / 40, grid=Grid(step=ENTRIES))
    shear = table.conditions.shear_modulus
    left, right = (compile_side(side, shear, Interpolation(interpolation)) for side in (table.left, table.right))
    contact = {wheelset.body: (left, right) for wheelset in vehicle.wheelsets}
    compiled = compile_vehicle(vehicle, contact, SPEED, 0.0, Track.straight(inclination=1 / 40), 0.0)
    kick = {"front_wheelset.y": 1e-3, "rear_wheelset.y": 1e-3}
    begin = start_from_rest(compiled, rest_of(compiled), kick)
    run = bare_run(compiled, begin, DURATION, Solving(METHOD, case.rtol(rtol)), 0.005)
    y = run.x[run.t > DURATION - 5.0, compiled.layout.states.index("front_wheelset.y")]
    return _Work(run.stats.accepted, run.stats.rejected, 0.5 * float(np.ptp(y)))


def interpolations(case: Case) -> dict[str, Result]:
    spline, line = (_run(case, kind, RTOL) for kind in (0, 1))
    tight, tight_line = (_run(case, kind, TIGHT) for kind in (0, 1))

    def ratio(a: _Work, b: _Work) -> float:
        return (a.good + a.bad) / (b.good + b.bad)

    note = f"splines {spline.good} + {spline.bad}, lines {line.good} + {line.bad} steps (printed 5048 + 1011 and "
    note += f"17187 + 3755); {ratio(tight, tight_line):.2f} at a tolerance of {TIGHT:g}"
    widths = f"{1e3 * tight.width:.3f} and {1e3 * tight_line.width:.3f} mm at a tolerance of {TIGHT:g}"
    return {
        "table-steps": Outcome(ratio(spline, line), note),
        "table-motion": Outcome(tight_line.width / tight.width, widths),
    }


STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-tables",
        interpolations,
        failing(
            (
                Claim(
                    "table-steps",
                    THESIS + "figure 5.49",
                    "steps with splines over steps with straight lines, 20 m/s for 20 s",
                    PRINTED[0] / PRINTED[1],
                    "",
                    0.005,
                    "half of the printed per cent",
                    "lines bend at every entry of the table; how often a step sees it depends on the tolerance",
                ),
                Claim(
                    "table-motion",
                    THESIS + "figure 5.48",
                    "width of the small periodic motion, straight lines over splines",
                    (0.5, 2.0),
                    "",
                    0.0,
                    "'any qualitative difference could not be found': the same kind and order of size",
                    given_kind="direction",
                ),
            ),
            "vehicle.wheelbase",
            0.5,
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
    ),
)
