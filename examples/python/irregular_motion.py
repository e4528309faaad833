"""A motion of the Hbbills 311 that does not repeat: where it crosses the middle of the track."""

import klingel as kg

found = kg.irregular_motion(kg.load_vehicle("hbbills311"), speed=45.0, duration=10.0, exponent=False)
print(found.section.t.size, found["front_wheelset.yaw"][:3])  # points, yaw angle there [rad]
