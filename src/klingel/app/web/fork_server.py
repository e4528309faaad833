"""Where worker processes come from: on Linux they are copies of one process that has everything loaded.

Importing and loading compiled code takes two seconds of processor time, a copy takes hundredths and shares its
memory. The process that is copied computes nothing, has no thread of ours, and ends with the server. Elsewhere,
and where it does not work, each worker starts anew.
"""

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable
from multiprocessing.util import get_temp_dir
from typing import Any

LOADED = "klingel.app.web.preload"
FOLDER = (
    "KLINGEL_FORK_FOLDER"  # tells the process that is copied where its socket lies: it outlives a killed server
)

_one = threading.Lock()
_works = sys.platform == "linux"  # on macOS, libraries of the system may not be used after a fork


def started(target: Callable[..., None], *given: Any) -> Any:
    """A process of its own; waits while the one that is copied gets ready."""
    global _works
    if _works:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([LOADED])
        process = context.Process(target=target, args=given, daemon=False)
        try:
            with _one:  # two threads at once would make two folders
                os.environ[FOLDER] = get_temp_dir()
            process.start()
            return process
        except (EOFError, OSError):
            _works = False
    process = multiprocessing.get_context("spawn").Process(target=target, args=given, daemon=False)
    process.start()
    return process
