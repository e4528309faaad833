"""A server that serves for long, and one beyond this machine's own name, with a token."""

import http.client
import re
import subprocess
import sys

import pytest

from tests.app.web.many_runs import PROCESSES, serve_many

pytestmark = pytest.mark.slow


@pytest.mark.skipif(not PROCESSES.is_dir(), reason="memory and handles are read as Linux lists them")
def test_many_runs_leave_nothing(tmp_path):
    """Forty runs after the first twenty; `make bench-app` prints the same for two hundred.

    With one arena: how many more the allocator keeps depends on which threads meet, that is on the load.
    """
    settled, *_, last = serve_many(tmp_path / "runs", 60, MALLOC_ARENA_MAX="1")
    assert last.memory < 1.1 * settled.memory
    assert last.handles <= settled.handles + 2


@pytest.mark.skipif(sys.platform != "linux", reason="a second address of this machine")
def test_other_names_of_this_machine_need_the_token(tmp_path):
    words = [sys.executable, "-m", "klingel", "app", "--folder", str(tmp_path / "runs"), "--port", "0"]
    process = subprocess.Popen([*words, "--host", "127.0.0.2", "--no-browser"], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.2:(\d+)/\?token=(\S+)", line)
        assert found, line

        def status(path: str) -> int:
            connection = http.client.HTTPConnection("127.0.0.2", int(found.group(1)), timeout=240)
            connection.request("GET", path)
            code = connection.getresponse().status
            connection.close()
            return code

        assert status("/api/runs") == 403
        assert status("/api/runs?token=guessed") == 403
        assert status(f"/api/runs?token={found.group(2)}") == 200
    finally:
        process.terminate()
        process.wait(30)
