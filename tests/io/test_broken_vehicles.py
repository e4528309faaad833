"""Broken files: each gets its one line, in words of the file, with what was typed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.io.toml_tables import FileError
from klingel.io.vehicle.files import library_text, load_vehicle, parse_vehicle
from klingel.io.vehicle.toml import to_toml
from klingel.vehicles.checks import problems

FULL = to_toml(load_vehicle("hbbills311"))
SHORT = library_text("hbbills311")


def after(text: str, heading: str) -> str:
    """The table under a heading."""
    return text.split(f"[{heading}]\n")[1].split("\n\n")[0]


def without(text: str, heading: str) -> str:
    return text.replace(f"[{heading}]\n{after(text, heading)}\n", "")


def changed(text: str, heading: str, old: str, new: str) -> str:
    table = after(text, heading)
    assert old in table
    return text.replace(f"[{heading}]\n{table}", f"[{heading}]\n{table.replace(old, new, 1)}")


NO_WHEELS = without(without(FULL, "wheelsets.front_wheelset"), "wheelsets.rear_wheelset")
NO_WHEELS = "\n".join(
    line for line in NO_WHEELS.split("\n") if not line.startswith(('"front_wheelset.', '"rear_wheelset.'))
)
PENDULUM = "elements.front_left.link_x.pendulum"
LEAF = "elements.rear_right.leaf"

FULL_FILES = {
    "negative mass": (
        changed(FULL, "bodies.front_wheelset", '"1490.0 kg"', '"-1490 kg"'),
        "front_wheelset.mass: must be positive, got -1490 kg",
    ),
    "mass in newtons": (
        changed(FULL, "bodies.carbody", "15176.0 kg", "150 kN"),
        "carbody.mass: must be a mass in kg, t, g, got 150 kN",
    ),
    "no mass": (
        changed(FULL, "bodies.carbody", 'mass = "15176.0 kg"\n', ""),
        'carbody.mass: must be given, a mass like "1.5 kg"',
    ),
    "misspelt key": (
        changed(FULL, "bodies.carbody", "mass", "mas"),
        "carbody.mas: is not a known key; did you mean mass? (1 more; klingel validate lists them)",
    ),
    "two inertias": (
        changed(FULL, "bodies.carbody", '"32675.0 kg m2", ', ""),
        "carbody.inertia: must be a list, one moment of inertia for each of x, y, z: "
        '["1.5 kg m2", "1.5 kg m2", "1.5 kg m2"], got [422084.0 kg m2, 413250.0 kg m2]',
    ),
    "negative inertia": (
        changed(FULL, "bodies.carbody", '"422084.0', '"-422084.0'),
        "carbody.inertia: its y must not be negative, got -422084.0 kg m2",
    ),
    "unknown coordinate": (
        changed(FULL, "bodies.carbody", '"yaw"', '"hunting"'),
        "carbody.free: must be a list of words out of x, y, z, roll, pitch, yaw, spin, got [hunting]",
    ),
    "no wheels": (NO_WHEELS, "wheelsets: a vehicle needs wheels: name at least one body that has them"),
    "negative stiffness": (
        changed(FULL, PENDULUM, 'stiffness = "', 'stiffness = "-'),
        "front_left.link_x.pendulum.stiffness: must not be negative, got -205",
    ),
    "unknown law": (
        changed(FULL, PENDULUM, '"spring"', '"sprong"'),
        "front_left.link_x.pendulum.law: did you mean spring? must be one of spring, dry_friction, dead_band, "
        "leaf_spring, guide, stop, series_damper, rigid_friction, elastic_friction, table_spring, "
        "smooth_dead_band, smooth_friction, got sprong",
    ),
    "no law": (
        changed(FULL, PENDULUM, 'law = "spring"\n', ""),
        "front_left.link_x.pendulum.law: must be one of spring, dry_friction, dead_band, leaf_spring, guide",
    ),
    "unknown body": (
        changed(FULL, "connections.front_left", '"carbody"', '"carbdy"'),
        "front_left.inner: is no body; did you mean carbody? known: front_wheelset, rear_wheelset, carbody, track,"
        " got carbdy",
    ),
    "unknown connection": (
        changed(FULL, PENDULUM, '"front_left"', '"front"'),
        "front_left.link_x.pendulum.connection: is no connection; did you mean front_left? known: front_left, "
        "front_right, rear_left, rear_right, got front",
    ),
    "direction": (
        changed(FULL, LEAF, '"z"', '"up"'),
        "rear_right.leaf.direction: must be one of x, y, z, roll, pitch, yaw, or a list of them, got up",
    ),
    "leaf that creates energy": (
        changed(FULL, LEAF, '"0.002 m"', '"2 cm"'),
        "rear_right.leaf.residual: must be at least ",
    ),
    "restitution": (
        changed(FULL, "elements.front_left.guide_x", "restitution = 0.9", "restitution = 9"),
        "front_left.guide_x.restitution: must lie in [0, 1], got 9",
    ),
    "dead band the wrong way round": (
        changed(FULL, "elements.front_left.guide_y", '"inf m"', '"-30 mm"'),
        "front_left.guide_y.gap_high: must lie above gap_low = -0.02, got -30 mm",
    ),
    "section is a number": ("bodies = 3\n" + FULL.split("\n[bodies")[0], "bodies: must be a table, got 3"),
    "body is a number": (
        FULL.replace("[bodies.front_wheelset]", "[bodies]\nfrontal = 3\n[bodies.front_wheelset]"),
        "frontal: must be a table, got 3",
    ),
    "source of nothing": (
        FULL + '"carbody.mas" = "a drawing"\n',
        "sources.carbody.mas: is not a known key; did you mean carbody.mass?",
    ),
    "no TOML": ("name = hbbills\n", "line 1, column 8: is not valid TOML: invalid value"),
    "unknown section": (
        FULL + '[bogies.front]\nmass = "3 t"\n',
        "bogies: is not a known key; did you mean bodies?",
    ),
    "nothing": ("", "name: must be given, a name"),
}

SHORT_FILES = {
    "unknown template": (
        SHORT.replace('"two_axle"', '"bogie"'),
        "template: did you mean y25_bogie? must be one of two_axle, cooperrider_bogie, single_axle_bogie",
    ),
    "unknown key": (
        SHORT.replace("wheelbase =", "wheelbas ="),
        "wheelbas: is not a known key; did you mean wheelbase? (1 more; klingel validate lists them)",
    ),
    "links": (
        SHORT.replace("spacing", 'links = "PTB"\nspacing', 1),
        "links: did you mean PTP? must be one of PTP, SPP, INP, ASZ, MP, got PTB",
    ),
    "own links": (
        SHORT.replace("spacing", 'links.x = {stiffness = "5 1/m"}\nlinks.y = {stiffness = "5 N/m"}\nspacing', 1),
        "links.y.stiffness: must be a stiffness per load in 1/m, got 5 N/m",
    ),
    "sliders": (
        SHORT.replace(
            "spacing", "links.x = {stiffness = 5}\nlinks.y = {stiffness = 5, sliders = [3]}\nspacing", 1
        ),
        'links.y.sliders: must be pairs of stiffness and limit: [["10.4 1/m", 0.053]], got 3',
    ),
    "friction of one corner": (
        SHORT.replace("spacing", "link_friction = {front_left = 0.1}\nspacing", 1),
        "link_friction.front_right: must be given, a number like 1.5",
    ),
    "leaf": (
        SHORT.replace('"parabolic"', '"parabola"'),
        "leaf: did you mean parabolic? must be one of trapezoidal,",
    ),
    "carbody is missing": (SHORT.replace("[carbody]", "[loads.heavy]"), "carbody: must be given"),
    "load called empty": (
        SHORT.replace("[loads.loaded]", "[loads.empty]"),
        "sources.loads.loaded: is not a known key",
    ),
    "height of a load": (
        SHORT.replace('height = "2.1 m"', 'height = "-2.1 m"'),
        "loads.loaded_high.height: must be positive, got -2.1 m",
    ),
    "box": (
        SHORT.replace('height = "2.1 m"', 'box = {mass = "20 t", size = ["1 m", "1 m", "1 m"]}'),
        "loads.loaded_high.box.position: must be a list, one length for each of x, y, z",
    ),
    "load beyond the springs": (
        SHORT.replace('height = "1.57 m"', 'height = "1.57 m"\nshift = ["0 m", "1.5 m"]'),
        "carbody.shift: must leave a load on every corner of the wagon, got [0.0, 1.5]",
    ),
    "restitution": (
        SHORT.replace("guide_restitution = 0.9", "guide_restitution = 1.2"),
        "guide_restitution: must lie in [0, 1], got 1.2",
    ),
}


@pytest.mark.parametrize("case", FULL_FILES)
def test_full_description(case):
    text, line = FULL_FILES[case]
    refused(text, line)


@pytest.mark.parametrize("case", SHORT_FILES)
def test_template_file(case):
    text, line = SHORT_FILES[case]
    refused(text, line)


def refused(text: str, line: str) -> None:
    with pytest.raises(FileError) as error:
        parse_vehicle(text, "mine.toml")
    assert str(error.value).startswith(f"mine.toml: {line}")
    assert "\n" not in str(error.value)


def test_all_problems_of_a_file_are_collected():
    text = changed(FULL, "bodies.carbody", '"15176.0 kg"', '"-1 kg"')
    text = changed(text, PENDULUM, "stiffness", "stifness")
    with pytest.raises(FileError) as error:
        parse_vehicle(text, "mine.toml")
    assert [(p.field, p.given) for p in error.value.problems] == [
        ("carbody.mass", "-1 kg"),
        ("front_left.link_x.pendulum.stifness", None),
        ("front_left.link_x.pendulum.stiffness", None),
    ]


JUNK = (
    *("3", "-1", "0", "inf", "nan", "true", '""', '"x"', '"-1 m"', '"1e400 kg"', "[]", "[1, 2, 3]", '["x"]'),
    *("{}", "{a = 1}", "[[1]]", "[{}]", "1979-05-27", '"Infinity"', '"1/0 m"', '"{}"'),
)
LINES = [(text, i) for text in (FULL, SHORT) for i, line in enumerate(text.split("\n")) if " = " in line]


@settings(deadline=None, max_examples=150)
@given(place=st.sampled_from(LINES), junk=st.sampled_from(JUNK))
def test_junk_in_any_line_is_refused_or_harmless_but_never_a_traceback(place, junk):
    text, i = place
    lines = text.split("\n")
    lines[i] = f"{lines[i].split(' = ')[0]} = {junk}"
    said = "mine.toml: "
    try:
        vehicle = parse_vehicle("\n".join(lines), "mine.toml")
        assert list(problems(vehicle)) == []
    except FileError as error:
        said = str(error)
    assert said.startswith("mine.toml: ")
    assert "\n" not in said


def test_files_that_are_no_text(tmp_path):
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"must be text in UTF-8"):
        load_vehicle(tmp_path / "mine.toml")
    with pytest.raises(ValueError, match=r"must be a file, not a folder"):
        load_vehicle(tmp_path)
