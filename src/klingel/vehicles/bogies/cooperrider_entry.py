"""Entry of the registry for the Cooperrider bogie: its file, and where the numbers of the reference set are from.

Tags of the sources: [read] in public material, [computed] by us, [memory] remembered without a source that could
be opened.
"""

from typing import Any

from klingel._errors import InputError
from klingel.vehicles.bogies.cooperrider import (
    AXLES,
    SIDES,
    CooperriderBogie,
    YawLinks,
    cooperrider_bogie,
)
from klingel.vehicles.bogies.defaults import as_published, default, flat, number, table
from klingel.vehicles.bogies.flange import FLANGES, NO_FLANGE
from klingel.vehicles.bogies.wheels import (
    CONES,
    REACHED_BY_WHEELS,
    fields_of_wheels,
    value_at,
    wheels_of,
    with_sources_of_wheels,
)
from klingel.vehicles.fields import NOT_NEGATIVE, POSITIVE, Field, Group, Quantity, Text, Word
from klingel.vehicles.template import Template, Values

DYTSI = "Bigoni, open code dytsi of DTU [read]"
HOFFMANN = "Hoffmann (2006), appendix B.4 [read]"
LAYOUT = "template: in the middle; preloads follow from the weight"
# where the reference set is from, by names of the file
PUBLISHED = {
    "wheelset.mass": DYTSI,
    "wheelset.inertia": DYTSI,
    "wheelbase": f"{DYTSI}; half of it is not 1.5 m",
    "radius": "[memory]",
    "frame.mass": f"{DYTSI}; 2918.9 kg there",
    "frame.inertia": DYTSI,
    "frame.height": DYTSI,
    "primary.stiffness": f"{DYTSI}; lateral: {HOFFMANN}",
    "primary.damping": f"none: {DYTSI}",
    "primary.spacing": DYTSI,
    "secondary.stiffness": DYTSI,
    "secondary.damping": DYTSI,
    "secondary.spacing": DYTSI,
    "secondary.height": DYTSI,
    "pivot.stiffness": f"[memory]; a third of it in {DYTSI}",
    "pivot.damping": f"classical bogie: none; the wagon in {DYTSI}, implies 500 kNms/rad",
    "flange_gap": HOFFMANN,
    "flange_stiffness": HOFFMANN,
    "cone.conicity": f"[memory]; {HOFFMANN}",
    "cone.half_gauge": "[memory]",
    "cone.creep_stiffness": "Kaas-Petersen (1986), quoted by the worksheet on bifurcation.de [read, its opening]",
    "cone.psi": "[memory]; 0.54204 by the elliptic integrals of the ellipse 6.578 x 3.934 mm [computed]",
    "cone.phi": "[memory]; 0.60249 by the elliptic integrals of the ellipse 6.578 x 3.934 mm [computed]",
    "cone.adhesion_limit": f"[memory]; 0.15 times the static load 66.6 kN agrees with {DYTSI}",
}
REACHES: dict[str, tuple[str, ...]] = {
    "wheelset.mass": ("{wheelset}.mass",),
    "wheelset.inertia": ("{wheelset}.inertia",),
    "wheelbase": ("{wheelset}.position", "{corner}.point.x"),
    "radius": ("{corner}.point.z",),
    "frame.mass": ("frame.mass",),
    "frame.inertia": ("frame.inertia",),
    "frame.height": ("frame.position.z",),
    "primary.stiffness": tuple(f"{{corner}}.primary_{d}.stiffness" for d in "xyz"),
    "primary.damping": tuple(f"{{corner}}.primary_{d}.damping" for d in "xyz"),
    "primary.spacing": ("{corner}.point.y",),
    "secondary.stiffness": ("secondary_{side}.spring_y.stiffness", "secondary_{side}.spring_z.stiffness"),
    "secondary.damping": ("secondary_{side}.spring_y.damping", "secondary_{side}.spring_z.damping"),
    "secondary.spacing": ("secondary_{side}.point.y",),
    "secondary.height": ("secondary_{side}.point.z",),
    "pivot.stiffness": ("pivot.yaw_spring.stiffness",),
    "pivot.damping": ("pivot.yaw_spring.damping",),
    "yaw_links": ("yaw_link_{side}",),
    "flange_gap": ("{axle}_rails.flange.gap_low", "{axle}_rails.flange.gap_high"),
    "flange_stiffness": ("{axle}_rails.flange.stiffness",),
    "flange_width": ("{axle}_rails.flange.width",),
    **REACHED_BY_WHEELS,
    "layout": (
        "gravity",
        "frame.position.x",
        "frame.position.y",
        "secondary_{side}.point.x",
        *(f"{{corner}}.primary_{d}.preload" for d in "xyz"),
        *(f"secondary_{{side}}.spring_{d}.preload" for d in "yz"),
    ),
    "layout.pivot": ("pivot.point", "pivot.yaw_spring.preload"),
    "layout.flange": ("{axle}_rails.point",),
}
GROUPS = ("wheelset", "frame", "primary", "secondary", "pivot")
PLAIN = ("wheelbase", "radius", "carrier", "flange", "flange_gap", "flange_stiffness", "flange_width")


FIELDS: dict[str, Field] = {
    "wheelbase": number(CooperriderBogie, "wheelbase", "length"),
    "radius": number(CooperriderBogie, "radius", "length", line="nominal rolling radius"),
    "carrier": Text("the name of the body it carries, or track", default(CooperriderBogie, "carrier")),
    "wheelset": table(CooperriderBogie, "wheelset", mass=("mass",), inertia=("moment of inertia",)),
    "frame": table(
        CooperriderBogie, "frame",
        mass=("mass",),
        inertia=("moment of inertia",),
        height=("length", "", "centre of mass above the axles"),
    ),
    "primary": table(
        CooperriderBogie, "primary",
        stiffness=("stiffness", NOT_NEGATIVE, "of one axle box, x y z"),
        damping=("damping", NOT_NEGATIVE, "x y z"),
        spacing=("length", POSITIVE, "across"),
    ),
    "secondary": table(
        CooperriderBogie, "secondary",
        stiffness=("stiffness", NOT_NEGATIVE, "of one side, x y z"),
        damping=("damping", NOT_NEGATIVE, "x y z"),
        spacing=("length", POSITIVE, "across"),
        height=("length", "", "above the centre of mass of the frame"),
    ),
    "pivot": table(
        CooperriderBogie,
        "pivot",
        stiffness=("rotational stiffness", NOT_NEGATIVE),
        damping=("rotational damping", NOT_NEGATIVE),
    ),
    "yaw_links": Group(
        {
            "stiffness": Quantity("stiffness", NOT_NEGATIVE, line="of one"),
            "damping": Quantity("damping", NOT_NEGATIVE, 0.0),
            "spacing": Quantity("length", POSITIVE, line="across"),
        },
        required=False,
        line="longitudinal, left and right, in place of the pivot",
    ),
    "flange": Word(FLANGES, default(CooperriderBogie, "flange"), "of cones"),
    "flange_gap": number(CooperriderBogie, "flange_gap", "length", NOT_NEGATIVE),
    "flange_stiffness": number(CooperriderBogie, "flange_stiffness", "stiffness", NOT_NEGATIVE),
    "flange_width": number(CooperriderBogie, "flange_width", "length", line="rounding of a smooth flange"),
    **fields_of_wheels(CONES),
}  # fmt: skip


def parameters(values: Values, options: Values) -> CooperriderBogie:
    if values["yaw_links"] is not None and values["pivot"] is not None:
        raise InputError("pivot", None, "must be left out where yaw_links are given: they stand in its place")
    return CooperriderBogie(
        name=values["name"],
        yaw_links=YawLinks(**values["yaw_links"]) if values["yaw_links"] else None,
        **{name: values[name] for name in PLAIN},
        **flat(values, GROUPS),
        **wheels_of(values),
    )


def sources(values: Values, options: Values) -> dict[str, str]:
    """Those of the file; of the reference set for what it leaves as there."""
    said = with_sources_of_wheels(as_published(PUBLISHED, values, FIELDS, parameters, _value), values)
    there = {"": True, ".pivot": not values["yaw_links"],
             ".flange": values["wheels"] == CONES and values["flange"] != NO_FLANGE}  # fmt: skip
    return {**said, **{f"layout{part}": LAYOUT for part, is_there in there.items() if is_there}}


def _value(p: CooperriderBogie, name: str) -> Any:
    return None if name.startswith("pivot") and p.yaw_links else value_at(p, name)


COOPERRIDER_BOGIE = Template(
    "cooperrider_bogie",
    "two-axle bogie with linear primary and secondary springs, after Cooperrider",
    FIELDS,
    parameters,
    cooperrider_bogie,
    sources=sources,
    reaches=REACHES,
    places=tuple(
        {"axle": axle, "wheelset": f"{axle}_wheelset", "side": side, "corner": f"{axle}_{side}"}
        for axle in AXLES
        for side in SIDES
    ),
    groups=GROUPS,
)
