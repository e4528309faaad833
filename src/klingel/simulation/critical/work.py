"""Pieces of work of a critical speed, in this process or spread over others."""

import hashlib
import os
import pickle
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any, NamedTuple

from klingel.simulation.critical import chain, linear, protocols, resting, scan
from klingel.simulation.critical.ride import Ride
from klingel.simulation.critical.settings import AS_ASKED, OTHER_METHOD, Asked
from klingel.simulation.integration import Start, bare_run

SCAN, DESCENT, LINEAR, REST = "scan", "descent", "linear", "rest set"
AHEAD = 1  # tasks that wait beside those at work: what is not begun can still be left out
MOMENT = 1e-4  # of the runs that load compiled code [s]
FUNCTIONS: dict[str, Callable[..., Any]] = {
    SCAN: scan.scan_at,
    DESCENT: chain.follow_down,
    LINEAR: linear.linear_of,
    REST: resting.rest_of_body,
    protocols.DISTURBANCE: protocols.initial_disturbance,
    protocols.FALLING: protocols.falling_speed,
    protocols.STEPS: protocols.steps_of_speed,
}
_rides: dict[str, Ride] = {}  # of this process, by digest of what was asked


class Task(NamedTuple):
    name: str
    arguments: tuple[Any, ...]


Receive = Callable[[Task, Any], bool | None]  # a true answer: tasks not begun yet are not needed


def perform(digest: str, content: bytes, task: Task) -> Any:
    """In a worker, which unpacks what was asked only once."""
    if digest not in _rides:
        _rides.clear()
        _rides[digest] = Ride(pickle.loads(content))
    return FUNCTIONS[task.name](_rides[digest], *task.arguments)


def warm(ride: Ride) -> None:
    """Load the compiled code of all methods before workers are forked."""
    settings = ride.asked.settings
    for way in (AS_ASKED, OTHER_METHOD):
        for speed in (settings.slowest, settings.fastest):
            compiled, rest = ride.at(speed)
            begin = Start(rest.x.copy(), rest.memory.copy(), rest.mode.copy())
            bare_run(compiled, begin, MOMENT, ride.asked.solving(way), MOMENT)


def processor_time() -> float:
    """Of this process and of those that it has waited for [s]: does not depend on what else the machine does."""
    return sum(os.times()[:4])


class Crew:
    """Does tasks in the order given; results come as they are ready."""

    def __init__(self, ride: Ride, pool: Executor | None, workers: int):
        self.ride, self.pool, self.workers = ride, pool, workers
        self._content = pickle.dumps(ride.asked)
        self._digest = digest_of(ride.asked)

    def run(self, tasks: Iterable[Task], receive: Receive) -> None:
        if self.pool is None:
            for task in tasks:
                if receive(task, FUNCTIONS[task.name](self.ride, *task.arguments)):
                    return
            return
        waiting, running = iter(tasks), dict[Future, Task]()
        enough = False
        try:
            while True:
                while not enough and len(running) < self.workers + AHEAD:
                    task = next(waiting, None)
                    if task is None:
                        break
                    running[self.pool.submit(perform, self._digest, self._content, task)] = task
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    enough = bool(receive(running.pop(future), future.result())) or enough
        finally:
            for future in running:
                future.cancel()


def digest_of(asked: Asked) -> str:
    return hashlib.sha256(pickle.dumps(asked)).hexdigest()


def share(ride: Ride) -> None:
    """Forked workers begin with it."""
    _rides.clear()
    _rides[digest_of(ride.asked)] = ride
