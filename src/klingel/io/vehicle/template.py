"""Template files of the two-axle wagon: tables -> parameters of the template, load case and variant applied."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from klingel._errors import InputError
from klingel.elements.leaf_spring import PARABOLIC, TRAPEZOIDAL, LeafSpring, Reading
from klingel.elements.link_sets import LINK_SETS, LinkLaw
from klingel.io.units import BadQuantity, read_checked
from klingel.io.toml_tables import read_table, unknown_key
from klingel.io.vehicle.schema import (
    LEAF_MODELS,
    BoxTable,
    CarbodyMass,
    LeafFields,
    LinkTable,
    LoadTable,
    TwoAxleFile,
    WheelsetMass,
)
from klingel.model.description import Vehicle
from klingel.vehicles.checks import suggestion
from klingel.vehicles.loads import Box, loaded
from klingel.vehicles.two_axle import CORNERS, LinearLeaf, TwoAxle, two_axle

LEAF_SPRINGS = {"trapezoidal": TRAPEZOIDAL, "parabolic": PARABOLIC}
LEAF_SOURCE = "Hoffmann (2006), section 2.3.2 and table B.1"
ORIGIN = "origin"  # key of the meta data of a wagon
LINK_SOURCE = "set {} of Hoffmann (2006), tables 2.4 and 2.5, times the static load of the corner"
EMPTY = "empty"

# name in the file -> names in the description it decides; {corner} and {wheelset} stand for each of them
REACHES: dict[str, tuple[str, ...]] = {
    "wheelset": ("{wheelset}.mass", "{wheelset}.inertia"),
    "wheelset.mass": ("{wheelset}.mass",),
    "wheelset.inertia": ("{wheelset}.inertia",),
    "carbody": ("carbody",),
    "carbody.mass": ("carbody.mass",),
    "carbody.inertia": ("carbody.inertia",),
    "carbody.height": ("carbody.position.z",),
    "carbody.shift": ("carbody.position",),
    "wheelbase": ("{wheelset}.position", "{corner}.point.x"),
    "spacing": ("{corner}.point.y",),
    "radius": ("{wheelset}.radius", "{corner}.point.z"),
    "profile": ("{wheelset}.profile",),
    "back_to_back": ("{wheelset}.back_to_back",),
    "wheel_friction": ("{wheelset}.friction",),
    "wheel_damping": ("{wheelset}.damping",),
    "links": ("{corner}.link_x", "{corner}.link_y"),
    "link_friction": ("{corner}.link_x", "{corner}.link_y"),
    "bracket_gap": ("{corner}.link_y.bracket",),
    "guide_gap_x": ("{corner}.guide_x.clearance",),
    "guide_restitution": ("{corner}.guide_x.restitution",),
    "guide_resting_speed": ("{corner}.guide_x.resting_speed",),
    "guide_gap_y": ("{corner}.guide_y",),
    "guide_stiffness_y": ("{corner}.guide_y.stiffness",),
    "leaf": ("{corner}.leaf",),
    "leaf_model": ("{corner}.leaf",),
    "gravity": ("gravity",),
}
# fields of the file that are fields of the template
_PLAIN = sorted({field.name for field in fields(TwoAxle)} & set(REACHES) - {"links", "link_friction", "leaf"})


@dataclass(frozen=True)
class Variant:
    """Choices of the caller that go before those of the file; None leaves the file's."""

    links: str | None = None
    load: str = EMPTY
    height: float | None = None  # [m]
    shift: tuple[float, float] | None = None  # [m]
    friction: float | Mapping[str, float] | None = None  # [-]
    leaf: str | None = None
    leaf_model: str | None = None

    def given(self) -> str:
        chosen = (f"{f.name}={getattr(self, f.name)}" for f in fields(self) if getattr(self, f.name) != f.default)
        return ", ".join(chosen)


class Origin(NamedTuple):
    """What a wagon was read from, so that it can be read again with another option."""

    content: Mapping[str, Any]  # of the file
    variant: Variant


def read_two_axle(content: Mapping[str, Any], variant: Variant, problems: list[InputError]) -> Vehicle | None:
    """The expanded vehicle, or None and the problems of the file appended."""
    top = read_table(TwoAxleFile, content, "", problems)
    if top is None:
        return None
    wheelset = read_table(WheelsetMass, top.wheelset, "wheelset", problems)
    carbody = read_table(CarbodyMass, top.carbody, "carbody", problems)
    leaf = _leaf(top.leaf, problems)
    links = _links(top.links, top.bracket_gap, problems)
    friction = _friction(top.link_friction, problems)
    loads = {name: read_table(LoadTable, table, f"loads.{name}", problems) for name, table in top.loads.items()}
    boxes = {
        name: read_table(BoxTable, load.box, f"loads.{name}.box", problems)
        for name, load in loads.items()
        if load and load.box is not None
    }
    problems += [unknown_key(f"sources.{n}", n, REACHES) for n in top.sources if n not in _sourced(top.loads)]
    if EMPTY in loads:
        problems.append(InputError(f"loads.{EMPTY}", None, "is the carbody as it stands; name the load otherwise"))
    if problems or wheelset is None or carbody is None or leaf is None or links is None or friction is None:
        return None
    parameters = TwoAxle(
        name=top.name,
        wheelset_mass=wheelset.mass,
        wheelset_inertia=wheelset.inertia,
        carbody_mass=carbody.mass,
        carbody_inertia=carbody.inertia,
        carbody_height=carbody.height,
        carbody_shift=carbody.shift,
        leaf=leaf,
        links=links,
        link_friction=friction,
        **{name: getattr(top, name) for name in _PLAIN},
        sources=top.sources,
        meta={
            "title": top.title,
            "load": variant.load,
            "links": _word(top.links),
            "leaf": _word(top.leaf),
            ORIGIN: Origin(content, variant),
        },
    )
    parameters = _with_load(parameters, variant.load, loads, boxes)
    parameters = _with_variant(parameters, variant, top.bracket_gap)
    parameters = _with_leaf_model(parameters, variant.leaf_model or top.leaf_model, top.leaf_damping_ratio)
    return two_axle(replace(parameters, sources=_reached(parameters, variant, top.sources)))


def _word(choice: Any) -> str:
    return choice if isinstance(choice, str) else "own"


def _sourced(loads: Mapping[str, Any]) -> set[str]:
    return {*REACHES, *(f"loads.{name}" for name in loads)}


def leaf_spring(name: str) -> LeafSpring:
    if name not in LEAF_SPRINGS:
        allowed = f"{suggestion(name, LEAF_SPRINGS)}must be one of {', '.join(LEAF_SPRINGS)}"
        raise InputError("leaf", name, allowed)
    return LEAF_SPRINGS[name]


def link_set(name: str) -> Mapping[str, LinkLaw]:
    if name not in LINK_SETS:
        raise InputError("links", name, f"{suggestion(name, LINK_SETS)}must be one of {', '.join(LINK_SETS)}")
    return LINK_SETS[name]


def _leaf(choice: Any, problems: list[InputError]) -> LeafSpring | None:
    try:
        if isinstance(choice, str):
            return leaf_spring(choice)
        table = read_table(LeafFields, choice, "leaf", problems)
        return LeafSpring(**table.model_dump()) if table else None
    except InputError as error:
        field = error.field if error.field == "leaf" else f"leaf.{error.field}"
        problems.append(InputError(field, error.given, error.allowed))
        return None


def _links(choice: Any, bracket_gap: float, problems: list[InputError]) -> dict[str, LinkLaw] | None:
    if isinstance(choice, str):
        try:
            return _with_gap(link_set(choice), bracket_gap)
        except InputError as error:
            problems.append(error)
            return None
    if not isinstance(choice, Mapping) or set(choice) != {"x", "y"}:
        allowed = f"must be one of {', '.join(LINK_SETS)}, or two tables links.x and links.y"
        problems.append(InputError("links", choice, allowed))
        return None
    found: dict[str, LinkLaw] = {}
    for direction, content in choice.items():
        table = read_table(LinkTable, content, f"links.{direction}", problems)
        sliders = _sliders(table.sliders, f"links.{direction}.sliders", problems) if table else None
        if table is not None and sliders is not None:
            found[direction] = LinkLaw(table.stiffness, sliders, table.bracket_stiffness)
    return _with_gap(found, bracket_gap) if len(found) == 2 else None


def _with_gap(links: Mapping[str, LinkLaw], gap: float) -> dict[str, LinkLaw]:
    """The bracket of the wagon; a link without a bracket keeps none."""
    return {d: replace(law, bracket_gap=gap) if law.bracket_stiffness else law for d, law in links.items()}


def _sliders(pairs: Any, where: str, problems: list[InputError]) -> tuple[tuple[float, float], ...] | None:
    found = []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2:
            problems.append(InputError(where, pair, 'must be pairs of stiffness and limit: [["10.4 1/m", 0.053]]'))
            return None
        try:
            stiffness = read_checked(pair[0], "stiffness per load", "positive")
            found.append((stiffness, read_checked(pair[1], "number", "positive")))
        except BadQuantity as bad:
            problems.append(InputError(where, pair, str(bad)))
            return None
    return tuple(found)


def _friction(choice: Any, problems: list[InputError]) -> dict[str, float] | None:
    given = choice if isinstance(choice, Mapping) else dict.fromkeys(CORNERS, choice)
    problems += [
        unknown_key(f"link_friction.{corner}", corner, CORNERS) for corner in given if corner not in CORNERS
    ]
    found: dict[str, float] = {}
    for corner in CORNERS:
        where = f"link_friction.{corner}" if isinstance(choice, Mapping) else "link_friction"
        try:
            found[corner] = read_checked(given.get(corner), "number", "positive")
        except BadQuantity as bad:
            problems.append(InputError(where, given.get(corner), str(bad)))
            return None
    return found


def _with_load(
    p: TwoAxle, name: str, loads: Mapping[str, LoadTable | None], boxes: Mapping[str, BoxTable | None]
) -> TwoAxle:
    if name == EMPTY:
        return p
    load = loads.get(name)
    if load is None:
        names = (EMPTY, *loads)
        raise InputError("load", name, f"{suggestion(name, names)}must be one of {', '.join(names)}")
    mass = load.mass or p.carbody_mass
    inertia = load.inertia or p.carbody_inertia
    centre = (*(load.shift or p.carbody_shift), load.height or p.carbody_height)
    box = boxes.get(name)
    if box is not None:
        mass, inertia, centre = loaded(mass, inertia, centre, Box(box.mass, box.size, box.position))
    return replace(
        p, carbody_mass=mass, carbody_inertia=inertia, carbody_height=centre[2], carbody_shift=centre[:2]
    )


def _with_variant(p: TwoAxle, variant: Variant, bracket_gap: float) -> TwoAxle:
    changes: dict[str, Any] = {}
    meta = dict(p.meta)
    if variant.links is not None:
        changes["links"] = _with_gap(link_set(variant.links), bracket_gap)
        meta["links"] = variant.links
    if variant.leaf is not None:
        changes["leaf"] = leaf_spring(variant.leaf)
        meta["leaf"] = variant.leaf
    if variant.height is not None:
        changes["carbody_height"] = float(variant.height)
    if variant.shift is not None:
        changes["carbody_shift"] = (float(variant.shift[0]), float(variant.shift[1]))
    if variant.friction is not None:
        problems: list[InputError] = []
        changes["link_friction"] = _friction(variant.friction, problems)
        for problem in problems:
            raise InputError(problem.field.replace("link_", ""), problem.given, problem.allowed)
    return replace(p, **changes, meta=meta)


def _with_leaf_model(p: TwoAxle, model: str, damping_ratio: float) -> TwoAxle:
    if model not in LEAF_MODELS:
        raise InputError("leaf_model", model, f"must be one of {', '.join(LEAF_MODELS)}")
    assert isinstance(p.leaf, LeafSpring)
    if model == "linear":
        return replace(p, leaf=LinearLeaf(p.leaf, damping_ratio), meta={**p.meta, "leaf_model": model})
    return replace(p, leaf=replace(p.leaf, reading=Reading[model.upper()]), meta={**p.meta, "leaf_model": model})


def _reached(p: TwoAxle, variant: Variant, sources: Mapping[str, str]) -> dict[str, str]:
    """Sources by names of the description, the more general first."""
    said = dict(sources)
    if p.meta["links"] in LINK_SETS:
        said["links"] = LINK_SOURCE.format(p.meta["links"])
    if p.meta["leaf"] in LEAF_SPRINGS:
        said["leaf"] = LEAF_SOURCE
    if p.meta["leaf_model"] == "linear":
        said["leaf"] = f"static stiffness of {said.get('leaf', 'the file')}; damping chosen, none is published"
    load = said.get(f"loads.{p.meta['load']}")
    if load:
        said = {name: source for name, source in said.items() if not name.startswith("carbody")}
        said["carbody"] = load
    if variant.height is not None:
        said["carbody.height"] = "chosen"
    if variant.shift is not None:
        said["carbody.shift"] = "chosen"
    if variant.friction is not None:
        said["links"] = f"{said.get('links', 'own links')}, break-out forces for the chosen friction"
    found: dict[str, str] = {}
    for name in (name for name in REACHES if name in said):
        for target in REACHES[name]:
            for corner, (wheelset, _, _) in CORNERS.items():
                key = target.format(corner=corner, wheelset=wheelset)
                before = found.get(key, said[name])
                found[key] = before if before == said[name] else f"{before}; {said[name]}"
    return found
