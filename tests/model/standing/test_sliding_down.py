"""Kicks onto a flange: the wheelset let go there slides down and strikes, as one computed apart does.

Frictionless, with the carbody held: the fall is that of the planar model (profiles as points, no contact table).
The blow takes the momentum of the fall and no more than its energy: all of it in two contacts at once would press
2^0.4 times as much as in one. So lift-off after such a kick is no defect of the start.
"""

import numpy as np
import pytest

import klingel as kg
from klingel.contact.table.wheel_table import Row
from klingel.model.output import Contact, Wheel, outputs
from klingel.model.standing.equilibrium import find_rest
from klingel.simulation.integration import bare_run, start_from_rest
from klingel.simulation.request.parts import Solving
from klingel.simulation.setup import contact_sides, put_on_track
from tests.model.standing.planar_wheelset import PlanarWheelset, linear
from tests.model.standing.rigid_wheelset import RigidWheelset
from tests.model.standing.test_standing import places

SPEED, DURATION = 30.0, 0.02
TREAD, FLANGE = 6.0e-3, 6.6e-3  # shifts at which the left wheel stands on either [m]
ON_THE_WAY = 6e-3, 2e-3, 3e-3  # y, z and roll about which loads are taken as linear


class Fall:
    """What a run and the planar model do from the same start."""

    def __init__(self, load, inclination, y):
        track = kg.Track.straight(inclination=1 / inclination)
        vehicle = kg.with_value(kg.load_vehicle("hbbills311", load=load), "front_wheelset.friction", 1e-3)
        model = put_on_track(vehicle, track, SPEED)
        rest = find_rest(model)
        rigid = RigidWheelset(
            vehicle, contact_sides(vehicle.wheelsets[0], track), places(model, rest.x), model.statics.found
        )
        self.hertz = [rigid.row(w, at)[Row.HERTZ] for w, at in ((0, TREAD), (1, FLANGE), (0, FLANGE))]
        moving = [model.layout.state(f"front_wheelset.{c}") for c in ("y", "z", "roll")]
        rates = [model.layout.rate_of(f"front_wheelset.{c}") for c in ("y", "z", "roll")]
        start = start_from_rest(model, rest, {"front_wheelset.y": y})
        run = bare_run(model, start, DURATION, Solving(), None)
        row = outputs(model, run.t, run.x, run.memory, run.mode)
        contact = row.contact[:, :2, :, Contact.NORMAL]
        self.time, self.force, self.rate = run.t, np.nansum(contact, axis=2), run.x[:, rates]
        self.lift, self.place = row.wheel[:, :2, Wheel.Q].sum(axis=1), run.x[:, moving]
        self.loads = np.array([rigid.loads(place) for place in self.place])
        self.height = start.x[moving[1]] - rest.x[moving[1]]
        loads = linear(rigid.loads, ON_THE_WAY)
        self.mass = rigid.mass
        planar = PlanarWheelset(rigid.mass, loads, 1 / inclination, self.hertz, vehicle.wheelsets[0].damping)
        self.apart = planar.slide(start.x[moving], DURATION)

    def blow(self):
        """Rows from where the left wheel touches to its largest force, and to where it is open again."""
        struck = int(np.argmax(self.force[:, 0]))
        opens = self.force[:, 0] == 0.0
        touches = struck - int(np.argmax(opens[struck::-1]))
        return touches, struck, struck + int(np.argmax(opens[struck:]))

    def hardest(self):
        """Force of two contacts that take all energy at the touch, and the work of the loads after it."""
        touches, struck, _ = self.blow()
        energy = 0.5 * (np.array(self.mass) * self.rate[touches] ** 2).sum()
        moved = np.diff(self.place[touches : struck + 1], axis=0)
        energy += (0.5 * (self.loads[touches:struck] + self.loads[touches + 1 : struck + 1]) * moved).sum()
        return 2.0**0.4 * self.hertz[0] * (energy / (0.4 * self.hertz[0])) ** 0.6

    def momentum(self):
        """Vertical impulse of the rails during the blow, less that of the loads; and the change of momentum."""
        touches, _, open_again = self.blow()
        during = slice(touches, open_again + 1)
        impulse = np.trapezoid(self.lift[during] + self.loads[during, 1], self.time[during])
        return impulse, self.mass[1] * (self.rate[open_again, 1] - self.rate[touches, 1])


def opened(time, force):
    """First instant without a force."""
    return time[np.argmax(force == 0.0)]


@pytest.mark.parametrize("y", [6.7e-3, 7e-3])
@pytest.mark.parametrize("load", ["empty", "loaded"])
@pytest.mark.parametrize("inclination", [20, 30, 40])
def test_a_wheelset_on_its_flange_falls_and_strikes_as_one_computed_apart(inclination, load, y):
    fall = Fall(load, inclination, y)
    apart = fall.apart
    static = fall.force[0].sum()
    struck, struck_apart = (int(np.argmax(f[:, 0])) for f in (fall.force, apart.force))
    speed, speed_apart = fall.rate[:struck, 1].min(), apart.rate[:struck_apart, 1].min()
    here = opened(fall.time, fall.force[:, 0]), speed, fall.time[struck], fall.force[struck, 0]
    there = (
        opened(apart.time, apart.force[:, 0]),
        speed_apart,
        apart.time[struck_apart],
        apart.force[struck_apart, 0],
    )
    print(
        f"1/{inclination} {load} {1e3 * y:g} mm, higher by {1e3 * fall.height:.2f} mm, at most "
        f"{fall.hardest() / 1e3:.0f} kN by energy, impulse and momentum {fall.momentum()} Ns"
    )
    for found, first in ((here, fall.force[0]), (there, apart.force[0])):
        print(
            f"  first {first / 1e3} kN, flange open after {1e3 * found[0]:.1f} ms, {found[1]:.3f} m/s, blow after "
            f"{1e3 * found[2]:.1f} ms: {found[3] / 1e3:.0f} kN"
        )
    assert here[:3] == pytest.approx(there[:3], rel=0.12)
    assert np.abs(fall.force[0] - apart.force[0]).max() < 0.07 * static
    assert fall.force[struck, 0] < fall.hardest()
    impulse, momentum = fall.momentum()
    assert impulse == pytest.approx(momentum, rel=0.05)  # leaf friction, a tenth of the loads, is not among them
    # two contacts at the foot carry their whole load each there, here they share it
    assert apart.force[struck_apart, 0] > 0.8 * fall.force[struck, 0]
