"""A kicked wagon: quantities by name, every event, how it ended."""

import klingel as kg

wagon = kg.load_vehicle("hbbills311")
track = kg.Track.straight(inclination=1 / 40)
run = kg.simulate(wagon, track, speed=45.0, duration=5.0, initial={"front_wheelset.y": 0.005})
print(run.ended)
print(float(abs(run["front_wheelset.y"]).max()))  # [m]
print(run.events.head())
