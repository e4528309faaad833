"""Bad input is told in one line: which field, what was given, what is allowed."""

import klingel as kg

try:
    kg.simulate(kg.load_vehicle("hbbills311"), kg.Track.straight(), speed=-45.0, duration=1.0)
except kg.InputError as error:
    print(error)
