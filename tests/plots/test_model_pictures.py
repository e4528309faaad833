"""Pictures of vehicles, profiles, tables and elements: they show the numbers they are made of."""

from dataclasses import replace

import numpy as np
import pytest

import klingel as kg
from klingel._errors import InputError
from klingel.elements import dry_friction
from klingel.plots.catalogue import draw
from klingel.simulation.resonance import yaw_frequency


def light_body():
    """Its yaw is so fast that some line meets it beyond the usual end of the axis."""
    wagon = kg.load_vehicle("hbbills311", links="PTP")
    *axles, body = wagon.bodies
    x, y, z = body.inertia
    return replace(wagon, bodies=(*axles, replace(body, inertia=(x, y, 0.4 * z))), meta={})


@pytest.mark.parametrize(
    "wagon", [kg.load_vehicle("hbbills311", links="PTP"), light_body()], ids=["usual", "fast"]
)
def test_resonance_marks_where_lines_meet_the_level(wagon):
    (ax,) = draw("resonance", wagon).axes
    level, *lines = ax.lines
    assert level.get_ydata()[0] == pytest.approx(yaw_frequency(wagon))
    for line, mark in zip(lines[::2], lines[1::2], strict=True):
        (x,), (y,) = mark.get_xdata(), mark.get_ydata()
        assert np.interp(x, line.get_xdata(), line.get_ydata()) == pytest.approx(y)
        assert x < ax.get_xlim()[1]
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [word.partition(":")[0] for word in words] == [
        "yaw of the carbody", "wheelsets, 1/20", "wheelsets, 1/30", "wheelsets, 1/40",
    ]  # fmt: skip
    (one,) = draw("resonance", wagon, quantities=("1/40",)).axes
    assert len(one.lines) == 3


def test_positions_depend_on_their_rates_in_the_jacobian():
    (ax,) = draw("jacobian", kg.load_vehicle("hbbills311")).axes
    columns, rows = ax.lines[0].get_data()
    above = rows <= 15  # rates of the positions: one entry each, of the speed
    assert sorted(rows[above]) == list(range(1, 16))
    assert columns[above].min() > 15
    assert ax.get_title(loc="left").endswith("of 1024 entries")


def test_table_and_its_jumps():
    table = kg.contact_table(inclination=1 / 40)
    assert len(draw("table", table).axes) == 6
    fig = draw("table", table, quantities=("overlap",))
    above, below = fig.axes[: len(fig.axes) // 2], fig.axes[len(fig.axes) // 2 :]
    assert len(above) == len(below) == (table.left.reach > 0.0).sum()
    for ax in below:
        before, behind = (line.get_ydata() for line in ax.lines)
        np.testing.assert_allclose(before + behind, 1.0)
        assert (before[0], before[-1]) == (1.0, 0.0)
    with pytest.raises(InputError, match="quantity: must be overlap"):
        draw("table", table, quantities=("jump",))


def test_modes_of_an_element():
    (ax,) = draw("modes", dry_friction).axes
    words = " ".join(text.get_text() for text in ax.texts)
    assert all(mode.name in words for mode in dry_friction.Mode)
