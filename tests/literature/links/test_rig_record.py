"""Records of the rig: units, what is refused and with which line, and the way there and back."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.literature.links.identification import LinkMeasurement, SetUp
from klingel.literature.links.rig_record import read_link_measurement, write_link_measurement

TITLES = "time [s],displacement [mm],acceleration [m/s2],force [N]"
ROWS = [f"{0.01 * i:.2f},{np.sin(i):.3f},{-np.sin(i):.3f},1.5" for i in range(60)]


def _file(tmp_path, *lines):
    path = tmp_path / "record.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_units_and_order_of_columns(tmp_path):
    rows = [f"{i}, 2.0, 0.5, {0.1 * i:.1f}" for i in range(60)]
    path = _file(
        tmp_path, "# rig A", "# mass = 0.4 t", "force [kgf],displacement [mm],acceleration [g],time [ms]", *rows
    )
    m = read_link_measurement(path)
    assert m.mass == 400.0
    assert m.setup is SetUp.DRIVEN
    assert m.comments == ("rig A", "mass = 0.4 t")
    assert m.displacement[3] == pytest.approx(2e-3)
    assert m.acceleration[3] == pytest.approx(4.905)
    assert m.force[3] == pytest.approx(3 * 9.81)
    assert m.time[3] == pytest.approx(3e-4)


def test_pendulum_needs_no_force_but_an_arm(tmp_path):
    rows = [row.rpartition(",")[0] for row in ROWS]
    lines = ["# mass = 80 kg", "# setup = pendulum", "# arm = 60 cm", TITLES.rpartition(",")[0], *rows]
    m = read_link_measurement(_file(tmp_path, *lines))
    assert m.setup is SetUp.PENDULUM
    assert m.arm == pytest.approx(0.6)
    assert not np.any(m.force)
    with pytest.raises(InputError, match="arm"):
        read_link_measurement(_file(tmp_path, *lines[:2], *lines[3:]))


def test_written_record_reads_back_to_its_printed_digits(tmp_path):
    t = np.arange(0.0, 1.0, 0.005)
    m = LinkMeasurement(t, 0.01 * np.sin(6 * t), np.cos(6 * t), 50 * np.sin(6 * t), 378.2, comments=("made",))
    write_link_measurement(tmp_path / "out.csv", m)
    back = read_link_measurement(tmp_path / "out.csv")
    assert back.mass == m.mass
    assert back.comments[0] == "made"
    assert back.displacement == pytest.approx(m.displacement, abs=0.51e-7)
    assert back.acceleration == pytest.approx(m.acceleration, abs=0.51e-4)
    assert back.force == pytest.approx(m.force, abs=0.51e-2)


BROKEN = [
    pytest.param(["# mass = 1 kg", "# nothing else"], "column titles", id="no titles"),
    pytest.param([TITLES, *ROWS], "mass", id="no mass"),
    pytest.param(["# mass = -3 kg", TITLES, *ROWS], "mass.*positive", id="negative mass"),
    pytest.param(["# mass = 3 stone", TITLES, *ROWS], "mass: must be a mass in kg, t, g", id="unit of mass"),
    pytest.param(["# mass = 1 kg", "# setup = swing", TITLES, *ROWS], "setup", id="unknown set-up"),
    pytest.param(["# mass = 1 kg", TITLES.replace("[mm]", "[inch]"), *ROWS], "line 2.*displacement", id="unit"),
    pytest.param(["# mass = 1 kg", TITLES.replace(" [N]", ""), *ROWS], "line 2.*force", id="no unit"),
    pytest.param(["# mass = 1 kg", "time [s],displacement [m]", *ROWS], "line 2.*acceleration", id="missing"),
    pytest.param(["# mass = 1 kg", TITLES + ",force [N]", *ROWS], "line 2.*once", id="twice"),
    pytest.param(["# mass = 1 kg", TITLES, *ROWS[:9], "0.09,abc,0,0", *ROWS[10:]], "line 12.*abc", id="word"),
    pytest.param(["# mass = 1 kg", TITLES, *ROWS[:9], "0.09,nan,0,0", *ROWS[10:]], "line 12.*finite", id="nan"),
    pytest.param(
        ["# mass = 1 kg", TITLES, *ROWS[:9], "0.09,1,0", *ROWS[10:]], "line 12.*4 numbers", id="short row"
    ),
    pytest.param(["# mass = 1 kg", TITLES, *ROWS[:9], "0.05,1,0,0", *ROWS[10:]], "line 12.*rise", id="time back"),
    pytest.param(["# mass = 1 kg", TITLES, *ROWS[:20]], "at least 50", id="too few"),
]


@pytest.mark.parametrize(("lines", "message"), BROKEN)
def test_broken_files_are_refused_in_one_line(tmp_path, lines, message):
    with pytest.raises(InputError, match=message) as caught:
        read_link_measurement(_file(tmp_path, *lines))
    assert "\n" not in str(caught.value)


def test_missing_and_binary_files(tmp_path):
    with pytest.raises(InputError, match="existing"):
        read_link_measurement(tmp_path / "none.csv")
    (tmp_path / "picture.csv").write_bytes(bytes(range(256)))
    with pytest.raises(InputError, match="readable text"):
        read_link_measurement(tmp_path / "picture.csv")
