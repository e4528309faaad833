"""The stability study writes its pictures and agrees with the printed values."""

import json

import pytest

from klingel._errors import InputError
from klingel.literature.stability_regions.example import Parameters, run


def test_study_agrees_with_printed_values(tmp_path):
    result = run(tmp_path, Parameters(points=31))
    assert [check.what for check in result.checks if not check.ok] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "error-estimate.png",
        "stability-regions.png",
        "stability-surface.png",
        "stability-top-view.png",
    ]
    assert json.loads(json.dumps(result.as_dict()))["quantities"]["cashkarp54_imaginary_limit"] == 0.0


def test_a_grid_too_coarse_is_refused():
    with pytest.raises(InputError, match="points: must be between 11 and 4001, got 3"):
        Parameters(points=3)
