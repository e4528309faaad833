"""Kernels compiled with less repetition in Numba's Python: the same machine code, and Numba left as it was."""

import gc
import os
import subprocess
import sys
from math import sin
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numba import njit, types
from numba.core import compiler, errors, event, postproc
from numba.core.errors import TypingError
from numba.core.types import functions

from klingel._compilers import LINKED
from klingel._jit import WAY, kernel, ready

pytestmark = pytest.mark.skipif(WAY.name != LINKED, reason="kernels are compiled by plain Numba")

ROOT = Path(__file__).resolve().parents[1]
DIGESTS = """
import hashlib, sys
from contextlib import nullcontext
import numpy as np
from klingel import _linking
from klingel.contact.profiles import curve
from klingel.io.contact.cache import wheelset_on_track
from klingel.numerics.linear import least_squares

if sys.argv[1] == "usual":
    _linking.quick = nullcontext
    del _linking._KernelLibrary._optimize_functions
least_squares.LeastSquares(np.eye(2), 0.5).solve(np.ones(2))
wheelset_on_track()
for kernel in (least_squares.factorise, least_squares.solve, curve.sample, curve.evaluate, curve.height_at):
    for compiled in kernel.overloads.values():
        print(hashlib.sha256(compiled.library._get_compiled_object()).hexdigest())
"""


def test_machine_code_is_that_of_numba_left_alone(tmp_path):
    """To the byte, names included, where sets are passed through in the same order."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    found = {}
    for way in ("usual", "quick"):
        environment = {
            **os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0", "KLINGEL_CACHE_DIR": str(tmp_path / way),
        }  # fmt: skip
        found[way] = subprocess.run(
            [sys.executable, "-c", DIGESTS, way], capture_output=True, text=True, env=environment, check=True
        ).stdout.split()
    assert len(found["quick"]) > 4
    assert found["quick"] == found["usual"]


def replaced() -> list[bool]:
    from klingel._quick_compiling import _REPLACED

    return [getattr(place, name) is function for place, name, function in _REPLACED]


class Watch(event.Listener):
    """Whether Numba's functions are replaced whenever a pass of the compiler begins."""

    def __init__(self):
        self.seen = []

    def on_start(self, event):
        self.seen.extend(replaced())

    def on_end(self, event):
        pass


def test_numba_and_the_collector_are_themselves_again_after_a_kernel_and_for_functions_of_others():
    @kernel
    def fine(x):
        return x + 1.0

    @kernel
    def bad(x):
        return x.nothing_of_this_name

    assert gc.isenabled()
    with event.install_listener("numba:run_pass", Watch()) as watch:
        assert fine(1.0) == 2.0
    assert watch.seen
    assert all(watch.seen)
    assert not any(replaced())
    assert gc.isenabled()
    with pytest.raises(TypingError):
        bad(1.0)
    assert not any(replaced())
    assert gc.isenabled()
    with event.install_listener("numba:run_pass", Watch()) as watch:
        assert njit(lambda x: x + 1.0)(1.0) == 2.0
    assert watch.seen
    assert not any(watch.seen)


class Function:
    """A function type of Numba that counts how often it is asked, and leaves another implementation each time."""

    def __init__(self, *templates):
        self.templates, self.asked, self._impl_keys = templates, 0, {}


@pytest.fixture
def asked(monkeypatch):
    """Call types that know nothing yet; what they ask Numba for is answered here."""
    from klingel import _quick_compiling

    def answer(function, context, args, kws):
        function.asked += 1
        function._impl_keys[args] = function.asked
        return SimpleNamespace(args=args) if args else None

    now = SimpleNamespace(flags=("usual",))
    monkeypatch.setattr(_quick_compiling, "_call_type", answer)
    monkeypatch.setattr(_quick_compiling.targetconfig.ConfigStack, "top_or_none", lambda: now.flags)
    return _quick_compiling.CallTypes(), now


def test_call_is_typed_once_for_the_same_types_and_flags(asked):
    call_types, now = asked
    context, function, pair = object(), Function(), (types.int64, types.float64)
    first = call_types(function, context, pair, {})
    assert call_types(function, context, tuple(pair), {}) is first
    assert function.asked == 1
    call_types(function, context, pair[::-1], {})
    call_types(function, context, pair, {"out": types.int64})
    call_types(function, object(), pair, {})
    assert function.asked == 4
    now.flags = ("others",)
    call_types(function, context, pair, {})
    assert function.asked == 5
    assert function._impl_keys[pair] == 5  # Numba takes what it finds here
    now.flags = tuple(["usual"])  # equal, another object
    assert call_types(function, context, pair, {}) is first
    assert function.asked == 5
    assert function._impl_keys[pair] == 1


def test_refusals_and_what_may_be_inlined_are_not_remembered(asked):
    call_types, _ = asked
    inlined, plain = (SimpleNamespace(_inline=SimpleNamespace(is_never_inline=never)) for never in (False, True))
    for function, args, times in (
        (Function(), (), 2),
        (Function(plain, inlined), (types.int64,), 2),
        (Function(plain, object()), (types.int64,), 1),
    ):
        for _ in range(2):
            call_types(function, None, args, {})
        assert function.asked == times


def every_statement(a, b, *, far=2.0):
    """Loops, slices, tuples, calls, branches."""
    total, pair = 0.0, (a, b)
    for k in range(1, len(a)):
        if a[k] > far and not b[k - 1] < 0.0:
            total += sin(a[k]) * pair[1][k : k + 1].sum()
        else:
            b[k] = max(a[k], total, far)
    return total, pair, {"k": [total, a]}


def test_variables_of_a_statement_are_those_numba_lists():
    from klingel._quick_compiling import _variables

    found = 0
    for block in compiler.run_frontend(every_statement).blocks.values():
        for statement in block.body:
            mine = _variables(statement, statement.__dict__)
            assert mine == statement._rec_list_vars(statement.__dict__)
            found += len(mine)
    assert found > 50


def test_lives_of_variables_are_known_to_those_who_ask():
    """In functions when asked for, in generators at once: they keep what lives across a yield."""
    from klingel._quick_compiling import _canonicalise

    def yielding(n):
        for k in range(n):
            yield k + n

    for function in (every_statement, yielding):
        usual, quick = compiler.run_frontend(function), compiler.run_frontend(function)
        postproc.PostProcessor(usual).run()
        _canonicalise(postproc.PostProcessor(quick))
        assert list(quick.blocks) == list(usual.blocks)
        assert quick.variable_lifetime.livemap == usual.variable_lifetime.livemap
        assert (quick.generator_info is None) == (usual.generator_info is None)
    assert quick.generator_info.state_vars == usual.generator_info.state_vars


def test_refusals_lose_their_colours_only():
    from klingel._quick_compiling import _no_colour

    scheme = errors.termcolor()
    assert _no_colour(scheme, "no such thing") in scheme.errmsg("no such thing")


def test_kernel_is_compiled_for_given_types():
    @kernel
    def first(x, k):
        return x[k]

    kinds = (types.Array(types.float64, 1, "C"), types.int64)
    assert ready(first, kinds) is first
    assert list(first.overloads) == [kinds]
    assert first(np.array([4.0]), 0) == 4.0
    assert len(first.overloads) == 1
    assert first(np.array([4]), 0) == 4  # also for others
    assert len(first.overloads) == 2
    assert ready(abs, kinds) is abs


def test_functions_numba_has_are_the_ones_replaced():
    """A name that Numba gave up would be set and never called."""
    from klingel._quick_compiling import _REPLACED

    assert functions.BaseFunction in [place for place, _, _ in _REPLACED]
    for place, name, _ in _REPLACED:
        assert callable(getattr(place, name))
