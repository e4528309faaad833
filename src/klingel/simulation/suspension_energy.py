"""What suspension elements store and what they turn into heat, over a run.

An element with the force F against its deformation u takes the work F du. Of that

==============  ======================================  ====================================================
law             stored                                  heat, per time
==============  ======================================  ====================================================
spring          preload u + k u^2 / 2                   d v^2
dry friction    F^2 / 2k, the spring in series          T |v| while it slips
dead band       k (u - gap)^2 / 2                       none
leaf spring     of the line c (z - z*) it has           (F - c (z - z*)) v: what friction between the
                without friction                        leaves takes, less what they give back on turning
==============  ======================================  ====================================================

so stored energy plus heat is the work, element by element. Guides take theirs in impacts, see `energy`. Heat of a
leaf spring may fall for a moment, over every closed loop it rises. Integrals by Gauss's rule as in `energy`, so
rows must be those of the integrator. On any track and with any wheels: only deformations count.
"""

from dataclasses import dataclass

import numpy as np

from klingel._errors import InputError
from klingel.elements import dead_band, dry_friction
from klingel.elements.dead_band import DeadBand
from klingel.elements.dry_friction import DryFriction
from klingel.elements.leaf_branch import BRANCH_SIZE, Branch
from klingel.elements.leaf_spring import LeafSpring
from klingel.elements.spring import Spring
from klingel.model.builder import Compiled
from klingel.model.description import Element
from klingel.model.output import Outputs, outputs
from klingel.simulation.energy import NODES, WEIGHTS, hermite
from klingel.simulation.run import Run
from klingel.simulation.setup import put_on_track


@dataclass(frozen=True)
class SuspensionEnergy:
    """Over the rows of the run, by name of the element [J]."""

    time: np.ndarray
    stored: dict[str, np.ndarray]  # at each row
    heat: dict[str, np.ndarray]  # since the start


def suspension_energy(run: Run) -> SuspensionEnergy:
    """Stored energy and heat of every element of a run that has a row for every step."""
    options, vehicle = run.options, run.vehicle
    if options["output_step"] is not None:
        raise InputError("run", f"rows every {options['output_step']:g} s", "must have output_step=None")
    compiled = put_on_track(vehicle, run.track, options["speed"], options["acceleration"], options["distance"])
    t, (x, memory, mode) = run.time, run.rows()
    step = np.diff(t)
    at_rows = outputs(compiled, t, x, memory, mode)
    elements = [e for e in vehicle.elements if isinstance(e.law, (Spring, DryFriction, DeadBand, LeafSpring))]
    stored = {e.name: _stored(compiled, e, at_rows, memory, mode) for e in elements}
    heat = {e.name: np.zeros(t.size) for e in elements}
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        between = np.ascontiguousarray(hermite(node, step, x, at_rows.acceleration))
        out = outputs(compiled, t[:-1] + node * step, between, memory[:-1], mode[:-1])
        for e in elements:
            heat[e.name][1:] += np.cumsum(weight * step * _heating(compiled, e, out, memory[:-1], mode[:-1]))
    return SuspensionEnergy(t, stored, heat)


def _port(compiled: Compiled, element: Element) -> int:
    return compiled.layout.ports[f"{element.connection}.{element.direction}"]


def _compression(compiled: Compiled, element: Element, u: np.ndarray) -> np.ndarray:
    assert isinstance(element.law, LeafSpring)
    return element.law.static_deflection(compiled.loads[element.connection]) + u


def _stored(compiled: Compiled, element: Element, out: Outputs, memory, mode) -> np.ndarray:
    law, u = element.law, out.deformation[:, _port(compiled, element)]
    if isinstance(law, Spring):
        return (law.preload + 0.5 * law.stiffness * u) * u
    if isinstance(law, LeafSpring):
        return _without_friction(law, _compression(compiled, element, u))[1]
    state = mode[:, compiled.layout.modes.index(element.name)]
    if isinstance(law, DryFriction):
        stuck = law.stiffness * (u - memory[:, compiled.layout.memory[element.name]])
        force = np.where(state == dry_friction.Mode.STICK, stuck, law.limit)
        return 0.5 * force**2 / law.stiffness
    assert isinstance(law, DeadBand)
    stretched = np.zeros_like(u)
    for side, gap in ((dead_band.Mode.UPPER, law.gap_high), (dead_band.Mode.LOWER, law.gap_low)):
        stretched[state == side] = u[state == side] - gap
    return 0.5 * law.stiffness * stretched**2


def _heating(compiled: Compiled, element: Element, out: Outputs, memory, mode) -> np.ndarray:
    """Power of heat [W]."""
    law, port = element.law, _port(compiled, element)
    u, v = out.deformation[:, port], out.rate[:, port]
    if isinstance(law, Spring):
        return law.damping * v**2
    if isinstance(law, DryFriction):
        slips = mode[:, compiled.layout.modes.index(element.name)] != dry_friction.Mode.STICK
        return np.where(slips, law.limit * np.abs(v), 0.0)
    if isinstance(law, LeafSpring):
        z, at = _compression(compiled, element, u), compiled.layout.memory[element.name]
        branch = Branch(*memory[:, at : at + BRANCH_SIZE].T)
        h = z - branch.z_ref
        force = branch.f0 + h * (branch.f1 + h * branch.f2) + branch.amplitude * np.exp(branch.kappa * h)
        return (force - _without_friction(law, z)[0]) * v
    return np.zeros_like(u)


def _without_friction(leaf: LeafSpring, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Force and energy of the line c (z - z*) at the compression z."""
    corner = min(leaf.second_leaf, float(z.max()) + 1.0)
    second = z > corner
    main, beyond = np.minimum(z, corner), z - leaf.z_star
    force = np.where(second, leaf.stiffness_second * beyond, leaf.stiffness * z)
    extra = 0.5 * leaf.stiffness_second * (beyond**2 - (corner - leaf.z_star) ** 2)
    return force, 0.5 * leaf.stiffness * main**2 + np.where(second, extra, 0.0)
