"""The library against the printed tables; files that read back what was written; options of the loader."""

from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.elements.leaf_spring import PARABOLIC, TRAPEZOIDAL, LeafSpring, Reading
from klingel.elements.link_sets import LINK_SETS
from klingel.elements.spring import Spring
from klingel.io.toml_tables import FileError
from klingel.io.vehicle.files import library, library_text, load_cases, load_vehicle, parse_vehicle
from klingel.io.vehicle.law_tables import ELEMENT_KEYS, LAWS
from klingel.io.vehicle.options import with_settings
from klingel.io.vehicle.toml import to_toml
from klingel.io.vehicle.units import dimension_of
from klingel.model.description import Element
from klingel.vehicles.two_axle import CORNERS, corner_loads
from klingel.vehicles.values import template_values, value, values

# Hoffmann (2006), table 2.7
TABLE = {
    "wheelset.mass": (1490.0, 1570.0, 1420.0),
    "wheelset.inertia.x": (988.0, 810.0, 1040.0),
    "wheelset.inertia.y": (90.0, 112.0, 154.0),
    "wheelset.inertia.z": (988.0, 810.0, 1040.0),
    "carbody.mass": (15176.0, 8860.0, 8610.0),
    "carbody.inertia.x": (32675.0, 16600.0, 25000.0),
    "carbody.inertia.y": (422084.0, 86000.0, 121400.0),
    "carbody.inertia.z": (413250.0, 88000.0, 127700.0),
    "radius": (0.46, 0.43, 0.46),
    "front_wheelset.position.z": (0.46, 0.43, 0.46),
    "carbody.position.y": (0.0, 0.0, 0.0),
    "carbody.position.z": (1.57, 1.58, 1.20),
    "front_left.guide_x.clearance": (0.0225, 0.02, 0.02),
    "rear_right.link_y.bracket.gap_high": (0.01, 0.01, 0.01),
    "rear_right.guide_y.gap_high": (0.02, 0.02, 0.02),
    "wheelbase": (10.0, 5.7, 8.0),
}
WAGONS = ("hbbills311", "g69", "kbps")


@pytest.mark.parametrize("name", TABLE)
def test_printed_wagon_data(name):
    for wagon, printed in zip(WAGONS, TABLE[name], strict=True):
        assert value(load_vehicle(wagon), name) == printed


def test_leaf_springs_of_the_wagons():
    leaves = {wagon: load_vehicle(wagon).elements[-1].law for wagon in WAGONS}
    assert leaves == {"hbbills311": PARABOLIC, "g69": TRAPEZOIDAL, "kbps": TRAPEZOIDAL}


@pytest.mark.parametrize(("load", "height"), [("loaded", 1.6), ("loaded_high", 2.1)])
def test_loaded_wagon_of_section_5_1(load, height):
    wagon = load_vehicle("hbbills311", load=load)
    carbody = wagon.bodies[2]
    assert carbody.mass == 41176.0
    assert carbody.inertia == (66492.0, 993040.0, 986832.0)
    assert carbody.position == (0.0, 0.0, height)
    weight = sum(body.mass for body in wagon.bodies)
    assert weight / 2 == pytest.approx(22.5e3, rel=0.02)  # axle load as printed: 22.5 t


def test_off_centre_load_is_heaviest_at_the_front_left():
    loads = corner_loads(load_vehicle("hbbills311", load="loaded_off_centre").meta["parameters"])
    assert sorted(loads, key=loads.__getitem__) == ["rear_right", "front_right", "rear_left", "front_left"]


def test_every_value_of_the_library_has_a_source():
    for name in library():
        wagon = load_vehicle(name)
        for key in values(wagon):
            assert any(key == told or key.startswith(f"{told}.") for told in wagon.sources), key


def test_every_value_has_a_dimension():
    wagon = load_vehicle("hbbills311", leaf_model="linear")
    for key, found in {**values(wagon), **template_values(wagon)}.items():
        if isinstance(found, float):
            assert dimension_of(wagon, key)


VARIANTS = (
    {},
    {"links": "MP", "load": "loaded_off_centre"},
    {"links": "ASZ", "leaf_model": "linear", "friction": dict(zip(CORNERS, (0.1, 0.3, 0.5, 0.2), strict=True))},
    {"leaf": "trapezoidal", "leaf_model": "full", "height": 1.9, "shift": (0.05, -0.1)},
)  # fmt: skip


@pytest.mark.parametrize("options", VARIANTS)
def test_expansion_reads_back_exactly(options):
    wagon = load_vehicle("hbbills311", **options)
    text = to_toml(wagon)
    again = parse_vehicle(text)
    kept = {key: wagon.meta[key] for key in again.meta}
    assert again == replace(wagon, meta=kept)
    assert {"title", "load", "links", "leaf"} <= set(kept)
    assert to_toml(again) == text


def test_expansion_of_every_library_wagon_reads_back(tmp_path):
    for name in library():
        file = tmp_path / f"{name}.toml"
        file.write_text(to_toml(load_vehicle(name)))
        assert values(load_vehicle(file)) == values(load_vehicle(str(file))) == values(load_vehicle(name))
        again, known = load_vehicle(file), load_vehicle(name)
        assert replace(again, meta={}) == replace(known, meta={})


def test_short_file_in_a_folder_is_the_library_wagon(tmp_path):
    (tmp_path / "mine.toml").write_text(library_text("kbps"))
    assert load_vehicle(tmp_path / "mine.toml") == load_vehicle("kbps")


def test_profile_beside_the_file_is_found_from_anywhere(tmp_path):
    (tmp_path / "worn.prw").write_text("")
    for text in (library_text("kbps"), to_toml(load_vehicle("kbps"))):
        (tmp_path / "mine.toml").write_text(text.replace('"S1002"', '"worn.prw"', 1))
        assert load_vehicle(tmp_path / "mine.toml").wheelsets[0].profile == str((tmp_path / "worn.prw").resolve())


def test_link_sets_differ_and_the_default_is_the_reference_set():
    found = {name: load_vehicle("hbbills311", links=name).elements for name in LINK_SETS}
    assert found["PTP"] == load_vehicle("hbbills311").elements
    assert len({str(elements) for elements in found.values()}) == len(LINK_SETS)


def test_leaf_models():
    def law(model):
        return load_vehicle("hbbills311", leaf_model=model).elements[-1].law

    assert law("simplified") == PARABOLIC
    assert law("full") == replace(PARABOLIC, reading=Reading.FULL)
    assert isinstance(law("linear"), Spring)


def test_leaf_springs_of_own_vehicles_damp_small_motions_those_of_the_thesis_are_as_printed():
    """The printed law near rest never damps: a user's wagon has the full one unless its file asks for it."""
    for name in ("hbbills311", "g69", "kbps"):
        text = library_text(name)
        key = next(line for line in text.splitlines() if line.startswith("leaf_model = "))
        assert parse_vehicle(text).elements[-1].law.reading == Reading.SIMPLIFIED
        own = parse_vehicle(text.replace(f"{key}\n", "", 1))
        assert own.elements[-1].law.reading == Reading.FULL
        written = to_toml(own)
        assert parse_vehicle(written).elements == own.elements
        bare = "\n".join(line for line in written.splitlines() if not line.startswith("reading"))
        assert parse_vehicle(bare).elements == own.elements


OWN_LINKS = """
links.x = {stiffness = "5 1/m", sliders = [["20 1/m", 0.08]]}
links.y = {stiffness = "4 1/m", sliders = [["10 1/m", 0.05], ["2 1/m", "3 %"]], bracket_stiffness = "4 1/m"}
leaf.stiffness = "1 MN/m"
leaf.stiffness_second = "1 MN/m"
leaf.friction = 0.1
leaf.residual = "8 kN"
leaf.decay = "3 mm"
leaf.near_equilibrium = "5 kN"
"""
COAL = """
[loads.coal.box]
mass = "10 t"
size = ["6 m", "2.5 m", "1 m"]
position = ["0.5 m", "0 m", "1.8 m"]
"""


def test_own_links_leaf_and_box_load():
    text = library_text("g69").replace('leaf = "trapezoidal"\n', OWN_LINKS) + COAL
    empty = parse_vehicle(text)
    assert value(empty, "links.y.bracket_gap") == 0.01
    assert value(empty, "front_left.link_y.slider_2.limit") == pytest.approx(0.03 * 8860 * 9.81 / 4)
    assert isinstance(empty.elements[-1].law, LeafSpring)
    assert value(empty, "front_left.leaf.residual") == 8e3
    laden = parse_vehicle(text, options={"load": "coal"})
    assert value(laden, "carbody.mass") == 18860.0
    assert value(laden, "carbody.position.x") == pytest.approx(0.5 * 10e3 / 18860)


def test_settings_of_the_command_line():
    wagon = with_settings(load_vehicle("kbps"), ["carbody.mass=16t", "front_left.link_y.slider_1.limit=0.8 kN"])
    assert value(wagon, "carbody.mass") == 16e3
    assert value(wagon, "front_left.link_y.slider_1.limit") == 800.0
    assert value(with_settings(wagon, ["front_wheelset.profile=mine.prw"]), "front_wheelset.profile") == "mine.prw"


def test_rotational_elements_have_rotational_units():
    text = to_toml(load_vehicle("kbps")) + (
        '\n[elements.front_left.bushing]\nlaw = "spring"\ndirection = "yaw"\nstiffness = "2 kNm/rad"\n'
    )
    wagon = parse_vehicle(text)
    assert {element.name: element.law for element in wagon.elements}["front_left.bushing"] == Spring(2e3)
    assert parse_vehicle(to_toml(wagon)) == wagon
    with pytest.raises(FileError, match=r"front_left.bushing.stiffness: must be a rotational stiffness in Nm/rad"):
        parse_vehicle(text.replace("2 kNm/rad", "2 kN/m"))


@settings(deadline=None, max_examples=30)
@given(order=st.permutations(range(12)), nested=st.booleans())
def test_order_of_elements_survives(order, nested):
    """Nested tables would gather what belongs together."""
    wagon = load_vehicle("kbps")
    elements = [wagon.elements[i] for i in order] + list(wagon.elements[12:])
    if nested:
        elements.append(Element(f"{elements[0].name}.inner", elements[0].connection, "x", Spring(1.0)))
    shuffled = replace(wagon, elements=tuple(elements), sources={})
    assert parse_vehicle(to_toml(shuffled)).elements == shuffled.elements


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"links": "PTB"}, "links: did you mean PTP? must be one of PTP, SPP, INP, ASZ, MP, got 'PTB'"),
        ({"load": "full"}, "load: must be one of empty, loaded, loaded_high, loaded_off_centre, got 'full'"),
        ({"leaf": "rubber"}, "leaf: must be one of trapezoidal, parabolic, got 'rubber'"),
        ({"leaf_model": "none"}, "leaf_model: must be one of simplified, full, linear, got 'none'"),
        ({"friction": -0.1}, "friction: must be positive, got -0.1"),
        ({"friction": {"front": 0.1}}, "friction.front: is not a known key; did you mean front_left?"),
        ({"shift": (0.0, 1.2)}, "carbody.shift: must leave a load on every corner of the wagon"),
        ({"height": -1.0}, "carbody.height: must be finite and positive, got -1.0"),
    ],
)
def test_bad_options_are_refused(options, line):
    with pytest.raises(InputError) as refused:
        load_vehicle("hbbills311", **options)
    assert str(refused.value).startswith(line)


def test_options_belong_to_templates(tmp_path):
    file = tmp_path / "full.toml"
    file.write_text(to_toml(load_vehicle("g69")))
    with pytest.raises(
        InputError, match=r"full.toml is a full description and takes no option but load, got 'links=PTP'"
    ):
        load_vehicle(file, links="PTP")


def test_names_that_are_not_there():
    with pytest.raises(
        InputError,
        match=r"vehicle: did you mean kbps. must be a file or one of bigoni, cooperrider, cooperrider_smooth, g69",
    ):
        load_vehicle("kbbs")
    with pytest.raises(InputError, match=r"file: must exist, got 'nowhere.toml'"):
        load_vehicle("nowhere.toml")
    assert load_cases("kbps") == ["empty"]


@pytest.mark.parametrize("word", LAWS)
def test_tables_have_the_fields_of_their_laws(word):
    law, table = LAWS[word]
    assert set(table.model_fields) - set(ELEMENT_KEYS) == {field.name for field in fields(law)}
