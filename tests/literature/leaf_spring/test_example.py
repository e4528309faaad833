"""`klingel example leaf-spring`: every check holds and every figure is written."""

import pytest

from klingel._errors import InputError
from klingel.literature.example import find

Parameters, run = find("leaf-spring")


def test_checks_hold_and_figures_are_written(tmp_path):
    result = run(tmp_path, Parameters())
    assert [check.what for check in result.checks if not check.ok] == []
    assert len(result.checks) >= 9
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in result.files)
    q = result.quantities
    assert q["lingering_swing_full_m"] < 0.3 * q["lingering_swing_simplified_m"]
    assert q["parabolic_light_final_compression_m"] < 0.0629 < q["parabolic_heavy_final_compression_m"]


def test_unknown_reading_is_refused(tmp_path):
    with pytest.raises(InputError, match="reading"):
        run(tmp_path, Parameters(reading="loose"))
    assert not list(tmp_path.iterdir())
