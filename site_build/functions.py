"""Reference of the public Python names: signature and text from the code, an example from `examples/python/`."""

import ast
from pathlib import Path

import klingel

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "python"

GROUPS = {
    "Vehicles and tracks": ("load_vehicle", "with_value", "Track", "load_track"),
    "Runs": (
        "simulate",
        "Run",
        "load_run",
        "continue_run",
        "RunRequest",
        "energy_balance",
        "suspension_energy",
        "rest_set",
    ),
    "Over speeds and other values": (
        "sweep",
        "Sweep",
        "load_sweep",
        "UntilSettled",
        "FixedTransient",
        "linear_critical_speed",
        "critical_speed",
        "load_critical_speed",
        "continue_orbit",
        "load_branch",
    ),
    "Wheel and rail": ("contact_table", "equivalent_conicity"),
    "Any hybrid system": (
        "HybridProblem",
        "integrate",
        "Trajectory",
        "find_orbit",
        "floquet",
        "solve_lcp",
        "kernel",
    ),
    "What may be raised": ("InputError", "SimulationError", "IntegrationError"),
}
OTHERS = "Further names"  # public, and not yet put into a group

WITH_MEMBERS = ("Track", "Run", "RunRequest", "Sweep", "Trajectory")


def grouped() -> dict[str, tuple[str, ...]]:
    """All public names: what is new in the package and in no group stands at the end."""
    known = {name for names in GROUPS.values() for name in names}
    rest = tuple(name for name in klingel.__all__ if name not in known)
    return {**GROUPS, **({OTHERS: rest} if rest else {})}


def functions_page() -> str:
    parts = [
        "# Python",
        "Every public name, by what it is for: `import klingel as kg`. All values are SI. Texts and signatures"
        " are those of the code; every example is run by the tests.",
    ]
    for group, names in grouped().items():
        parts.append(f"## {group}")
        for name in names:
            parts += [directive(name), "**Example**", f"```python\n{example(name)}```"]
    return "\n\n".join(parts) + "\n"


def directive(name: str) -> str:
    lines = [
        f"::: {klingel._HOMES[name]}.{name}",
        "    options:",
        f"      heading: kg.{name}",
        "      heading_level: 3",
    ]
    lines.append(f"      toc_label: kg.{name}")
    if name in WITH_MEMBERS:
        lines += ["      members: null", '      filters: ["!^_"]', "      show_if_no_docstring: false"]
    return "\n".join(lines)


def example(name: str) -> str:
    """The script without the line that says what it is."""
    path = EXAMPLES / f"{name}.py"
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), f"{path.name} has no first line that says what it shows"
    end = tree.body[0].end_lineno or 1
    return "\n".join(text.splitlines()[end:]).strip() + "\n"
