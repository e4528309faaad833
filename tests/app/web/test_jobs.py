"""One process for each run: live samples, stop, pause, continue, crash, queue, and no child left behind."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

import klingel as kg
from klingel.app.web.jobs import Registry
from klingel.app.web.store import CLAIMS, DONE, FAILED, PAUSED, QUEUED, RUN, RUNNING, STOPPED, SWEEP, Store
from tests.app.web.requests import LONG, SHORT, toml, wait_until


@pytest.fixture
def registry(tmp_path):
    found = Registry(Store(tmp_path / "runs"))
    yield found
    found.close()


def ended(registry, id):
    wait_until(lambda: not registry.status(id).alive)
    return registry.status(id)


def test_run_is_that_of_python(registry):
    status = registry.submit(RUN, "short", toml(SHORT))
    assert ended(registry, status.id).state == DONE
    assert status.fraction == 1.0
    assert status.simulated == pytest.approx(1.0)
    stored = kg.load_run(registry.store.result(status.id))
    request = kg.RunRequest.from_dict(SHORT)
    expected = kg.simulate(request, precision="single")
    np.testing.assert_array_equal(stored["front_wheelset.y"], expected["front_wheelset.y"])
    assert stored.events.equals(expected.events)
    assert Registry(registry.store).status(status.id).state == DONE


def test_stop_keeps_what_exists_and_continue_goes_on(registry):
    status = registry.submit(RUN, "long", toml(LONG))
    wait_until(lambda: registry.live(status.id).get("time", np.empty(0)).size > 10)
    live = registry.live(status.id)
    assert np.all(np.diff(live["time"]) >= 0.0)
    assert np.abs(live["front_wheelset.y"]).max() > 1e-3
    registry.pause(status.id)
    wait_until(lambda: status.state == PAUSED)
    halted = status.simulated
    time.sleep(0.5)
    assert status.simulated == halted
    registry.resume(status.id)
    wait_until(lambda: status.state == RUNNING and status.simulated > halted)
    registry.stop(status.id)
    assert ended(registry, status.id).state == STOPPED
    assert 0.0 < status.simulated < 4000.0
    part = kg.load_run(registry.store.result(status.id))
    assert part.stats.simulated_time == status.simulated
    before = status.simulated
    registry.go_on(status.id)
    wait_until(lambda: status.simulated > before)
    registry.stop(status.id)
    assert ended(registry, status.id).state == STOPPED
    whole = kg.load_run(registry.store.result(status.id))
    n = part.time.size
    np.testing.assert_array_equal(whole["carbody.y"][:n], part["carbody.y"])
    assert whole.time.size > n


def test_bad_input_is_one_line(registry):
    status = registry.submit(RUN, "bad", 'vehicle = "nosuch"\nspeed = 1\nduration = 1\n')
    assert ended(registry, status.id).state == FAILED
    assert "nosuch" in status.message
    assert "\n" not in status.message
    assert registry.store.log(status.id) == ""


def test_absurd_numbers_end_with_one_line(registry):
    status = registry.submit(RUN, "absurd", toml(SHORT).replace("speed = 18.0", "speed = 1e300"))
    assert ended(registry, status.id).state == FAILED
    assert 0 < len(status.message) < 400
    assert "\n" not in status.message


def test_process_that_dies_fails_alone(registry):
    status = registry.submit(RUN, "long", toml(LONG))
    wait_until(lambda: status.simulated > 0.0)
    os.kill(registry.jobs[status.id].child.process.pid, signal.SIGKILL)
    assert ended(registry, status.id).state == FAILED
    assert "suddenly" in status.message
    other = registry.submit(RUN, "short", toml(SHORT))
    assert ended(registry, other.id).state == DONE


def test_fifty_in_the_queue(registry):
    first = registry.submit(RUN, "long", toml(LONG))
    others = [registry.submit(RUN, f"short {k}", toml(SHORT)) for k in range(50)]
    wait_until(lambda: first.state == RUNNING)
    assert all(status.state == QUEUED for status in others)
    for status in others[1:]:
        registry.stop(status.id)
        assert status.state == STOPPED
    registry.remove(first.id)
    assert ended(registry, others[0].id).state == DONE
    assert first.id not in registry.known
    with pytest.raises(kg.InputError):
        registry.store.place(first.id)


def test_sweep_stops_and_goes_on(registry):
    options = {"speeds": [14.0, 12.0, 10.0, 8.0], "direction": "down"}
    tables = {**SHORT, "vehicle": "single_wheelset", "start": {}}
    status = registry.submit(SWEEP, "sweep", toml(tables), options)
    wait_until(lambda: status.simulated >= 1 or not status.alive)
    registry.stop(status.id)
    ended(registry, status.id)
    if status.state == STOPPED:
        registry.go_on(status.id)
        ended(registry, status.id)
    assert status.state == DONE
    found = kg.load_sweep(registry.store.result(status.id, SWEEP))
    assert found.parameter.tolist() == options["speeds"]


def test_claims(registry):
    import json

    status = registry.submit(CLAIMS, "claim", "", {"ids": ["en15302-e1-2mm"]})
    assert ended(registry, status.id).state == DONE
    (finding,) = json.loads(registry.store.result(status.id, CLAIMS).read_text())
    assert finding["status"] == "reproduced"


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts file handles as Linux lists them")
def test_no_file_handle_stays_open(registry):
    counts = []
    for _ in range(5):
        status = registry.submit(RUN, "short", toml({**SHORT, "duration": "0.1 s"}))
        ended(registry, status.id)
        wait_until(lambda: registry._spare is not None)
        counts.append(len(os.listdir("/proc/self/fd")))
    assert len(set(counts[1:])) == 1


def test_only_stopped_work_goes_on(registry):
    status = registry.submit(RUN, "bad", "speed = 1\n")
    ended(registry, status.id)
    with pytest.raises(kg.InputError, match="must have been stopped"):
        registry.go_on(status.id)


PARENT = """
import sys, time
from pathlib import Path
from klingel.app.web.jobs import Registry
from klingel.app.web.store import Store, RUN
from klingel.app.web.helper import Helper

def parents(pids):
    # the process that workers are copies of, where there is one
    if sys.platform != "linux":
        return ()
    return {Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1] for pid in pids}

if __name__ == "__main__":
    registry = Registry(Store(Path(sys.argv[1])))
    helper = Helper("klingel.app.web.answers.previews")
    helper.ask("ready")
    status = registry.submit(RUN, "long", sys.stdin.read())
    registry.prepare()
    while not status.simulated:
        time.sleep(0.05)
    pids = [registry.jobs[status.id].child.process.pid, registry._spare.process.pid, helper._process.pid]
    print(*pids, *parents(pids[:2]), flush=True)
    time.sleep(600)
"""


@pytest.fixture
def short_folder():
    """Names of sockets have a hundred letters at most."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signals of POSIX")
def test_no_child_outlives_a_killed_server(tmp_path, short_folder):
    script = tmp_path / "server.py"
    script.write_text(PARENT)
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "runs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True, env={**os.environ, "TMPDIR": str(short_folder)},
    )  # fmt: skip
    process.stdin.write(toml(LONG))
    process.stdin.close()
    pids = [int(word) for word in process.stdout.readline().split()]
    assert len(pids) == (4 if sys.platform == "linux" else 3)
    assert process.pid not in pids
    process.kill()
    process.wait()
    wait_until(lambda: not any(_lives(pid) for pid in pids), 30.0)
    left = [path.name for path in short_folder.rglob("*")]
    assert not left, left
    store = Store(tmp_path / "runs")
    (status,) = Registry(store).statuses()
    assert status.state == STOPPED
    registry = Registry(store)
    registry.go_on(status.id)
    wait_until(lambda: registry.status(status.id).simulated > 0.0)
    registry.close()


def _lives(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
