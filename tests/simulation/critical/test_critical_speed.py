"""Critical speeds of vehicles whose answer is known; a refusal; "none below"; Ctrl-C; files."""

import json

import pytest

import klingel as kg
from klingel._errors import InputError
from klingel.simulation.critical import work
from klingel.simulation.critical.result import load_critical_speed

FOLD = 63.62515  # of Cooperrider's bogie, from the branch of orbits [m/s]
FEW = {"slowest": 60.0, "fastest": 68.0, "seeds": 2, "workers": 1}


@pytest.fixture(scope="module")
def bogie():
    return kg.critical_speed(kg.load_vehicle("cooperrider"), **FEW)


@pytest.mark.slow
def test_lowest_speed_is_the_fold_of_the_branch(bogie):
    assert bogie.verdict == "found"
    headline = bogie.motions[0]
    assert headline.family == "flange to flange of both wheelsets"
    assert headline.kind == "periodic"
    # a descent in steps ends at the fold or a step above it
    assert headline.low - 0.01 <= FOLD <= headline.high + 0.01
    assert headline.frequency == pytest.approx(3.65, abs=0.05)
    assert bogie.linear["stuck"]["speed"] == pytest.approx(65.290, abs=1e-3)
    assert bogie.linear["slipping"] is None


@pytest.mark.slow
def test_stored_and_loaded(bogie, tmp_path):
    again = load_critical_speed(bogie.save(tmp_path / "critical.json"))
    assert again == bogie
    assert json.loads(json.dumps(bogie.as_dict()))["motions"][0]["speed"] == bogie.speed


@pytest.mark.slow
def test_processes_give_the_same_numbers(bogie):
    two = kg.critical_speed(kg.load_vehicle("cooperrider"), **{**FEW, "workers": 2})
    assert two.motions == bogie.motions
    assert two.protocols == bogie.protocols


@pytest.mark.slow
def test_tolerances_that_disagree_are_refused():
    """At rtol = 1e-2 errors of the steps keep motions alive that die at 1e-3; which of them, rounding decides."""
    found = kg.critical_speed(
        kg.load_vehicle("cooperrider"), slowest=58.0, fastest=75.0, seeds=2, rtol=1e-2, other_method="dopri54",
        workers=1,
    )  # fmt: skip
    assert found.verdict == "refused"
    assert found.speed is None
    assert "would settle it" in found.reason
    assert "\n" not in found.reason


def test_none_below():
    found = kg.critical_speed(kg.load_vehicle("cooperrider"), slowest=20.0, fastest=30.0, seeds=1, workers=1)
    assert found.verdict == "none"
    assert found.reason == "no motion of more than 0.5 mm lasts below 30 m/s (108 km/h)"
    assert found.motions == ()
    assert found.speed is None


def test_interrupted_keeps_what_there_is(monkeypatch, tmp_path):
    done = []

    def stop(ride, speed):
        if done:
            raise KeyboardInterrupt
        done.append(speed)
        return []

    monkeypatch.setitem(work.FUNCTIONS, work.SCAN, stop)
    out = tmp_path / "critical.json"
    found = kg.critical_speed(
        kg.load_vehicle("cooperrider"), slowest=20.0, fastest=30.0, seeds=1, workers=1, out=out
    )
    assert (found.status, found.verdict) == ("interrupted", "refused")
    assert "interrupted" in found.reason
    assert load_critical_speed(out).protocols.keys() == found.protocols.keys()


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"threshold": 0.0}, "threshold"),
        ({"threshold": 1.0}, "threshold"),
        ({"slowest": -1.0}, "slowest"),
        ({"slowest": 40.0, "fastest": 30.0}, "fastest"),
        ({"fastest": float("nan")}, "fastest"),
        ({"hold": "5s"}, "hold"),
        ({"seeds": 0}, "seeds"),
        ({"seed": -1}, "seed"),
        ({"other_method": "euler"}, "method"),
        ({"rtol": 1.0}, "rtol"),
        ({"workers": 0}, "workers"),
        ({"track": kg.Track.curve(radius=500.0)}, "track"),
    ],
)
def test_bad_input_names_its_field(options, field):
    with pytest.raises(InputError) as refused:
        kg.critical_speed(kg.load_vehicle("cooperrider"), **options)
    assert refused.value.field == field
    assert "\n" not in str(refused.value)


def test_a_file_that_is_none(tmp_path):
    other = tmp_path / "other.json"
    for text in ("", "[]", '{"kind": "something"}', "\xff"):
        other.write_text(text, encoding="latin-1")
        with pytest.raises(InputError, match="critical speed stored by klingel"):
            load_critical_speed(other)
    with pytest.raises(InputError, match="must be a file that exists"):
        load_critical_speed(tmp_path / "none.json")
