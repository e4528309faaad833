"""Entry of the registry for the two-axle wagon: its file, load cases, choices of links and leaf springs."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from klingel._arguments import check_array, check_number
from klingel._errors import InputError
from klingel.elements.leaf_spring import PARABOLIC, TRAPEZOIDAL, LeafSpring, Reading
from klingel.elements.link_sets import CLEARANCE, LINK_SETS, PTP_FRICTION, LinkLaw
from klingel.model.description import CONTACT_TERMS
from klingel.vehicles.fields import (
    FRACTION,
    NOT_NEGATIVE,
    POSITIVE,
    Choice,
    Each,
    Field,
    Group,
    Named,
    Quantity,
    Rows,
    Text,
    Word,
)
from klingel.vehicles.loads import Box, loaded
from klingel.vehicles.template import EMPTY, LOAD, LOAD_CASE, LOADS, Option, Template, Values
from klingel.vehicles.two_axle import CORNERS, LinearLeaf, TwoAxle, two_axle

LEAF_SPRINGS = {"trapezoidal": TRAPEZOIDAL, "parabolic": PARABOLIC}
LEAF_MODELS = ("simplified", "full", "linear")
LEAF_SOURCE = "Hoffmann (2006), section 2.3.2 and table B.1"
WHEEL_SOURCE = "Hoffmann (2006), section 2.2: Shen, Hedrick and Elkins; both wheels alike"
LINK_SOURCE = "set {} of Hoffmann (2006), tables 2.4 and 2.5, times the static load of the corner"


def default(name: str) -> Any:
    """So that a file and Python agree."""
    return next(field.default for field in fields(TwoAxle) if field.name == name)


LENGTH = Quantity("length", POSITIVE)
SHIFT = Quantity("length", size=2, line="centre of mass off the middle, forwards and to the left")
MASS = Quantity("mass", POSITIVE)
INERTIA = Quantity("moment of inertia", POSITIVE, size=3)
LEAF = Group(
    {
        "stiffness": Quantity("stiffness", POSITIVE),
        "stiffness_second": Quantity("stiffness", POSITIVE),
        "friction": Quantity("number", NOT_NEGATIVE),
        "residual": Quantity("force", POSITIVE),
        "decay": Quantity("length", POSITIVE),
        "near_equilibrium": Quantity("force", POSITIVE),
        "second_leaf": Quantity("length", POSITIVE, float("inf"), infinite=True),
    }
)
LINK = Group(
    {
        "stiffness": Quantity("stiffness per load", NOT_NEGATIVE),
        "sliders": Rows(
            (Quantity("stiffness per load", POSITIVE), Quantity("number", POSITIVE)),
            'pairs of stiffness and limit: [["10.4 1/m", 0.053]]',
        ),
        "bracket_stiffness": Quantity("stiffness per load", NOT_NEGATIVE, 0.0),
    },
    line="one direction of a double-link, divided by the load it carries",
)
LOAD_TABLE = Group(
    {
        "mass": replace(MASS, default=None),
        "inertia": replace(INERTIA, default=None),
        "height": replace(LENGTH, default=None),
        "shift": replace(SHIFT, default=None),
        "box": Group(
            {
                "mass": MASS,
                "size": Quantity("length", NOT_NEGATIVE, size=3),
                "position": Quantity("length", size=3),
            },
            required=False,
            line="the goods alone",
        ),
    },
    line="carbody and goods together, or the goods alone as a box; what is not given stays as empty",
)
FIELDS: dict[str, Field] = {
    "wheelbase": LENGTH,
    "radius": replace(LENGTH, line="nominal rolling radius"),
    "spacing": replace(LENGTH, default=default("spacing"), line="of the suspensions across the wagon"),
    "leaf": Choice(tuple(LEAF_SPRINGS), LEAF, "a table with the numbers of a leaf spring", "parabolic"),
    "leaf_model": Word(
        LEAF_MODELS, "full", "law near rest: as published, without damping; with its weak damping; a linear spring"
    ),
    "leaf_damping_ratio": Quantity("number", NOT_NEGATIVE, LinearLeaf.damping_ratio, line="of the linear spring"),
    "links": Choice(
        tuple(LINK_SETS), Group({"x": LINK, "y": LINK}), "two tables links.x and links.y", "PTP", "double-links"
    ),
    "link_friction": Each(
        Quantity("number", POSITIVE), tuple(CORNERS), PTP_FRICTION, "in the joints; 0.3 is as published"
    ),
    "guide_gap_x": replace(LENGTH, default=default("guide_gap_x"), line="axle box to axle guide, each side"),
    "guide_restitution": Quantity("number", FRACTION, default("guide_restitution")),
    "guide_resting_speed": Quantity("speed", NOT_NEGATIVE, default("guide_resting_speed")),
    "bracket_gap": replace(LENGTH, default=CLEARANCE, line="link to suspension bracket, each side"),
    "guide_gap_y": replace(LENGTH, default=default("guide_gap_y")),
    "guide_stiffness_y": Quantity("stiffness", NOT_NEGATIVE, default("guide_stiffness_y")),
    "profile": Text("the name or file of a wheel profile", default("profile")),
    "profile_right": Text("the name or file of a wheel profile", default("profile_right"), "where it differs"),
    "profile_residual": Quantity(
        "length", NOT_NEGATIVE, default("profile_residual"), line="rms that smoothing takes from measured points"
    ),
    "back_to_back": replace(LENGTH, default=default("back_to_back"), line="flange backs"),
    "wheel_friction": Quantity("number", NOT_NEGATIVE, default("wheel_friction"), line="wheel on rail"),
    "wheel_damping": Quantity("damping", NOT_NEGATIVE, default("wheel_damping"), line="of the contact"),
    "gravity": Quantity("acceleration", POSITIVE, default("gravity")),
    "wheelset": Group({"mass": MASS, "inertia": INERTIA}, line="axle boxes and suspension included"),
    "carbody": Group(
        {"mass": MASS, "inertia": INERTIA, "height": LENGTH, "shift": replace(SHIFT, default=(0.0, 0.0))}
    ),
    LOADS: Named(LOAD_TABLE, "load cases"),
}
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
    "profile": ("{wheelset}.profile", "{wheelset}.profile_right", "{wheelset}.profile_residual"),
    "profile_right": ("{wheelset}.profile_right",),
    "profile_residual": ("{wheelset}.profile_residual",),
    "back_to_back": ("{wheelset}.back_to_back",),
    "wheel_friction": ("{wheelset}.friction",),
    "wheel_damping": ("{wheelset}.damping",),
    "wheel_terms": tuple(f"{{wheelset}}.{word}" for word in CONTACT_TERMS),
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
OPTIONS = (
    LOAD_CASE,
    Option("links", f"parameter set of the double-links: {', '.join(LINK_SETS)}", "links", "links", True),
    Option("leaf", f"leaf spring: {', '.join(LEAF_SPRINGS)}", "leaf", "leaf", True),
    Option(
        "leaf_model",
        "full (keeps the weak damping near rest), simplified (as published: none near rest) or linear",
        "leaf_model",
        "leaf_model",
        True,
    ),
    Option(
        "friction",
        "coefficient of friction in the joints of the links, one number or one per corner; 0.3 is as published",
        "link_friction",
        "link_friction",
    ),
    Option("height", "centre of mass of carbody and load above the rail tops [m]", dimension="length"),
    Option("shift", "centre of mass off the middle, forwards and to the left [m]", dimension="length"),
)
# fields of the file that are fields of the parameters
_PLAIN = sorted({field.name for field in fields(TwoAxle)} & set(FIELDS) - {"links", "link_friction", "leaf"})


def parameters(values: Values, options: Values) -> TwoAxle:
    wheelset, carbody = values["wheelset"], values["carbody"]
    p = TwoAxle(
        name=values["name"],
        wheelset_mass=wheelset["mass"],
        wheelset_inertia=wheelset["inertia"],
        carbody_mass=carbody["mass"],
        carbody_inertia=carbody["inertia"],
        carbody_height=carbody["height"],
        carbody_shift=carbody["shift"],
        leaf=_leaf(values["leaf"], values["leaf_model"], values["leaf_damping_ratio"]),
        links=_links(values["links"], values["bracket_gap"]),
        link_friction=values["link_friction"],
        **{name: values[name] for name in _PLAIN},
    )
    p = _with_load(p, values[LOADS].get(options.get(LOAD, EMPTY)))
    changes: dict[str, Any] = {}
    if "height" in options:
        changes["carbody_height"] = check_number("height", options["height"], "m")
    if "shift" in options:
        shift = check_array("shift", options["shift"], "two lengths in m, forwards and to the left")
        if shift.shape != (2,):
            raise InputError("shift", options["shift"], "must be two lengths in m, forwards and to the left")
        changes["carbody_shift"] = (float(shift[0]), float(shift[1]))
    return replace(p, **changes)


def _leaf(choice: str | Mapping[str, Any], model: str, damping_ratio: float) -> LeafSpring | LinearLeaf:
    try:
        leaf = LEAF_SPRINGS[choice] if isinstance(choice, str) else LeafSpring(**choice)
    except InputError as error:
        raise InputError(f"leaf.{error.field}", error.given, error.allowed) from None
    return LinearLeaf(leaf, damping_ratio) if model == "linear" else replace(leaf, reading=Reading[model.upper()])


def _links(choice: str | Mapping[str, Any], bracket_gap: float) -> dict[str, LinkLaw]:
    """A link without a bracket has no gap."""
    links: Mapping[str, LinkLaw]
    if isinstance(choice, str):
        links = LINK_SETS[choice]
    else:
        links = {d: LinkLaw(t["stiffness"], t["sliders"], t["bracket_stiffness"]) for d, t in choice.items()}
    return {d: replace(law, bracket_gap=bracket_gap) if law.bracket_stiffness else law for d, law in links.items()}


def _with_load(p: TwoAxle, load: Mapping[str, Any] | None) -> TwoAxle:
    if load is None:
        return p
    mass = load["mass"] or p.carbody_mass
    inertia = load["inertia"] or p.carbody_inertia
    forwards, left = load["shift"] or p.carbody_shift
    height = load["height"] or p.carbody_height
    if load["box"] is not None:
        box = Box(**load["box"])
        mass, inertia, (forwards, left, height) = loaded(mass, inertia, (forwards, left, height), box)
    return replace(
        p, carbody_mass=mass, carbody_inertia=inertia, carbody_height=height, carbody_shift=(forwards, left)
    )


def sources(values: Values, options: Values) -> dict[str, str]:
    """Those of the file, and of the published sets; what the caller chose goes before them."""
    said = {"wheel_terms": WHEEL_SOURCE, **values["sources"]}
    if isinstance(values["links"], str):
        said["links"] = LINK_SOURCE.format(values["links"])
    if isinstance(values["leaf"], str):
        said["leaf"] = LEAF_SOURCE
    if values["leaf_model"] == "linear":
        said["leaf"] = f"static stiffness of {said.get('leaf', 'the file')}; damping chosen, none is published"
    load = said.get(f"{LOADS}.{options.get(LOAD, EMPTY)}")
    if load:
        said = {name: source for name, source in said.items() if not name.startswith("carbody")}
        said["carbody"] = load
    for choice in ("height", "shift"):
        if choice in options:
            said[f"carbody.{choice}"] = "chosen"
    if "friction" in options:
        said["links"] = f"{said.get('links', 'own links')}, break-out forces for the chosen friction"
    return said


TWO_AXLE = Template(
    "two_axle",
    "two-axle freight wagon on UIC double-links and leaf springs",
    FIELDS,
    parameters,
    two_axle,
    OPTIONS,
    sources=sources,
    reaches=REACHES,
    places=tuple({"corner": corner, "wheelset": wheelset} for corner, (wheelset, _, _) in CORNERS.items()),
    groups=("wheelset", "carbody"),
    dimensions={"links.*.bracket_gap": "length", "leaf.damping_ratio": "number"},
)
