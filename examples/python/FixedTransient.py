"""Points of a sweep throw away a fixed time and keep a number of maxima."""

import klingel as kg

if __name__ == "__main__":
    rule = kg.FixedTransient(transient=2.0, maxima=10)
    wagon, track = kg.load_vehicle("hbbills311"), kg.Track.straight()
    found = kg.sweep(wagon, track, speeds=[45.0], transient=rule, workers=1)
    print(len(found.maxima("front_wheelset.y")[0]))
