"""The motion of Cooperrider's bogie that divides rest from hunting: disturbances larger than it are too large."""

import klingel as kg

bogie, front = kg.load_vehicle("cooperrider"), "leading_front_wheelset.y"
hunting = kg.simulate(bogie, kg.Track.straight(), speed=66.0, duration=20.0, initial={front: 0.012})
found = kg.edge_motion(bogie, speed=63.8, small={}, large=hunting, duration=3.0, near=1e-4, apart=1e-2)
print(found.small, found.amplitude[front], found.large)  # half widths: rest, on the edge, hunting [m]
