"""Profiles survive a round trip; broken files get one clear line with its number."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.contact.geometry.wheelset_on_track import Hand
from klingel.contact.profiles.profile import Body
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.smoothing import from_points
from klingel.contact.profiles.uic60 import uic60
from klingel.io.profiles import Facing, read_profile, write_profile

PROFILES = {Body.WHEEL: s1002(), Body.RAIL: uic60()}


def assert_same(found, exact, tolerance=1e-7):
    y = np.linspace(-0.030, 0.030, 101)
    np.testing.assert_allclose(found.at(y)[0], exact.at(y)[0], atol=tolerance)


def rows(profile, scale=1e3, step=5e-4, mirror=1.0, flip=1.0):
    return scale * profile.resampled(step) * [mirror, flip]


def text(points):
    return "\n".join(f"{y:.9f} {z:.9f}" for y, z in points) + "\n"


@pytest.mark.parametrize("name", ["a.txt", "a.prw", "a.prr", "a.dat"])
def test_round_trip_of_points_is_exact(tmp_path, name):
    body = Body.RAIL if name.endswith("prr") else Body.WHEEL
    points = PROFILES[body].resampled(5e-4)
    original = from_points(points, body, name="round trip")
    write_profile(tmp_path / name, original)
    found = read_profile(tmp_path / name)
    assert found.body == body
    assert found.name == "round trip"
    np.testing.assert_allclose(found.joints, original.joints, atol=2e-15)


@pytest.mark.parametrize("name", ["a.txt", "a.prw"])
def test_exact_profile_is_written_in_points(tmp_path, name):
    write_profile(tmp_path / name, s1002(), spacing=1e-4)
    assert_same(read_profile(tmp_path / name), s1002())


@pytest.mark.parametrize("mirror", [1.0, -1.0])
@pytest.mark.parametrize("flip", [1.0, -1.0])
@pytest.mark.parametrize("order", [1, -1])
def test_wheels_are_turned_by_their_flange(tmp_path, mirror, flip, order):
    path = tmp_path / "w.txt"
    path.write_text(text(rows(s1002(), mirror=mirror, flip=flip)[::order]))
    assert_same(read_profile(path, Body.WHEEL), s1002(), 1e-6)


def test_gensys_rail_faces_the_track_centre(tmp_path):
    path = tmp_path / "r.txt"
    path.write_text(text(rows(uic60().inclined(1 / 40), mirror=-1.0)))
    found = read_profile(path, Body.RAIL, facing=Facing.GAUGE)
    y = np.linspace(-0.02, 0.02, 11)
    np.testing.assert_allclose(found.at(y)[0], uic60().inclined(1 / 40).at(y)[0], atol=1e-6)


def test_separators_comments_and_units(tmp_path):
    path = tmp_path / "w.csv"
    lines = [f"{y};{z} % measured" for y, z in rows(s1002(), scale=1.0)]
    path.write_text("# unit: m\n! body: wheel\n\n" + "\n".join(lines))
    assert_same(read_profile(path), s1002(), 1e-6)
    path.write_text("\n".join(lines))
    assert_same(read_profile(path, Body.WHEEL, unit=1.0), s1002(), 1e-6)


def test_smoothing_residual_is_passed_on(tmp_path):
    path = tmp_path / "w.txt"
    noisy = rows(s1002(), step=2e-4)
    noisy = noisy + np.random.default_rng(0).normal(0.0, 0.005, noisy.shape)
    path.write_text(text(noisy))
    found = read_profile(path, Body.WHEEL, residual=5e-6)
    assert found.residual.rms == pytest.approx(5e-6, rel=1e-3)


def simpack(points, kind=1, **keys):
    lines = [f"  {key.replace('_', '.')} = {value}   ! remark" for key, value in keys.items()]
    head = [
        "! title",
        "header.begin",
        " version = 1",
        f" type = {kind}",
        "header.end",
        "spline.begin",
        *lines,
    ]
    body = [" point.begin", *(f"{y:.9f} {z:.9f} 1.0" for y, z in points), " point.end", "spline.end", ""]
    return "\n".join([*head, *body])


def test_simpack_processing_keys_act_in_their_order(tmp_path):
    path = tmp_path / "w.prw"
    wanted = rows(s1002())
    angle = 0.3
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    # undo, backwards: inversion, mirrors, rotation, shift
    stored = (wanted[::-1] * [-1.0, -1.0]) @ turn - [3.0, -4.0]
    keys = {"shift_y": 3.0, "shift_z": -4.0, "rotate": np.degrees(angle), "units_ang_f": 57.29577951308232}
    keys |= {"mirror_y": 1, "mirror_z": 1, "inversion": 1, "units_len_f": 1000.0, "comment": "'turned'"}
    path.write_text(simpack(stored, **keys))
    found = read_profile(path)
    assert found.name == "turned"
    assert_same(found, s1002(), 1e-6)


def test_simpack_bounds_cut_and_clip(tmp_path):
    path = tmp_path / "r.prr"
    keys = {"bound_y_min": -25.0, "bound_y_max": 25.0, "bound_z_min": 1.0, "bound_z_max": 0.0}
    path.write_text(simpack(rows(uic60()), 0, units_len_f=1000.0, **keys))
    found = read_profile(path)
    assert 0.049 < found.width <= 0.050


def miniprof(points, *header):
    return "\n".join([*header, "", *(f"{y:.6f}\t{z:.6f}" for y, z in points), ""])


def test_miniprof_header_offsets_and_disabled_rows(tmp_path):
    path = tmp_path / "w.whl"
    points = rows(s1002(), flip=-1.0) - [2.0, 1.0]
    content = miniprof(
        points, "Date=01-02-2020", "ColumnDef=X,Y", f"XYPoints={len(points)}", "Xoffset=2.0", "YOffset=1.0"
    )
    path.write_text(content.replace("\n\n", '\n\n"99.0 99.0\n', 1))
    assert_same(read_profile(path), s1002(), 1e-6)


def test_miniprof_columns_by_name(tmp_path):
    path = tmp_path / "r.ban"
    points = rows(uic60(), flip=-1.0)
    body = "\n".join(f"{z:.6f} 0.1 {y:.6f} 0.0" for y, z in points)
    path.write_text("ColumnDef=Y,A,X,C\n\n" + body + "\n")
    found = read_profile(path)
    assert found.body == Body.RAIL
    assert_same(found, uic60(), 1e-6)


def vampire(left, right, head):
    return "\n".join(
        [*head, *(f"{a:.6f} {b:.6f} {c:.6f} {d:.6f}" for (a, b), (c, d) in zip(left, right, strict=True))]
    )


def test_vampire_wheels_from_the_track_centre(tmp_path):
    path = tmp_path / "w.whe"
    wheel = rows(s1002())
    out, down = np.array([750.0, 0.0]), np.array([0.0, 0.5])
    head = ["WHEELPROFILE", "S1002 new", "TREADDATUM EUROPEAN", "FLANGEBACK 1360.0"]
    path.write_text(vampire((wheel + out) * [-1.0, 1.0], wheel + out + down, head))
    left, right = (read_profile(path, hand=hand) for hand in Hand)
    assert left.name == "S1002 new"
    assert_same(left, s1002(), 1e-6)
    assert_same(right, s1002().moved(0.0, 5e-4), 1e-6)


def test_vampire_rails_from_their_own_datum(tmp_path):
    path = tmp_path / "r.rai"
    y = np.linspace(-0.035, 0.035, 281)
    rail, out = 1e3 * np.column_stack([y, uic60().at(y)[0]]), np.array([753.0, 0.0])
    head = ["RAILPROFILE", "60E1", "GAUGEPOINT EUROPEAN", "GAUGE 1435.0"]
    path.write_text(vampire(rail, rail, head))
    assert_same(read_profile(path), uic60(), 1e-6)
    path.write_text(vampire((rail + out) * [-1.0, -1.0], rail + out, head))
    assert_same(read_profile(path), uic60(), 1e-6)


GOOD = rows(s1002(), step=1e-3)


def broken(change):
    points = GOOD.copy()
    change(points)
    return text(points)


def fold(points):
    points[40] = points[37]


def poison(points):
    points[12, 1] = np.nan


@pytest.mark.parametrize(
    ("name", "content", "where", "says"),
    [
        ("w.txt", broken(poison), "line 13", "finite"),
        ("w.txt", broken(fold), "line 41", "folded back"),
        ("w.txt", text(GOOD[:6]), "line 6", "at least 10"),
        ("w.txt", text(1e3 * GOOD), "line 1", "wide; are the units millimetres?"),
        ("w.txt", text(1e-3 * GOOD), "line 1", "are the units metres?"),
        ("w.txt", text(GOOD) + "12.0 abc\n", f"line {len(GOOD) + 1}", "numbers"),
        ("w.txt", text(GOOD) + "12.0\n", f"line {len(GOOD) + 1}", "2 numbers"),
        ("w.txt", "# unit: inch\n" + text(GOOD), "line 1", "unit must be"),
        ("w.txt", text(np.add(GOOD, [70.0, 0.0])), "flange tip 1", "from the running circle"),
        ("w.txt", text(np.subtract(GOOD, [100.0, 0.0])), "flange tip 15", "from the running circle"),
        ("w.txt", "across, height\n" + text(GOOD) + "the, end\n", f"line {len(GOOD) + 2}", "must hold numbers"),
        ("w.prw", simpack(GOOD, wrong_key=1), "line 7", "keyword"),
        (
            "w.prw",
            simpack(GOOD, units_len_f=1000.0).replace("point.begin", "points.begin"),
            "line 8",
            "block",
        ),
        ("w.prw", simpack(GOOD, units_len_f=1000.0).replace("header.end", "spline.end"), "line 5", "fit"),
        ("w.prw", simpack(GOOD, units_len_f=1000.0).replace("spline.end", ""), "w.prw", "close"),
        ("w.prw", simpack(GOOD, units_len_f=1.0), "line 9", "wide"),
        ("w.prw", simpack(GOOD, units_len_f=0.0), "line 7", "positive"),
        ("w.prw", simpack(GOOD, 0, units_len_f=1000.0), "w.prw", "must be a wheel"),
        ("w.whl", miniprof(GOOD, "ColumnDef=A,C"), "line 1", "X and Y"),
        ("w.whl", miniprof(GOOD, "XYPoints=3"), "line 1", "XYPoints"),
        ("w.whl", miniprof(GOOD, "ColumnDef=X,Y") + "Comment=late\n", "line", "header has ended"),
        (
            "w.whe",
            "RAILPROFILE\nx\nTREADDATUM EUROPEAN\nFLANGEBACK 1360\n1 2 3 4\n",
            "line 1",
            "WHEELPROFILE",
        ),
        ("w.whe", "WHEELPROFILE\nx\nTREADDATUM EUROPEAN\nFLANGEBACK 1360\n1 2 3\n", "line 5", "4 numbers"),
        ("w.whe", "WHEELPROFILE\n", "w.whe", "four lines"),
    ],
)
def test_broken_files_get_one_clear_line(tmp_path, name, content, where, says):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError) as error:
        read_profile(path, Body.WHEEL)
    message = str(error.value)
    assert "\n" not in message
    assert where in message
    assert says in message


def test_titles_of_columns_are_passed_over(tmp_path):
    path = tmp_path / "w.csv"
    path.write_text("measured in the workshop\ny [mm],z [mm]\n" + text(GOOD).replace(" ", ","))
    assert_same(read_profile(path, Body.WHEEL), PROFILES[Body.WHEEL], 1e-6)


def test_missing_file_wrong_body_and_wrong_ending(tmp_path):
    with pytest.raises(InputError, match="must exist"):
        read_profile(tmp_path / "none.txt")
    path = tmp_path / "w.txt"
    path.write_text(text(GOOD))
    with pytest.raises(InputError, match="wheel or a rail"):
        read_profile(path)
    write_profile(path, s1002())
    with pytest.raises(InputError, match="is a wheel profile"):
        read_profile(path, Body.RAIL)
    with pytest.raises(InputError, match="gauge side"):
        read_profile(path, Body.WHEEL, facing=Facing.GAUGE)
    with pytest.raises(InputError, match="prw for a wheel"):
        write_profile(tmp_path / "w.prr", s1002())
    assert not (tmp_path / "w.prr").exists()
