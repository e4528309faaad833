"""The one kernel decorator of the package.

Numba's disk cache does not notice when a function *in another file* changes. Every kernel is therefore
cached in a directory named after a digest of all sources it can depend on: those of its own layer and
of the layers below it. The import contract guarantees that nothing else is inlined into it, so an edit
of a vehicle does not throw away the compiled integrator.

The cache lives in `KLINGEL_CACHE_DIR`, else in the user's cache folder, else in the temporary folder.
"""

import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numba

_settings: Any = numba.config  # type: ignore[attr-defined]

# contraction and reciprocals are safe for us; no-nan and no-inf flags would delete the checks of the step control
FASTMATH = {"contract", "nsz", "arcp", "afn"}

# lowest first; a kernel depends on its own layer and those before it (checked by the import contract)
LAYERS = ("numerics", "contact", "track", "elements", "model", "vehicles", "systems", "analysis")

_PACKAGE = Path(__file__).resolve().parent


@cache
def cache_base() -> Path:
    """Directory that holds the compiled kernels of all source versions."""
    choices = [os.environ.get("KLINGEL_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME"), "~/.cache"]
    for i, choice in enumerate(choices):
        if not choice:
            continue
        folder = Path(choice).expanduser()
        folder = folder if i == 0 else folder / "klingel"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    return Path(tempfile.gettempdir()) / "klingel-cache"


@cache
def layer_hash(layer: str) -> bytes:
    digest = hashlib.sha256()
    for path in sorted((_PACKAGE / layer).rglob("*.py")):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.digest()


@cache
def _cache_dir(layer: str) -> str:
    digest = hashlib.sha256(Path(__file__).read_bytes())
    digest.update(repr((_PACKAGE, numba.__version__)).encode())
    below = LAYERS[: LAYERS.index(layer) + 1] if layer in LAYERS else (*LAYERS, layer)
    for name in below:
        digest.update(layer_hash(name))
    return str(cache_base() / f"{layer}-{digest.hexdigest()[:16]}")


def kernel(
    func: Any = None,
    *,
    signature: Any = None,
    inner: bool = False,
    inlined: bool = False,
    merged: bool = False,
    rows: bool = False,
    allocates: bool = False,
) -> Any:
    """Compile `func` in nopython mode, cached on disk per source digest.

    With `signature` (a Numba signature) it is compiled at once, which makes it usable as a typed
    function pointer; without, it is compiled at its first call, per argument types.

    Kernels allocate nothing: they are compiled without Numba's memory runtime, which also spares the
    reference counting of every array they touch (two thirds of the event loop's time, measured). One that
    must make arrays says `allocates=True`.

    With `rows` (and `signature`) the compiler may put neighbouring numbers that are treated alike into one vector
    register, which Numba does not ask for by itself: a quarter of the time of a right-hand side.

    An `inner` kernel is called by other kernels only: it gets no Python entry point and no cache of its own,
    which halves the compile time of functions that take many arrays. An `inlined` one is written out where it is
    called: a loop around it can then be vectorised, which a call forbids. A `merged` one is compiled as an `inner`
    one, but never called: handing over two arrays costs some forty instructions.
    """
    if func is None:
        return lambda f: kernel(
            f, signature=signature, inner=inner, inlined=inlined, merged=merged, rows=rows, allocates=allocates
        )
    layer = func.__module__.split(".")[1] if func.__module__.startswith("klingel.") else ""
    options: dict[str, Any] = {"error_model": "numpy", "fastmath": FASTMATH, "_nrt": allocates}
    njit: Any = numba.njit
    if inlined:
        return njit(inline="always", **options)(func)
    if inner or merged:
        return njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=merged, **options)(func)
    outer = _settings.CACHE_DIR, _settings.SLP_VECTORIZE
    if layer:
        _settings.CACHE_DIR = _cache_dir(layer)
    _settings.SLP_VECTORIZE = int(rows)
    try:
        return njit(signature, cache=bool(layer), **options)(func)
    finally:
        _settings.CACHE_DIR, _settings.SLP_VECTORIZE = outer
