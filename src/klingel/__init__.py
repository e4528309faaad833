"""Nonsmooth railway vehicle dynamics.

    import klingel as kg

    run = kg.integrate(system, x0, t_end, method="auto", rtol=1e-6)

Names are loaded when first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "HybridProblem": "klingel.numerics.problem",
    "InputError": "klingel._errors",
    "IntegrationError": "klingel.numerics.trajectory",
    "Trajectory": "klingel.numerics.trajectory",
    "contact_table": "klingel.io.contact_cache",
    "equivalent_conicity": "klingel.contact.table_conicity",
    "integrate": "klingel.numerics.integrate",
    "kernel": "klingel._jit",
    "solve_lcp": "klingel.numerics.lcp",
}

if TYPE_CHECKING:
    from klingel._errors import InputError
    from klingel._jit import kernel
    from klingel.contact.table_conicity import equivalent_conicity
    from klingel.io.contact_cache import contact_table
    from klingel.numerics.integrate import integrate
    from klingel.numerics.lcp import solve_lcp
    from klingel.numerics.problem import HybridProblem
    from klingel.numerics.trajectory import IntegrationError, Trajectory

__all__ = [
    "HybridProblem",
    "InputError",
    "IntegrationError",
    "Trajectory",
    "contact_table",
    "equivalent_conicity",
    "integrate",
    "kernel",
    "solve_lcp",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'klingel' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
