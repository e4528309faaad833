"""The contact study: its document, its files, and values known from elsewhere."""

import json
from dataclasses import replace

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.contact.geometry.conicity import Characteristic
from klingel.contact.geometry.placement import RailPair
from klingel.contact.geometry.wheelset_on_track import WheelsetOnTrack
from klingel.contact.table.build import Grid
from klingel.io.contact import cache as contact_cache
from klingel.io.contact.tables import load_table
from klingel.reports.contact import study, write

# own reference values for S1002 on 60E1 1/40, gauge 1435: amplitude -> no roll, with roll
CONICITY = {0.002: (0.2186, 0.2213), 0.004: (0.1550, 0.1588), 0.006: (0.2665, 0.2922)}


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("cache")
    patch.setattr(contact_cache, "cache_folder", lambda: folder)
    wheelset = contact_cache.wheelset_on_track("S1002", "60E1", inclination=1 / 40)
    yield study(wheelset, list(CONICITY))
    patch.undo()


def test_reference_conicities(result):
    document = result.as_dict()
    for amplitude, (plain, with_roll) in CONICITY.items():
        tolerance = 0.02 if amplitude == 0.006 else 0.005
        assert document["conicity"][f"{amplitude:g}"] == pytest.approx(plain, abs=tolerance)
        assert document["conicity_with_roll"][f"{amplitude:g}"] == pytest.approx(with_roll, abs=tolerance)
    assert document["rolling_radius_difference"]["0.004"] == pytest.approx(1.151e-3, abs=1e-6)


def test_document_is_complete_and_plain_json(result):
    document = json.loads(json.dumps(result.as_dict()))
    assert document["sections"] == len(document["jumps"]) + 1
    assert document["jumps"] == sorted(document["jumps"])
    assert document["gauge"] == 1.435
    assert document["inclination"] == 0.025


def test_files_are_written_and_the_table_reads_back(result, tmp_path):
    files = write(result, tmp_path / "out")
    assert [path.name for path in files] == [
        "contact-table.txt",
        "contact-points.png",
        "contact-parameters.png",
        "conicity.png",
    ]
    assert all(path.stat().st_size > 10_000 for path in files)
    assert load_table(files[0]).conditions == result.table.conditions


def test_amplitudes_must_be_positive(result):
    with pytest.raises(InputError, match="amplitudes"):
        study(result.wheelset, [0.0], grid=Grid(step=1e-3))


def test_loaded_overlaps_are_wider_on_the_tread(result):
    loaded = study(result.wheelset, [0.002], grid=Grid(step=5e-4), loaded=5e4).table.left
    wide = loaded.bounds[2 * 4] - loaded.bounds[2 * 4 - 1]  # around the tread jump at 0.226 mm
    assert wide == pytest.approx(2 * 0.226e-3, rel=1e-2)  # cut to half of the section before it
    assert loaded.overlaps[3] == pytest.approx(3.15e-3, rel=0.02)
    with pytest.raises(InputError, match="loaded"):
        study(result.wheelset, [0.002], grid=Grid(step=5e-4), loaded=-1.0)


def test_unequal_rails_have_a_motion_beside_the_centre_and_pictures_of_both_sides(result, tmp_path):
    rails = RailPair(result.wheelset.rails.left, inclination=1 / 40, right_inclination=1 / 20)
    uneven = study(WheelsetOnTrack(result.wheelset.wheels, rails), [0.002], grid=Grid(step=5e-4))
    names = {path.name for path in write(uneven, tmp_path)}
    assert {"contact-points-left.png", "contact-points-right.png"} <= names
    assert 0.0 < uneven.as_dict()["conicity"]["0.002"] < 0.3


def test_wheels_that_never_steer_back_are_told_in_words(result):
    falling = Characteristic(np.array([-0.003, 0.0, 0.003]), np.array([1e-4, 0.0, -1e-4]))
    known = replace(result.without_roll, radius_difference=falling)
    remarks = replace(result, amplitudes=(0.002,), without_roll=known, with_roll=known).remarks()
    assert len(remarks) == 2
    for line in remarks:
        assert "bring the wheelset back (hollow wheels)" in line
        assert "amplitude must" not in line
