"""The set of rest that the workbench computes: stored as `klingel rest --out` stores it."""

import klingel as kg
from klingel.app.web import diagram_work
from klingel.app.web.store import DONE, REQUEST, STOPPED
from klingel.app.web.worker import Task


class Asked:
    """A link that is told to stop after some coordinates."""

    def __init__(self, after: int = 1000):
        self.after, self.messages, self.stopped = after, [], False

    def tell(self, kind: str, **content) -> None:
        self.messages.append(content.get("message", ""))

    def wants_to_stop(self) -> bool:
        self.stopped = len(self.messages) > self.after
        return self.stopped


def test_is_read_by_everything_that_reads_rest_sets(tmp_path):
    request = kg.RunRequest(vehicle="true_asmund_yaw", speed=10.0, duration=1.0)
    (tmp_path / REQUEST).write_text(request.to_toml(), encoding="utf-8")
    task = Task("rest", str(tmp_path), "rest.json", {})
    ended = diagram_work.rest(task, Asked())
    assert ended["state"] == DONE
    found = kg.load_rest_set(tmp_path / "rest.json")
    whole = kg.rest_set(request.read_vehicle(), request.read_track(), coordinates=list(found.extent))
    assert found.vehicle == "true_asmund_yaw"
    assert found.extent == whole.extent
    assert found.final == whole.final
    assert ended["message"] == f"{len(found.extent)} coordinates held by dry friction"


def test_stopped_keeps_what_is_known(tmp_path):
    request = kg.RunRequest(vehicle="true_asmund_yaw", speed=10.0, duration=1.0)
    (tmp_path / REQUEST).write_text(request.to_toml(), encoding="utf-8")
    for after in (0, 1):
        ended = diagram_work.rest(Task("rest", str(tmp_path), "rest.json", {}), Asked(after))
        assert ended["state"] == STOPPED
        assert len(kg.load_rest_set(tmp_path / "rest.json").extent) == after
