"""The notebooks of `examples/` run from top to bottom, in a kernel of their own, and are kept without results."""

import nbformat
import pytest
from nbclient import NotebookClient

from tests.app.web.event_loop import run_apart
from tests.docs.blocks import ROOT

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": tmp_path}}
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources=where)
    run_apart(client.async_execute())
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
    assert any("image/png" in output.get("data", {}) for cell in cells for output in cell.outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_kept_without_results(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert [cell for cell in notebook.cells if cell.get("outputs") or cell.get("execution_count")] == []


def test_there_is_one_for_each_way_of_working():
    assert {p.stem for p in NOTEBOOKS} == {"first_run", "own_wagon", "critical_speed", "post_processing"}
