"""Every kind of picture, from stored runs: no warning, units on every axis, no words on top of each other."""

import pytest

import klingel as kg
from klingel._errors import InputError
from klingel.plots.catalogue import KINDS, Subject, draw
from tests.plots.layout import complaints, rendered
from tests.short_run import braking_run, curve_run, hunting_run, near_run, one_axle_run

OF_RUNS = (Subject.RUN, Subject.TRACK, Subject.VEHICLE)
OTHERS = ["shadowing", "separation", *(name for name, kind in KINDS.items() if kind.subject not in OF_RUNS)]


def subject_of(kind: str, run: kg.Run):
    return {Subject.RUN: run, Subject.TRACK: run.track, Subject.VEHICLE: run.vehicle}[KINDS[kind].subject]


def checked(kind: str, run: kg.Run, **choices):
    return rendered(draw(kind, subject_of(kind, run), **choices))


CASES = [
    *((kind, hunting_run, {}) for kind in KINDS if kind not in ("curve", "track", *OTHERS)),
    ("separation", hunting_run, {"other": near_run}),
    ("shadowing", braking_run, {}),
    ("lateral", braking_run, {}),
    ("contact", braking_run, {}),
    ("curve", curve_run, {}),
    ("track", curve_run, {}),
    ("track", hunting_run, {}),
    ("hysteresis", hunting_run, {"quantities": ("front_left",)}),
    ("events", hunting_run, {"window": (0.2, 1.0), "quantities": ("front_left",)}),
    ("lateral", hunting_run, {"quantities": ("front_wheelset", "front_wheelset.left.Q"), "along": "distance"}),
    ("phase", hunting_run, {"quantities": ("front_wheelset.y:carbody.roll",)}),
    ("section", hunting_run, {}),
    ("section", hunting_run, {"quantities": ("front_wheelset.yaw:carbody.roll",)}),
    ("hysteresis", hunting_run, {"quantities": ("front_left",), "others": lambda: (braking_run(),)}),
    ("hysteresis", hunting_run, {"others": lambda: (braking_run(), near_run())}),
    ("compare", hunting_run, {"others": lambda: (near_run(), braking_run())}),
    ("compare", braking_run, {"quantities": ("carbody.yaw",), "others": lambda: (braking_run(),)}),
]


@pytest.mark.parametrize(("kind", "run", "choices"), CASES)
def test_kind_draws_with_units_and_without_overlap(kind, run, choices):
    choices = {key: value() if callable(value) else value for key, value in choices.items()}
    fig = checked(kind, run(), **choices)
    assert any(ax.lines for ax in fig.axes)
    assert complaints(fig) == []


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("jacobian", *OTHERS)])
def test_kind_knows_no_names_and_no_number_of_axles(kind):
    checked(kind, one_axle_run())


def test_stored_runs_without_contact_angles_are_drawn_without_their_panels(tmp_path):
    """Files hold the usual quantities; the picture of a braking run must not need more."""
    run, track = braking_run(), kg.Track.straight()
    kick = {"front_wheelset.y": 0.003}
    again = kg.simulate(run.vehicle, track, 20.0, 1.0, kick, acceleration=-1.0, out=tmp_path / "run.nc")
    stored = kg.load_run(tmp_path / "run.nc")
    assert len(checked("shadowing", again).axes) > len(checked("shadowing", stored).axes)
    assert complaints(checked("shadowing", stored)) == []
    with pytest.raises(InputError, match="--quantities 'usual,"):
        draw("contact", stored)


def test_half_a_wagon_has_no_jacobian():
    with pytest.raises(InputError, match="must be balanced at rest"):
        draw("jacobian", one_axle_run().vehicle)


@pytest.mark.parametrize(
    ("kind", "choices", "line"),
    [
        ("latral", {}, r"kind: must be one of lateral, longitudinal, .*, got 'latral'"),
        ("lateral", {"quantities": ("front_weelset.y",)}, r"quantity: .*did you mean front_wheelset\.y"),
        ("lateral", {"window": (3.0, 4.0)}, r"window: must hold at least two rows .*from 0 to 2 s"),
        ("lateral", {"along": "speed"}, r"along: must be time or distance"),
        ("hysteresis", {"quantities": ("carbody.y",)}, r"quantity: is not part of this picture"),
        ("hysteresis", {"along": "time"}, r"along: has no meaning for the kind hysteresis"),
        ("phase", {"quantities": ("memory",)}, r"quantity: .*"),
        ("shadowing", {}, r"run: must be a run whose speed changes"),
        ("wheelset", {"quantities": ("carbody",)}, r"quantity: "),
    ],
)
def test_bad_choices_are_one_line(kind, choices, line):
    with pytest.raises(InputError, match=line) as caught:
        draw(kind, hunting_run(), **choices)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", KINDS)
def test_kind_is_found(name):
    """Modules are loaded by name, which the import contract does not see."""
    assert callable(KINDS[name].load())
