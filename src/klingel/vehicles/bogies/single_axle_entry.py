"""Entry of the registry for the single-axle bogie: its file, and where its usual numbers are from."""

from klingel.vehicles.bogies.cooperrider_entry import LAYOUT
from klingel.vehicles.bogies.cooperrider_entry import PUBLISHED as COOPERRIDER
from klingel.vehicles.bogies.defaults import as_published, default, flat, number, table
from klingel.vehicles.bogies.flange import FLANGES, NO_FLANGE
from klingel.vehicles.bogies.single_axle import (
    SIDES,
    STICKS,
    AxleGuide,
    SingleAxleBogie,
    SliderPair,
    single_axle_bogie,
)
from klingel.vehicles.bogies.wheels import (
    CONES,
    REACHED_BY_WHEELS,
    fields_of_wheels,
    value_at,
    wheels_of,
    with_sources_of_wheels,
)
from klingel.vehicles.fields import FRACTION, NOT_NEGATIVE, POSITIVE, Field, Group, Quantity, Text, Word
from klingel.vehicles.template import Template, Values

KEPT = ("radius", "wheelset.mass", "wheelset.inertia", "primary.stiffness", "primary.damping", "primary.spacing",
        "flange_gap", "flange_stiffness", *(name for name in COOPERRIDER if name.startswith("cone.")))  # fmt: skip
PUBLISHED = {name: f"choice: as in the Cooperrider bogie, {COOPERRIDER[name]}" for name in KEPT}
GROUPS = ("wheelset", "primary")
PLAIN = ("radius", "carrier", "flange", "flange_gap", "flange_stiffness", "flange_width", "guide_spacing")
REACHES: dict[str, tuple[str, ...]] = {
    "wheelset.mass": ("wheelset.mass",),
    "wheelset.inertia": ("wheelset.inertia",),
    "radius": ("{side}.point.z",),
    "primary.stiffness": ("{side}.primary_x.stiffness", "{side}.primary_y.stiffness"),
    "primary.damping": ("{side}.primary_x.damping", "{side}.primary_y.damping"),
    "primary.spacing": ("{side}.point.y",),
    "friction": ("middle",),
    "guide": ("{side}_box",),
    "flange_gap": ("rails.flange.gap_low", "rails.flange.gap_high"),
    "flange_stiffness": ("rails.flange.stiffness",),
    "flange_width": ("rails.flange.width",),
    **REACHED_BY_WHEELS,
    "layout": (
        "gravity",
        "wheelset.position",
        "{side}.point.x",
        *(f"{{side}}.primary_{d}.preload" for d in "xy"),
    ),
    "layout.flange": ("rails.point",),
}
FIELDS: dict[str, Field] = {
    "radius": number(SingleAxleBogie, "radius", "length", line="nominal rolling radius"),
    "carrier": Text("the name of the body it carries, or track", default(SingleAxleBogie, "carrier")),
    "wheelset": table(SingleAxleBogie, "wheelset", mass=("mass",), inertia=("moment of inertia",)),
    "primary": table(
        SingleAxleBogie,
        "primary",
        stiffness=("stiffness", NOT_NEGATIVE, "of one side, x y z"),
        damping=("damping", NOT_NEGATIVE, "x y z"),
        spacing=("length", POSITIVE, "across"),
    ),
    "friction": Group(
        {
            "lateral": Quantity("force", NOT_NEGATIVE, 0.0),
            "yaw": Quantity("moment", NOT_NEGATIVE, 0.0),
            "stick": Word(STICKS, default(SliderPair, "stick"), "true stick, or a spring in series"),
            "static_ratio": Quantity("number", POSITIVE, default(SliderPair, "static_ratio"), line="rigid stick"),
            "stiffness": Quantity("stiffness", POSITIVE, default(SliderPair, "stiffness"), line="in series"),
            "yaw_stiffness": Quantity("rotational stiffness", POSITIVE, default(SliderPair, "yaw_stiffness")),
        },
        required=False,
        line="dry friction between carrier and wheelset",
    ),
    "guide": Group(
        {
            "gap_x": number(AxleGuide, "gap_x", "length"),
            "gap_y": number(AxleGuide, "gap_y", "length"),
            "stiffness_y": number(AxleGuide, "stiffness_y", "stiffness", NOT_NEGATIVE),
            "stiffness_x": number(AxleGuide, "stiffness_x", "stiffness", NOT_NEGATIVE, "0: rigid, impacts"),
            "restitution": number(AxleGuide, "restitution", "number", FRACTION),
            "resting_speed": number(AxleGuide, "resting_speed", "speed", NOT_NEGATIVE),
        },
        required=False,
        line="axle guide",
    ),
    "guide_spacing": number(SingleAxleBogie, "guide_spacing", "length", line="of the axle boxes across"),
    "flange": Word(FLANGES, default(SingleAxleBogie, "flange"), "of cones"),
    "flange_gap": number(SingleAxleBogie, "flange_gap", "length", NOT_NEGATIVE),
    "flange_stiffness": number(SingleAxleBogie, "flange_stiffness", "stiffness", NOT_NEGATIVE),
    "flange_width": number(SingleAxleBogie, "flange_width", "length", line="rounding of a smooth flange"),
    **fields_of_wheels(CONES),
}


def parameters(values: Values, options: Values) -> SingleAxleBogie:
    return SingleAxleBogie(
        name=values["name"],
        friction=SliderPair(**values["friction"]) if values["friction"] else None,
        guide=AxleGuide(**values["guide"]) if values["guide"] else None,
        **{name: values[name] for name in PLAIN},
        **flat(values, GROUPS),
        **wheels_of(values),
    )


def sources(values: Values, options: Values) -> dict[str, str]:
    """Those of the file; for what it leaves as it is, that of the Cooperrider bogie."""
    said = with_sources_of_wheels(as_published(PUBLISHED, values, FIELDS, parameters, value_at), values)
    flange = values["wheels"] == CONES and values["flange"] != NO_FLANGE
    return {**said, "layout": LAYOUT, **({"layout.flange": LAYOUT} if flange else {})}


SINGLE_AXLE_BOGIE = Template(
    "single_axle_bogie",
    "one wheelset on springs, with dry friction and an axle guide where wanted",
    FIELDS,
    parameters,
    single_axle_bogie,
    sources=sources,
    reaches=REACHES,
    places=tuple({"side": side, "wheelset": "wheelset"} for side in SIDES),
    groups=GROUPS,
)
