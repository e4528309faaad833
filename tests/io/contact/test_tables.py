"""Contact tables on disk: exact round trip, one clear line for a broken file, cache by content, import."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.contact.table.build import Grid
from klingel.contact.table.contact_table import (
    COLUMNS,
    Column,
    Conditions,
    ContactTable,
    mirrored,
    physical_columns,
)
from klingel.contact.table.sections import cut
from klingel.io.contact import cache as contact_cache
from klingel.io.contact import foreign_tables
from klingel.io.contact.tables import NAMES, load_table, save_table, table_text

JUMP = 1.13e-3


@pytest.fixture(scope="module")
def table():
    """Made up: two sections and an overlap of its own width."""
    shift = np.linspace(-3e-3, 3e-3, 31)
    values = np.zeros((31, COLUMNS))
    values[:, Column.SHIFT] = shift
    values[:, Column.ANGLE] = 0.025 + 4.0 * shift
    values[:, Column.WHEEL_Y] = np.where(shift > JUMP, 0.73, 0.75) - shift / 3.0
    values[:, Column.RAIL_Y] = values[:, Column.WHEEL_Y] + shift
    values[:, Column.WHEEL_Z] = -0.46 - 0.03 * shift
    values[:, Column.RAIL_Z] = -1e-4 - 0.01 * shift
    conditions = Conditions(wheel="made up", rail="made up", load=5e4)
    physical_columns(values, np.full(31, 1.08), 2.0 + 100.0 * shift, conditions)
    left = cut(shift, values, [JUMP], 3e-4)
    return ContactTable(left, mirrored(left), conditions)


def assert_same(a, b):
    assert a.conditions == b.conditions
    for one, other in ((a.left, b.left), (a.right, b.right)):
        np.testing.assert_array_equal(one.bounds, other.bounds)
        for p, q in zip(one.parts, other.parts, strict=True):
            np.testing.assert_array_equal(p.values, q.values)
            assert p.start == q.start
            assert p.step == pytest.approx(q.step, rel=1e-9)


def test_round_trip_is_exact(table, tmp_path):
    assert_same(load_table(save_table(table, tmp_path / "t.txt")), table)
    assert list(tmp_path.iterdir()) == [tmp_path / "t.txt"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# klingel contact table 1", "# something else", "must begin with"),
        ("# side right", "# side wrong", "left and right"),
        ("# section\n", "# sectoin\n", "line 5"),
        (" c22 ", " c21 ", "line 3"),
        ('"load": 50000.0', '"load": -1.0', "load"),
        ('"load"', '"laod"', "line 2"),
    ],
)
def test_broken_files_are_refused_with_one_line(table, tmp_path, old, new, message):
    path = tmp_path / "broken.txt"
    path.write_text(table_text(table).replace(old, new, 1))
    with pytest.raises(InputError, match=message) as error:
        load_table(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9])
def test_truncated_files_are_refused(table, tmp_path, keep):
    text = table_text(table)
    path = tmp_path / "cut.txt"
    path.write_text(text[: int(keep * len(text))])
    with pytest.raises(InputError):
        load_table(path)


def test_missing_and_binary_files_are_refused(tmp_path):
    with pytest.raises(InputError, match="must exist"):
        load_table(tmp_path / "nothing.txt")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    with pytest.raises(InputError, match="readable"):
        load_table(tmp_path / "binary")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(contact_cache, "cache_folder", lambda: tmp_path / "tables")
    return tmp_path / "tables"


def test_cache_returns_the_same_table_and_tells_inputs_apart(folder):
    wheelset = contact_cache.wheelset_on_track("S1002", "UIC60", inclination=1 / 20)
    grid = Grid(-2e-3, 2e-3, 1e-3)
    first = contact_cache.cached_table(wheelset, grid=grid)
    (path,) = folder.iterdir()
    assert_same(contact_cache.cached_table(wheelset, grid=grid), first)
    assert list(folder.iterdir()) == [path]
    contact_cache.cached_table(wheelset, Conditions(load=5e4), grid)
    contact_cache.cached_table(wheelset, grid=Grid(-2e-3, 2e-3, 5e-4))
    other = contact_cache.wheelset_on_track("S1002", "UIC60", inclination=1 / 20, gauge=1.437)
    contact_cache.cached_table(other, grid=grid)
    assert len(list(folder.iterdir())) == 4


def test_corrupt_cache_file_is_made_again(folder):
    wheelset = contact_cache.wheelset_on_track("S1002", "UIC60", inclination=1 / 20)
    grid = Grid(-2e-3, 2e-3, 1e-3)
    first = contact_cache.cached_table(wheelset, grid=grid)
    (path,) = folder.iterdir()
    whole = path.read_text()
    path.write_text(whole[: len(whole) // 2])
    assert_same(contact_cache.cached_table(wheelset, grid=grid), first)
    assert path.read_text() == whole


def test_changed_digit_is_noticed(folder):
    """The table still reads as one: only its digest tells."""
    wheelset = contact_cache.wheelset_on_track("S1002", "UIC60", inclination=1 / 20)
    grid = Grid(-2e-3, 2e-3, 1e-3)
    first = contact_cache.cached_table(wheelset, grid=grid)
    (path,) = folder.iterdir()
    whole = path.read_text()
    lines = whole.splitlines(keepends=True)
    last = lines[-1]
    place = last.rindex(".") + 1
    lines[-1] = last[:place] + str((int(last[place]) + 1) % 10) + last[place + 1 :]
    path.write_text("".join(lines))
    assert_same(contact_cache.cached_table(wheelset, grid=grid), first)
    assert path.read_text() == whole


def test_unwritable_cache_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(contact_cache, "cache_folder", lambda: tmp_path / "file" / "tables")
    wheelset = contact_cache.wheelset_on_track("cone:1/20", "arc:300mm", inclination=0.0, axis=0.75)
    assert contact_cache.cached_table(wheelset, grid=Grid(-1e-3, 1e-3, 1e-3)).conditions.rail


def test_fastsim_table_is_kept_and_made_again_when_broken(folder, monkeypatch):
    small = np.arange(6 * 3 * 3 * 2 * 2 * 3, dtype=float).reshape(6, 3, 3, 2, 2, 3)
    for name, size in (("SHAPES", 3), ("SIZES", 3), ("SIDES", 2)):
        monkeypatch.setattr(contact_cache.fastsim_table, name, size)
    calls = []
    monkeypatch.setattr(contact_cache.fastsim_table, "build_table", lambda: calls.append(1) or small)
    for _ in range(2):
        np.testing.assert_array_equal(contact_cache.cached_fastsim_table(), small)
    assert len(calls) == 1
    (path,) = folder.iterdir()
    path.write_bytes(path.read_bytes()[:100])
    np.testing.assert_array_equal(contact_cache.cached_fastsim_table(), small)
    assert len(calls) == 2


def rows_of(table):
    return np.vstack([part.values for part in table.left.parts])


def test_import_of_hoffmanns_columns_finds_the_jump(table, tmp_path):
    path = tmp_path / "elsewhere.txt"
    scale = np.array([1.0 / foreign_tables.HOFFMANN_UNITS.get(name, 1.0) for name in NAMES])
    np.savetxt(path, rows_of(table) * scale, header="made elsewhere", fmt="%.12e")
    got = foreign_tables.import_table(path)
    np.testing.assert_allclose(rows_of(got), rows_of(table), rtol=1e-11, atol=1e-15)
    np.testing.assert_allclose(got.left.jumps, [1.1e-3], atol=1e-12)  # the middle of its interval
    np.testing.assert_allclose(got.right.jumps, [-1.1e-3], atol=1e-12)
    assert got.conditions.load == pytest.approx(5e4)
    given = foreign_tables.import_table(path, jumps=[JUMP], overlap=4e-4)
    np.testing.assert_allclose(given.left.bounds[1:3], [JUMP - 2e-4, JUMP + 2e-4])


def test_import_completes_what_is_missing(table, tmp_path):
    rows = rows_of(table)
    a = np.sqrt(rows[:, Column.AREA] * rows[:, Column.RATIO])
    shift, angle, wheel_y, force, q = rows[:, [0, 1, 2, 7, 6]].T
    columns = ("shift", "skip", "angle", "a", "b", "wheel_y", "radius", "penetration", "normal_force")
    data = np.column_stack(
        [shift, shift, angle, a, rows[:, Column.AREA] / a, wheel_y, -rows[:, Column.WHEEL_Z], q, force]
    )
    path = tmp_path / "few.csv"
    np.savetxt(path, data, delimiter=",", header=",".join(columns), comments="")
    got = rows_of(foreign_tables.import_table(path, columns, jumps=[JUMP]))
    rows[:, Column.RAIL_Z] = 0.0
    np.testing.assert_allclose(got, rows, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1 2 3\n4 5\n", "line 2"),
        ("1 2 nan\n4 5 6\n", "line 1"),
        ("1 2 3\nx y z\n", "line 2"),
        ("1 2 3\n", "two rows"),
    ],
)
def test_bad_rows_are_named(tmp_path, content, message):
    path = tmp_path / "bad.txt"
    path.write_text(content)
    columns = ("shift", "angle", "wheel_y")
    with pytest.raises(InputError, match=message):
        foreign_tables._read(path, len(columns))


def test_bad_columns_are_named(tmp_path):
    with pytest.raises(InputError, match="columns"):
        foreign_tables.import_table(tmp_path / "x", columns=("shift", "colour"))
    with pytest.raises(InputError, match="penetration"):
        foreign_tables.import_table(tmp_path / "x", columns=("shift", "angle", "wheel_y", "normal_force"))
