"""Digest of what decides the numbers of the page: the engine with its data, and the studies.

Left out are pictures, reports, files of runs, the command line and the web application: they decide no number.
"""

import hashlib
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
LAYERS = ("numerics", "contact", "track", "elements", "model", "vehicles", "analysis", "simulation", "literature")
SOURCES = (".py", ".toml", ".json", ".csv", ".txt")
# of `simulation`, what keeps or shows a run that is finished, or spreads runs over machines
SHOWN = (
    "stored_run", "storing", "recording", "selection", "lift_off", "energy", "suspension_energy",
    "characteristics", "resonance", "compile_ahead", "older_files", "workers", "dask_workers",
)  # fmt: skip
DECIDING = ("case", "claim")  # of this folder; the others run studies and write pages
LENGTH = 16  # digits


def deciding_files() -> list[Path]:
    found = (path for layer in LAYERS for path in (PACKAGE / layer).rglob("*") if path.suffix in SOURCES)
    return sorted(path for path in found if _decides(path))


def _decides(path: Path) -> bool:
    layer, *folders, _ = path.relative_to(PACKAGE).parts
    if layer == "simulation":
        return path.stem not in SHOWN
    if layer == "literature":
        return path.stem in DECIDING if folders == ["reproduce"] else "pictures" not in path.stem
    return True


@cache
def engine_digest() -> str:
    """Of the sources as they lie; line ends do not count."""
    digest = hashlib.sha256()
    for path in deciding_files():
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:LENGTH]
