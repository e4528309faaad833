"""`klingel example link-hysteresis`: checks, figures, a user's own record, and bad input that writes nothing."""

import tomllib

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.elements.link_sets import link_law
from klingel.io.units import assign
from klingel.literature.example import find
from klingel.literature.links.rig import Rig, pendulum_record, rig_record
from klingel.literature.links.rig_record import write_link_measurement

Parameters, run = find("link-hysteresis")


def test_checks_hold_and_figures_are_written(tmp_path):
    result = run(tmp_path, Parameters())
    assert [check.what for check in result.checks if not check.ok] == []
    assert len(result.checks) == 22
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in result.files)
    law = tomllib.loads((tmp_path / "identified.toml").read_text())
    assert law["stiffness"] == pytest.approx(5.0, rel=0.01)
    assert len(law["sliders"]) == 2


def test_own_record_of_another_link(tmp_path):
    record = tmp_path / "ptp.csv"
    write_link_measurement(record, rig_record(link_law("PTP", "y"), Rig(motor_amplitude=0.12), seed=9))
    chosen = assign(Parameters(), [f"data={record}", "direction=y", "sliders=1"])
    result = run(tmp_path, chosen)
    q = result.quantities
    assert q["identified_k_1_m"] == pytest.approx(3.406, rel=0.01)
    assert q["identified_k1_1_m"] == pytest.approx(10.375, rel=0.06)
    assert q["identified_T01"] == pytest.approx(0.053, rel=0.02)
    assert not any("identified" in check.what for check in result.checks)


def test_record_of_a_swaying_pendulum(tmp_path):
    record = tmp_path / "sway.csv"
    law = link_law("PTP", "x")
    write_link_measurement(record, pendulum_record(law, 0.05, 0.18))
    result = run(tmp_path, assign(Parameters(), [f"data={record}", "direction=x"]))
    limits = [
        value
        for name, value in result.quantities.items()
        if name.startswith("identified_T0") and "err" not in name
    ]
    assert np.sum(limits) == pytest.approx(law.breakout, rel=0.05)
    assert result.quantities["identified_delay_s"] == 0.0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["data=nowhere.csv"], "data"),
        (["direction=z"], "direction"),
        (["links=ABC"], "links"),
        (["sliders=9"], "sliders"),
        (["amplitude=0"], "amplitude"),
        (["arm=-1"], "arm"),
    ],
)
def test_bad_settings_write_nothing(tmp_path, settings, message):
    with pytest.raises(InputError, match=message):
        run(tmp_path, assign(Parameters(), settings))
    assert not list(tmp_path.iterdir())
