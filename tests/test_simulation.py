"""`simulate` and its result: what is reported must agree with itself, and survive the way to disk and back."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import xarray as xr

import klingel as kg
from klingel.io import atomic
from klingel.simulation.settled import settled

KICK = {"front_wheelset.y": 3e-3, "carbody.y": 2e-3}


@cache
def wagon():
    return kg.load_vehicle("hbbills311", links="PTP", load="empty")


@cache
def short_run():
    return kg.simulate(wagon(), kg.Track.straight(), 30.0, 1.0, KICK)


def test_newton_for_every_body():
    """Mass times acceleration = forces of suspension and rails, in y and z, at every row."""
    run = short_run()
    for side in ("front", "rear"):
        mass = next(b.mass for b in wagon().bodies if b.name == f"{side}_wheelset")
        corners = [f"{side}_left", f"{side}_right"]
        wheels = [f"{side}_wheelset.left", f"{side}_wheelset.right"]
        for axis, rail, elements, weight in (
            ("y", "Y", ("link_y", "guide_y"), 0.0),
            ("z", "Q", ("leaf",), 9.81),
        ):
            force = sum(run[f"{wheel}.{rail}"] for wheel in wheels)
            force = force + sum(run[f"{corner}.{e}.force"] for corner in corners for e in elements)
            expected = mass * (run[f"{side}_wheelset.{axis}_ddot"] + weight)
            np.testing.assert_allclose(force, expected, rtol=0, atol=1e-6 * mass * 9.81)


def test_parts_of_a_link_add_up_and_resist():
    run = short_run()
    parts = [n for n in run.data if str(n).startswith("front_left.link_y.") and str(n).endswith(".force")]
    assert len(parts) >= 4  # the sum, the pendulum, sliders, bracket
    whole = sum(run[str(n)] for n in parts if n != "front_left.link_y.force")
    np.testing.assert_allclose(whole, run["front_left.link_y.force"], atol=1e-9)
    # deformation from carbody to wheelset at the start: kick of the wheelset minus that of the carbody
    assert float(run["front_left.link_y.deformation"][0]) == pytest.approx(1e-3, abs=1e-6)
    assert float(run["front_left.link_y.force"][0]) < 0.0


def test_rest_carries_the_weight_on_every_wheel():
    run = kg.simulate(wagon(), kg.Track.straight(), 30.0, 0.1)
    for wheel in run.names["wheels"]:
        assert float(run[f"{wheel}.Q"][0]) == pytest.approx((15176 + 2 * 1490) * 9.81 / 4, rel=1e-9)
    assert settled(run).kind == "rest"
    assert len(run.events) == 0


def test_events_are_the_changes_of_the_modes():
    run = short_run()
    assert list(run.events.columns) == ["time", "element", "old", "new", "guard"]
    assert run.stats.events > 10
    for element, rows in run.events.groupby("element"):
        assert list(rows["old"][1:]) == list(rows["new"][:-1])  # one leads to the next
        last = int(run[f"{element}.mode"][-1])
        assert rows["new"].iloc[-1] == run[f"{element}.mode"].attrs["flag_meanings"].split()[last]


def test_round_trip(tmp_path):
    run = short_run()
    path = run.save(tmp_path / "run.nc")
    again = kg.load_run(path)
    xr.testing.assert_identical(again.data, run.data)
    assert (again.stats, again.options, again.names, again.ended) == (run.stats, run.options, run.names, run.ended)
    assert again.events.equals(run.events)
    assert again.vehicle.bodies == wagon().bodies
    assert again.vehicle.elements == wagon().elements
    assert again.track == kg.Track.straight()
    repeated = kg.simulate(again.vehicle, again.track, 30.0, 1.0, again.options["initial"])
    np.testing.assert_array_equal(repeated["front_wheelset.y"], run["front_wheelset.y"])


def test_a_run_goes_on_from_another():
    """From the last row: the same motion as one long run, before chaos, to tolerance."""
    whole = kg.simulate(wagon(), kg.Track.straight(), 20.0, 0.6, KICK)
    first = kg.simulate(wagon(), kg.Track.straight(), 20.0, 0.3, KICK)
    second = kg.simulate(wagon(), kg.Track.straight(), 20.0, 0.3, first)
    np.testing.assert_allclose(second["front_wheelset.y"], whole["front_wheelset.y"][30:], atol=2e-6)
    with pytest.raises(kg.InputError, match="same bodies"):
        kg.simulate(kg.load_vehicle("hbbills311", links="INP"), kg.Track.straight(), 20.0, 0.3, first)


def _long(vehicle):
    """Six times as far from the middle to the wheels."""
    places = [(6.0 * body.position[0], *body.position[1:]) for body in vehicle.bodies]
    bodies = [replace(body, position=place) for body, place in zip(vehicle.bodies, places, strict=True)]
    return replace(vehicle, bodies=tuple(bodies))


def _wide(vehicle):
    return replace(vehicle, wheelsets=tuple(replace(w, back_to_back=1.46) for w in vehicle.wheelsets))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"speed": 0.0}, "speed: must be a positive speed in m/s, got 0.0"),
        ({"speed": float("nan")}, "speed: must be a positive speed"),
        ({"duration": 0.0}, "duration: must be a positive time"),
        (
            {"acceleration": -3.0, "duration": 20.0},
            "acceleration: must be more than -1.5 m/s2, or the vehicle stops",
        ),
        (
            {"initial": {"front_axle.y": 1.0}},
            "initial: did you mean front_wheelset.y? must be one of front_wheelset.x",
        ),
        ({"method": "euler"}, "method: must be one of"),
        ({"speed": "45"}, "speed: must be a number, in m/s, got '45'"),
        ({"initial": {"front_wheelset.y": "5mm"}}, "initial.front_wheelset.y: must be a number, in SI units"),
        ({"distance": "3 m"}, "distance: must be a number, in m, got '3 m'"),
        ({"sliders": {"*.link_y": "2mm"}}, "sliders.*.link_y: must be a number, in m"),
        (
            {"vehicle": _wide(kg.load_vehicle("g69"))},
            "front_wheelset.back_to_back: must lie between 1.275 and 1.395 m on a gauge of 1.435 m",
        ),
        (
            {"vehicle": _long(wagon()), "track": kg.Track.curve(500.0, cant=0.0, transition=50.0, length=100.0)},
            "track radius: must be at least 600 m for bodies 30 m apart (small angles), got 500",
        ),
        ({"track": kg.Track.straight(overlap=(1e-4, 2e-4))}, "overlap: must be one width or one for each of the"),
        ({"vehicle": replace(kg.load_vehicle("g69"), wheelsets=())}, "vehicle: must have wheels"),
    ],
)
def test_bad_input_is_one_line(change, line):
    given = {"vehicle": wagon(), "track": kg.Track.straight(), "speed": 30.0, "duration": 0.1, **change}
    with pytest.raises(kg.InputError) as caught:
        kg.simulate(**given)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def test_unknown_quantity_is_helped():
    with pytest.raises(kg.InputError, match=r"did you mean front_wheelset\.y"):
        short_run()["front_wheelset.yy"]


def test_interrupted_run_keeps_its_rows(tmp_path):
    run = kg.simulate(wagon(), kg.Track.straight(), 30.0, 1000.0, KICK, on_chunk=lambda _: True)
    assert run.status == "interrupted"
    assert not run.complete
    assert 0 < run.time.size < 100_001
    assert kg.load_run(run.save(tmp_path / "part.nc")).status == "interrupted"


def test_failed_run_keeps_its_rows():
    with pytest.raises(kg.SimulationError, match="step limit") as caught:
        kg.simulate(wagon(), kg.Track.straight(), 30.0, 10.0, KICK, max_steps=500)
    assert caught.value.run.status == "failed"
    assert caught.value.run.time.size > 5


@pytest.mark.parametrize(("sign", "side"), [(1.0, "left"), (-1.0, "right")])
def test_derailment_is_told_with_wheel(sign, side):
    """A wheelset about to leave the end of its contact table (10 mm) outwards climbs the rail of that side."""
    kick = {"front_wheelset.y": sign * 9.99e-3, "front_wheelset.y_dot": sign * 10.0}
    run = kg.simulate(wagon(), kg.Track.straight(), 30.0, 1.0, kick, placing="bare")
    assert run.status == "derailed"
    assert run.ended.startswith("derailment at t = ")
    assert f"wheel front_wheelset.{side} left" in run.ended
    assert run.complete


@pytest.mark.parametrize("damage", ["cut", "flip", "text", "empty", "header"])
def test_damaged_file_is_one_line(tmp_path, damage):
    path = short_run().save(tmp_path / "run.nc")
    content = bytearray(path.read_bytes())
    if damage == "flip":
        middle = len(content) // 2  # some bytes: a single one may lie between two blocks of the file
        content[middle : middle + 4096] = bytes(byte ^ 0xFF for byte in content[middle : middle + 4096])
    elif damage == "header":
        content[4:60] = b"\xff" * 56
    else:
        content = {"cut": content[: len(content) // 2], "text": b"no run", "empty": b""}[damage]
    path.write_bytes(content)
    with pytest.raises(kg.InputError, match=r"^file: ") as caught:
        kg.load_run(path)
    assert "\n" not in str(caught.value)


def test_no_changed_byte_is_believed(tmp_path):
    """Anywhere in the file: it is refused, or lies where nothing is stored and what is read is the same."""
    path = short_run().save(tmp_path / "run.nc")
    content, whole = path.read_bytes(), kg.load_run(path)
    places = [len(content) // 2, *np.random.default_rng(3).integers(0, len(content), 40).tolist()]
    refused = 0
    for at in places:
        changed = bytearray(content)
        changed[at] ^= 0xFF
        path.write_bytes(changed)
        try:
            read = kg.load_run(path)
        except kg.InputError:
            refused += 1
            continue
        assert read.data.equals(whole.data)
        assert (read.names, read.sources, read.stats) == (whole.names, whole.sources, whole.stats)
    assert refused > 0


def test_foreign_netcdf_is_refused(tmp_path):
    xr.Dataset({"a": ("x", [1.0])}).to_netcdf(tmp_path / "other.nc", engine="scipy")
    with pytest.raises(kg.InputError, match="must be a run stored by klingel"):
        kg.load_run(tmp_path / "other.nc")
    with pytest.raises(kg.InputError, match="must exist"):
        kg.load_run(tmp_path / "none.nc")


def test_failure_while_writing_leaves_the_old_file(tmp_path, monkeypatch):
    path = short_run().save(tmp_path / "run.nc")
    before = path.read_bytes()

    def fails(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic.os, "fsync", fails)
    with pytest.raises(KeyboardInterrupt):
        short_run().save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("kind", ["SIGTERM", "SIGINT"])
def test_kill_leaves_a_readable_partial_result(tmp_path, kind):
    """A polite kill or Ctrl-C in the middle of a long run: exit code 130 and a file that can be gone on from."""
    target = tmp_path / "run.nc"
    command = [
        "run",
        "hbbills311",
        "--speed",
        "30",
        "--duration",
        "100000",
        "--output-step",
        "1",
        "--out",
        str(target),
    ]
    code = (
        "import sys, klingel.app.progress as p, os, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # jobs in the background ignore it
        "from klingel.app.cli import app\n"
        "from contextlib import contextmanager\n"
        "import klingel.app.commands.run as r\n"
        "@contextmanager\n"
        "def kills(title):\n"
        f"    yield lambda report: os.kill(os.getpid(), signal.{kind})\n"
        "r.progress_bar = kills\n"
        f"sys.argv = ['klingel', *{[*command, '--kick', 'front_wheelset.y=5mm']!r}]\n"
        "app()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 130, done.stderr
    stored = kg.load_run(target)
    assert stored.status == "interrupted"
    assert kg.continue_run(stored, on_chunk=lambda _: True).time.size > stored.time.size
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
