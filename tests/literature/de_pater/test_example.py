"""The study runs, its checks hold, its pictures are there; other tracks and his own methods work as well."""

import pytest

from klingel._errors import InputError
from klingel.literature.de_pater.example import Parameters, geometry, run
from klingel.literature.de_pater.report import MotionParameters, motion


@pytest.mark.parametrize("inclination", [1 / 40, 1 / 20])
def test_checks_of_the_geometry_hold_and_pictures_are_written(tmp_path, inclination):
    result = geometry(tmp_path, Parameters(inclination=inclination, shifts=41))
    assert len(result.checks) == 5
    assert all(check.ok for check in result.checks)
    assert {path.name for path in result.files} == {
        "contact-points.png", "geometry.png", "first-order.png", "figure-3-4.png"
    }  # fmt: skip
    assert all(path.stat().st_size > 5000 for path in result.files)
    for loop in (1, 2):
        p1, p2, p12 = (result.quantities[f"loop_{loop}_{p}_shift_m"] for p in ("p1", "p2", "p12"))
        assert p2 < p12 < p1


def test_a_short_reach_without_double_contact_is_fine(tmp_path):
    result = geometry(tmp_path, Parameters(inclination=1 / 20, reach=0.003, shifts=21))
    assert len(result.checks) == 3
    assert all(check.ok for check in result.checks)


def test_bad_reach_is_refused(tmp_path):
    with pytest.raises(InputError, match="reach"):
        run(tmp_path, Parameters(reach=0.5))


@pytest.mark.slow
def test_whole_example_with_his_force_iteration(tmp_path):
    result = run(tmp_path, Parameters(forces="previous-step", hunting_distance=60.0, shifts=41))
    assert [check.what for check in result.checks if not check.ok] == []
    assert len(result.checks) == 21
    assert {path.name for path in result.files} >= {
        "figure-3-4.png", "stability.png", "small-motion.png", "creep-law.png", "hunting.png",
        "double-contact.png", "stiffening.png"
    }  # fmt: skip
    assert all(path.stat().st_size > 5_000 for path in result.files)
    q = result.quantities
    assert q["below_growth_1_m"] < 0.0 < q["above_growth_1_m"]
    assert q["chosen_push_N"] == 55e3
    assert q["push_flange_events"] >= 2


def test_single_contact_without_a_flange(tmp_path):
    result = motion(tmp_path, MotionParameters(rail_stiffness=0.0))
    assert all(check.ok for check in result.checks)
    assert len(result.checks) == 10
    assert len(result.files) == 3


@pytest.mark.parametrize(
    ("field", "value"), [("method", "euler"), ("below", 1.5), ("hunting_distance", 1.0), ("speed", 0.0)]
)
def test_bad_motion_is_refused(field, value):
    with pytest.raises(InputError, match=field):
        Parameters(**{field: value})
