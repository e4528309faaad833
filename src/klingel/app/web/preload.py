"""Imported only by the process that workers are copies of, see `fork_server`: loads what a run needs."""

import atexit
import os
import shutil

from klingel.app.web.fork_server import FOLDER
from klingel.app.web.worker import load_from_cache
from klingel.simulation.compile_ahead import is_first

if folder := os.environ.pop(FOLDER, ""):
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
if not is_first():  # else a worker compiles, and says so
    load_from_cache()
