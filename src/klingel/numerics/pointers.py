"""From a user's function to a typed pointer the compiled loop can call.

Kernels compiled with the right signature pass as they are. A plain Python function is compiled here; one that
returns nothing where a number is expected is taken to mean 0. What cannot be compiled is refused with one line.
"""

import re
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from klingel._errors import InputError
from klingel._jit import kernel, ready
from klingel.numerics import signatures
from klingel.numerics.problem import OwnLoop


def as_pointer(func: Callable[..., Any], signature: Any, name: str) -> Any:
    """`func` compiled for exactly `signature`."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return func
    if not callable(func):
        raise InputError(name, func, "must be a function")
    overload = getattr(ready(func), "overloads", {}).get(tuple(signature.args))
    if overload is not None and overload.signature.return_type == signature.return_type:
        return func
    plain = getattr(func, "py_func", func)
    try:
        return ready(kernel(plain, signature=signature, allocates=True))
    except Exception as error:  # Numba refuses with half a dozen unrelated types
        first_failure = error
    if signature.return_type == types.int64:
        try:
            wrapped = _returning_zero(kernel(plain, allocates=True), len(signature.args))
            return ready(kernel(wrapped, signature=signature, allocates=True))
        except Exception:  # the first refusal says more
            pass
    allowed = f"must compile: {_reason(first_failure)}; as {signature}"  # long messages lose their end
    raise InputError(name, getattr(plain, "__name__", plain), allowed) from first_failure


def _reason(error: Exception) -> str:
    """What Numba says without colours and without the names of its passes."""
    words = " ".join(re.sub(r"\x1b\[[0-9;]*m", "", str(error)).split())
    return re.sub(r"^Failed in nopython mode pipeline \(step: [^)]*\) ", "", words).partition(" During: ")[0][:200]


def _returning_zero(inner: Any, count: int) -> Any:
    def six(a, b, c, d, e, f):
        inner(a, b, c, d, e, f)
        return 0

    def seven(a, b, c, d, e, f, g):
        inner(a, b, c, d, e, f, g)
        return 0

    def eight(a, b, c, d, e, f, g, h):
        inner(a, b, c, d, e, f, g, h)
        return 0

    return {6: six, 7: seven, 8: eight}[count]


def _no_guards(t, x, memory, mode, p, g):
    return None


def _no_act(t, x, memory, mode, p, fired):
    return 0


def _no_after_step(t, h, x, shape, x_new, memory, mode, p):
    return 0


def _no_jacobian(t, x, memory, mode, p, jac):
    return 0


def _no_scan(t, t_new, x, x_new, memory, mode, p):
    return 1


def _no_follow(t, h, x, x_new, memory, mode, p, crossings):
    return 0


def _no_breaks(task, t, x, memory, mode, p):
    return 0.0


_DEFAULTS = {
    "guards": (_no_guards, signatures.guards_signature),
    "act": (_no_act, signatures.act_signature),
    "after_step": (_no_after_step, signatures.after_step_signature),
    "jacobian": (_no_jacobian, signatures.jacobian_signature),
    "scan": (_no_scan, signatures.scan_signature),
    "follow": (_no_follow, signatures.follow_signature),
    "breaks": (_no_breaks, signatures.breaks_signature),
}
_compiled_defaults: dict[tuple[str, Any], Any] = {}


def default_pointer(name: str, parameter_type: Any) -> Any:
    """The function that stands in for one a system does not have."""
    key = (name, parameter_type)
    if key not in _compiled_defaults:
        func, make = _DEFAULTS[name]
        _compiled_defaults[key] = as_pointer(func, make(parameter_type), name)
    return _compiled_defaults[key]


SIGNATURES = {"rhs": signatures.rhs_signature, **{name: make for name, (_, make) in _DEFAULTS.items()}}


def own_loop(problem: Any) -> OwnLoop | None:
    """The event loop compiled around functions of this problem, if it has one and they are still the same."""
    own = getattr(problem, "loop", None)
    if own is None or numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return None
    return own if all(getattr(problem, name) in (None, func) for name, func in own.functions.items()) else None


def problem_pointers(problem: Any, kind: Any, names: tuple[str, ...] = tuple(SIGNATURES)) -> tuple[Any, ...]:
    """Functions of a problem with parameters of this type, compiled; by default all of `SIGNATURES`."""
    return tuple(_pointer(name, getattr(problem, name), kind) for name in names)


def parameter_type(parameters: Any) -> Any:
    """Numba's type of the parameters of a problem; that of arrays in tuples is looked up once, for many runs."""
    form = _form(parameters)
    if form is None:
        return numba.typeof(parameters)
    if form not in _TYPES:
        _TYPES[form] = numba.typeof(parameters)
    return _TYPES[form]


_TYPES: dict[Any, Any] = {}


def type_key(parameters: Any) -> Any:
    """What tells parameters of different types apart, without a look at Numba's types where that is possible."""
    form = _form(parameters)
    return numba.typeof(parameters) if form is None else form


def _form(value: Any) -> Any:
    """What Numba's type of an array, or of a tuple of such, depends on; None for anything else."""
    if type(value) is np.ndarray:
        flags = value.flags
        return value.dtype, value.ndim, flags.c_contiguous, flags.f_contiguous, flags.writeable, flags.aligned
    if isinstance(value, tuple):
        forms = tuple(_form(part) for part in value)
        return None if None in forms else (type(value), *forms)
    return None


_POINTERS: dict[tuple[str, Any, int], tuple[Any, Any]] = {}
MOST_POINTERS = 256


def _pointer(name: str, func: Any, kind: Any) -> Any:
    """By the identity of its type, which is kept with it: finding a type again means hashing all of it."""
    key = name, func, id(kind)
    if key not in _POINTERS:
        pointer = default_pointer(name, kind) if func is None else as_pointer(func, SIGNATURES[name](kind), name)
        if len(_POINTERS) >= MOST_POINTERS:
            _POINTERS.clear()
        _POINTERS[key] = kind, pointer
    return _POINTERS[key][1]
