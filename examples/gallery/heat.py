"""Where does the energy go?

Heat produced by each kind of suspension element during ten seconds of hunting at 18 m/s. It is computed from a
run that has one row for every step of the integrator. The longitudinal links and the guides produce almost
none. The curve of the leaf springs goes up and down because a part of the work of their friction is given back
when the motion reverses; only its trend is heat for good.
"""

import klingel as kg
from klingel.plots.style import figure, legend, save

run = kg.simulate(
    kg.load_vehicle("hbbills311", links="SPP"),
    kg.Track.straight(),
    speed=18.0,
    duration=10.0,
    initial={"front_wheelset.y": 0.005},
    output_step=None,
)
energy = kg.suspension_energy(run)
kinds = {}
for name, heat in energy.heat.items():
    kind = name.split(".")[1]  # front_left.link_y.slider_1 -> link_y
    kinds[kind] = kinds.get(kind, 0.0) + heat
fig, ax = figure(height_cm=8.0)
for kind, heat in kinds.items():
    ax.plot(energy.time, heat, label=kind)
ax.set(xlabel="time [s]", ylabel="heat of all corners [J]", ylim=(0.0, None))
legend(ax)
save(fig, "heat.png")
