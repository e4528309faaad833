"""Input that once ended in a traceback or never: each is one line now."""

import json

import pytest

import klingel as kg
from klingel.app import cli
from klingel.io import journal
from klingel.io.runs import read_dataset, write_dataset
from klingel.io.vehicle.files import library_text, load_vehicle
from klingel.io.vehicle.toml import to_toml

RUN = ("run", "hbbills311", "--speed", "20")
SWEEP = ["sweep", "hbbills311", "--speeds", "20,21", "--transient", "0.01", "--maxima", "1", "--cap", "0.02"]
CONTACT = ("contact", "S1002", "UIC60")


@pytest.fixture
def klingel(tmp_path, monkeypatch, capsys):
    """The command in a folder of its own: code, lines on standard error, standard output."""
    monkeypatch.chdir(tmp_path)

    def called(*words: str) -> tuple[int, list[str], str]:
        monkeypatch.setattr("sys.argv", ["klingel", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.err.splitlines(), told.out

    return called


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((*RUN, "--duration", "1e308"), "klingel: --duration: must be at most 1e+07 s"),
        ((*RUN, "--output-step", "5e-324"), "klingel: --output-step: must be at least 5e-06 s here"),
        (
            (*RUN, "--duration", "1e7"),
            "klingel: output_step: must be at least 5 s here, for a result of at most 2000000",
        ),
        ((*RUN, "--rtol", "1"), "klingel: --rtol: must be at most 0.01"),
        ((*RUN, "--rtol", "0"), "klingel: --rtol: must be at least 1e-15"),
        ((*RUN, "--rtol", "nan"), "klingel: --rtol: must be at least 1e-15"),
        ((*RUN, "--rtol", "1e-30"), "klingel: --rtol: must be at least 1e-15"),
        (("run", "hbbills311", "--speed", "1e308"), "klingel: --speed: must be at most 1000 m/s"),
        (
            (*RUN, "--kick", "front_wheelset.y=" + "9" * 5000),
            "klingel: --kick front_wheelset.y: must be below 1.8e308",
        ),
        ((*RUN, "--start", "/"), "klingel: "),
        ((*SWEEP, "--seed", "-1"), "klingel: --seed: must be a whole number, at least 0"),
        ((*SWEEP, "--workers", "-3"), "klingel: --workers: must be a whole number, at least 1"),
        ((*SWEEP, "--starts", "1000000000"), "klingel: --starts: must be a whole number, at most 100000"),
        ((*CONTACT, "--step", "1e-9"), "klingel: --step: must be at least 4e-07 m"),
        ((*CONTACT, "--reach", "1e6"), "klingel: --reach: must be at most 0.1 m"),
        ((*CONTACT, "--amplitudes", "1e9"), "klingel: --amplitudes: must be below 0.1 m"),
        ((*CONTACT, "--gauge", "1400mm"), "klingel: --gauge: must be more than 1424.9 mm"),
        (("vehicles", "a\nb\x1b[31m"), "klingel: vehicle: must be a file or one of"),
        (("vehicles", "x" * 100_000), "klingel: vehicle: must be a file or one of"),
        (("validate", "a\0b.toml"), "klingel: Invalid value for 'file': Value error, embedded null byte"),
        (("validate", "/dev/zero"), "klingel: file: must be a file on a disk"),
    ],
)
def test_options(klingel, words, told):
    code, lines, _ = klingel(*words)
    assert code == 2
    assert lines[-1].startswith(told)
    assert sum(line.startswith("klingel: ") for line in lines) == 1
    assert all(len(line) < 300 and line.isprintable() for line in lines)


WAGON = library_text("hbbills311")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            WAGON.replace('wheelbase = "10 m"', f"wheelbase = {'9' * 400}"),
            "wheelbase: must be below 1.8e308",
        ),
        (f"x = {'9' * 5000}\n{WAGON}", "file: has a number of too many digits"),
        (f"x = {'[' * 2000}{']' * 2000}\n{WAGON}", "file: has too many brackets or dots"),
        (f"{'.'.join('a' * 5000)} = 1\n{WAGON}", "file: has too many brackets or dots"),
        ("[[irregularity]]\nkind = []\n", "irregularity 1.kind: must be one of shift, random, samples, got []"),
        ('rail = "UIC61"\n', "rail: must be a profile file or one of UIC60"),
        ('rail = "missing.prr"\n', "rail: must be a profile file or one of UIC60"),
        (
            WAGON.replace('"two_axle"', '"two\\n\\u001b[31maxle"'),
            "template: did you mean two_axle? must be one of two_axle, cooperrider_bogie, ",
        ),
        (WAGON.replace('"two_axle"', f'"{"z" * 100_000}"'), "template: must be one of two_axle"),
        (f"{'k' * 100_000} = 1\n{WAGON}", "kkkkk"),
    ],
)
def test_files(klingel, tmp_path, text, told):
    (tmp_path / "mine.toml").write_text(text)
    code, lines, _ = klingel("validate", "mine.toml")
    assert code == 2
    assert lines[0].startswith(f"mine.toml: {told}")
    assert all(len(line) < 300 and line.isprintable() for line in lines)


def test_rail_beside_its_track_file_is_found(klingel, tmp_path):
    from klingel.contact.profiles.uic60 import uic60
    from klingel.io.profiles import write_profile

    write_profile(tmp_path / "own.prr", uic60())
    (tmp_path / "mine.toml").write_text('rail = "own.prr"\n')
    assert klingel("validate", "mine.toml")[0] == 0
    assert kg.load_track(tmp_path / "mine.toml").rail == str(tmp_path / "own.prr")


def test_key_origin_of_a_file_of_ones_own(klingel, tmp_path):
    (tmp_path / "full.toml").write_text(
        to_toml(load_vehicle("hbbills311")).replace("[meta]", '[meta]\norigin = "x"')
    )
    code, lines, _ = klingel("run", "full.toml", "--speed", "20", "--set", "links=SPP")
    assert (code, len(lines)) == (2, 1)
    assert "is an option of wagons made by a template" in lines[0]


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('mass = "15176 kg"', 'mass = "1e-300 kg"', "carbody.mass"),
        ('wheelbase = "10 m"', 'wheelbase = "1e9 m"', "wheelbase"),
        ("height = ", 'height = "1500 m" #', "carbody.height"),
    ],
)
def test_absurd_values_are_warnings(klingel, tmp_path, old, new, where):
    section = WAGON.index("[carbody]") if where.startswith("carbody") else 0
    assert old in WAGON[section:], "the library has changed"
    (tmp_path / "mine.toml").write_text(WAGON[:section] + WAGON[section:].replace(old, new, 1))
    code, lines, out = klingel("validate", "mine.toml", "--json")
    document = json.loads(out)
    assert (code, document["ok"], document["problems"]) == (0, True, [])
    assert [warning["where"] for warning in document["warnings"]] == [where]
    assert lines[0].startswith(f"mine.toml: warning: {where}: is usually ")


def test_no_vehicle_of_the_library_is_warned_of(klingel, tmp_path):
    from klingel.io.vehicle.files import library

    for name in library():
        for text in (library_text(name), to_toml(load_vehicle(name))):
            (tmp_path / "mine.toml").write_text(text)
            code, lines, _ = klingel("validate", "mine.toml")
            assert (code, lines) == (0, []), name


def test_step_budget_ends_an_absurd_run_with_one_line(klingel, tmp_path):
    section = WAGON.index("[carbody]")
    text = WAGON[:section] + WAGON[section:].replace('mass = "15176 kg"', 'mass = "1e-300 kg"', 1)
    (tmp_path / "mine.toml").write_text(text)
    code, lines, told = klingel("run", "mine.toml", "--speed", "20", "--duration", "0.5")
    assert code == 1
    why = next(line for line in lines if line.startswith("klingel: "))
    assert why.startswith("klingel: step limit of 250000 ")
    assert "step limit" not in told  # once is enough
    assert told.splitlines()[-1] == "last third: not judged, the run broke off"


def _stored_run(path):
    run = kg.simulate(load_vehicle("hbbills311"), kg.Track.straight(), 40.0, 0.03, {"front_wheelset.y": 0.005})
    return run.save(path)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("front_left.link_y.slider_1.mode", 100, "front_left.link_y.slider_1.mode between 0 and"),
        ("front_left.guide_x.mode", -3, "front_left.guide_x.mode between 0 and"),
        ("event_owner", 10_000, "event_owner between -1 and"),
        ("event_guard", 10_000, "event_guard between -1 and"),
        ("event_new", 100, "has the mode 100 in event_new"),
    ],
)
def test_run_file_with_modes_out_of_range(klingel, tmp_path, name, value, told):
    path = _stored_run(tmp_path / "run.nc")
    data, attributes = read_dataset(path)
    modes = [str(n) for n in data if str(n).endswith(".mode")]
    name = name if name in data else next(n for n in modes if name.split(".")[1][:5] in n)
    values = data[name].to_numpy().copy()
    assert values.size
    if name == "event_new":
        values[data["event_owner"].to_numpy() >= 0] = value
    else:
        values[-1] = value
    data[name] = (data[name].dims, values, data[name].attrs)
    write_dataset(data, attributes, path)
    for words in (
        ("run", "--continue", "run.nc", "--duration", "1"),
        (*RUN, "--start", "run.nc"),
        ("plot", "run.nc"),
    ):
        code, lines, _ = klingel(*words)
        assert code == 2
        assert told.split(" between")[0].split(".")[-1] in lines[-1]
        assert lines[-1].startswith("klingel: file: ")


def test_run_file_that_does_not_say_what_its_states_are(klingel, tmp_path):
    path = _stored_run(tmp_path / "run.nc")
    data, attributes = read_dataset(path)
    names = json.loads(attributes["names"])
    attributes["names"] = json.dumps({**names, "state_info": []})
    write_dataset(data, attributes, path)
    code, lines, _ = klingel("run", "--continue", "run.nc", "--duration", "1")
    assert code == 2
    assert lines == ["klingel: file: must say what each of its 32 states is, got 'run.nc'"]


@pytest.mark.parametrize(
    ("attribute", "changed", "told"),
    [
        ("names", lambda names: {**names, "wheels": None}, "file: must be a run stored by klingel, got 'run.nc'"),
        (
            "names",
            lambda names: {k: v for k, v in names.items() if k != "wheels"},
            "file: must be a run stored by klingel, got 'run.nc'",
        ),
        ("stats", lambda stats: {**stats, "wall_time": []}, "wall_time: must be a number, got []"),
        ("request", lambda request: {**request, "solving": True}, "solving: must be a table, got True"),
        ("request", lambda _: [], "request: must be a table, got []"),
    ],
)
def test_run_file_with_other_attributes(klingel, tmp_path, attribute, changed, told):
    path = _stored_run(tmp_path / "run.nc")
    data, attributes = read_dataset(path)
    attributes[attribute] = json.dumps(changed(json.loads(attributes[attribute])))
    write_dataset(data, attributes, path)
    code, lines, _ = klingel("run", "--continue", "run.nc", "--duration", "1")
    assert code == 2
    assert lines == [f"klingel: {told}"]


def test_start_of_another_vehicle_is_refused(klingel, tmp_path):
    """Both wagons have bodies and elements of the same names."""
    _stored_run(tmp_path / "run.nc")
    code, lines, _ = klingel("run", "g69", "--speed", "20", "--start", "run.nc")
    assert (code, lines[-1]) == (2, "klingel: --start: must be a run of g69, got 'a run of hbbills311'")
    assert klingel(*RUN, "--duration", "0.02", "--set", "carbody.mass=15t", "--start", "run.nc")[0] == 0


@pytest.fixture
def unfinished(tmp_path):
    """Lines of the journal of a sweep that was stopped after its first point."""

    def stop(done: int, of: int) -> None:
        if done > 0:  # it is also told when work begins
            raise KeyboardInterrupt

    wagon, rule = load_vehicle("hbbills311"), kg.FixedTransient(0.01, 1, cap=0.02)
    kg.sweep(
        wagon,
        kg.Track.straight(),
        [20.0, 21.0],
        "up",
        transient=rule,
        workers=1,
        out=tmp_path / "sweep.nc",
        on_point=stop,
    )
    path = tmp_path / "sweep.nc.journal"
    return path, path.read_bytes().splitlines(keepends=True)


def test_journal_without_its_header(klingel, unfinished):
    path, lines = unfinished
    path.write_bytes(b"".join(lines[1:]))
    for words in (("plot", "sweep.nc"), (*SWEEP, "--out", "sweep.nc", "--resume")):
        code, told, _ = klingel(*words)
        assert code == 2
        assert (
            "must begin with the settings of its sweep" in told[-1]
            or "must be a run" in told[-1]
            or "must exist" in told[-1]
        )
    with pytest.raises(kg.InputError, match="must begin with the settings of its sweep; its first line is lost"):
        kg.load_sweep(path.with_name("sweep.nc"))


def test_journal_with_two_headers_and_points_goes_on(klingel, unfinished):
    path, lines = unfinished
    path.write_bytes(b"".join([lines[0], lines[0], *lines[1:], *lines[1:]]))
    assert kg.load_sweep(path.with_name("sweep.nc")).parameter.tolist() == [20.0]
    code, _, _ = klingel(*SWEEP, "--workers", "1", "--out", "sweep.nc", "--resume")
    assert code == 0
    assert kg.load_sweep(path.with_name("sweep.nc")).parameter.tolist() == [20.0, 21.0]


def test_journal_with_something_else_in_it(unfinished):
    path, lines = unfinished
    path.write_bytes(b"".join([*lines, journal._line({"index": 7})]))
    with pytest.raises(kg.InputError, match="must hold points of one sweep after its first line"):
        kg.load_sweep(path.with_name("sweep.nc"))
