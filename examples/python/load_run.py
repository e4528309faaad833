"""A run kept in a file, and read again with all it was made from."""

import klingel as kg

wagon, track = kg.load_vehicle("hbbills311"), kg.Track.straight()
kg.simulate(wagon, track, 45.0, 2.0, initial={"front_wheelset.y": 0.005}, out="run.nc")
run = kg.load_run("run.nc")
print(run.vehicle.name, run.options["speed"], run.time[-1])
