"""Data and files over HTTP, without a browser; what strangers try is answered by one line."""

import io
import zipfile

import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

import klingel as kg
from klingel.app.web import api
from klingel.app.web.series import unpacked
from klingel.app.web.workbench import Workbench
from tests.app.web.requests import SHORT, wait_until


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    found = Workbench(tmp_path_factory.mktemp("workbench") / "runs", workers=1)
    yield found
    found.close()


@pytest.fixture(scope="module")
def client(bench):
    app = FastAPI()
    app.add_exception_handler(kg.InputError, api.bad_input)
    app.include_router(api.router(bench))
    return TestClient(app)


@pytest.fixture(scope="module")
def run(client):
    """Id of a short run that is done."""
    answer = client.post("/api/runs", json=SHORT)
    assert answer.status_code == 200, answer.text
    id = answer.json()["id"]
    wait_until(lambda: not client.get(f"/api/runs/{id}").json()["alive"])
    assert client.get(f"/api/runs/{id}").json()["state"] == "done"
    return id


def test_list(client, run):
    assert run in [one["id"] for one in client.get("/api/runs").json()]


def test_series(client, run, bench):
    answer = client.get(f"/api/runs/{run}/series?names=front_wheelset.y,carbody.yaw&n=64")
    head, _, ys = unpacked(answer.content)
    stored = kg.load_run(bench.store.result(run))
    assert head["rows"] == stored.time.size
    assert head["points"] <= 66
    assert ys[0].max() == pytest.approx(1e3 * float(stored["front_wheelset.y"].max()), rel=1e-6)
    over = unpacked(client.get(f"/api/runs/{run}/series?names=front_wheelset.y&x=distance").content)
    assert over[1][-1] == pytest.approx(18.0, rel=1e-6)
    pair = unpacked(client.get(f"/api/runs/{run}/series?names=front_wheelset.yaw&x=front_wheelset.y").content)
    np.testing.assert_allclose(pair[1], 1e3 * stored["front_wheelset.y"], rtol=1e-6)


def test_events_are_those_of_the_run(client, run, bench):
    found = client.get(f"/api/runs/{run}/events").json()
    events = kg.load_run(bench.store.result(run)).events
    assert found["count"] == len(events)
    assert found["element"] == events["element"].tolist()
    np.testing.assert_allclose(found["time"], events["time"])
    part = client.get(f"/api/runs/{run}/events?t0=0.2&t1=0.4").json()
    assert part["count"] == int(events["time"].between(0.2, 0.4).sum())


def test_bands_are_the_modes_of_the_rows(client, run, bench):
    """A band has the mode of its wheel; outside all bands it is that of the middle of the track."""
    stored = kg.load_run(bench.store.result(run))
    found = client.get(f"/api/runs/{run}/modes?t0=0.1&t1=0.9").json()
    assert found["count"] == client.get(f"/api/runs/{run}/events?t0=0.1&t1=0.9").json()["count"]
    lines = {line["name"]: line for line in found["lines"]}
    wheels = [name for name in stored.names["wheels"] if name in lines]
    assert wheels
    for name in wheels:
        line, seen = lines[name], stored[f"{name}.mode"].to_numpy()
        for t, mode in zip(stored.time, seen, strict=True):
            near = [edge for start, end, _ in line["spans"] for edge in (start, end) if abs(edge - t) < 1e-6]
            if 0.1 < t < 0.9 and not near:
                inside = [m for start, end, m in line["spans"] if start < t < end]
                assert (inside or [line["base"]]) == [mode]
    assert all(line["spans"] or line["instants"] for line in found["lines"])


def test_spectra_are_those_of_the_pictures(client, run, bench):
    from klingel.plots.runs.spectrum import spectrum

    stored = kg.load_run(bench.store.result(run))
    found = client.get(f"/api/runs/{run}/spectrum?t0=0&t1=1").json()
    assert {one["name"] for one in found} == {"front_wheelset.y", "rear_wheelset.y", "carbody.y"}
    for one in found:
        expected = spectrum(stored, one["name"], (0.0, 1.0))
        inside = expected.frequency <= 50.0
        np.testing.assert_allclose(one["frequency"], expected.frequency[inside])
        np.testing.assert_allclose(one["power"], expected.power[inside])
        assert (one["unit"], one["strongest"]) == ("mm", expected.strongest())


def test_frames(client, run):
    head, _, ys = unpacked(client.get(f"/api/runs/{run}/frames?n=50").content)
    assert head["points"] <= 51
    names = [one["name"] for one in head["series"]]
    assert {"carbody.roll", "front_wheelset.y", "front_wheelset.left.Q"} <= set(names)
    assert ys[names.index("front_wheelset.y")][0] == pytest.approx(5e-3, rel=1e-6)


def test_files(client, run):
    request = client.get(f"/api/runs/{run}/files/request.toml").text
    assert kg.RunRequest.from_toml(request) == kg.RunRequest.from_dict(SHORT)
    assert client.get(f"/api/runs/{run}/files/run.nc").content[:4] == b"\x89HDF"


def test_pictures_table_and_report(client, run):
    picture = client.get(f"/api/runs/{run}/picture.svg?kind=lateral&t0=0&t1=0.5")
    assert b"<svg" in picture.content
    assert client.get(f"/api/runs/{run}/picture.png?kind=events").content[:4] == b"\x89PNG"
    lines = client.get(f"/api/runs/{run}/table.csv?names=front_wheelset.y").text.splitlines()
    assert lines[0] == "time [s],distance [m],front_wheelset.y [m]"
    assert len(lines) == 102
    with zipfile.ZipFile(io.BytesIO(client.get(f"/api/runs/{run}/report.zip").content)) as archive:
        page = archive.read("report/index.html").decode()
    assert "18 m/s" in page


def test_uploaded_profile_goes_with_the_run(client, bench, tmp_path):
    """Its request names it without a folder, and the folder of the run has it: it can go on elsewhere."""
    cone = "\n".join(f"{0.5 * k - 60:.3f} {0.025 * k - 3:.6f}" for k in range(190))
    bench.keep_upload("cone.whl", f"# wheel\n{cone}".encode())
    vehicle = {**SHORT["vehicle"], "changes": {"profile": "cone.whl"}}
    id = client.post("/api/runs", json={**SHORT, "duration": "0.2 s", "vehicle": vehicle}).json()["id"]
    wait_until(lambda: not client.get(f"/api/runs/{id}").json()["alive"])
    assert 'profile = "cone.whl"' in bench.store.request(id)
    assert str(bench.store.folder) not in bench.store.request(id)
    assert client.get(f"/api/runs/{id}/files/cone.whl").text.startswith("# wheel")
    assert client.get(f"/api/runs/{id}/files/status.json").status_code == 404
    first = kg.load_run(bench.store.result(id))
    place = tmp_path / "runs" / id
    place.parent.mkdir()
    bench.store.place(id).rename(place)
    bench.registry.known.pop(id)
    (bench.store.folder / ".uploads" / "cone.whl").unlink()
    elsewhere = Workbench(tmp_path / "runs", workers=1)
    try:
        elsewhere.registry.go_on(id, 0.3)
        wait_until(lambda: not elsewhere.registry.status(id).alive)
        found = kg.load_run(elsewhere.store.result(id))
        assert found.stats.simulated_time == pytest.approx(0.3)
        rows = first.time.size
        assert (found.values("front_wheelset.y")[:rows] == first.values("front_wheelset.y")).all()
        elsewhere.keep_upload("cone.whl", b"of someone else")
        tables = elsewhere.bring_back(id, {"vehicle": {"changes": {"profile": "cone.whl"}}})
        assert tables["vehicle"]["changes"]["profile"] == "cone-2.whl"
        asked = {**SHORT, "vehicle": {**vehicle, **tables["vehicle"]}}
        checked = elsewhere.previews.ask("request", asked, elsewhere.uploads)
        assert [path.rpartition("/")[2] for path in checked["files"]] == ["cone-2.whl"]
    finally:
        elsewhere.close()


def test_prolonged(client, run, bench):
    assert client.post(f"/api/runs/{run}/continue?duration=1.5").status_code == 200
    wait_until(lambda: not client.get(f"/api/runs/{run}").json()["alive"])
    assert kg.load_run(bench.store.result(run)).stats.simulated_time == pytest.approx(1.5)


@pytest.mark.parametrize(
    "tables",
    [
        {},
        {**SHORT, "vehicle": "../../etc/passwd"},
        {**SHORT, "vehicle": {"name": "/etc/passwd"}},
        {**SHORT, "speed": -3},
        {**SHORT, "duration": "1e300 s"},
        {**SHORT, "start": {"run": "/etc/passwd"}},
        {**SHORT, "track": "/etc/passwd"},
        {**SHORT, "track": {"rail": "/etc/passwd"}},
        {**SHORT, "track": {"irregularity": [{"kind": "samples", "file": "/etc/passwd"}]}},
        {**SHORT, "vehicle": {"name": "hbbills311", "changes": {"carbody.mass": "-3 kg"}}},
        {**SHORT, "vehicle": {"name": "hbbills311", "changes": {"profile": "/etc/passwd"}}},
        {**SHORT, "vehicle": {"name": "hbbills311", "changes": {"front_wheelset.profile": "/etc/passwd"}}},
        {**SHORT, "unknown": 1},
        {**SHORT, "vehicle": {"description": "a = " + "[" * 100_000}},
        {**SHORT, "vehicle": {"description": "name = 'x'\n" + "a.b.c.d.e.f = 1\n" * 5}},
    ],
)
def test_bad_requests_get_one_line(client, tables):
    answer = client.post("/api/runs", json=tables)
    assert answer.status_code == 422
    told = answer.json()["error"]
    assert told
    assert "\n" not in told.strip() or "vehicle" in told
    assert "root:" not in told  # nothing of the file itself


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"\xff\xff", b"[" * 50_000])
def test_requests_that_are_no_tables(client, body):
    assert client.post("/api/runs", content=body).status_code == 422


@pytest.mark.parametrize(
    "address",
    [
        "/api/runs/nosuch",
        "/api/runs/..%2f..%2fetc/files/passwd",
        "/api/runs/nosuch/series?names=a",
        "/api/runs/{run}/files/..%2f..%2fstatus.json",
        "/api/runs/{run}/files/options.json",
        "/api/runs/{run}/files/%2fetc%2fpasswd",
        "/api/runs/{run}/series?names=nosuch.y",
        "/api/runs/{run}/series?names=front_wheelset.y&x=nosuch",
        "/api/runs/{run}/spectrum?names=nosuch.y",
        "/api/runs/nosuch/modes",
        "/api/runs/nosuch/branch",
        "/api/runs/..%2f..%2fetc/rest",
        "/api/runs/{run}/picture.exe",
        "/api/runs/{run}/picture.png?kind=nosuch",
    ],
)
def test_addresses_that_lead_nowhere(client, run, address):
    answer = client.get(address.format(run=run))
    assert answer.status_code in (404, 422)
    assert "root:" not in answer.text
    assert client.get("/api/runs").status_code == 200


def test_uploads_have_plain_names(bench):
    path = bench.keep_upload("worn.prw", b"x")
    assert path.parent == bench.store.folder / ".uploads"
    for name in ("../x", "/etc/x", ".hidden", "a/b", "a\0b", "", "x" * 300):
        with pytest.raises(kg.InputError):
            bench.keep_upload(name, b"x")
    with pytest.raises(kg.InputError, match="no file of a run has"):
        bench.keep_upload("Request.toml", b"x")
    with pytest.raises(kg.InputError, match="at most 1 MB"):
        bench.keep_upload("large.prw", b"x" * (1024**2 + 1))


def test_question_that_never_ends_is_given_up(bench):
    from klingel.app.web.helper import Helper

    helper = Helper("tests.app.web.slow_answers")
    try:
        assert helper.ask("quick") == 1
        with pytest.raises(kg.InputError, match="took longer than"):
            helper.ask("endless", timeout=0.5)
        with pytest.raises(RuntimeError, match="ended suddenly"):
            helper.ask("dies")
        assert helper.ask("quick") == 1
    finally:
        helper.close()


def test_secret_is_private_and_stays(bench):
    first = bench.secret()
    assert first == bench.secret()
    assert (bench.store.folder / ".secret").stat().st_mode & 0o077 == 0
