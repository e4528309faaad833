"""Where friction holds the front wheelset of a wagon, kept for pictures."""

import klingel as kg

kg.rest_set(kg.load_vehicle("hbbills311"), coordinates=["front_wheelset.y"]).save("rest.json")
print(kg.load_rest_set("rest.json")["front_wheelset.y"])  # for klingel plot sweep.nc --with rest.json
