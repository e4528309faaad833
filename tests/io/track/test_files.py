"""Track files: what they mean, what they refuse, and the way back."""

from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.io.toml_tables import FileError
from klingel.io.track.files import load_track, parse_track
from klingel.io.track.toml import save_track, to_toml
from klingel.track.alignment import Alignment, Stage
from klingel.track.irregularity import Random, Samples, Shift
from klingel.track.spectrum import Channel, Sided
from klingel.track.track import Frame, Track

CURVE = """
title = "Left curve, section 5.3"
inclination = "1/30"
gauge = "1435 mm"
start = "50 m"

[[stage]]
length = "100 m"
radius = "1 km"
cant = "150 mm"

[[stage]]
length = 300

[[stage]]
length = "100 m"
radius = "inf"
cant = 0

[[irregularity]]
kind = "shift"
size = "8 mm"
at = "20 m"

[[irregularity]]
kind = "random"
spectrum = "B176 low"
seed = 4
length = "1 km"
channels = ["lateral", "cross_level"]

[[irregularity]]
kind = "samples"
spacing = "25 cm"
vertical = ["0 mm", "1 mm", 0.0]

[sources]
inclination = "Sweden, section 2.2"
"""


def test_a_file_means_the_same_as_python():
    track = parse_track(CURVE)
    shift, random, samples = track.irregularity
    python = Track.curve(1000.0, 0.150, inclination=1 / 30)
    assert track.alignment == python.alignment
    assert (track.inclination, track.gauge, track.rail, track.frame) == (1 / 30, 1.435, "UIC60", Frame.TILTED)
    assert shift == Shift(8e-3, at=20.0)
    assert random == Random("B176 low", seed=4, length=1e3, channels=(Channel.LATERAL, Channel.CROSS_LEVEL))
    assert samples == Samples(0.25, vertical=(0.0, 1e-3, 0.0))
    assert track.sources == {"inclination": "Sweden, section 2.2"}


def test_an_empty_file_is_straight_track():
    assert parse_track("") == Track.straight()


def test_a_jump_of_curvature_is_written_with_its_start():
    track = parse_track(
        '[[stage]]\nlength = 100\nstart_radius = "-800 m"\n[[stage]]\nlength = 1\nstart_radius = "inf"'
    )
    assert track.alignment.stages == (Stage(100.0, (-1 / 800, -1 / 800)), Stage(1.0))


TRACKS = [
    Track.straight(),
    Track.curve(-600.0, 0.1, length=inf, frame=Frame.UNTILTED, rail="54E1", title='a "quoted" title\\'),
    Track.curve(600.0, transition=0.0),
    Track(Alignment((Stage(100.0, vertical_curvature=(2e-4, 2e-4)), Stage(1.0)), -20.0), sources={"a b": "c"}),
    Track.straight(
        irregularity=(
            Shift(-3e-3, 7.0, 2.5, Channel.CROSS_LEVEL),
            Random("FRA 4", 12, 900.0, 10.0, 2.0, 80.0, 30.0, 0.7, Sided.TWO, (Channel.VERTICAL,)),
            Samples(0.3, 1.1, (0.0, 1 / 3000, 0.0), (), (0.0, 0.0, 1e-3)),
        )
    ),
]


@pytest.mark.parametrize("track", TRACKS, ids=range(len(TRACKS)))
def test_the_way_there_and_back(track):
    assert parse_track(to_toml(track)) == track


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(st.floats(20.0, 400.0), st.floats(-2e-3, 2e-3), st.floats(-0.1, 0.1)), min_size=1, max_size=5
    )
)
def test_any_alignment_survives(points):
    stages, k, c = [], 0.0, 0.0
    for length, k_end, c_end in points:
        stages.append(Stage(length, (k, k_end), (c, c_end)))
        k, c = k_end, c_end
    track = Track(Alignment(tuple(stages)))
    back = parse_track(to_toml(track))
    s = np.linspace(0.0, 2000.0, 41)
    assert back.alignment.values(s) == pytest.approx(track.alignment.values(s), rel=1e-12, abs=1e-15)


def test_files_and_their_records(tmp_path):
    (tmp_path / "record.csv").write_text(
        "# measured\nlateral [mm], distance [m], cross_level [mm]\n0, 5.00, 1\n1, 5.25, 2 # joint\n\n3, 5.50, 0\n"
    )
    path = tmp_path / "line.toml"
    path.write_text('[[irregularity]]\nkind = "samples"\nfile = "record.csv"\n')
    track = load_track(path)
    expected = Samples(0.25, 5.0, (0.0, 1e-3, 3e-3), (), (1e-3, 2e-3, 0.0))
    assert track.irregularity == (expected,)
    save_track(track, tmp_path / "copy.toml")
    assert load_track(str(tmp_path / "copy.toml")) == track


SHIFT = '[[irregularity]]\nkind = "shift"\n'
RANDOM = '[[irregularity]]\nkind = "random"\nspectrum = "B176 low"\nseed = 1\nlength = 500\n'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('gauge = "1435 kg"', "my.toml: gauge: must be a length in m, mm, cm, um, µm, km, got 1435 kg"),
        ("gauge = -1.435", "my.toml: gauge: must be positive, got -1.435"),
        ('frame = "leaning"', "my.toml: frame: must be one of untilted, tilted, got leaning"),
        ('inclination = "1/4"', "my.toml: inclination: must lie between 0 and 1/10, got 0.25"),
        ("inclinaton = 0.05", "my.toml: inclinaton: is not a known key; did you mean inclination?"),
        ("[[stage]]", 'my.toml: stage 1.length: must be given, a length like "1.5 m"'),
        ('[[stage]]\nlength = "-100 m"', "my.toml: stage 1.length: must be positive, got -100 m"),
        (
            '[[stage]]\nlength = 100\nradius = "300 m"',
            "my.toml: stage 1.radius: must be at least 500 m, the limit of the plane contact theory;"
            ' "inf" is straight, got 300 m',
        ),
        ('[[stage]]\nlength = 100\ncant = "400 mm"', "my.toml: stage 1.cant: must lie within ±0.3 m, got 400 mm"),
        (
            '[[stage]]\nlength = 10\ncant = "150 mm"',
            "my.toml: stage 1.cant: must change by at most 0.01 m per m, got 0.015",
        ),
        (
            '[[stage]]\nlength = 10\nvertical_radius = "5 km"',
            "my.toml: stage 1: vertical_radius: must be infinite at the end, got 5000.0",
        ),
        ("stage = 3", "my.toml: stage: must be a list, got 3"),
        ("stage = [3]", "my.toml: stage 1: must be a table, got 3"),
        ("[[irregularity]]\nsize = 1", "my.toml: irregularity 1.kind: must be one of shift, random, samples"),
        (SHIFT + 'size = "8 m"', "my.toml: irregularity 1.size: must lie within ±0.1 m, got 8 m"),
        (
            SHIFT + "size = 0\nchannel = 'up'",
            "my.toml: irregularity 1.channel: must be one of lateral, vertical, cro",
        ),
        (
            RANDOM.replace("500", "150"),
            "my.toml: irregularity 1.length: must hold the longest wave twice, 200 m, got",
        ),
        (RANDOM.replace("= 1\n", "= 1.5\n"), "my.toml: irregularity 1.seed: must be a whole number, got 1.5"),
        (
            RANDOM.replace("low", "lo"),
            "my.toml: irregularity 1.spectrum: must be one of B176 low, B176 high, FRA 1",
        ),
        (
            RANDOM + 'channels = ["gauge"]',
            "my.toml: irregularity 1.channels: must be a list of words out of lateral",
        ),
        (
            '[[irregularity]]\nkind = "samples"\nlateral = [0, 1, 2]',
            'my.toml: irregularity 1.spacing: must be given, a length like "0.25 m", or a file',
        ),
        (
            '[[irregularity]]\nkind = "samples"\nspacing = 1\nlateral = [0, "1 s", 2]',
            "my.toml: irregularity 1.lateral, value 2: must be a length in m",
        ),
        ("gauge = 1.4.3", "my.toml: line 1, column 12: is not valid TOML"),
    ],
)
def test_refusals_are_one_clear_line(text, line):
    with pytest.raises(FileError) as caught:
        parse_track(text, "my.toml")
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def test_every_problem_of_a_file_is_found():
    with pytest.raises(FileError) as caught:
        parse_track("[[stage]]\n[[stage]]\nlength = 0\n" + SHIFT, "my.toml")
    assert [problem.field for problem in caught.value.problems] == [
        "stage 1.length",
        "stage 2.length",
        "irregularity 1.size",
    ]


def test_a_file_that_does_not_exist(tmp_path):
    with pytest.raises(InputError, match="must exist"):
        load_track(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("record", "line"),
    [
        ("distance [m], lateral [mm]\n0, 1\n1, 2\n", "record.csv: must have a line of titles"),
        ("distance [m], lateral\n0, 1\n1, 2\n2, 3", "record.csv, line 1: titles must be out of distance"),
        ("lateral [mm]\n0\n1\n2", "record.csv, line 1: titles must be distance and one channel"),
        ("distance [m], lateral [mm]\n0, 1\n1, x\n2, 3", "record.csv, line 3: must be 2 numbers"),
        ("distance [m], lateral [mm]\n0, 1\n1, nan\n2, 3", "record.csv, line 3: must be 2 numbers"),
        (
            "distance [m], lateral [mm]\n0, 1\n1, 2\n2, 3\n3.5, 0",
            "record.csv, line 5: distance must rise in equal",
        ),
        (
            "distance [m], lateral [mm]\n0, 1\n1, 2\n2, 3\n2, 3\n",
            "record.csv, line 5: distance must rise in equal",
        ),
        ("distance [m], lateral [mm]\n3, 1\n2, 2\n1, 3\n", "record.csv, line 3: distance must rise in equal"),
    ],
)
def test_bad_records_name_the_line(tmp_path, record, line):
    (tmp_path / "record.csv").write_text(record)
    path = tmp_path / "line.toml"
    path.write_text('[[irregularity]]\nkind = "samples"\nfile = "record.csv"\n')
    with pytest.raises(FileError) as caught:
        load_track(path)
    assert str(caught.value).startswith(f"line.toml: irregularity 1.{line}")


@pytest.mark.parametrize("overlap", [2e-4, 1e-4, (1e-4, 2e-4, 0.0)])
def test_overlap_of_contact_sections(overlap):
    assert parse_track(to_toml(Track(overlap=overlap))).overlap == overlap


def test_overlap_is_read_with_units_and_checked():
    assert parse_track('overlap = ["0.1 mm", 0.0002]').overlap == pytest.approx((1e-4, 2e-4))
    with pytest.raises(FileError, match="overlap: must not be negative"):
        parse_track('overlap = "-1 mm"')
    with pytest.raises(FileError, match="overlap: must lie between 0 and"):
        parse_track('overlap = "30 mm"')
    with pytest.raises(InputError, match="overlap: must lie between 0 and"):
        Track(overlap=np.zeros((2, 2)))  # type: ignore[arg-type]
