"""The test rig of a link, simulated: what the sensors would have recorded.

A mass hangs on the link and is pushed through a spring by a motor of constant amplitude, or sways freely
(Hoffmann 2006, figures 2.50, 2.51 and 2.58). The accelerometer is a damped oscillator of its own, 19 Hz there,

    s'' + 2 zeta omega_0 s' + omega_0^2 s = omega_0^2 eta ,

which at low frequency is a delay of 2 zeta / omega_0. Its damping and the noise of the sensors are not
published: choices, kept as parameters. No measured record of a link is published either; the one shipped with the
package is `rig_record()` with the values below.
"""

from dataclasses import dataclass, replace
from math import pi

import numpy as np
from scipy.signal import lsim

from klingel.elements.link_sets import CLEARANCE, LinkLaw
from klingel.literature.links.identification import LinkMeasurement, SetUp
from klingel.literature.links.link import GRAVITY, Drive, restoring, swaying_mass
from klingel.numerics.integrate import integrate

# the law behind the shipped record: lateral stiffness and bracket near those of table 2.4, and two sliders
# whose break-outs at 1 and 4 mm make the gradual transition of the measured loops
SYNTHETIC_LAW = LinkLaw(5.0, ((12.0, 0.012), (4.0, 0.016)), bracket_stiffness=5.0, bracket_gap=CLEARANCE)


@dataclass(frozen=True)
class Rig:
    """Test rig and sensors."""

    mass: float = 378.2  # of figure 2.58 [kg]
    frequency: float = 1.0  # of the motor, near the eigenfrequency [Hz]
    motor_amplitude: float = 0.045  # [m]
    motor_stiffness: float = 9e3  # of the spring to the motor [N/m]
    sensor_frequency: float = 19.0  # omega_0 / 2 pi of the accelerometer [Hz]
    sensor_damping: float = 0.7  # zeta of the accelerometer [-]
    displacement_noise: float = 1e-5  # standard deviation [m]
    acceleration_noise: float = 0.02  # [m/s2]
    force_noise: float = 1.5  # [N]
    sampling: float = 200.0  # [Hz]

    @property
    def delay(self) -> float:
        """Delay of the accelerometer at low frequency [s]."""
        return 2 * self.sensor_damping / (2 * pi * self.sensor_frequency)


DEFAULT_RIG = Rig()


def rig_record(
    law: LinkLaw = SYNTHETIC_LAW,
    rig: Rig = DEFAULT_RIG,
    *,
    settle: float = 8.0,
    duration: float = 10.0,
    seed: int = 1,
) -> LinkMeasurement:
    """Record of the driven rig after `settle` seconds."""
    pull = rig.motor_stiffness / rig.mass
    drive = Drive(rig.motor_amplitude, rig.frequency, pull)
    fine = 1 / (10 * rig.sampling)
    run = integrate(
        swaying_mass(law, 0.0, drive), [0.0, 0.0], settle + duration, rtol=1e-9, atol=1e-12, output_step=fine
    )
    u = run["displacement"]
    motor = rig.motor_amplitude * np.sin(2 * pi * rig.frequency * run.t)
    eta = pull * (motor - u) - GRAVITY * restoring(u, run.memory)
    force = rig.motor_stiffness * (motor - u)
    sensed = _sense(rig, run.t, eta)
    rows = np.arange(round(settle / fine), len(run.t), 10)
    record = _noisy(rig, run.t[rows] - settle, u[rows], sensed[rows], force[rows], seed)
    return replace(record, comments=_provenance(law, rig, seed))


def pendulum_record(
    law: LinkLaw, start: float, arm: float, rig: Rig = DEFAULT_RIG, *, duration: float = 20.0, seed: int = 1
) -> LinkMeasurement:
    """Record of the mass released at `start` and swaying freely, the accelerometer as in equation 2.32."""
    run = integrate(
        swaying_mass(law, start), [start, 0.0], duration, rtol=1e-9, atol=1e-12, output_step=1 / rig.sampling
    )
    u = run["displacement"]
    sway = np.arctan(u / arm)
    eta = GRAVITY * (restoring(u, run.memory) * np.cos(sway) - np.sin(sway))
    sensed = _sense(rig, run.t, eta)
    record = _noisy(rig, run.t, u, sensed, None, seed, arm)
    return replace(record, comments=_provenance(law, rig, seed))


def _sense(rig: Rig, t: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """The accelerometer's own motion, at rest in the first value."""
    omega = 2 * pi * rig.sensor_frequency
    system = ([omega**2], [1.0, 2 * rig.sensor_damping * omega, omega**2])
    return eta[0] + lsim(system, eta - eta[0], t)[1]


def _provenance(law: LinkLaw, rig: Rig, seed: int) -> tuple[str, ...]:
    sliders = "; ".join(f"k_i = {stiffness:g} 1/m, T_0i = {limit:g}" for stiffness, limit in law.sliders)
    return (
        "synthetic record of a link on a test rig, made by klingel.literature.links.rig",
        f"true law, over the load: k = {law.stiffness:g} 1/m; {sliders}",
        f"true bracket: k_sb = {law.bracket_stiffness:g} 1/m beyond {1e3 * law.bracket_gap:g} mm",
        f"accelerometer: {rig.sensor_frequency:g} Hz, damping ratio {rig.sensor_damping:g}, "
        f"so {1e3 * rig.delay:.2f} ms late",
        f"noise (standard deviation): {1e3 * rig.displacement_noise:g} mm, {rig.acceleration_noise:g} m/s2, "
        f"{rig.force_noise:g} N; seed {seed}",
    )


def _noisy(rig, t, u, eta, force, seed, arm=0.0) -> LinkMeasurement:
    noise = np.random.default_rng(seed)
    size = len(t)
    return LinkMeasurement(
        time=t,
        displacement=u + rig.displacement_noise * noise.standard_normal(size),
        acceleration=eta + rig.acceleration_noise * noise.standard_normal(size),
        force=np.zeros(size) if force is None else force + rig.force_noise * noise.standard_normal(size),
        mass=rig.mass,
        setup=SetUp.DRIVEN if force is not None else SetUp.PENDULUM,
        arm=arm,
    )
