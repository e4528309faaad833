"""The impact oscillator against its exact event-to-event solution, its energy balance and its symmetry."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.literature.impact_oscillator.energy import energy_balance, friction_force
from klingel.literature.impact_oscillator.rate_form import oscillator_rate_form
from klingel.literature.impact_oscillator.system import Contact, Element, ImpactOscillator, impact_oscillator
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.tableaus import METHODS
from tests.literature.impact_oscillator.exact_oscillator import Numbers, solve

DURATION = 20.0  # [s]
REQUIRED = 1e-6  # [m] in x over the whole run
NAMES = {  # guard of the system -> event of the exact solution
    "slip_pos": "slip+", "slip_neg": "slip-", "stick_pos": "stick", "stick_neg": "stick",
    "contact": "wall", "release": "release",
}  # fmt: skip


@pytest.fixture(scope="module")
def exact():
    return solve(Numbers(), DURATION)


def run(parameters=None, t_end=DURATION, tolerance=1e-9, start=(0.0, 0.0), **options):
    """Displacements are centimetres and speeds about 1 m/s, hence the two absolute tolerances."""
    problem = impact_oscillator(parameters, x0=start[0])
    return integrate(problem, start, t_end, rtol=tolerance, atol=[1e-2 * tolerance, tolerance], **options)


@pytest.mark.parametrize("method", [*METHODS, "auto"])
def test_every_method_follows_the_exact_solution(exact, method):
    """Tightest tolerance 1e-9: third-order methods still need only some 1e5 steps there."""
    trajectory = run(method=method, output_step=0.02)
    assert np.abs(trajectory["x"] - exact.x(trajectory.t)).max() < REQUIRED
    assert trajectory.stats.events == len(exact.events)


def test_events_are_those_of_the_exact_solution(exact):
    trajectory = run(method="dopri54", tolerance=1e-12)
    times = np.array([time for time, _ in exact.events])
    assert trajectory.events.fired.time == pytest.approx(times, abs=1e-11)
    for event, (_, name) in zip(trajectory.events.fired, exact.events, strict=True):
        assert NAMES.get(event.guard, name if event.element == "band" else None) == name


def test_error_is_proportional_to_the_tolerance(exact):
    """A hundred times tighter gives an error between ten and a thousand times smaller."""
    errors = []
    for tolerance in (1e-5, 1e-7, 1e-9):
        trajectory = run(tolerance=tolerance, output_step=0.02)
        errors.append(np.abs(trajectory["x"] - exact.x(trajectory.t)).max())
    ratios = np.array(errors[:-1]) / np.array(errors[1:])
    assert np.all((ratios > 10) & (ratios < 1000))


def test_energy_balance():
    parameters = ImpactOscillator()
    balance = energy_balance(parameters, run(parameters, tolerance=1e-11, max_step=2e-3))
    assert balance.friction_heat > 0.0
    assert balance.impact_loss > 0.0
    assert abs(balance.residual) < 1e-8


def test_impact_law_and_consistency_of_the_slider():
    trajectory = run(t_end=5.0)
    hits = np.flatnonzero(np.isin(trajectory.t, trajectory.events.of("contact")))
    before, after = hits[::2], hits[1::2]
    assert trajectory["v"][after] == pytest.approx(-0.9 * trajectory["v"][before], rel=1e-14)
    assert np.all(trajectory.mode[before, Element.FRICTION] == 1)  # slips towards the wall ...
    assert np.all(trajectory.mode[after, Element.FRICTION] == 0)  # ... and sticks behind it
    force = friction_force(ImpactOscillator(), trajectory)
    assert force[after] == pytest.approx(force[before], rel=1e-12)


def test_wall_is_not_crossed():
    assert run(t_end=5.0)["x"].max() <= ImpactOscillator().wall + 1e-12


def test_mass_comes_to_rest_on_the_wall_and_leaves_it():
    """With a restitution of 0.2 bounces die out while the excitation presses: exact solution with rest."""
    parameters = ImpactOscillator(restitution=0.2)
    exact = solve(Numbers(restitution=0.2), 5.0)
    trajectory = run(parameters, t_end=5.0, tolerance=1e-11, output_step=0.001)
    resting = trajectory.mode[:, Element.WALL] == Contact.RESTING
    assert resting.any()
    assert len(trajectory.events.of("release")) == sum(name == "release" for _, name in exact.events) > 0
    assert np.abs(trajectory["x"] - exact.x(trajectory.t)).max() < 1e-9
    assert np.all(trajectory["v"][resting] == 0.0)


def test_mirrored_run_without_wall():
    """Without the wall x -> -x, A -> -A is a symmetry of all elements."""
    parameters = ImpactOscillator(wall=inf)
    one = run(parameters, t_end=5.0, start=(0.02, 0.1), output_step=0.01)
    other = run(replace(parameters, amplitude=-1e4), t_end=5.0, start=(-0.02, -0.1), output_step=0.01)
    assert other["x"] == pytest.approx(-one["x"], abs=1e-14)
    assert len(one.events) == len(other.events)


def test_rate_form_is_the_same_system():
    parameters = ImpactOscillator(wall=inf)
    located = run(parameters, t_end=5.0, tolerance=1e-11, output_step=0.01)
    ignored = integrate(
        oscillator_rate_form(parameters), (0.0, 0.0, 0.0), 5.0,
        rtol=1e-9, atol=[1e-12, 1e-10, 1e-6], output_step=0.01,
    )  # fmt: skip
    apart = 1e-8  # [m]
    assert ignored["x"] == pytest.approx(located["x"], abs=apart)
    slider = parameters.load * parameters.slider_stiffness
    assert ignored["friction_force"] == pytest.approx(friction_force(parameters, located), abs=slider * apart)


@pytest.mark.parametrize(
    ("field", "value"), [("mass", 0.0), ("restitution", 1.2), ("slider_limit", -1.0), ("omega", inf)]
)
def test_bad_numbers_are_named(field, value):
    with pytest.raises(InputError, match=field):
        ImpactOscillator(**{field: value})


def test_start_beyond_the_wall_is_refused():
    with pytest.raises(InputError, match="x0"):
        impact_oscillator(x0=0.03)
