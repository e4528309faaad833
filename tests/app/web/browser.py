"""A server as a user starts it, and how Chromium is started; for tests, screenshots and measurements."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
REQUIRED = os.environ.get("KLINGEL_BROWSER") == "required"  # as in continuous integration
FLAGS = [
    "--no-sandbox",  # as root there is no other way
    "--disable-dev-shm-usage",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # any outside request fails, and the test with it
]
PATIENCE = 600_000  # [ms]; machines that run tests are busy


class Server:
    """`klingel app` in a process of its own."""

    def __init__(self, folder: Path, **environment: str):
        self.folder, self.environment = folder, {**os.environ, **environment}
        self.port = 0
        self.start()

    def start(self) -> None:
        words = [sys.executable, "-m", "klingel", "app", "--folder", str(self.folder), "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*words, "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=self.environment,
        )  # fmt: skip
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            found = re.search(r"workbench at (http://127\.0\.0\.1:(\d+))/", line)
            if found:
                self.address, self.port = found.group(1), int(found.group(2))
                return
        raise AssertionError(f"the server did not start: {''.join(lines)}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
