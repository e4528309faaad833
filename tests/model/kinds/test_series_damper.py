"""Elements with several ports, a normal load and states of their own, on a rig."""

import numpy as np
import pytest
from scipy.linalg import expm

from klingel._errors import InputError
from klingel.elements.leaf_spring import TRAPEZOIDAL
from klingel.elements.series_damper import SeriesDamper
from klingel.elements.spring import Spring
from klingel.model.description import Element
from klingel.model.layout import Moves
from klingel.model.linearise import linearise
from klingel.model.output import energies, outputs
from klingel.model.problem import vehicle_problem
from klingel.model.standing.equilibrium import find_rest
from klingel.numerics.checkpoint import Checkpoint
from klingel.numerics.integrate import integrate
from tests.model.kinds.moving_ground import HEAVY, blocks
from tests.model.kinds.rig import MASS, at_rest, move, rig

LAW = SeriesDamper(stiffness=800.0, damping=20.0, damping_per_load=0.5)
PLATE = Element("foot.plate", "foot", "x", LAW, also=("y",), load="foot.z")
CARRIER = Element("foot.carrier", "foot", "z", Spring(5e3, preload=0.0))
LOAD = MASS * 9.81
TIGHT = {"rtol": 1e-11, "atol": 1e-14}


def closed_form(c: float) -> np.ndarray:
    """Of (x, v, z): m x'' = -k (x - z'), with z the damper seen from the block."""
    k = LAW.stiffness
    return np.array([[0.0, 1.0, 0.0], [-k / MASS, 0.0, k / MASS], [k / c, 0.0, -k / c]])


@pytest.mark.parametrize("gravity", [0.0, 9.81])
@pytest.mark.parametrize("direction", ["x", "y"])
def test_a_mass_on_a_plate_follows_the_matrix_exponential(gravity, direction):
    _, compiled = rig(PLATE, CARRIER, gravity=gravity)
    rest = find_rest(compiled)
    start = rest.x.copy()
    start[compiled.layout.state(f"block.{direction}_dot")] = 0.3
    problem = vehicle_problem(compiled, rest.memory, rest.mode)
    run = integrate(problem, start, 0.5, output_step=0.05, **TIGHT)
    a = closed_form(LAW.damping + LAW.damping_per_load * MASS * gravity)
    expected = np.array([expm(a * t) @ [0.0, 0.3, 0.0] for t in run.t])
    names = (f"block.{direction}", f"block.{direction}_dot", f"foot.plate.damper_{direction}")
    x, v, z = (run.x[:, compiled.layout.state(name)] for name in names)
    assert np.abs(x - expected[:, 0]).max() < 1e-10
    assert np.abs(v - expected[:, 1]).max() < 1e-9
    assert np.abs(-z - expected[:, 2]).max() < 1e-10  # deformation is track minus block


def test_states_of_elements_stand_behind_those_of_bodies_and_are_typed():
    _, compiled = rig(PLATE, CARRIER)
    kinds = [state.moves for state in compiled.layout.state_info]
    assert kinds == [Moves.POSITION] * 3 + [Moves.RATE] * 3 + [Moves.OWN] * 2
    own = compiled.layout.state_info[-1]
    assert (own.name, own.owner, own.unit) == ("foot.plate.damper_y", "foot.plate", "m")


def test_rest_lets_the_damper_go_and_carries_the_block():
    _, compiled = rig(PLATE, CARRIER, gravity=9.81)
    rest = find_rest(compiled)
    assert rest.x[compiled.layout.state("block.z")] == pytest.approx(-LOAD / 5e3, rel=1e-9)
    plate = rest.x[-2:] + rest.x[[compiled.layout.state("block.x"), compiled.layout.state("block.y")]]
    assert np.abs(plate).max() < 1e-12  # no force is left in the springs


def test_linearisation_has_the_rows_of_the_damper():
    _, compiled = rig(PLATE, CARRIER, gravity=9.81)
    matrix = linearise(compiled, find_rest(compiled)).matrix
    at = [compiled.layout.state(name) for name in ("block.x", "block.x_dot", "foot.plate.damper_x")]
    turned = np.diag([1.0, 1.0, -1.0])  # z is counted from block to track
    expected = turned @ closed_form(LAW.damping + LAW.damping_per_load * LOAD) @ turned
    assert matrix[np.ix_(at, at)] == pytest.approx(expected, rel=1e-7, abs=1e-6)


def test_energy_that_leaves_the_block_is_stored_or_heat():
    _, compiled = rig(PLATE, CARRIER, gravity=9.81)
    rest = find_rest(compiled)
    start = rest.x.copy()
    start[compiled.layout.state("block.x_dot")] = 0.3
    run = integrate(vehicle_problem(compiled, rest.memory, rest.mode), start, 0.3, output_step=1e-4, **TIGHT)
    out = energies(compiled, run.t, run.x, run.memory, run.mode)
    stored = out.stored[:, :2].sum(axis=1)
    power = out.heat[:, :2].sum(axis=1)
    heat = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(run.t))])
    v = run.x[:, compiled.layout.state("block.x_dot")]
    kinetic = 0.5 * MASS * v**2
    assert np.all(power >= 0.0)
    assert kinetic + stored + heat == pytest.approx(np.full(run.t.size, kinetic[0]), rel=1e-5)


def test_reported_force_is_that_of_the_law_in_each_direction():
    _, compiled = rig(PLATE, CARRIER, gravity=9.81)
    run = move(compiled, {"block.x_dot": 0.2, "block.y_dot": -0.1}, 0.1, output_step=0.01)
    out = outputs(compiled, run.t, run.x, run.memory, run.mode)
    for n, direction in enumerate("xy"):
        u = -run.x[:, compiled.layout.state(f"block.{direction}")]
        z = run.x[:, compiled.layout.own_states["foot.plate"] + n]
        assert out.element[:, n] == pytest.approx(LAW.stiffness * (u - z), rel=1e-12, abs=1e-12)


def test_two_dampers_and_a_load_port_that_is_damped_too():
    """Forces on a shared port add up; the load is read before any of them is written."""
    second = Element("foot.second", "foot", "x", SeriesDamper(300.0, 7.0))
    vertical = Element("foot.vertical", "foot", "z", SeriesDamper(100.0, 3.0))
    _, compiled = rig(PLATE, second, vertical, CARRIER, gravity=9.81)
    x = find_rest(compiled).x
    x[compiled.layout.state("block.x")] = 0.01
    rest, dx = at_rest(compiled), np.zeros_like(x)
    problem = vehicle_problem(compiled, rest.memory, rest.mode)
    for _ in range(2):  # nothing may be left over from the call before
        problem.rhs(0.0, x, rest.memory, rest.mode, compiled.system, dx)
        expected = -(LAW.stiffness + 300.0) * 0.01 / MASS
        assert dx[compiled.layout.state("block.x_dot")] == pytest.approx(expected, rel=1e-9)
        rate = -LAW.stiffness * 0.01 / (LAW.damping + LAW.damping_per_load * LOAD)
        assert dx[compiled.layout.own_states["foot.plate"]] == pytest.approx(rate, rel=1e-9)


def test_beside_a_leaf_spring_which_writes_its_whole_row():
    """The leaf spring begins the row of its connection anew; the damper adds to it, in this direction and that."""
    leaf = Element("foot.leaf", "foot", "z", TRAPEZOIDAL)
    vertical = Element("foot.vertical", "foot", "z", SeriesDamper(100.0, 3.0))
    _, compiled = rig(leaf, PLATE, vertical, gravity=9.81)
    rest = find_rest(compiled)
    x, dx = rest.x.copy(), np.zeros_like(rest.x)
    x[compiled.layout.state("block.x")] += 0.01
    x[compiled.layout.own_states["foot.vertical"]] += 0.02
    problem = vehicle_problem(compiled, rest.memory, rest.mode)
    for _ in range(2):
        problem.rhs(0.0, x, rest.memory, rest.mode, compiled.system, dx)
        assert dx[compiled.layout.state("block.x_dot")] == pytest.approx(-LAW.stiffness * 0.01 / MASS, rel=1e-9)
        assert dx[compiled.layout.state("block.z_dot")] == pytest.approx(-100.0 * 0.02 / MASS, rel=1e-6)


def test_a_stiff_damper_is_stepped_over_by_an_implicit_method():
    """Its own block is kept in the Jacobian: the relaxation time, a tenth of a millisecond, sets no steps."""
    stiff = Element("foot.stiff", "foot", "x", SeriesDamper(1e5, 10.0))
    spring = Element("foot.spring", "foot", "x", Spring(50.0))
    _, compiled = rig(stiff, spring, free=("x",))
    steps = {}
    for method in ("dopri54", "ros34pw2"):
        steps[method] = move(compiled, {"block.x": 0.01}, 2.0, method=method, rtol=1e-5, atol=1e-9).stats.accepted
    assert steps["ros34pw2"] < 0.2 * steps["dopri54"]


def test_a_run_taken_up_from_its_checkpoint_is_the_same():
    _, compiled = rig(PLATE, CARRIER, gravity=9.81)
    rest = find_rest(compiled)
    x = rest.x.copy()
    x[compiled.layout.state("block.x_dot")] = 0.3
    x[compiled.layout.state("block.z_dot")] = 0.1  # nothing damps it: the load on the plate swings for ever
    problem = vehicle_problem(compiled, rest.memory, rest.mode)
    choices = {"output_step": 10.0, "rtol": 1e-10, "atol": 1e-12}
    whole = integrate(problem, x, 600.0, **choices)
    part = integrate(problem, x, 600.0, **choices, on_chunk=lambda _: True)
    assert not part.complete
    saved: Checkpoint = part.checkpoint
    later = integrate(problem, saved["solver.x"], 600.0, **choices, resume=saved)
    assert np.array_equal(later.x[-1], whole.x[-1])


def test_a_relief_valve_opens_and_closes_where_the_closed_form_says():
    """Pulled with a constant speed V the force tends to c V; above the relief it rises to R + c_R (V - R / c)."""
    stiffness, damping, relief, soft, speed = 800.0, 20.0, 5.0, 4.0, 1.0
    law = SeriesDamper(stiffness, damping, relief=relief, relief_damping=soft)
    valve = Element("foot.valve", "foot", "x", law)
    rig = blocks({"block": HEAVY}, {"foot": ("track", "block")}, valve)
    run = rig.run({"block.x_dot": speed}, 0.5, output_step=0.001)
    out = outputs(rig.compiled, run.t, run.x, run.memory, run.mode)
    opens = -damping / stiffness * np.log(1.0 - relief / (damping * speed))
    assert run.events.time == pytest.approx([opens], abs=1e-9)
    final = relief + soft * (speed - relief / damping)
    later = run.t - opens
    expected = np.where(
        later < 0.0,
        damping * speed * (1.0 - np.exp(-stiffness * run.t / damping)),
        final + (relief - final) * np.exp(-stiffness * later / soft),
    )
    assert out.element[:, 0] == pytest.approx(expected, abs=1e-8)
    heat = energies(rig.compiled, run.t, run.x, run.memory, run.mode).heat[:, 0]
    assert heat[-1] == pytest.approx(final * speed, rel=1e-6)


def test_a_relief_needs_its_damping():
    with pytest.raises(InputError, match="relief_damping: must be finite and positive with a relief"):
        SeriesDamper(1.0, 1.0, relief=2.0)
