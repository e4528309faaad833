"""How conical is a wheelset?

Equivalent conicity over the amplitude, the same wheel on rails inclined 1/20, 1/30 and 1/40. On 1/20 it is
almost that of a cylinder and the wagon hardly hunts; on 1/40 it is large, and the frequency of hunting with it.
"""

import numpy as np

import klingel as kg
from klingel.plots.style import figure, legend, save

amplitudes = np.linspace(0.0005, 0.006, 56)
fig, ax = figure(height_cm=8.0)
for n in (20, 30, 40):
    table = kg.contact_table(wheel="S1002", rail="UIC60", inclination=1 / n)
    ax.plot(1e3 * amplitudes, [kg.equivalent_conicity(table, a) for a in amplitudes], label=f"1/{n}")
ax.set(xlabel="amplitude [mm]", ylabel="equivalent conicity [–]", ylim=(0.0, None))
legend(ax, title="inclination of the rails")
save(fig, "conicity.png")
