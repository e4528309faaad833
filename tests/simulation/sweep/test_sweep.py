"""Sweeps: the same points whoever computes them, nothing lost when killed, states carried sensibly."""

import os
import random
import select
import signal
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
import xarray as xr

import klingel as kg
from klingel.analysis.motion_kinds import Motion
from klingel.analysis.transients import agree
from klingel.io import journal
from klingel.simulation.setup import at_speed, put_on_track
from klingel.simulation.sweep import workers
from klingel.simulation.sweep.case import plan
from klingel.simulation.sweep.result import journal_of
from klingel.track.irregularity import Shift

SHORT = kg.FixedTransient(transient=0.2, maxima=1, piece=0.25, cap=0.25)
TRACK = kg.Track.straight()


@cache
def wagon():
    return kg.load_vehicle("hbbills311", links="PTP", load="empty")


def short_sweep(speeds=(30.0, 31.0, 32.0), **options):
    return kg.sweep(wagon(), TRACK, speeds, **{"transient": SHORT, **options})


@cache
def one_by_one():
    return short_sweep(direction="both", workers=1)


def test_points_stand_in_the_order_of_their_chains():
    found = one_by_one()
    assert found.parameter.tolist() == [32.0, 31.0, 30.0, 30.0, 31.0, 32.0]
    assert found.directions == ["down"] * 3 + ["up"] * 3
    assert found.status == "done"
    assert found["simulated"].to_numpy() == pytest.approx(0.45)


def test_processes_and_threads_give_the_same_numbers():
    xr.testing.assert_identical(short_sweep(direction="both", workers=2).data, one_by_one().data)
    with ThreadPoolExecutor(2) as threads:
        xr.testing.assert_identical(short_sweep(direction="both", executor=threads).data, one_by_one().data)


def test_a_chain_goes_on_where_the_last_point_ended():
    """Against `simulate`, point by point: the same rows, but for a new step where a piece ends."""
    found = one_by_one()
    kick = found.settings["starts"][0]
    first = kg.simulate(wagon(), TRACK, 32.0, 0.45, kick, output_step=0.005)
    ends = found["state"].to_numpy()
    names = found.names["states"]
    np.testing.assert_allclose(ends[0], [float(first[n][-1]) for n in names], atol=2e-5)
    second = kg.simulate(wagon(), TRACK, 31.0, 0.45, first, output_step=0.005)
    y = names.index("front_wheelset.y")
    assert ends[1, y] == pytest.approx(float(second["front_wheelset.y"][-1]), abs=2e-4)
    spin = names.index("front_wheelset.spin_dot")
    rest = found["rest"].to_numpy()
    assert rest[1, spin] / rest[0, spin] == pytest.approx(31.0 / 32.0, rel=1e-6)


def test_another_speed_is_the_same_as_new_tables():
    made, changed = put_on_track(wagon(), TRACK, 31.0), at_speed(put_on_track(wagon(), TRACK, 50.0), 31.0)
    np.testing.assert_array_equal(made.system.f, changed.system.f)
    np.testing.assert_array_equal(made.system.i, changed.system.i)


def test_fresh_points_do_not_know_each_other():
    alone = short_sweep((31.0,), fresh=True, starts=2, seed=7, workers=1)
    among = short_sweep((30.0, 31.0, 32.0), fresh=True, starts=2, seed=7, workers=2)
    assert among.directions == ["fresh"] * 6
    rows = among.parameter == 31.0
    np.testing.assert_array_equal(among["state"][rows], alone["state"])
    assert among["start"][rows].to_numpy().tolist() == [0, 1]
    assert among.settings["starts"] == alone.settings["starts"]
    assert short_sweep((31.0,), fresh=True, starts=2, seed=8).settings["starts"] != alone.settings["starts"]


def test_rest_is_rest_and_is_nudged_on():
    rule = kg.UntilSettled(least=1.0, piece=0.5, cap=60.0)
    found = kg.sweep(wagon(), TRACK, (8.0, 10.0), "up", transient=rule, starts={})
    assert found.kinds == ["rest", "rest"]
    assert found["front_wheelset.y.amplitude"].to_numpy().max() < 1e-6
    assert found.evidence[0]["settled"] is True
    assert float(found["transient"][1]) > 1.0  # the nudge had to die out first


def test_displaced_sliders_show_the_width_of_rest():
    """Lateral sliders displaced by d hold the carbody k1 d / (k + k1) off the middle, wheelsets centred."""
    k, k1, limit = 3.406, 10.375, 0.053  # PTP
    d = 0.9 * limit / k1
    rule = kg.UntilSettled(least=10.0, cap=90.0)
    found = kg.sweep(wagon(), TRACK, (5.0,), starts={"*.link_y": d}, transient=rule, rtol=1e-5)
    assert found.kinds == ["rest"]
    assert float(found["carbody.y.middle"][0]) == pytest.approx(-k1 * d / (k + k1), rel=1e-4)
    assert float(found["front_wheelset.y.middle"][0]) == pytest.approx(0.0, abs=1e-7)


def test_random_sliders_are_at_the_ends_of_what_they_hold():
    found = short_sweep((30.0,), fresh=True, starts=3, seed=1, sliders=True)
    starts = found.settings["starts"]
    ends = [abs(start["front_left.link_y.slider_1"]) for start in starts]
    assert ends == pytest.approx([0.053 / 10.375] * 3)
    assert len({tuple(start.values()) for start in starts}) == 3
    assert all(len(start) == 20 for start in starts)  # four along and one across at every corner


def test_any_value_may_change():
    found = kg.sweep(
        wagon(), TRACK, parameter="carbody.mass", values=[15e3, 16e3], speed=30.0, direction="up", transient=SHORT
    )
    assert found.parameter.tolist() == [15e3, 16e3]
    z = found.names["states"].index("carbody.z")
    heavy = kg.simulate(found_vehicle(16e3), TRACK, 30.0, 0.01)
    assert found["rest"].to_numpy()[1, z] == pytest.approx(float(heavy["carbody.z"][0]), abs=1e-9)


@pytest.mark.parametrize(
    ("parameter", "words", "options"),
    [
        ("links", ["SPP", "PTP", "MP"], [{"links": "SPP"}, {"links": "PTP"}, {"links": "MP"}]),
        ("load", ["loaded", "empty"], [{"links": "PTP", "load": "loaded"}, {"links": "PTP"}]),
    ],
)
def test_words_are_points_of_their_own(parameter, words, options, tmp_path):
    """Each is the point of a sweep of the wagon loaded so; they stand in the order given."""
    out = tmp_path / "words.nc"
    found = kg.sweep(wagon(), TRACK, parameter=parameter, values=words, speed=30.0, transient=SHORT, out=out)
    assert found.parameter.tolist() == found.words == words
    assert found.place.tolist() == list(range(len(words)))
    assert found.directions == ["fresh"] * len(words)
    for k, option in enumerate(options):
        alone = kg.sweep(kg.load_vehicle("hbbills311", **option), TRACK, [30.0], transient=SHORT)
        np.testing.assert_array_equal(found["state"][k], alone["state"][0])
        size = alone["memory"].shape[1]
        np.testing.assert_array_equal(found["memory"][k, :size], alone["memory"][0])
        assert np.isnan(found["memory"][k, size:]).all()
    again = kg.load_sweep(out)
    assert again.parameter.tolist() == words
    xr.testing.assert_identical(again.data, found.data)
    sides = kg.sweep(
        wagon(), TRACK, parameter=parameter, values=words, speed=30.0, transient=SHORT, workers=2, direction="up"
    )
    xr.testing.assert_identical(sides.data, found.data)


def test_an_option_that_is_a_number_makes_a_chain():
    found = kg.sweep(wagon(), TRACK, parameter="link_friction", values=[0.1, 0.3], speed=30.0, transient=SHORT)
    assert found.parameter.tolist() == [0.3, 0.1]
    assert found.words == []
    assert found.directions == ["down", "down"]


def found_vehicle(mass):
    from klingel.vehicles.values import with_value

    return with_value(wagon(), "carbody.mass", mass)


def test_derailed_point_is_told_and_the_chain_begins_again():
    kick = {"front_wheelset.y": 9.99e-3, "front_wheelset.y_dot": 10.0}
    found = short_sweep(starts=kick, placing="bare")
    assert found.kinds == ["derailed"] * 3
    assert all(row["ended"].startswith("derailment at t = ") for row in found.evidence)
    assert np.isnan(found["state"]).all()


def test_stored_sweep_is_read_back(tmp_path):
    stored = short_sweep(out=tmp_path / "sweep.nc")
    again = kg.load_sweep(tmp_path / "sweep.nc")
    xr.testing.assert_identical(again.data, stored.data)
    assert (again.settings, again.evidence, again.kinds) == (stored.settings, stored.evidence, stored.kinds)
    assert [p.name for p in tmp_path.iterdir()] == ["sweep.nc"]
    same = short_sweep(out=tmp_path / "sweep.nc", resume=True, on_point=lambda *_: pytest.fail("computed again"))
    xr.testing.assert_identical(same.data, stored.data)
    with pytest.raises(kg.InputError, match="must be a run stored"):
        kg.load_run(tmp_path / "sweep.nc")


def interrupt_at(count):
    def on_point(done, _):
        if done == count:
            raise KeyboardInterrupt

    return on_point


@pytest.mark.parametrize("workers", [1, 2])
def test_interrupted_sweep_keeps_its_points_and_goes_on(tmp_path, workers):
    out = tmp_path / "sweep.nc"
    part = short_sweep(direction="both", out=out, on_point=interrupt_at(2), workers=workers)
    assert part.status == "interrupted"
    assert part.parameter.size == 2
    assert kg.load_sweep(out).parameter.size == 2
    with pytest.raises(kg.InputError, match="has an unfinished sweep"):
        short_sweep(direction="both", out=out)
    with pytest.raises(kg.InputError, match=r"was begun with other settings \(rtol\)"):
        short_sweep(direction="both", out=out, resume=True, rtol=1e-5)
    counted = []
    whole = short_sweep(direction="both", out=out, resume=True, on_point=lambda n, _: counted.append(n))
    assert counted == [2, 3, 4, 5, 6]
    xr.testing.assert_identical(whole.data, one_by_one().data)


class Vanishing(ThreadPoolExecutor):
    """A cluster that is gone after two points."""

    left = 2

    def submit(self, *task, **options):
        self.left -= 1
        if self.left >= 0:
            return super().submit(*task, **options)
        lost: Future = Future()
        lost.cancel()
        lost.set_running_or_notify_cancel()
        return lost


def test_a_cluster_that_vanishes_interrupts(tmp_path):
    out = tmp_path / "sweep.nc"
    with Vanishing(1) as cluster:
        part = short_sweep(executor=cluster, out=out)
    assert part.status == "interrupted"
    assert part.parameter.tolist() == [32.0, 31.0]
    whole = short_sweep(out=out, resume=True)
    assert whole.status == "done"
    assert whole.parameter.tolist() == [32.0, 31.0, 30.0]


def _indices(out):
    kept = journal_of(out)
    return [record["index"] for record in journal.read(kept)[1]] if kept.exists() else []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.slow
def test_killed_at_ten_moments_nothing_is_lost_or_repeated(tmp_path):
    """A child with two workers is killed (-9) again and again; what it finished stays, and the end is the same."""
    speeds = np.arange(30.0, 60.0, 0.5)
    options = {"direction": "both", "workers": 2}
    whole = short_sweep(speeds, **options, out=tmp_path / "whole.nc")
    out = tmp_path / "killed.nc"
    chance = random.Random(1)
    had: set[int] = set()
    for _ in range(10):
        child = os.fork()
        if child == 0:
            try:
                short_sweep(speeds, **options, out=out, resume=True)
            finally:
                os._exit(0)
        wanted = len(had) + chance.randrange(4)
        patience = time.monotonic() + 60.0
        while len(_indices(out)) < wanted and not out.exists():
            assert time.monotonic() < patience, "the child does nothing"
            time.sleep(0.005)
        time.sleep(chance.uniform(0.0, 0.02))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        have = _indices(out)
        assert had <= set(have)
        assert max(Counter(have).values(), default=1) == 1
        had = set(have)
        assert kg.load_sweep(out).parameter.size == len(had) if journal_of(out).exists() else not had
    assert had
    assert not out.exists()  # it was never finished before it was killed
    again = short_sweep(speeds, **options, out=out, resume=True)
    xr.testing.assert_identical(again.data, whole.data)
    assert out.read_bytes() == (tmp_path / "whole.nc").read_bytes()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_workers_end_with_their_parent():
    """Both ends of a pipe live in parent and worker only: it closes when both are gone."""
    read, write = os.pipe()
    parent = os.fork()
    if parent == 0:
        os.close(read)
        with workers.process_pool(1) as pool:
            pool.submit(os.write, write, b"here").result()
            os.kill(os.getpid(), signal.SIGKILL)
    os.close(write)
    assert os.read(read, 4) == b"here"
    os.waitpid(parent, 0)
    assert select.select([read], [], [], 20.0)[0], "the worker outlived its parent"
    assert os.read(read, 1) == b""
    os.close(read)


def test_plan_covers_every_value_once_per_way_and_start():
    chains = plan([1.0, 3.0, 2.0, 2.0], "both", False, 2)
    assert [[p.value for p in chain] for chain in chains] == [[3, 2, 1], [3, 2, 1], [1, 2, 3], [1, 2, 3]]
    assert [p.index for chain in chains for p in chain] == list(range(12))
    fresh = plan([1.0, 2.0], "both", True, 2)
    assert [(p.value, p.start) for (p,) in fresh] == [(2, 0), (1, 0), (2, 1), (1, 1)]


def motion(kind, high=1e-3, low=-1e-3, distance=1.0):
    evidence = {"leader": "a.y", "return": [distance]}
    return Motion(kind, evidence, {"a.y": low}, {"a.y": high}, {"a.y": 1.0})


@pytest.mark.parametrize(
    ("seen", "settled"),
    [
        ([motion("rest")], True),
        ([motion("periodic")], False),
        ([motion("periodic"), motion("periodic", 1.01e-3)], True),
        ([motion("periodic"), motion("periodic", 1.05e-3)], False),
        ([motion("periodic"), motion("period-2")], False),
        ([motion("irregular"), motion("irregular")], False),
        ([motion("irregular"), motion("irregular", 1.2e-3), motion("irregular")], True),
        ([motion("irregular"), motion("irregular", 1.5e-3), motion("irregular")], False),
        ([motion("irregular"), motion("irregular"), motion("irregular", distance=0.5)], False),
        ([motion("unsettled"), motion("unsettled"), motion("unsettled")], False),
    ],
)
def test_windows_that_agree_are_settled(seen, settled):
    assert agree(seen) is settled


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"speeds": None}, "speeds: must be given"),
        ({"speeds": []}, "speeds: must be finite numbers, at least one"),
        ({"speeds": [30.0, -1.0]}, "speed: must be a positive speed"),
        ({"direction": "left"}, "direction: must be down, up or both"),
        ({"starts": {"axle.y": 1.0}}, "initial: must be one of"),
        ({"starts": 0}, "starts: must be a whole number, at least 1"),
        ({"sliders": True}, "sliders: must come with a number of random starts"),
        ({"resume": True}, "resume: must come with the file"),
        (
            {"parameter": "carbody.mass", "values": [15e3]},
            "speed: must be given when carbody.mass is what changes",
        ),
        (
            {"parameter": "carbody.mas", "values": [15e3], "speed": 30.0},
            "carbody.mas: is no value of this vehicle",
        ),
        ({"method": "euler"}, "method: must be one of"),
        ({"speeds": ["fast"]}, "speeds: must be finite numbers"),
        ({"parameter": "links", "values": ["PTP", "STP"], "speed": 30.0}, "links: did you mean"),
        ({"parameter": "links", "values": [1.0], "speed": 30.0}, "links: must be a word"),
        (
            {"parameter": "link", "values": ["PTP"], "speed": 30.0},
            "link: is no value of this vehicle; did you mean links?",
        ),
        (
            {"parameter": "load", "values": ["empty", 2.0], "speed": 30.0},
            "values: must be finite numbers, or words",
        ),
        ({"parameter": "gauge", "values": ["wide"], "speed": 30.0}, "gauge: must be a number"),
        ({"parameter": "load", "values": ["empty"]}, "speed: must be given when load is what changes"),
    ],
)
def test_bad_input_is_one_line(change, line):
    given = {"speeds": [30.0], "transient": SHORT, **change}
    with pytest.raises(kg.InputError) as caught:
        kg.sweep(wagon(), TRACK, **given)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rule", [{"cap": 0.0}, {"least": 100.0}, {"piece": float("nan")}])
def test_bad_rules_are_refused(rule):
    with pytest.raises(kg.InputError):
        kg.UntilSettled(**rule)


def test_bogie_on_conical_wheels_leaves_rest_where_it_gets_unstable():
    """Default start, cycles and nudge are those of any wheelset; the linear critical speed is 65.29 m/s."""
    found = kg.sweep(kg.load_vehicle("cooperrider"), TRACK, [63.0, 67.0], "up", starts={}, rtol=1e-5, workers=1)
    assert found.kinds == ["rest", "periodic"]
    assert found["leading_front_wheelset.y.amplitude"].to_numpy()[1] > 9e-3  # from flange to flange
    assert found["window"].to_numpy()[1] >= 5.0  # twenty cycles of some 3.5 Hz
    hunting = kg.sweep(kg.load_vehicle("cooperrider"), TRACK, [80.0], transient=SHORT, workers=1)
    assert hunting.settings["starts"][0]["leading_rear_wheelset.y"] == 5.5e-3


@pytest.mark.parametrize(
    "track", [kg.Track.curve(1000.0), kg.Track.straight(irregularity=(Shift(0.008, at=20.0),))]
)
def test_no_sweep_where_nothing_settles(track):
    with pytest.raises(kg.InputError, match="track: must be straight, level and smooth"):
        kg.sweep(wagon(), track, [30.0])
