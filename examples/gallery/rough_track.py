"""How does a wagon ride on an irregular track?

Random irregularities of low level, 30 m/s on rails inclined 1/20, where the wagon does not hunt by itself:
lateral motion of all bodies, moved by the track alone.
"""

import klingel as kg
from klingel.plots.catalogue import draw
from klingel.plots.style import save
from klingel.track.irregularity import Random

track = kg.Track.straight(inclination=1 / 20, irregularity=(Random("B176 low", seed=1, length=700.0),))
run = kg.simulate(kg.load_vehicle("hbbills311"), track, speed=30.0, duration=20.0, rtol=1e-5)
save(draw("lateral", run, along="distance"), "rough-track.png")
