"""Numba's own Python, half of the time of a compilation, with less repetition; the machine code is the same.

Numba works out the type of every `a * b` anew, by trying some twenty templates of which most refuse; it looks
after every pass which variables live where, which only generators need; it has LLVM read a module of one line to
know the size of a type; it colours refusals that nobody sees; and it notes for each kernel how long it and
all within it took. While a kernel is compiled (`quick`) this is left out. Numba's lock is held meanwhile, so that
functions of others are compiled as ever.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from types import BuiltinFunctionType
from typing import Any

from numba.core import base, compiler, errors, event, ir, postproc, targetconfig, transforms
from numba.core.types import functions
from numba.core.typing import context

from klingel._collector import collector_paused

_call_type = functions.BaseFunction.get_call_type
_analyse = postproc.PostProcessor.run
_value_type = context.BaseContext.resolve_value_type
_size_of = base.BaseContext.get_abi_sizeof

# used below when a kernel is compiled: one that is missing is to be known when this module is imported
PARTS = (
    context.BaseContext._get_global_type,
    event.install_timer,
    ir.Inst._rec_list_vars,
    postproc.VariableLifetime,
    transforms.canonicalize_cfg,
)


class KernelFlags(compiler.Flags):
    """Compiler flags that are compared quickly: Numba looks at all of them for every operator of a function."""

    def __hash__(self) -> int:
        return _hash_of_flags()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, compiler.Flags) and self._values == other._values:
            return True
        return super().__eq__(other)


@cache
def _hash_of_flags() -> int:
    return hash(compiler.Flags())


class CallTypes:
    """Signatures of operators and functions of Numba by the types of their arguments, each worked out once.

    An implementation may depend on compiler flags. Numba finds it where the last one asked for was left, so that
    is written again. Types are told apart by their identity: Numba has one object for each, and comparing two
    means comparing all they consist of. They are kept here, so that no other can get their place.
    """

    def __init__(self) -> None:
        self.known: dict[Any, tuple[Any, ...]] = {}
        self.flags: list[Any] = []
        self.last: tuple[Any, int] = (self, -1)

    def __call__(self, function: Any, typing: Any, args: Any, kws: Any) -> Any:
        named = tuple((name, id(kind)) for name, kind in kws.items())
        key = (id(function), id(typing), self.flags_now(), tuple(map(id, args)), named)
        if key in self.known:
            signature, implementation, *_ = self.known[key]
            function._impl_keys[signature.args] = implementation
            return signature
        signature = _call_type(function, typing, args, kws)
        if signature is not None and not any(map(_may_be_inlined, function.templates)):
            self.known[key] = (signature, function._impl_keys[signature.args], function, typing, args, kws)
        return signature

    def flags_now(self) -> int:
        """Number of the flags of the function that is being compiled."""
        now = targetconfig.ConfigStack.top_or_none()
        if now is not self.last[0]:
            if now not in self.flags:
                self.flags.append(now)
            self.last = now, self.flags.index(now)
        return self.last[1]


def _may_be_inlined(template: Any) -> bool:
    inlined = getattr(template, "_inline", None)
    return inlined is not None and not inlined.is_never_inline


def _canonicalise(processor: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """After a pass: order the blocks. Where variables live is worked out by those who ask for it."""
    code = processor.func_ir
    if code.is_generator:
        _analyse(processor, emit_dels, extend_lifetimes)
        return
    code.blocks = transforms.canonicalize_cfg(code.blocks)
    code.variable_lifetime = postproc.VariableLifetime(code.blocks)
    code.generator_info = None
    if emit_dels:
        processor._insert_var_dels(extend_lifetimes=extend_lifetimes)


_PLAIN = frozenset({ir.Loc, ir.Scope, str, int, float, bool, type(None)})  # there is no variable in them


def _variables(statement: Any, value: Any) -> list[Any]:
    """Variables in a statement, in order, one level of calls less for each of them."""
    if type(value) is ir.Var:
        return [value]
    if isinstance(value, ir.Inst):
        return value.list_vars()
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return []
    found = []
    for part in value:
        kind = type(part)
        if kind is ir.Var:
            found.append(part)
        elif kind not in _PLAIN:
            found += _variables(statement, part)
    return found


_call_types = CallTypes()


def _known_call_type(function: Any, typing: Any, args: Any, kws: Any) -> Any:
    return _call_types(function, typing, args, kws)


def _type_of_value(typing: Any, value: Any) -> Any:
    """Functions of C, like `operator.mul`, are looked up at once, not after all kinds of data have refused."""
    found = typing._get_global_type(value) if type(value) is BuiltinFunctionType else None
    return _value_type(typing, value) if found is None else found


def _no_timer(kind: str, callback: Callable[[float], None]) -> Any:
    return nullcontext()


_sizes: dict[Any, int] = {}  # [bytes]; of one machine, the one kernels are compiled for


def _known_size(target: Any, kind: Any) -> int:
    if kind not in _sizes:
        _sizes[kind] = _size_of(target, kind)
    return _sizes[kind]


def _no_colour(scheme: Any, message: str, *colours: Any, **style: Any) -> str:
    return message


_scheme = type(errors.termcolor())

_REPLACED = (
    (functions.BaseFunction, "get_call_type", _known_call_type),
    (context.BaseContext, "resolve_value_type", _type_of_value),
    (postproc.PostProcessor, "run", _canonicalise),
    (ir.Inst, "_rec_list_vars", _variables),
    (event, "install_timer", _no_timer),
    (base.BaseContext, "get_abi_sizeof", _known_size),
    *([(_scheme, "_markup", _no_colour)] if hasattr(_scheme, "_markup") else []),  # there if colorama is
)


@contextmanager
def quick() -> Iterator[None]:
    """Compile without what is said above, and without looking for dead objects: a tenth, nearly all live on."""
    usual = [getattr(place, name) for place, name, _ in _REPLACED]
    try:
        for place, name, replacement in _REPLACED:
            setattr(place, name, replacement)
        with collector_paused():
            yield
    finally:
        for (place, name, _), function in zip(_REPLACED, usual, strict=True):
            setattr(place, name, function)
