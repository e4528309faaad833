"""Points of a sweep last until their motion repeats itself, at most twenty seconds."""

import klingel as kg

if __name__ == "__main__":
    rule = kg.UntilSettled(least=3.0, cap=20.0)
    wagon, track = kg.load_vehicle("hbbills311"), kg.Track.straight(inclination=1 / 20)
    found = kg.sweep(wagon, track, speeds=[45.0], transient=rule, workers=1)
    print(found.kinds, found["simulated"].to_numpy())
