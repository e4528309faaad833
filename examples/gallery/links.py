"""Which double-links run best?

A braking run with each of four parameter sets of the double-links: amplitude of the front wheelset, taken over
windows of two seconds. The links decide how stiffly a wheelset is guided and how much of its motion is turned into
heat.
"""

import numpy as np

import klingel as kg
from klingel.plots.style import figure, legend, save

start = {"front_wheelset.y": 5.5e-3, "rear_wheelset.y": -5.5e-3, "front_wheelset.yaw": 3e-3}
fig, ax = figure(height_cm=8.0)
for links in ("PTP", "SPP", "ASZ", "MP"):
    wagon = kg.load_vehicle("hbbills311", links=links)
    run = kg.simulate(wagon, kg.Track.straight(), 50.0, 150.0, start, acceleration=-0.3, rtol=1e-4)
    y, speed = run["front_wheelset.y"].to_numpy(), 50.0 - 0.3 * run.time
    rows = 200  # of 10 ms
    parts = [slice(k, k + rows) for k in range(0, y.size - rows, rows)]
    ax.plot([speed[p].mean() for p in parts], [1e3 * 0.5 * np.ptp(y[p]) for p in parts], label=links)
ax.set(xlabel="speed [m/s]", ylabel="amplitude of the front wheelset [mm]", ylim=(0.0, None))
legend(ax, title="links")
save(fig, "links.png")
