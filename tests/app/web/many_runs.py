"""Many short runs through one server, each looked at once: its memory, file handles and processes."""

import http.client
import json
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.app.web.browser import Server
from tests.app.web.requests import SHORT, wait_until

BATCH = 20
READINGS = 8
PROCESSES = Path("/proc")


@dataclass(frozen=True)
class Use:
    """What a server takes after some runs."""

    runs: int
    memory: float  # resident [MB]
    handles: int
    children: int

    def __str__(self) -> str:
        return f"after {self.runs} runs {self.memory:.0f} MB, {self.handles} handles, {self.children} processes"


def serve_many(folder: Path, runs: int, **environment: str) -> list[Use]:
    """Use after each batch of runs, all of them done."""
    server = Server(folder, **environment)
    try:
        pid, body, seen = server.process.pid, json.dumps({**SHORT, "duration": "0.2 s"}), []
        for done in range(BATCH, runs + 1, BATCH):
            names = [_ask(server, "/api/runs", "POST", body)["id"] for _ in range(BATCH)]
            for name in names:
                wait_until(lambda name=name: _ask(server, f"/api/runs/{name}")["state"] == "done")
                assert _ask(server, f"/api/runs/{name}/names")
            memory = min(_memory(pid) for _ in _readings())
            seen.append(Use(done, memory, len(os.listdir(PROCESSES / str(pid) / "fd")), _children(pid)))
            print(seen[-1], flush=True)
        assert len(_ask(server, "/api/runs")) == runs
        return seen
    finally:
        server.stop()


def _readings() -> Iterator[int]:
    """Some, apart: what a request takes for a moment is not what a server keeps."""
    for k in range(READINGS):
        yield k
        time.sleep(0.2)


def _ask(server: Server, path: str, method: str = "GET", body: str | None = None) -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=240)
    try:
        connection.request(method, path, body=body)
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status == 200, content
        return json.loads(content)
    finally:
        connection.close()


def _memory(pid: int) -> float:
    (line,) = re.findall(r"VmRSS:\s+(\d+) kB", (PROCESSES / str(pid) / "status").read_text())
    return int(line) / 1024.0


def _children(pid: int) -> int:
    """Processes whose parent it is; some may end while they are listed."""
    found = []
    for path in PROCESSES.glob("[0-9]*/stat"):
        try:
            found.append(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    return found.count(str(pid))
