"""Compiled functions of a problem, called without a look at the types of their arguments.

A flow over one segment takes some hundred microseconds. Finding out what types the arguments have, and from a
function its address, would take as long; both are the same for all values of a parameter, so they are found once.
"""

from functools import cache
from typing import Any

import numba
from numba import types
from numba.core.types.function_type import CompileResultWAP

from klingel._jit import kernel, ready
from klingel.numerics import signatures
from klingel.numerics.pointers import problem_pointers, type_key
from klingel.numerics.problem import HybridProblem

MOST_KNOWN = 32  # problems
FUNCTIONS = {
    "rhs": signatures.rhs_signature,
    "guards": signatures.guards_signature,
    "act": signatures.act_signature,
}


class Code:
    """Entry points of right-hand side, guards and action, and the kernels that call them."""

    def __init__(self, problem: HybridProblem):
        self.kind = numba.typeof(problem.parameters)
        makes = FUNCTIONS.values()
        pointers = problem_pointers(problem, self.kind, tuple(FUNCTIONS))
        self.kept = (problem.rhs, problem.guards, problem.act, pointers)  # compiled code lives as long as they do
        made = [(pointer, make(self.kind)) for pointer, make in zip(pointers, makes, strict=True)]
        self.rhs, self.guards, self.act = (_entry(*pair) for pair in made)
        self._addresses = dict(zip(FUNCTIONS, (_address(*pair) for pair in made), strict=True))
        self._kernels: dict[Any, Any] = {}

    def run(self, function: Any, called: tuple[str, ...], args: tuple[Any, ...]) -> int:
        """Call a kernel with the functions of the problem it calls, and `args`, whose types never change."""
        if function not in self._kernels:
            others = tuple(numba.typeof(arg) for arg in args)
            self._kernels[function] = _compiled(function, called, self.kind, others)
        return self._kernels[function](*(self._addresses[name] for name in called), *args)


_known: dict[Any, Code] = {}


def code_of(problem: HybridProblem) -> Code:
    key = (problem.rhs, problem.guards, problem.act, type_key(problem.parameters))
    if key not in _known:
        while len(_known) >= MOST_KNOWN:
            _known.pop(next(iter(_known)))
        _known[key] = Code(problem)
    return _known[key]


@cache
def _compiled(function: Any, called: tuple[str, ...], parameter_type: Any, others: tuple[Any, ...]) -> Any:
    makes = [types.FunctionType(FUNCTIONS[name](parameter_type)) for name in called]
    signature = types.int64(*makes, *others)
    return _entry(ready(kernel(function, signature=signature, rows=True)), signature)


def _entry(function: Any, signature: Any) -> Any:
    return function.get_compile_result(signature).entry_point if _is_compiled(function) else function


def _address(function: Any, signature: Any) -> Any:
    return CompileResultWAP(function.get_compile_result(signature)) if _is_compiled(function) else function


def _is_compiled(function: Any) -> bool:
    return hasattr(function, "get_compile_result")
