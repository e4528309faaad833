"""`klingel example wagon-branches`: figures 5.1-5.3 with orbits, stable and unstable, where motions repeat.

Empty Hbbills 311 with PTP links. From starts at a number of speeds the wagon is let settle (dots of the picture);
speeds at which none of them repeats are shaded. The motion named in STARTS is closed to an orbit and followed over
the speed, through folds, as far as it goes in the points asked for. With every slider stuck an orbit has one
member for each set of anchors; the symmetric one, of unloaded sliders, is followed where there is one.

Between two motions the one on their border is searched by bisection from far states (`wagon_edges`) and, where it
repeats, closed to an orbit with one unstable multiplier. `speeds` asks for bisections beside the branch as well:
plain runs leave an orbit with one unstable multiplier to both sides, between those the border is found.

What is left out of the picture, because it does not repeat or cannot be followed, is told in `table.md`.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from klingel._errors import InputError
from klingel.literature.example import Check, ExampleResult

INCLINATIONS = (20.0, 30.0, 40.0)
COLUMNS = "| speed [m/s] | stable | multiplier | period [s] | front | rear | carbody |"
CLOSE = 0.02  # of an amplitude, between bisection and orbit


@dataclass(frozen=True)
class Parameters:
    inclination: float = 40.0  # of the rails, 1 in ...
    points: int = 150  # of a branch in each direction, at most
    speeds: int = 0  # at which unstable orbits of a branch are compared with a bisection beside them

    def __post_init__(self) -> None:
        if self.inclination not in INCLINATIONS:
            raise InputError("inclination", self.inclination, "must be 20, 30 or 40: rails inclined 1 in that")
        for name, least in (("points", 2), ("speeds", 0)):
            if not (getattr(self, name) >= least and int(getattr(self, name)) == getattr(self, name)):
                raise InputError(name, getattr(self, name), f"must be a whole number, {least} or more")


def run(folder: Path, parameters: Parameters) -> ExampleResult:
    """Branches, dots, rest, bisections; a branch that lies in the folder is taken from there."""
    from klingel.literature.hoffmann import wagon_branches_picture as picture
    from klingel.literature.hoffmann.wagon_edges import edges
    from klingel.literature.hoffmann.wagon_orbits import NOT_FOLLOWED, borders, branches, dots, rest_band
    from klingel.plots.style import save

    p = parameters
    found = branches(folder, p.inclination, int(p.points))
    marks = [mark for branch in found for mark in borders(branch, p.inclination, int(p.speeds))]
    between = _stored(folder / "edges.json", lambda: edges(p.inclination))
    points = _stored(folder / "dots.json", lambda: dots(p.inclination))
    drawn = save(
        picture.diagram(found, marks, between, points, rest_band(p.inclination), p.inclination),
        folder / "branches.png",
    )
    told = folder / NOT_FOLLOWED
    failed = told.read_text(encoding="utf-8") if told.exists() else ""
    (folder / "table.md").write_text(failed + table(found, marks, between), encoding="utf-8")
    met = [m for m in [*marks, *between] if m["edge"] is not None and m["orbit"] is not None]
    checks = tuple(
        Check(f"border at {m['speed']:.4g} m/s against the orbit, {name} [mm]", m["orbit"][name], m["edge"][name],
              CLOSE * m["orbit"][name])
        for m in met for name in ("front_wheelset.y", "rear_wheelset.y", "carbody.y")
    )  # fmt: skip
    quantities = {"branches": float(len(found)), "orbits": float(sum(b.parameter.size for b in found))}
    for branch in found:
        for k, point in enumerate(branch.of_type("fold")):
            quantities[f"fold_{k + 1}_m_s"] = point.parameter
    files = (drawn, folder / "table.md", *sorted(folder.glob("branch-*.nc")))
    return ExampleResult("wagon-branches", quantities, checks, files)


def _stored(path: Path, make) -> list[dict]:
    if not path.exists():
        path.write_text(json.dumps(make()), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


def table(found, marks, between) -> str:
    """Every branch at some of its points, its special points and why it ended; then the bisections."""
    lines = []
    for branch in found:
        lines += [f"{branch.settings['told']}; {branch.ended}", "", COLUMNS, "|" + "---|" * 7]
        step = max(1, branch.parameter.size // 12)
        for k in range(0, branch.parameter.size, step):
            sizes = [1e3 * float(branch[f"{body}.y.amplitude"][k]) for body in
                     ("front_wheelset", "rear_wheelset", "carbody")]  # fmt: skip
            cells = [f"{branch.parameter[k]:.4f}", "yes" if branch.stable[k] else "no",
                     f"{abs(branch.multipliers(k)[0]):.5f}", f"{float(branch['period'][k]):.5f}",
                     *(f"{size:.4f}" for size in sizes)]  # fmt: skip
            lines.append(f"| {' | '.join(cells)} |")
        lines += ["", *(f"- {s.type} at {s.parameter:.5f} m/s {s.detail}" for s in branch.special), ""]
    for mark in marks:
        pairs = ", ".join(f"{name} {mark['edge'][name]:.4f} ({mark['orbit'][name]:.4f})" for name in mark["edge"])
        lines.append(f"Border at {mark['speed']:.4f} m/s by bisection (orbit), half widths in mm: {pairs}")
    lines += _edges_told(between)
    return "\n".join(lines) + "\n"


def _edges_told(between) -> list[str]:
    lines = []
    for m in between:
        told = f"Between {m['between']} at {m['speed']:g} m/s"
        if m["edge"] is None:
            lines.append(f"{told}: {m['reason']}")
            continue
        sizes = ", ".join(f"{name} {size:.4f}" for name, size in m["edge"].items())
        lines.append(f"{told}, by bisection from far states, half widths in mm: {sizes}")
        if m["orbit"] is None:
            lines.append(f"  not closed to an orbit: {m['reason']}")
            continue
        sizes = ", ".join(f"{name} {size:.4f}" for name, size in m["orbit"].items())
        lines.append(
            f"  orbit: {sizes}; period {m['period']:.5f} s, multipliers {m['multiplier']:.4f}, {m['others']:.5f}"
        )
    return lines
