"""The one kernel decorator of the package.

Numba's disk cache does not notice when a function *in another file* changes. Every kernel is therefore cached in a
directory named after a digest of all sources it can depend on: those of its own layer and of the layers below it.
The import contract guarantees that nothing else is inlined into it, so an edit of a vehicle does not throw away
the compiled integrator.

The cache lives in `KLINGEL_CACHE_DIR`, else in the user's cache folder, else in the temporary folder. It is never
the reason why a run fails: a damaged file, known by its digest (`_kernel_files`), is removed and its kernel
compiled again, and where nothing can be written kernels stay in memory, which one line says. Kernels for another
processor (`NUMBA_CPU_NAME`, `NUMBA_CPU_FEATURES`) stand beside each other in it: Numba keeps them apart.
"""

import hashlib
import logging
import os
import tempfile
from functools import cache, cached_property
from pathlib import Path
from platform import machine
from typing import Any, Self

import numba
from numba.core.codegen import get_host_cpu_features

from klingel import _compilers
from klingel._errors import InputError
from klingel._kernel_files import SafeCache

_settings: Any = numba.config  # type: ignore[attr-defined]


def _narrow_vectors() -> None:
    """Registers of four numbers also where the processor has wider ones, unless the user chose its features.

    Rows of four are written whole. A register of eight loads two of them at once and waits until both have left
    the core: on Zen 4 the look for events took 144 ns so, and takes 59 ns. Nor are scattered numbers gathered by
    one instruction: it is slow on many processors, and numbers just written reach it late.
    """
    chosen = _settings.CPU_NAME is not None or _settings.CPU_FEATURES is not None
    if not chosen and machine() in ("x86_64", "AMD64"):
        _settings.CPU_FEATURES = f"{get_host_cpu_features()},+prefer-256-bit,+prefer-no-gather"


_narrow_vectors()
_Dispatcher: Any = type(numba.njit(lambda: None))  # what Numba makes of a function
if _settings.DISABLE_JIT:
    _Dispatcher = object

WAY = _compilers.choose()

# contraction and reciprocals are safe for us; no-nan and no-inf flags would delete the checks of the step control
FASTMATH = {"contract", "nsz", "arcp", "afn"}

# lowest first; a kernel depends on its own layer and those before it (checked by the import contract)
LAYERS = ("numerics", "contact", "track", "elements", "model", "analysis", "vehicles")
LITERATURE = "literature"  # its folders share no kernels (checked too), so each has a cache of its own

_PACKAGE = Path(__file__).resolve().parent


@cache
def cache_base() -> Path:
    """Directory that holds the compiled kernels of all source versions."""
    choices = [os.environ.get("KLINGEL_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME"), "~/.cache"]
    for i, choice in enumerate(choices):
        if not choice:
            continue
        try:
            folder = Path(choice).expanduser()  # fails without HOME and an entry of the user in the system
            folder = folder if i == 0 else folder / "klingel"
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
        except (OSError, RuntimeError):
            continue
    return Path(tempfile.gettempdir()) / "klingel-cache"


@cache
def layer_hash(layer: str) -> bytes:
    digest = hashlib.sha256()
    place = _PACKAGE / layer
    for path in sorted([*place.rglob("*.py"), *place.parent.glob(f"{place.name}.py")]):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.digest()


@cache
def cache_folder(layer: str) -> Path:
    """Directory that holds the compiled kernels of a layer of these sources."""
    digest = hashlib.sha256()
    for name in ("_jit.py", "_kernel_files.py", "_linking.py", "_quick_compiling.py"):
        digest.update(Path(__file__).with_name(name).read_bytes())
    digest.update(repr((_PACKAGE, numba.__version__, WAY.name)).encode())
    below = LAYERS[: LAYERS.index(layer) + 1] if layer in LAYERS else (*LAYERS, layer)
    for name in below:
        digest.update(layer_hash(name))
    return cache_base() / f"{layer.replace('/', '-')}-{digest.hexdigest()[:16]}"


_warned: set[Path] = set()


def _warn_once(error: BaseException) -> None:
    if cache_base() not in _warned:
        _warned.add(cache_base())
        reason = (error.strerror if isinstance(error, OSError) else None) or "cannot be written to"
        logging.getLogger("klingel").warning(
            "klingel: compiled kernels stay in memory, the next start compiles again: %s: %s", cache_base(), reason
        )


class Entry(_Dispatcher):
    """A kernel with a Python entry point.

    It is compiled, or found on the disk, when first needed: importing a module costs neither. A kernel that calls
    it takes its inner form `within`.
    """

    layer = ""
    rows = False  # see `kernel`
    cached = False  # connected with its files
    awaited: Any = None  # signature it is still to be compiled for
    only: Any = None  # what was compiled, where it is made for one signature

    @cached_property
    def within(self) -> Any:
        return _inner(self.py_func, self.targetoptions)

    @property
    def _numba_type_(self) -> Any:
        return self._type  # one for ever; Numba makes a new one each time it is asked

    def ready(self) -> Self:
        """Compile it for its signature, if it has one."""
        if self.awaited is not None:
            self.compile(self.awaited)
            self.awaited = None
            self.disable_compile()
        return self

    def compile(self, sig: Any) -> Any:
        if self.layer and not self.cached:
            self.cached = True
            outer, _settings.CACHE_DIR = _settings.CACHE_DIR, str(cache_folder(self.layer))
            try:
                self.enable_caching()
                self._cache = SafeCache(self._cache, _warn_once)
            except (OSError, RuntimeError) as error:  # no place to write to
                _warn_once(error)
            finally:
                _settings.CACHE_DIR = outer
        vectorised, _settings.SLP_VECTORIZE = _settings.SLP_VECTORIZE, int(self.rows)
        try:
            return super().compile(sig)
        finally:
            _settings.SLP_VECTORIZE = vectorised

    def __call__(self, *args: Any, **named: Any) -> Any:
        self.ready()
        return super().__call__(*args, **named)

    def get_compile_result(self, sig: Any) -> Any:
        self.ready()
        if self.only is not None:
            return self.only
        if len(self.overloads) == 1 and not self._can_compile:  # made for one signature: asked for no other
            self.only = next(iter(self.overloads.values()))  # finding it again means hashing its signature
            library = self.only.library  # asked for addresses whenever the kernel is handed over as a pointer
            library.get_pointer_to_function = cache(library.get_pointer_to_function)
            return self.only
        return super().get_compile_result(sig)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self.within.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        return self.within.get_overload(sig)


def _inner(func: Any, options: dict[str, Any]) -> Any:
    options = {**options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return _Dispatcher(func, targetoptions=options, **WAY.inner)


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

    With `signature` (a Numba signature) it is usable as a typed function pointer once it is `ready`; without, it
    is compiled at its first call, per argument types.

    Kernels allocate nothing: they are compiled without Numba's memory runtime, which also spares the
    reference counting of every array they touch (two thirds of the event loop's time, measured). One that
    must make arrays says `allocates=True`.

    With `rows` the compiler may put neighbouring numbers that are treated alike into one vector register, which
    Numba does not ask for by itself: a quarter of the time of a right-hand side.

    An `inner` kernel is called by other kernels only and has no Python entry point. A `merged` one is an inner one
    that is never called: handing over two arrays costs some forty instructions. An `inlined` one is written out
    before types are inferred: a loop around it can then be vectorised, which a call forbids.
    """
    if func is None:
        return lambda f: kernel(
            f, signature=signature, inner=inner, inlined=inlined, merged=merged, rows=rows, allocates=allocates
        )
    if not callable(func):
        raise InputError("func", func, "must be a function")
    if _settings.DISABLE_JIT:
        return func
    options = {
        "nopython": True,
        "boundscheck": None,
        "error_model": "numpy",
        "fastmath": FASTMATH,
        "_nrt": allocates,
    }
    if inlined:
        return _Dispatcher(func, targetoptions={**options, "inline": "always"})
    if inner or merged:
        return _inner(func, {**options, "forceinline": merged})
    entry = Entry(func, targetoptions=options, **WAY.entry)
    entry.awaited, entry.rows = signature, rows
    entry.layer = layer_of(func.__module__)
    return entry


def layer_of(module: str) -> str:
    """Part of the package whose sources a kernel of a module may depend on; empty outside of it."""
    package, _, inside = module.partition(".")
    if package != "klingel":
        return ""
    names = inside.split(".")
    return "/".join(names[:2]) if names[0] == LITERATURE else names[0]


def direct(func: Any) -> Any:
    """A kernel with a signature, to be called with arguments of exactly these types, which nobody looks at again.

    Numba looks at every array of a call to find out what to compile. It lives as long as `func` does.
    """
    return func.get_compile_result(None).entry_point if isinstance(func, Entry) else func


def ready(func: Any, kinds: tuple[Any, ...] | None = None) -> Any:
    """`func`, compiled now if it is a kernel with a signature, or for arguments of these types."""
    if not isinstance(func, Entry):
        return func
    if kinds is not None:
        func.compile(kinds)
    return func.ready()
