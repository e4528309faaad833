"""The example runs as a whole, agrees with the closed forms, and refuses what it cannot do."""

import json

import pytest

from klingel._errors import InputError
from klingel.literature.nonsmooth_manifold.example import Parameters, run

FIGURES = [
    "double-contact.png",
    "jump-laws.png",
    "lemmas.png",
    "manifold-surface.png",
    "smoothings.png",
    "theorem-1.png",
    "wheelset-crossing.png",
    "wheelset-hunting.png",
    "yaw-cuts.png",
]


@pytest.mark.slow
def test_example_agrees_with_closed_forms(tmp_path):
    result = run(tmp_path, Parameters(points=21, duration=0.2))
    assert [check.what for check in result.checks if not check.ok] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == FIGURES
    document = json.loads(json.dumps(result.as_dict()))
    limits = [c for c in document["checks"] if c["what"].startswith("v+/v- = exp(-mu alpha)")]
    assert len(limits) == 12
    assert max(c["tolerance"] for c in limits) <= 1e-4
    oblique = [c for c in document["checks"] if c["what"].startswith("T+/T- of theorem 1")]
    assert len(oblique) == 12
    assert max(c["tolerance"] for c in oblique) <= 1e-3
    assert document["quantities"]["regularised_crossings_root_flange"] >= 1
    assert document["quantities"]["plastic_energy_lost_in_jumps_J"] > 1.0


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"duration": 0.0}, "duration"),
        ({"start": 0.02}, "start"),
        ({"mu": -0.1}, "mu"),
        ({"alpha": 2.0}, "alpha"),
        ({"points": 3}, "points"),
        ({"speed": -1.0}, "speed"),
        ({"inclination": 0.0}, "inclination"),
    ],
)
def test_bad_settings_are_refused(settings, field):
    with pytest.raises(InputError, match=f"^{field}:"):
        Parameters(**settings)
