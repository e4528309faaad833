"""How far dry friction holds the bodies of a wagon beside the middle of the track."""

import klingel as kg

found = kg.rest_set(kg.load_vehicle("hbbills311"), coordinates=["carbody.y", "front_wheelset.y"])
print(found["carbody.y"], found["front_wheelset.y"])  # least and greatest place at rest [m]
