"""Leaf spring, one branch of its hysteresis: the force law between two events as a closed form.

The spring force follows, with z the compression and G = mu0 c (z - z*) + F_r the half width of the envelope,

    dF/dt = |dz/dt| (F_env - F) / beta,     F_env = c (z - z*) + G  loading,  c (z - z*) - G  unloading

where (c, z*) = (c_h, 0) below z0 and (c_z, (1 - c_h/c_z) z0) above, once the second leaf carries. From a
reference point (z_r, F_r0), with h = z - z_r, this integrates to one expression for all modes,

    F = f0 + h (f1 + h f2) + C exp(kappa h)

==============  =============================  ===============  ===============  =======
branch          f0                             f1               f2               kappa
==============  =============================  ===============  ===============  =======
loading         f1 (z_r - z*) + F_r - f1 beta  (1 + mu0) c      0                -1/beta
unloading       f1 (z_r - z*) - F_r + f1 beta  (1 - mu0) c      0                +1/beta
simplified law  F_r0                           G(z_r) / beta    mu0 c / 2 beta   0
==============  =============================  ===============  ===============  =======

with C = F_r0 - f0. The loading branch stays exact only while z rises, the unloading one while z falls.

Source: Hoffmann (2006), equations 2.28-2.31 and B.4 after Fancher et al. (SAE 800905). Equation 2.29 is
printed with the rate of the deflection where its absolute value is meant; as printed the unloading branch
diverges.
"""

from enum import IntEnum
from math import exp
from typing import NamedTuple

from klingel._jit import kernel

LAW_SIZE = 9  # numbers of a Law in a flat parameter array
BRANCH_SIZE = 7  # numbers of a Branch in the memory


class Reading(IntEnum):
    """What the law is near equilibrium (mode AUTO)."""

    SIMPLIFIED = 0  # c (z - z*) - F dropped, as printed: undamped small motions
    FULL = 1  # the full law, its turning points moved after the step: keeps the weak damping


class Law(NamedTuple):
    """Parameters as the kernels take them; built by `LeafSpring.law` or `read_law`."""

    stiffness: float  # c_h [N/m]
    stiffness_second: float  # c_z, second leaf included [N/m]
    friction: float  # mu0 [-]
    residual: float  # F_r [N]
    decay: float  # beta [m]
    near_equilibrium: float  # F_tol [N]
    second_leaf: float  # z0 [m]
    z_star: float  # z* above z0 [m]
    reading: int  # a Reading


class Branch(NamedTuple):
    """The memory: reference point and coefficients of the present branch."""

    z_ref: float  # [m]
    f0: float  # [N]
    f1: float  # [N/m]
    f2: float  # [N/m^2]
    amplitude: float  # C [N]
    kappa: float  # [1/m]
    stage: float  # 0 main leaves, 1 second leaf carries as well


@kernel
def read_law(p, first):
    """Law from LAW_SIZE numbers of a parameter array."""
    return Law(
        p[first],
        p[first + 1],
        p[first + 2],
        p[first + 3],
        p[first + 4],
        p[first + 5],
        p[first + 6],
        p[first + 7],
        int(p[first + 8]),
    )


@kernel
def read_branch(memory, first):
    """Branch from BRANCH_SIZE numbers of the memory."""
    return Branch(
        memory[first],
        memory[first + 1],
        memory[first + 2],
        memory[first + 3],
        memory[first + 4],
        memory[first + 5],
        memory[first + 6],
    )


@kernel
def write_branch(branch, memory, first):
    memory[first] = branch.z_ref
    memory[first + 1] = branch.f0
    memory[first + 2] = branch.f1
    memory[first + 3] = branch.f2
    memory[first + 4] = branch.amplitude
    memory[first + 5] = branch.kappa
    memory[first + 6] = branch.stage


@kernel
def force(branch, z):
    h = z - branch.z_ref
    value = branch.f0 + h * (branch.f1 + h * branch.f2)
    if branch.amplitude != 0.0:  # near rest there is no exponential, and it is most of the cost
        value += branch.amplitude * exp(branch.kappa * h)
    return value


@kernel
def slope(branch, z):
    """dF/dz, the dynamic stiffness [N/m]."""
    h = z - branch.z_ref
    return branch.f1 + 2.0 * h * branch.f2 + branch.amplitude * branch.kappa * exp(branch.kappa * h)


@kernel
def static_force(stage, z, law):
    """c (z - z*): the force without friction, of the given stage [N]."""
    if stage > 0.5:
        return law.stiffness_second * (z - law.z_star)
    return law.stiffness * z


@kernel
def static_energy(z, law):
    """Energy of the line c (z - z*) from zero compression on [J]."""
    if z <= law.second_leaf:
        return 0.5 * law.stiffness * z * z
    main = 0.5 * law.stiffness * law.second_leaf**2
    beyond, corner = z - law.z_star, law.second_leaf - law.z_star
    return main + 0.5 * law.stiffness_second * (beyond * beyond - corner * corner)


@kernel
def envelope(direction, stage, z, law):
    """F_env: the line the force tends to; `direction` is +1 loading, -1 unloading."""
    static = static_force(stage, z, law)
    return static + direction * (law.friction * static + law.residual)


@kernel
def directed(direction, stage, z_ref, force_ref, law):
    """Loading (+1) or unloading (-1) branch through the reference point."""
    c = law.stiffness_second if stage > 0.5 else law.stiffness
    f1 = (1.0 + direction * law.friction) * c
    f0 = envelope(direction, stage, z_ref, law) - direction * f1 * law.decay
    return Branch(z_ref, f0, f1, 0.0, force_ref - f0, -direction / law.decay, stage)


@kernel
def simplified(stage, z_ref, force_ref, law):
    """Near-equilibrium branch of the printed simplified law through the reference point."""
    c = law.stiffness_second if stage > 0.5 else law.stiffness
    half_width = law.friction * static_force(stage, z_ref, law) + law.residual
    f2 = 0.5 * law.friction * c / law.decay
    return Branch(z_ref, force_ref, half_width / law.decay, f2, 0.0, 0.0, stage)


@kernel
def rate(z, v, force, law):
    """Differential form (2.31): the force rate, loading and stage decided from v and z."""
    stage = 1.0 if z > law.second_leaf else 0.0
    direction = 1.0 if v >= 0.0 else -1.0
    return abs(v) / law.decay * (envelope(direction, stage, z, law) - force)


@kernel
def rate_simplified(z, v, law):
    """Differential form of the printed near-equilibrium law."""
    stage = 1.0 if z > law.second_leaf else 0.0
    return v / law.decay * (law.friction * static_force(stage, z, law) + law.residual)
