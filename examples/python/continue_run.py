"""A run prolonged: the same bits as a run that was long from the beginning."""

import numpy as np

import klingel as kg

wagon, track, kick = kg.load_vehicle("hbbills311"), kg.Track.straight(), {"front_wheelset.y": 0.005}
first = kg.simulate(wagon, track, 45.0, 1.0, initial=kick)
longer = kg.continue_run(first, duration=2.0)
print(longer.time[-1], np.abs(longer["front_wheelset.y"]).max().item())
