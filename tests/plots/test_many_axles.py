"""Every kind of picture for vehicles of 2, 4 and 8 axles: words apart and inside, units, no empty panels."""

from itertools import pairwise

import numpy as np
import pytest

import klingel as kg
from klingel.contact.profiles.profile import Body
from klingel.elements import dry_friction
from klingel.io.profiles.library import find_profile
from klingel.io.track.toml import to_toml as track_text
from klingel.io.vehicle.toml import to_toml as vehicle_text
from klingel.plots.catalogue import KINDS, Subject, draw
from klingel.plots.sweeps.marks import cells
from klingel.simulation.run import Run
from klingel.simulation.sweep.result import Sweep, from_records
from tests.many_axles import run, vehicle
from tests.plots.layout import complaints, rendered
from tests.plots.sweeps.test_bifurcation import record

AXLES = (2, 4, pytest.param(8, marks=pytest.mark.slow))
CASES = {"shadowing": "braking", "curve": "curve", "track": "curve"}  # others: straight
OF_RUNS = [name for name, kind in KINDS.items() if kind.subject in (Subject.RUN, Subject.TRACK, Subject.VEHICLE)]
OF_SWEEPS = [name for name, kind in KINDS.items() if kind.subject == Subject.SWEEP]
UNEVEN = (10e3, 12e3, 12.5e3, 13e3, 20e3, 40e3)


def subject_of(kind: str, axles: int) -> object:
    shown = run(axles, CASES.get(kind, "straight"))
    return {Subject.RUN: shown, Subject.TRACK: shown.track, Subject.VEHICLE: shown.vehicle}[KINDS[kind].subject]


def choices_of(kind: str, axles: int) -> dict[str, Run | tuple[Run, ...]]:
    if kind == "separation":
        return {"other": run(axles, "near")}
    return {"others": (run(axles, "near"), run(axles, "braking"))} if kind == "compare" else {}


@pytest.mark.parametrize("axles", AXLES)
@pytest.mark.parametrize("kind", OF_RUNS)
def test_kind_for_any_number_of_axles(kind, axles):
    fig = rendered(draw(kind, subject_of(kind, axles), **choices_of(kind, axles)))
    assert complaints(fig) == []


@pytest.mark.parametrize(
    ("kind", "name"),
    [("jacobian", "y25_wagon"), ("suspension", "y25_wagon"), ("suspension", "cooperrider"), ("vehicle", "bigoni")],
)
def test_kinds_of_library_vehicles(kind, name):
    """Own states of elements, long names."""
    assert complaints(rendered(draw(kind, kg.load_vehicle(name)))) == []


@pytest.mark.slow
def test_loops_of_elements_with_long_names():
    wagon = kg.load_vehicle("y25_wagon")
    run = kg.simulate(wagon, kg.Track.straight(), 20.0, 0.2, {"leading_front_wheelset.y": 2e-3})
    assert complaints(rendered(draw("hysteresis", run))) == []


@pytest.mark.parametrize("axles", AXLES)
@pytest.mark.parametrize("kind", OF_SWEEPS)
def test_sweeps_for_any_number_of_axles(kind, axles):
    assert complaints(rendered(draw(kind, sweep(axles)))) == []


def test_kinds_without_axles():
    table = kg.contact_table(inclination=1 / 40)
    for kind, subject in (
        ("profile", find_profile("S1002", Body.WHEEL)),
        ("table", table),
        ("modes", dry_friction),
    ):
        assert complaints(rendered(draw(kind, subject))) == []


def test_the_axis_of_a_sweep_has_the_unit_of_its_parameter():
    assert draw("bifurcation", sweep(4)).axes[-1].get_xlabel() == "carbody, mass [kg]"
    inertia = sweep(4, "carbody.inertia.z")
    assert draw("attractors", inertia).axes[-1].get_xlabel() == "carbody, inertia, z [kg m²]"
    friction = sweep(2, "link_friction.rear_left")
    assert draw("attractors", friction).axes[-1].get_xlabel() == "link friction, rear left [–]"
    limit = sweep(2, "front_left.link_y.slider_1.limit")
    assert draw("attractors", limit).axes[-1].get_xlabel() == "front left, link y, slider 1, limit [N]"


def test_bars_of_kinds_are_as_wide_as_the_steps_beside_them():
    bars = [bar for box in draw("bifurcation", sweep(2)).axes[0].containers for bar in box]
    widths = {round(bar.get_x() + 0.5 * bar.get_width()): bar.get_width() for bar in bars}
    assert min(widths.values()) >= 0.5e3  # the smallest step
    assert max(widths.values()) >= 1.5e3  # others as wide as theirs: half of 2000 and half of 500, at least


def test_cells_touch_and_never_overlap():
    values = np.array([1.0, 1.1, 1.2, 2.0, 2.1, 10.0])
    ends = list(cells(values).values())
    assert all(a[1] <= b[0] + 1e-12 for a, b in pairwise(ends))
    assert ends[0][1] == pytest.approx(ends[1][0])
    assert all(low < value < high for value, (low, high) in cells(values).items())
    assert ends[-1][1] - ends[-1][0] < 1.0  # a value far away does not claim what nobody computed


def sweep(axles: int, parameter: str = "carbody.mass") -> Sweep:
    wagon = vehicle(axles)
    coordinates = [f"{body.name}.y" for body in wagon.bodies]
    settings = {
        "parameter": parameter, "vehicle": vehicle_text(wagon), "track": track_text(kg.Track.straight()),
        "states": [], "modes": [], "memory_size": 0, "speed": 30.0,
    }  # fmt: skip
    kinds = ("off-centre rest", "rest", "periodic", "irregular", "unsettled", "derailed")
    points = []
    for way in ("down", "up"):
        for value, kind in zip(UNEVEN, kinds, strict=True):
            point = record(len(points), value, way, kind, [1e-3, 2e-3], -1e-3, 2e-3)
            for field in ("minimum", "maximum", "frequency", "maxima"):
                point[field] = {name: point[field]["a.y"] for name in coordinates}
            points.append(point)
    return from_records(settings, points)
