"""The edits of docs/how-to/add-an-element.md, applied to a copy of the package, give an element that works."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "how-to" / "add-an-element.md").read_text(encoding="utf-8")
STEP = re.compile(r"^(New file|In) `([^`]+)`(?:, below `([^`]+)`)?:\n\n```\w+\n(.*?)```", re.MULTILINE | re.DOTALL)

# a mass slowed down by c v |v| has v = v0 / (1 + c v0 t / m)
USE = """
import numpy as np
import klingel as kg
from klingel.simulation.characteristics import wholes
from tests.model.kinds.rig import MASS, move, rig
from klingel.elements.quadratic_damper import QuadraticDamper
from klingel.io.vehicle.files import parse_vehicle
from klingel.io.vehicle.toml import to_toml
from klingel.model.description import Element
from klingel.model.output import energies

vehicle, compiled = rig(Element("foot.damper", "foot", "x", QuadraticDamper(40.0)), free=("x",))
run = move(compiled, {"block.x_dot": 2.0}, 1.0, output_step=0.1, rtol=1e-10, atol=1e-12)
exact = 2.0 / (1.0 + 40.0 * 2.0 * run.t / MASS)
print(np.abs(run.x[:, 1] - exact).max() < 1e-8)
out = energies(compiled, run.t, run.x, run.memory, run.mode)
print(np.allclose(out.heat[:, 0], 40.0 * exact**3, rtol=1e-6))

wagon = kg.load_vehicle("single_wheelset")
text = to_toml(wagon).replace("[sources]", '''
[elements.%s.damper]
law = "quadratic_damper"
direction = "y"
coefficient = 3e4

[sources]''' % wagon.connections[0].name)
own = parse_vehicle(text)
damper = next(e for e in own.elements if e.name.endswith(".damper"))
print(damper.law == QuadraticDamper(3e4), to_toml(parse_vehicle(to_toml(own))) == to_toml(own))
run = kg.simulate(own, kg.Track.straight(), speed=20.0, duration=0.5, initial={"wheelset.y": 0.002})
print(float(abs(run[damper.name + ".force"]).max()) > 0.0, "damper" in [w.name for w in wholes(own)])
try:
    parse_vehicle(text.replace("3e4", "-1.0"))
except kg.InputError as error:
    print(str(error).splitlines()[-1][:80])
"""


@pytest.mark.slow
def test_the_documented_edits_make_an_element(tmp_path):
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    touched = set()
    steps = STEP.findall(PAGE)
    assert len(steps) == 7
    for what, name, below, text in steps:
        path = tmp_path / name
        touched.add(name)
        if what == "New file":
            assert not path.exists()
            path.write_text(text, encoding="utf-8")
            continue
        old = path.read_text(encoding="utf-8")
        assert old.count(f"{below}\n") == 1, below
        path.write_text(old.replace(f"{below}\n", f"{below}\n{text}"), encoding="utf-8")
    assert len(touched) == 4
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path / 'src'}{os.pathsep}{tmp_path}"}
    environment["KLINGEL_CACHE_DIR"] = str(tmp_path / "cache")
    done = subprocess.run(
        [sys.executable, "-c", USE], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = done.stdout.splitlines()
    assert lines[:4] == ["True", "True", "True True", "True True"]
    assert "coefficient: must be" in lines[4]
