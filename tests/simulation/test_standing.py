"""`validate` tries every load case of a file, of full descriptions too."""

import klingel as kg
from klingel.io.vehicle.files import library_text
from klingel.io.vehicle.toml import to_toml
from klingel.simulation.standing import problems_of_standing


def test_every_load_of_a_full_description_is_tried(tmp_path):
    file = tmp_path / "mine.toml"
    good = '\n[loads.coal.carbody]\nmass = "35 t"\n'
    beside = '\n[loads.beside.carbody]\nmass = "35 t"\nposition = ["0 m", "2.5 m", "2 m"]\n'
    text = to_toml(kg.load_vehicle("hbbills311"))
    file.write_text(text + good)
    assert problems_of_standing(file) == ()
    file.write_text(text + good + beside)
    (found,) = problems_of_standing(file)
    assert "(load beside)" in found.field
    assert found.field.split(".")[0] in ("front_wheelset", "rear_wheelset", "carbody")


def test_every_load_of_a_template_is_tried(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(library_text("hbbills311"))
    assert problems_of_standing(file) == ()
