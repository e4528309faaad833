"""Kernels inside kernels are linked into their entry points; flags, collector and late compilation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from llvmlite.binding import parse_bitcode
from numba import types
from numba.core.compiler import Flags

from klingel._compilers import LINKED
from klingel._jit import WAY, Entry, kernel, ready

linked = pytest.mark.skipif(WAY.name != LINKED, reason="kernels are compiled by plain Numba")

VECTOR = types.Array(types.float64, 1, "C")


@kernel(inner=True)
def double(x):
    return 2.0 * x


@kernel
def halve(x):
    return 0.5 * x


@kernel(inner=True)
def there_and_back(x):
    return halve(double(x))


@kernel
def both_ways(x):
    """`double` and `halve` are reached directly and through another kernel."""
    return there_and_back(x[0]) + double(x[1]) + halve(x[1])


def test_value_is_that_of_the_plain_functions():
    x = np.array([3.0, 5.0])
    assert both_ways(x) == 3.0 + 10.0 + 2.5
    assert halve(7.0) == 3.5  # its Python entry, next to the inner form
    assert both_ways(x) == 15.5


@linked
def test_only_entry_points_become_machine_code():
    from klingel._linking import EntryLibrary, InnerLibrary

    both_ways(np.zeros(2))
    (entry,) = both_ways.overloads.values()
    (inner,) = double.overloads.values()
    assert isinstance(entry.library, EntryLibrary)
    assert isinstance(inner.library, InnerLibrary)
    engine = entry.library.codegen._engine
    assert engine.is_symbol_defined(entry.fndesc.llvm_func_name)
    assert not engine.is_symbol_defined(inner.fndesc.llvm_func_name)


@linked
def test_of_an_entry_point_machine_code_and_names_are_kept():
    """Also the names of values that Numba looks for when it loads the kernel; none of the code that made them."""
    both_ways(np.zeros(2))
    (entry,) = both_ways.overloads.values()
    _, kind, (machine_code, names) = entry.library.serialize_using_object_code()
    module = parse_bitcode(names)
    assert kind == "object"
    assert machine_code
    assert {entry.fndesc.llvm_func_name, entry.fndesc.llvm_cfunc_wrapper_name} <= {
        f.name for f in module.functions
    }
    assert entry.fndesc.env_name in {v.name for v in module.global_variables}
    assert "fmul" not in str(module)
    assert "fmul" in str(entry.library._get_module_for_linking())


def test_kernel_with_a_signature_is_compiled_when_needed():
    @kernel(signature=types.float64(VECTOR))
    def first(x):
        return x[0]

    assert isinstance(first, Entry)
    assert not first.overloads
    assert ready(first) is first
    assert len(first.overloads) == 1
    assert first(np.array([4.0])) == 4.0
    with pytest.raises(TypeError):  # no second form for other arguments
        first("no vector")
    assert len(first.overloads) == 1


def test_first_call_takes_arguments_that_convert():
    @kernel(signature=types.float64(types.float64))
    def same(x):
        return x

    result = same(3)
    assert result == 3.0
    assert isinstance(result, float)


def test_plain_functions_are_ready():
    assert ready(abs) is abs


options = st.dictionaries(
    st.sampled_from(["nrt", "no_cpython_wrapper", "release_gil", "forceinline"]), st.booleans()
)


@linked
@given(options, options)
def test_flags_are_equal_when_those_of_numba_are(one, other):
    """Also if one is set to what is the default of the other."""
    from klingel._quick_compiling import KernelFlags

    def flags(kind, values):
        made = kind()
        for name, value in values.items():
            setattr(made, name, value)
        return made

    usual, usual_other = flags(Flags, one), flags(Flags, other)
    quick, quick_other = flags(KernelFlags, one), flags(KernelFlags, other)
    same = usual == usual_other
    assert (quick == quick_other) is same
    assert (quick == usual_other) is same
    assert (usual == quick_other) is same
    assert hash(quick) == hash(usual)
