"""Events located, ignored or smoothed, as an option of any run."""

import numpy as np
import pytest

import klingel as kg
from klingel._errors import InputError
from klingel.io.vehicle.files import parse_vehicle
from klingel.simulation.request.request import RunRequest
from klingel.simulation.sweep.case import Case

Y = "leading_front_wheelset.y"


def run(duration=2.0, **options):
    bogie, track = kg.load_vehicle("cooperrider"), kg.Track.straight()
    return kg.simulate(bogie, track, 75.0, duration, {Y: 0.012}, quantities=(Y,), **options)


def test_the_flange_in_three_ways_is_the_same_motion():
    """Steps over the corner, and a corner rounded by 2 um: the motion is that with the corner located."""
    tight = {"rtol": 1e-10, "output_step": 0.01}
    located = run(**tight)
    ignored = run(locate="ignore", **tight)
    smooth = run(locate="smooth", smooth_length=2e-6, **tight)
    exact = located[Y].to_numpy()
    assert np.abs(exact).max() > 9.2e-3
    assert len(located.events) > 5
    for other in (ignored, smooth):
        assert len(other.events) == 0
        assert np.abs(other[Y].to_numpy() - exact).max() < 2e-6


def test_a_request_says_how(tmp_path):
    asked = RunRequest(
        "cooperrider", speed=75.0, duration=0.5, solving={"locate": "smooth", "smooth_length": 2e-5}
    )
    again = RunRequest.from_dict(asked.as_dict())
    assert again == asked
    assert again.solving.smooth_length == 2e-5
    laws = {e.name: e.law for e in again.read_vehicle().elements}
    assert laws["leading_front_rails.flange"].width == 2e-5


def flange_of(vehicle):
    return next(e.law for e in vehicle.elements if e.name == "leading_front_rails.flange")


@pytest.mark.parametrize("way", [{"locate": "ignore"}, {"locate": "smooth", "smooth_length": 2e-5}])
def test_a_stored_run_keeps_the_vehicle_as_given(tmp_path, way):
    """Asked for in another way it has its corners again, or the other width; it goes on with its own laws."""
    run(0.2, out=tmp_path / "run.nc", **way)
    made = kg.load_run(tmp_path / "run.nc")
    given = flange_of(kg.load_vehicle("cooperrider"))
    assert flange_of(made.vehicle) == given
    assert flange_of(made.integrated_vehicle) != given
    located = made.request.changed(locate="all", smooth_length=None)
    assert flange_of(located.read_vehicle()) == given
    wider = made.request.changed(locate="smooth", smooth_length=5e-5)
    assert flange_of(wider.read_vehicle()).width == 5e-5
    longer, whole = kg.continue_run(made, duration=0.4), run(0.4, **way)
    assert len(longer.events) == 0
    assert np.abs(longer[Y].to_numpy()[-1] - whole[Y].to_numpy()[-1]) < 1e-6


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"locate": "smooth"}, "smooth_length"),
        ({"smooth_length": 1e-5}, "smooth_length"),
        ({"locate": "ignore", "smooth_speed": 1e-3}, "smooth_speed"),
        ({"locate": "smooth", "smooth_speed": 1e-3}, "smooth_length"),
        ({"locate": "smooth", "smooth_length": -1.0}, "smooth_length"),
        ({"locate": "perhaps"}, "locate"),
    ],
)
def test_what_is_missing_is_named(options, field):
    with pytest.raises(InputError) as caught:
        run(**options)
    assert caught.value.field == field


def test_a_vehicle_without_a_smooth_form_is_refused_by_the_name_of_its_element():
    with pytest.raises(InputError, match="cannot be smoothed") as caught:
        kg.smoothed(kg.load_vehicle("hbbills311"), length=1e-5, speed=1e-3)
    assert caught.value.field.startswith("front_left.")


@pytest.mark.parametrize("way", [{"locate": "ignore"}, {"locate": "smooth", "smooth_length": 2e-5}])
def test_a_sweep_stores_the_vehicle_as_given_and_how_events_were_treated(tmp_path, way):
    """A value of the law that is smoothed can be the parameter; points have the law in the form of the run."""
    asked = RunRequest("cooperrider", speed=75.0, duration=0.5, solving={"rtol": 1e-6, **way})
    gap = "leading_front_rails.flange.gap_high"
    rule = kg.FixedTransient(0.1, 1, piece=0.1, cap=0.2)
    found = kg.sweep(
        asked, parameter=gap, values=[8e-3, 9e-3], transient=rule, workers=1, out=tmp_path / "s.nc", nudge=1e-3
    )
    stored = kg.load_sweep(tmp_path / "s.nc")
    assert flange_of(parse_vehicle(stored.settings["vehicle"])) == flange_of(kg.load_vehicle("cooperrider"))
    assert {name: stored.settings[name] for name in way} == way
    assert sorted(found.parameter) == [8e-3, 9e-3]
    assert found.settings["modes"] == stored.settings["modes"]
    laws = [flange_of(Case(asked, gap, (), rule, 0.0).at(value).read_vehicle()) for value in (8e-3, 9e-3)]
    assert laws[0] != laws[1]
