"""Entry of the registry for the Y25 bogie: its file. Masses must be given, no published set is known."""

from dataclasses import fields as fields_of

from klingel.vehicles.bogies.defaults import default, flat, number, table
from klingel.vehicles.bogies.wheels import PROFILED, ProfiledWheels
from klingel.vehicles.bogies.y25 import AXLES, SIDES, Y25Bogie, y25_bogie
from klingel.vehicles.fields import NOT_NEGATIVE, POSITIVE, Field, Group, Quantity, Text
from klingel.vehicles.template import Template, Values

GROUPS = ("wheelset", "frame", "tare", "load_springs", "lenoir", "stop", "pivot", "bearer")
PLAIN = ("carrier", "wheelbase", "radius", "box_spacing")
EVERYTHING = ("frame", "{wheelset}", "{corner}", "{corner}_pusher", "pivot", "bearer_{side}", "gravity")
MASS, INERTIA = Quantity("mass", POSITIVE), Quantity("moment of inertia", POSITIVE, size=3)
FIELDS: dict[str, Field] = {
    "carrier": Text("the name of the body it carries", default(Y25Bogie, "carrier")),
    "wheelbase": number(Y25Bogie, "wheelbase", "length"),
    "radius": number(Y25Bogie, "radius", "length", line="nominal rolling radius"),
    "box_spacing": number(Y25Bogie, "box_spacing", "length", line="of the axle boxes across"),
    "wheelset": Group({"mass": MASS, "inertia": INERTIA}, line="axle boxes included"),
    "frame": Group(
        {
            "mass": MASS,
            "inertia": INERTIA,
            "height": number(Y25Bogie, "frame_height", "length", "", "centre of mass above the axles"),
        }
    ),
    "tare": table(Y25Bogie, "tare", stiffness=("stiffness", POSITIVE, "of one axle box, x y z")),
    "load_springs": table(
        Y25Bogie,
        "load_springs",
        stiffness=("stiffness", NOT_NEGATIVE, "of the load springs of an axle box"),
        gap=("length", POSITIVE, "below the position drawn, where they begin to carry"),
    ),
    "lenoir": table(
        Y25Bogie,
        "lenoir",
        angle=("angle", NOT_NEGATIVE, "link to the vertical"),
        friction=("number", NOT_NEGATIVE),
    ),
    "stop": table(Y25Bogie, "stop", gap_x=("length",), gap_y=("length",), stiffness=("stiffness", NOT_NEGATIVE)),
    "pivot": table(
        Y25Bogie,
        "pivot",
        stiffness=("stiffness", POSITIVE, "x y z"),
        damping=("damping", NOT_NEGATIVE, "x y z"),
        height=("length", POSITIVE, "above the axles"),
        friction=("number", NOT_NEGATIVE),
        radius=("length", POSITIVE, "at which it rubs"),
    ),
    "bearer": table(
        Y25Bogie,
        "bearer",
        spacing=("length", POSITIVE, "across"),
        stiffness=("stiffness", NOT_NEGATIVE),
        damping=("damping", NOT_NEGATIVE),
        preload=("force", NOT_NEGATIVE),
        friction=("number", NOT_NEGATIVE),
    ),
    "wheel": PROFILED,
}


def parameters(values: Values, options: Values) -> Y25Bogie:
    return Y25Bogie(
        name=values["name"],
        wheel=ProfiledWheels(**(values["wheel"] or {})),
        **{name: values[name] for name in PLAIN},
        **flat(values, GROUPS),
    )


Y25_BOGIE = Template(
    "y25_bogie",
    "freight bogie with Lenoir dampers, centre pivot and side bearers",
    FIELDS,
    parameters,
    y25_bogie,
    reaches={
        "all": EVERYTHING,
        "wheelset.mass": ("{wheelset}.mass",),
        "wheelset.inertia": ("{wheelset}.inertia",),
        "frame.mass": ("frame.mass",),
        "frame.inertia": ("frame.inertia",),
        "wheelbase": ("{wheelset}.position.x",),
        "radius": ("{wheelset}.radius",),
        **{f"wheel.{f.name}": (f"{{wheelset}}.{f.name}",) for f in fields_of(ProfiledWheels)},
    },
    places=tuple(
        {"wheelset": f"{axle}_wheelset", "side": side, "corner": f"{axle}_{side}"}
        for axle in AXLES
        for side in SIDES
    ),
    groups=GROUPS,
)
