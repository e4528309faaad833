"""Quantities of a run as pictures show them: which ones, in which unit, under which words."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from klingel._errors import InputError

if TYPE_CHECKING:
    from klingel.simulation.run import Run

# unit in a run -> factor and unit in pictures
SHOWN = {
    "m": (1e3, "mm"),
    "rad": (1e3, "mrad"),
    "m/s": (1e3, "mm/s"),
    "rad/s": (1e3, "mrad/s"),
    "m/s2": (1.0, "m/s²"),
    "rad/s2": (1.0, "rad/s²"),
    "N": (1e-3, "kN"),
    "N m": (1e-3, "kNm"),
    "Nm": (1e-3, "kNm"),  # of older files
}
DEGREES = ("contact_angle",)  # last words shown in degrees
WORDS = {
    "x": "longitudinal",
    "y": "lateral",
    "z": "vertical",
    "x_dot": "longitudinal speed",
    "y_dot": "lateral speed",
    "z_dot": "vertical speed",
    "spin_dot": "spin beyond rolling",
    "Y": "lateral force Y",
    "Q": "vertical force Q",
    "X": "longitudinal force X",
}
MOST = 8  # lines of one panel: as many as can be told apart
LONG = 12  # letters that fit beside a low panel together with their unit
Names = Sequence[str]


def unit_of(run: "Run", name: str) -> tuple[float, str]:
    """Factor from SI and the unit shown; a mode or another number without unit keeps its value."""
    if name.rpartition(".")[2] in DEGREES:
        return float(np.degrees(1.0)), "deg"
    unit = run[name].attrs.get("units", "")
    return SHOWN.get(unit, (1.0, unit or "–"))


def shown(run: "Run", name: str) -> np.ndarray:
    """Values in the unit shown."""
    return unit_of(run, name)[0] * run[name].to_numpy()


def owner(name: str) -> str:
    """front wheelset, of front_wheelset.y."""
    return name.rpartition(".")[0].replace("_", " ").replace(".", ", ")


def label(run: "Run", name: str) -> str:
    """lateral [mm], of front_wheelset.y; long ones on two lines."""
    word = name.rpartition(".")[2]
    told = WORDS.get(word, word.replace("_dot", " rate").replace("_", " "))
    gap = "\n" if len(told) > LONG else " "
    return f"{told}{gap}[{unit_of(run, name)[1]}]"


def full_label(run: "Run", name: str) -> str:
    """front wheelset, lateral [mm]."""
    return f"{owner(name)}, {label(run, name)}".replace("\n", " ")


def told_apart(names: Names) -> tuple[list[str], str]:
    """Owners of quantities for a legend, and the words all of them have, which need be said only once.

    Of bogie1_front_left.box_z.force and three more: front left, front right, ..., and "bogie1 box z".
    """
    owners = [owner(name) for name in names]
    words = [text.replace(",", " ,").split() for text in owners]
    if len(names) <= 2:
        return owners, ""
    shared = [word for word in dict.fromkeys(words[0]) if word != "," and all(word in text for text in words)]
    left = [" ".join(w for w in text if w not in shared).strip(", ").replace(" ,", ",") for text in words]
    if not all(left) or len(set(left)) < len(left):
        return owners, ""
    return left, " ".join(shared)


def panel_label(run: "Run", names: Names) -> str:
    """Of the axis of several quantities: what they share, and `label`."""
    shared = told_apart(names)[1]
    return f"{shared}\n{label(run, names[0])}" if shared else label(run, names[0])


def wheelsets(run: "Run") -> list[str]:
    """Bodies with wheels, in the order of the vehicle."""
    return list(dict.fromkeys(wheel.rpartition(".")[0] for wheel in run.names["wheels"]))


def other_bodies(run: "Run") -> list[str]:
    bodies = dict.fromkeys(name.rpartition(".")[0] for name in run.names["states"])
    wheeled = wheelsets(run)
    return [body for body in bodies if body not in wheeled]


def coordinate(run: "Run", bodies: Iterable[str], *words: str) -> list[str]:
    """Names of these coordinates of these bodies, as far as they may move."""
    return [f"{body}.{word}" for word in words for body in bodies if f"{body}.{word}" in run.data]


def split(run: "Run", names: Names) -> list[list[str]]:
    """Names for one panel, or for several where they are too many: wheelsets first, MOST lines in each."""
    if len(names) <= MOST:
        return [list(names)] if names else []
    axles = [name for name in names if any(below(name, body) for body in wheelsets(run))]
    groups = [axles, [name for name in names if name not in axles]]
    found = []
    for group in groups:
        panels = -(-len(group) // MOST)
        size = -(-len(group) // panels) if panels else 1
        found += [group[k : k + size] for k in range(0, len(group), size)]
    return found


def first_lateral(run: "Run") -> str:
    """The coordinate that tells most: lateral motion of the first wheelset, or of the first body without one."""
    found = [*coordinate(run, wheelsets(run), "y"), *coordinate(run, other_bodies(run), "y"), *run.positions]
    if not found:
        raise InputError("run", None, "must have at least one coordinate")
    return found[0]


def wholes(run: "Run") -> list[str]:
    """Suspension elements with a force over a deformation: front_left.link_y, front_left.leaf."""
    ends = (".deformation", ".force")
    named = (str(name).removesuffix(ends[0]) for name in run.data if str(name).endswith(ends[0]))
    return [name for name in named if f"{name}{ends[1]}" in run.data]


def below(name: str, choice: str) -> bool:
    """Whether `name` is `choice` or a part of it: front_left.link_y of front_left."""
    return name == choice or name.startswith(f"{choice}.")


def pick(names: Names, quantities: Names, run: "Run") -> list[str]:
    """Those of `names` that are, or are parts of, one of the quantities; all without a choice."""
    if not quantities:
        return list(names)
    for choice in quantities:
        if not any(below(name, choice) for name in names):
            raise no_such(choice, names, run)
    return [name for name in names if any(below(name, choice) for choice in quantities)]


def no_such(choice: str, names: Names, run: "Run") -> InputError:
    """What this picture could show instead."""
    if choice in run.data:
        listed = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
        return InputError("quantity", choice, f"is not part of this picture; it shows {listed or 'nothing'}")
    try:
        run[choice]
    except InputError as error:
        return error
    return InputError("quantity", choice, "is not in this run")


def pick_rows(run: "Run", rows: Sequence[Names], quantities: Names) -> list[list[str]]:
    """The usual rows of a picture, or of them what is below a chosen name; chosen quantities are added."""
    rows = [list(row) for row in rows if row]
    if not quantities:
        return rows
    usual = [name for row in rows for name in row]
    single = [name for name in quantities if name in run.data]
    groups = [name for name in quantities if name not in run.data]
    kept = pick(usual, groups, run) if groups else []
    found = [[name for name in row if name in kept] for row in rows]
    found = [row for row in found if row]
    alike: dict[tuple[str, str], list[str]] = {}
    for name in single:
        if run[name].dims != ("time",):
            raise InputError("quantity", name, "must be a quantity over time")
        alike.setdefault((name.rpartition(".")[2], unit_of(run, name)[1]), []).append(name)
    return [*found, *alike.values()]
