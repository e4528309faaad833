"""Table 1 of the paper on bogies: same motion by both methods, an error row that is none."""

import pytest

from klingel.literature.example import find
from klingel.literature.nonsmooth_bogies.solver_table import CHANGED_SIGN, both_error_rows, rows
from klingel.numerics.ode.w_methods import ALL_METHODS


@pytest.fixture(scope="module")
def found():
    return {row.solver: row for row in rows(120.0, 1.5, (1e-5,), 1e-6, "empty", 60_000)}


def test_both_methods_hunt(found):
    assert found["erkf34"].hunts
    assert found["esdirk34"].amplitude == pytest.approx(found["erkf34"].amplitude, rel=1e-2)
    assert found["esdirk34"].jacobians > 0
    assert found["erkf34"].jacobians == 0


def test_the_changed_error_row_asks_for_far_more_steps(found):
    """Its estimate is of first order: a hundred times and more the steps of Fehlberg's row."""
    wrong, right = found[CHANGED_SIGN], found["erkf34"]
    assert wrong.simulated < 1.5  # broken off
    assert wrong.accepted / wrong.simulated > 20.0 * right.accepted / right.simulated


def test_the_other_row_is_there_for_a_while_only():
    with both_error_rows():
        assert abs(ALL_METHODS[CHANGED_SIGN].d.sum()) > 0.1
    assert CHANGED_SIGN not in ALL_METHODS


def test_control_at_forty_metres_per_second(tmp_path):
    parameters, run = find("hunting-solvers")
    result = run(tmp_path, parameters(speed=40.0, duration=6.0))
    assert all(check.ok for check in result.checks)
    assert result.quantities["erkf34_1e-05_amplitude_m"] < 1e-4
    assert "| no |" in (tmp_path / "table.md").read_text()
