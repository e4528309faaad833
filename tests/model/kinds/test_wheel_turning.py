"""Wheels that turn at different speeds: moments about the axle, loose wheels that roll freely, stiff axles."""

from functools import cache

import numpy as np
import pytest

import klingel as kg
from klingel.io.toml_tables import FileError
from klingel.io.vehicle.files import parse_vehicle
from klingel.model import assembly
from klingel.model.output import Contact, outputs
from klingel.simulation.integration import rest_of, start_from_rest
from klingel.simulation.setup import put_on_track

SPEED, AXLE, INERTIA = 20.0, "axle_wheelset", 80.0
TRACK = kg.Track.straight(inclination=1 / 40)
FILE = """
name = "one"
[bodies.load]
mass = "10 t"
inertia = ["1 kg m2", "1 kg m2", "1 kg m2"]
position = ["0 m", "0 m", "1.5 m"]
free = ["z"]
[[parts]]
kind = "single_axle_bogie"
at = "0 m"
prefix = "axle"
carrier = "load"
wheels = "profiles"
radius = "0.46 m"
primary = {stiffness = ["200 kN/m", "200 kN/m", "1 MN/m"], damping = ["2 kNs/m", "2 kNs/m", "10 kNs/m"]}
"""


def vehicle(wheel: str = ""):
    return parse_vehicle(FILE + (f"wheel = {{{wheel}}}\n" if wheel else ""))


@cache
def run(wheel: str = "", duration: float = 0.5):
    options = {"rtol": 1e-9, "output_step": 0.01}
    return kg.simulate(vehicle(wheel), TRACK, SPEED, duration, {f"{AXLE}.y": 3e-3}, **options)


def values(wheel: str, name: str) -> np.ndarray:
    return run(wheel)[f"{AXLE}.{name}"].to_numpy()


def test_moments_of_the_contacts_turn_each_wheel():
    compiled = put_on_track(
        vehicle('turning = "apart", torsion = "1 MNm/rad", torsion_damping = "1 kNms/rad"'), TRACK, SPEED
    )
    start = start_from_rest(compiled, rest_of(compiled), {f"{AXLE}.y": 1e-3})
    at = {name: compiled.layout.state(f"{AXLE}.{name}") for name in ("spin_dot", "spin_apart", "twist")}
    x = start.x.copy()
    x[at["spin_apart"]], x[at["twist"]] = 0.2, 1e-4
    assembly.prepare(compiled.system, start.memory, start.mode)
    dx = np.empty_like(x)
    assembly.rhs(0.0, x, start.memory, start.mode, compiled.system, dx)
    out = outputs(compiled, np.zeros(1), x[None], start.memory[None], start.mode[None])
    y = x[compiled.layout.state(f"{AXLE}.y")]
    left, right = (  # each with its one contact
        -assembly.rolling_radius(compiled.system, w, y) * out.contact[0, w, 0, Contact.CREEP_X] for w in (0, 1)
    )
    assert abs(left - right) > 100.0
    torque = 1e6 * 1e-4 + 1e3 * 0.2
    assert dx[at["spin_dot"]] == pytest.approx((left + right) / INERTIA, rel=1e-6, abs=1e-6)
    assert dx[at["spin_apart"]] == pytest.approx(2.0 * (left - right - 2.0 * torque) / INERTIA, rel=1e-6)
    assert dx[at["twist"]] == 0.2


def test_loose_wheels_roll_freely():
    """Each on its own radius: no longitudinal creepage is left, and nothing steers the wheelset."""
    loose, rigid = 'turning = "apart"', ""
    for side in ("left", "right"):
        creepage = {wheel: np.abs(values(wheel, f"{side}.creepage_x"))[5:].max() for wheel in (loose, rigid)}
        assert creepage[loose] < 0.1 * creepage[rigid]
    y, yaw_rate, apart = (values(loose, name)[-1] for name in ("y", "yaw_dot", "spin_apart"))
    compiled = put_on_track(vehicle(loose), TRACK, SPEED)
    radius = [assembly.rolling_radius(compiled.system, w, y) for w in (0, 1)]
    half = 0.75  # of the distance of the contacts, which a yaw rate drives
    rolling = [(SPEED - side * half * yaw_rate) / r for side, r in zip((1.0, -1.0), radius, strict=True)]
    assert apart == pytest.approx(rolling[0] - rolling[1], abs=2e-3)
    assert abs(apart) > 0.02


def test_a_stiff_axle_tends_to_a_rigid_one():
    exact = values("", "y")
    off = [np.abs(values(f'turning = "apart", torsion = "{k} MNm/rad"', "y") - exact).max() for k in (3, 30, 300)]
    assert off[0] > 5.0 * off[1] > 25.0 * off[2]
    assert off[2] < 1e-6


@pytest.mark.parametrize(
    ("wheel", "field"),
    [
        ('turning = "backwards"', "wheel.turning"),
        ('turning = "apart", torsion = "-1 MNm/rad"', "torsion"),
        ('torsion = "1 MNm/rad"', "torsion.*turning = apart"),
        (
            'turning = "together", torsion_damping = "1 kNms/rad"',
            "torsion_damping.*turning = apart",
        ),
    ],
)
def test_bad_numbers_get_a_line(wheel, field):
    with pytest.raises(FileError, match=field):
        vehicle(wheel)
