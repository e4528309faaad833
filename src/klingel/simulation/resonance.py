"""Estimates of where the wheelsets' motion meets yaw of the carbody (Hoffmann 2006, equation (5.1)).

    f_yaw = 1/(2 pi) sqrt(sum x² k_y / I_zz)        f_w = V/(2 pi) sqrt(lambda / (b_0 r_0))

The sum goes over the connections of the body, x their distance from its centre of mass along the track and k_y
their lateral stiffness: that of the springs plus, for sliders, the secant limit / 10 mm. For a two-axle wagon it
is 4 a² k_y. lambda is the equivalent conicity at an amplitude of 3 mm, 2 b_0 the distance of the running circles,
r_0 their radius.
"""

from math import pi, sqrt

from klingel._errors import InputError
from klingel.contact.table.table_conicity import equivalent_conicity
from klingel.io.contact.cache import cached_table, wheelset_on_track
from klingel.model.description import Body, Vehicle, Wheelset
from klingel.model.kinds.slow_path import secant

SECANT = 0.010  # deformation of the links [m]
AMPLITUDE = 0.003  # of the equivalent conicity [m]


def suspended(vehicle: Vehicle) -> Body:
    """The heaviest body that hangs on connections."""
    inner = {connection.inner for connection in vehicle.connections}
    bodies = [body for body in vehicle.bodies if body.name in inner and body.inertia[2] > 0.0]
    if not bodies:
        raise InputError("vehicle", vehicle.name, "must have a body on a suspension")
    return max(bodies, key=lambda body: body.mass)


def lateral_stiffness(vehicle: Vehicle, connection: str) -> float:
    """Of one connection: springs, and sliders by their secant [N/m]."""
    laws = [e.law for e in vehicle.elements if e.connection == connection and e.direction == "y"]
    return sum(secant(law, SECANT) for law in laws)


def yaw_frequency(vehicle: Vehicle) -> float:
    """f_yaw of the carbody [Hz]."""
    body = suspended(vehicle)
    hung = [c for c in vehicle.connections if c.inner == body.name]
    stiffness = sum((c.point[0] - body.position[0]) ** 2 * lateral_stiffness(vehicle, c.name) for c in hung)
    return sqrt(stiffness / body.inertia[2]) / (2.0 * pi)


def wheelset_frequency(wheelset: Wheelset, rail: str, inclination: float, gauge: float) -> float:
    """f_w / V, by Klingel's formula [1/m]."""
    table = cached_table(
        wheelset_on_track(
            wheelset.profile,
            rail,
            inclination,
            gauge,
            wheelset.radius,
            wheelset.back_to_back,
            residual=wheelset.profile_residual,
            wheel_right=wheelset.profile_right,
        )
    )
    conicity = equivalent_conicity(table, AMPLITUDE)
    return sqrt(conicity / (0.5 * table.conditions.spacing * wheelset.radius)) / (2.0 * pi)
