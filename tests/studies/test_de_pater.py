"""The study runs, its checks hold, its pictures are there; other tracks work as well."""

import pytest

from klingel._errors import InputError
from klingel.studies.de_pater import Parameters, run


@pytest.mark.parametrize("inclination", [1 / 40, 1 / 20])
def test_checks_hold_and_pictures_are_written(tmp_path, inclination):
    result = run(tmp_path, Parameters(inclination=inclination, shifts=41))
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
    result = run(tmp_path, Parameters(inclination=1 / 20, reach=0.003, shifts=21))
    assert len(result.checks) == 3
    assert all(check.ok for check in result.checks)


def test_bad_reach_is_refused(tmp_path):
    with pytest.raises(InputError, match="reach"):
        run(tmp_path, Parameters(reach=0.5))
