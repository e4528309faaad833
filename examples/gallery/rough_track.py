"""How does a wagon ride on an irregular track?

Lateral motion of all bodies at 30 m/s on a track with random irregularities of low level. The rails are inclined
1/20, where the wagon does not hunt by itself, so that only the track moves it.
"""

import klingel as kg
from klingel.plots.catalogue import draw
from klingel.plots.style import save
from klingel.track.irregularity import Random

track = kg.Track.straight(inclination=1 / 20, irregularity=(Random("B176 low", seed=1, length=700.0),))
run = kg.simulate(kg.load_vehicle("hbbills311"), track, speed=30.0, duration=20.0, rtol=1e-5)
save(draw("lateral", run, along="distance"), "rough-track.png")
