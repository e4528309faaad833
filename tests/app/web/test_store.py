"""One folder per run, read again at start; nothing outside it."""

import json

import pytest

import klingel as kg
from klingel.app.web.store import DONE, LOST, RUN, RUNNING, STOPPED, Store


def test_what_was_written_is_read_again(tmp_path):
    store = Store(tmp_path / "runs")
    status = store.create(RUN, "Hbbills 311: 18 m/s", "speed = 18\n")
    status.state, status.simulated = DONE, 20.0
    store.write(status)
    again = Store(tmp_path / "runs").read_all()
    assert again[status.id] == status
    assert store.request(status.id) == "speed = 18\n"
    store.remove(status.id)
    assert Store(tmp_path / "runs").read_all() == {}


def test_work_of_a_server_that_ended_is_stopped(tmp_path):
    store = Store(tmp_path)
    status = store.create(RUN, "run", "")
    status.state = RUNNING
    store.write(status)
    found = Store(tmp_path).read_all()[status.id]
    assert (found.state, found.message) == (STOPPED, LOST)


def test_strange_folders_are_passed_over(tmp_path):
    store = Store(tmp_path)
    for name, content in (("broken", "{"), ("list", "[]"), ("other", '{"id": "other"}'), ("kind", None)):
        (tmp_path / name).mkdir()
        if content is not None:
            (tmp_path / name / "status.json").write_text(content)
    (tmp_path / "unknown").mkdir()
    odd = {"id": "unknown", "kind": "rm -rf", "title": "x", "created": 1.0}
    (tmp_path / "unknown" / "status.json").write_text(json.dumps(odd))
    assert store.read_all() == {}


@pytest.mark.parametrize("name", ["..", ".", "../..", "/etc", "a/b", "", ".uploads", "A", "x\0", "n" * 200])
def test_no_name_leads_out_of_the_folder(tmp_path, name):
    store = Store(tmp_path / "runs")
    with pytest.raises(kg.InputError, match="is not in the run folder"):
        store.place(name)
