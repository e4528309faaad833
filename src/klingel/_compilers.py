"""How kernels are compiled: linked (`_linking`) or as Numba does by itself, plain.

`_linking` halves the time of compilation, by means of parts of Numba that are not documented. So that a new Numba
cannot stop anyone, kernels are compiled plainly where these parts are missing or Numba is not the one `_linking`
was tested with: the same results, more waiting at the first start. `KLINGEL_LINKING` decides by hand: `plain`, or
`linked` (also with a Numba it was not tested with); `auto` or nothing is what is said above.
"""

import logging
import os
from dataclasses import dataclass, field
from functools import wraps
from importlib import import_module
from typing import Any

import numba
from numba.core import cpu

from klingel._errors import InputError

VARIABLE = "KLINGEL_LINKING"
AUTO, LINKED, PLAIN = "auto", "linked", "plain"
TESTED = "0.68"  # minor version of Numba `_linking` was tested with


@dataclass(frozen=True)
class Way:
    """Name, and what the dispatchers of kernels are given on top of their options."""

    name: str
    entry: dict[str, Any] = field(default_factory=dict)
    inner: dict[str, Any] = field(default_factory=dict)


def choose() -> Way:
    """The way asked for, or the quickest there is; says so in one line if that is not the usual one."""
    asked = os.environ.get(VARIABLE) or AUTO
    if asked not in (AUTO, LINKED, PLAIN):
        raise InputError(VARIABLE, asked, f"must be {AUTO}, {LINKED} or {PLAIN}")
    if asked == PLAIN:
        return Way(PLAIN)
    if asked == AUTO and ".".join(numba.__version__.split(".")[:2]) != TESTED:
        return _fall_back(f"linking was tested with Numba {TESTED}, this is {numba.__version__}")
    try:
        linking = import_module("klingel._linking")
    except (ImportError, AttributeError) as missing:
        return _fall_back(f"a part of Numba {numba.__version__} is missing ({missing})")
    _ask_for_blas_later()
    return Way(LINKED, {"pipeline_class": linking.EntryCompiler}, {"pipeline_class": linking.InnerCompiler})


def _ask_for_blas_later() -> None:
    """Numba imports `scipy.linalg`, 0.2 s, to know whether it is there; what uses it asks again when compiled."""
    contexts: Any = cpu.CPUContext
    load = contexts.load_additional_registries
    if hasattr(load, "__wrapped__"):  # done before
        return

    @wraps(load)
    def load_without_asking(context: Any) -> None:
        linalg: Any = import_module("numba.np.linalg")
        asked, linalg.ensure_blas = linalg.ensure_blas, lambda: None
        try:
            load(context)
        finally:
            linalg.ensure_blas = asked

    contexts.load_additional_registries = load_without_asking


def _fall_back(reason: str) -> Way:
    logging.getLogger("klingel").warning(
        "klingel: kernels are compiled by plain Numba, which takes longer: %s", reason
    )
    return Way(PLAIN)
