"""A run that could not go on keeps what it has."""

import klingel as kg

wagon, track = kg.load_vehicle("hbbills311"), kg.Track.straight()
try:
    kg.simulate(wagon, track, 45.0, 20.0, initial={"front_wheelset.y": 0.005}, max_steps=100)
except kg.SimulationError as error:
    print(error)
    print(error.run.time[-1])
