"""Workers as copies of a warm process: they have everything loaded, and a start that takes long blocks nothing."""

import multiprocessing
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import klingel.app.web.jobs as jobs
from klingel.app.web import fork_server
from klingel.app.web.jobs import Child, Registry
from klingel.app.web.store import DONE, QUEUED, RUN, RUNNING, STOPPED, Store
from tests.app.web.requests import SHORT, toml, wait_until

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")


@pytest.fixture
def registry(tmp_path):
    found = Registry(Store(tmp_path / "runs"))
    yield found
    found.close()


def tell(pipe) -> None:
    """What a new process has before it does anything."""
    from klingel.app.web.worker import load_from_cache

    pipe.send((os.getpid(), os.getppid(), "numba" in sys.modules, load_from_cache.cache_info().currsize))
    pipe.recv()


def heard():
    ours, theirs = multiprocessing.Pipe()
    process = fork_server.started(tell, theirs)
    theirs.close()
    with ours:
        found = ours.recv()
        ours.send("end")
    process.join()
    assert process.exitcode == 0
    process.close()
    return found


SERVER = """
from klingel.simulation.compile_ahead import compile_engine
from tests.app.web.test_fork_server import heard
if __name__ == "__main__":
    compile_engine()
    print(*heard(), *heard())
"""


@LINUX
def test_copies_have_everything_loaded(tmp_path):
    """In a server of its own, which begins with compiled code on disk."""
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )  # fmt: skip
    first, parent, numba, loaded, second, same, *_ = done.stdout.split()
    assert first != second
    assert parent == same
    assert (numba, loaded) == ("True", "1")


@pytest.mark.parametrize("error", [EOFError, OSError("no more processes")])
def test_without_a_warm_process_each_starts_anew(monkeypatch, error):
    def broken(*_):
        raise error

    monkeypatch.setattr(fork_server, "_works", True)
    monkeypatch.setattr("multiprocessing.context.ForkServerProcess.start", broken)
    _, parent, _, loaded = heard()
    assert parent == os.getpid()
    assert loaded == 0
    assert not fork_server._works  # and is not tried again


class Slow:
    """A child whose process is long in coming."""

    def __init__(self, monkeypatch):
        self.go, self.waiting, self.made = threading.Event(), threading.Event(), []
        monkeypatch.setattr(jobs, "Child", self.child)

    def child(self) -> Child:
        self.waiting.set()
        assert self.go.wait(60)
        self.made.append(Child())
        return self.made[-1]


@pytest.fixture
def slow(monkeypatch):
    return Slow(monkeypatch)


def ended(registry, id):
    wait_until(lambda: not registry.status(id).alive)
    return registry.status(id).state


def test_a_start_that_takes_long_holds_up_nobody(registry, slow):
    status = registry.submit(RUN, "short", toml(SHORT))
    assert slow.waiting.wait(60)
    assert status.state == RUNNING
    other = registry.submit(RUN, "second", toml(SHORT))
    assert other.state == QUEUED  # one at a time, also while the first has no process yet
    slow.go.set()
    assert ended(registry, status.id) == DONE
    assert ended(registry, other.id) == DONE


def test_stopped_before_its_process_is_there(registry, slow):
    status = registry.submit(RUN, "short", toml(SHORT))
    assert slow.waiting.wait(60)
    registry.stop(status.id)
    slow.go.set()
    assert ended(registry, status.id) == STOPPED
    assert not registry.store.result(status.id).exists()


def test_removed_before_its_process_is_there(registry, slow):
    status = registry.submit(RUN, "short", toml(SHORT))
    assert slow.waiting.wait(60)
    registry.remove(status.id)
    other = registry.submit(RUN, "second", toml(SHORT))
    slow.go.set()
    assert ended(registry, other.id) == DONE
    assert not (registry.store.folder / status.id).exists()


def test_no_process_is_kept_by_a_closed_registry(registry, slow):
    thread = threading.Thread(target=registry.prepare)
    thread.start()
    assert slow.waiting.wait(60)
    registry.close()
    slow.go.set()
    thread.join(60)
    assert registry._spare is None
    (child,) = slow.made
    with pytest.raises(ValueError, match="closed"):
        child.process.is_alive()
