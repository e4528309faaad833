"""The example writes its figures and agrees with what is known, printed verdicts included."""

import json
from dataclasses import replace

import pytest

from klingel._errors import InputError
from klingel.literature.constrained_wheelset.example import Parameters, run
from klingel.literature.example import find


@pytest.mark.slow
def test_example_agrees_with_the_printed_verdicts(tmp_path):
    kind, function = find("constrained-wheelset")
    assert (kind, function) == (Parameters, run)
    result = run(tmp_path, Parameters(duration=1.0, fast_duration=1.5, output_step=5e-3))
    assert [check.what for check in result.checks if not check.ok] == []
    assert sum("printed" in check.what for check in result.checks) == 6
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "normal-forces.png",
        "stability.png",
        "suspended.png",
        "two-forms.png",
        "unsuspended.png",
    ]
    assert json.loads(json.dumps(result.as_dict()))["quantities"]["steep_final_amplitude_m"] > 0.0


def test_other_wheelsets_are_not_held_against_the_print():
    assert Parameters(shift=2e-3, rtol=1e-7).as_printed()
    assert not replace(Parameters(), fast_speed=70.0).as_printed()


@pytest.mark.parametrize("field", ["duration", "output_step", "shift", "steep_conicity"])
def test_impossible_parameters_are_refused(field):
    with pytest.raises(InputError, match="must be positive"):
        Parameters(**{field: -1.0}).wheelsets()
