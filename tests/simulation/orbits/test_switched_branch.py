"""`klingel continue --switch` on a vehicle: Cooperrider's bogie loses its symmetry behind two folds.

From 109.5 m/s the hunting cycle is followed over the fold at 114.61 m/s and back to 109.71 m/s, where it loses its
symmetry; the asymmetric cycle that leaves there goes over a fold of its own and is followed upwards from it.
"""

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.numerics.integrate import integrate
from klingel.simulation.orbits.result import load_branch
from klingel.simulation.orbits.vehicle_family import vehicle_family

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=["cooperrider", "cooperrider_smooth"])
def switched(request, tmp_path_factory):
    out = tmp_path_factory.mktemp("switched") / "branch.nc"
    words = ["continue", request.param, "--from", "109.5", "--to", "114.7", "--switch", "1"]
    told = CliRunner().invoke(app, [*words, "--out", str(out), "--json"])
    assert told.exit_code == 0, told.output
    return request.param, json.loads(told.stdout), load_branch(out)


def special(document, kind: str, part: int) -> list[float]:
    return [s["parameter"] for s in document["special"] if (s["type"], s["part"]) == (kind, part)]


def test_leaves_where_symmetry_is_lost(switched):
    """Smooth and piecewise flange differ by 3 mm/s."""
    name, document, _ = switched
    first, second = document["parts"]
    assert first["ended"] == second["ended"] == "reached the end of the range"
    expected = 109.713672 if name == "cooperrider" else 109.711211
    assert second["type"] == "symmetry"
    assert second["parameter"] == pytest.approx(expected, abs=2e-5)
    assert special(document, "symmetry", 0) == pytest.approx([second["parameter"]])
    assert special(document, "fold", 0)[-2:] == pytest.approx([114.6113, 109.5751], abs=5e-4)
    assert special(document, "fold", 1) == pytest.approx([109.6530], abs=6e-4)
    assert special(document, "torus", 1) == pytest.approx([112.783], abs=2e-3)


def test_switched_branch_is_asymmetric_and_gains_stability(switched):
    """One multiplier beyond 1 up to the fold, a pair outside the unit circle up to the torus, none behind it.

    The time-shift multiplier of all orbits on the piecewise flange is 1 to 1e-6; on flanges rounded over 20 um it
    comes out within 9e-6 only on unstable orbits of these speeds, symmetric or not.
    """
    name, document, branch = switched
    here = branch["part"].to_numpy() == 1
    assert not branch["half"].to_numpy()[here].any()
    assert branch["half"].to_numpy()[~here].all()
    (torus,) = special(document, "torus", 1)
    behind = branch.parameter[here] > torus
    assert behind.sum() >= 2
    assert np.array_equal(branch.stable[here], behind)
    assert np.abs(branch["time_shift"].to_numpy()).max() < (1e-6 if name == "cooperrider" else 2e-5)


def test_touching_that_is_lost_at_the_end_of_the_list(switched):
    """The asymmetric cycle loses a touch of its front flange, its last event as listed, and goes on."""
    name, document, branch = switched
    events = branch["events"].to_numpy()[branch["part"].to_numpy() == 1]
    if name == "cooperrider_smooth":
        assert not events.any()
        return
    assert special(document, "sequence", 1)[0] == pytest.approx(109.6776411, abs=1e-6)
    assert events[0] == 16
    assert events[-1] == 14


def test_plain_runs_close(switched):
    """Stored states of the switched branch, recomputed by `integrate` at a tolerance ten times tighter.

    Half a period later the motion is not its own mirror image: that is what has been switched to.
    """
    name, _, branch = switched
    of = vehicle_family(kg.load_vehicle(name), kg.Track.straight(), "speed", 110.0, 110.0)
    mirror = np.asarray(of.family.symmetry)
    for k in np.flatnonzero(branch["part"].to_numpy() == 1):
        state, memory, mode = (branch[part][k].to_numpy() for part in ("state", "memory", "mode"))
        memory, mode = memory[~np.isnan(memory)], mode[mode >= 0].astype(np.int8)
        problem = replace(of.family.at(float(branch.parameter[k])), memory=memory, mode=mode)
        scale, n = np.full(state.size, 1e-2), state.size
        ends = []
        for part in (0.5, 1.0):
            run = integrate(
                problem, state, part * float(branch["period"][k]), method="verner65", rtol=1e-11,
                atol=1e-11 * scale, redo_events=True,
            )  # fmt: skip
            ends.append(run.x[-1])
            scale = 0.5 * np.ptp(run.x, axis=0)
        assert np.abs((ends[1] - state) / scale).max() < 1e-6
        assert np.abs((mirror[:n, :n] @ ends[0] - state) / scale).max() > 1e-2
