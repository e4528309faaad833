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
stop            k (u - gap)^2 / 2 while it pushes       d v^2 while it pushes, and what is left at release
series damper   F^2 / 2k, the spring in series          F dz/dt of the damper
==============  ======================================  ====================================================

so stored energy plus heat is the work, element by element. Guides take theirs in impacts, see `energy`. Heat of a
leaf spring may fall for a moment, over every closed loop it rises. Integrals by Gauss's rule as in `energy`, so
rows must be those of the integrator. On any track and with any wheels: only deformations count.
"""

from dataclasses import dataclass

import numpy as np

from klingel._arguments import check_kind
from klingel._errors import InputError
from klingel.model.description import Element
from klingel.model.kinds.registry import Kind, kind_of
from klingel.model.output import energies
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
    check_kind("run", run, Run, "a run, as kg.simulate or kg.load_run gives it")
    options, vehicle = run.options, run.integrated_vehicle
    if options["output_step"] is not None:
        raise InputError("run", f"rows every {options['output_step']:g} s", "must have output_step=None")
    compiled = put_on_track(vehicle, run.track, options["speed"], options["acceleration"], options["distance"])
    t, (x, memory, mode) = run.time, run.rows()
    step = np.diff(t)
    at_rows = energies(compiled, t, x, memory, mode)
    heat = np.zeros_like(at_rows.stored)
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        between = np.ascontiguousarray(hermite(node, step, x, at_rows.rate))
        out = energies(compiled, t[:-1] + node * step, between, memory[:-1], mode[:-1])
        heat[1:] += np.cumsum(weight * step[:, None] * out.heat, axis=0)
    # what is stored just before an event and no longer just after it has become heat
    lost = np.where(step[:, None] == 0.0, at_rows.stored[:-1] - at_rows.stored[1:], 0.0)
    heat[1:] += np.cumsum(lost, axis=0)
    columns = {e.name: _columns(compiled.layout.slots, e) for e in vehicle.elements if _takes_part(e)}
    return SuspensionEnergy(
        t,
        {name: at_rows.stored[:, at].sum(axis=1) for name, at in columns.items()},
        {name: heat[:, at].sum(axis=1) for name, at in columns.items()},
    )


def _takes_part(element: Element) -> bool:
    """Guides take their energy in impacts, see `energy`."""
    return kind_of(element.law) != Kind.GUIDE


def _columns(slots: dict[str, int], element: Element) -> slice:
    return slice(slots[element.name], slots[element.name] + len(element.directions))
