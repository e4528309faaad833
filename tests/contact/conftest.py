"""A made-up contact table with one jump per wheel, for tests that need no profiles."""

import numpy as np
import pytest

from klingel.contact.table.contact_table import (
    COLUMNS,
    Column,
    Conditions,
    ContactTable,
    mirrored,
    physical_columns,
)
from klingel.contact.table.sections import cut

JUMP = 2.13e-3


def _left_side(overlap=2e-4, conditions=None, step=2e-4):
    """Tread up to the jump, flange root behind it."""
    conditions = conditions or Conditions()
    shift = np.linspace(-6e-3, 6e-3, round(12e-3 / step) + 1)
    behind = shift > JUMP
    values = np.zeros((len(shift), COLUMNS))
    values[:, Column.SHIFT] = shift
    values[:, Column.ANGLE] = np.where(behind, 0.3 + 40 * shift, 0.03 + 5 * shift)
    values[:, Column.WHEEL_Y] = np.where(behind, 0.72, 0.75) - 2.0 * shift
    values[:, Column.RAIL_Y] = values[:, Column.WHEEL_Y] + shift
    values[:, Column.WHEEL_Z] = np.where(behind, -0.462, -0.46) - 0.05 * shift
    values[:, Column.RAIL_Z] = np.where(behind, -2e-3, -1e-4) - 0.02 * shift
    curvature_y = np.where(behind, 20.0 + 300 * shift, 1.5 + 50 * shift)
    physical_columns(values, np.full(len(shift), 1.08), curvature_y, conditions)
    return cut(shift, values, [JUMP], overlap)


def _table(**options):
    conditions = options.pop("conditions", None) or Conditions(wheel="made up", rail="made up")
    left = _left_side(conditions=conditions, **options)
    return ContactTable(left, mirrored(left), conditions)


@pytest.fixture(scope="session")
def made_up_side():
    """Function (overlap, conditions, step) -> sections of a left wheel that jumps at JUMP."""
    return _left_side


@pytest.fixture(scope="session")
def made_up_table():
    """Function (overlap, step) -> table with both wheels."""
    return _table
