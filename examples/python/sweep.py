"""Where the motion ends up at three speeds, each begun with the end of the one before."""

import klingel as kg

if __name__ == "__main__":  # a sweep starts other processes, which read this script again
    wagon, track = kg.load_vehicle("hbbills311"), kg.Track.straight(inclination=1 / 40)
    found = kg.sweep(wagon, track, speeds=[45.0, 40.0, 35.0], transient=kg.UntilSettled(cap=10.0), workers=1)
    print(found.parameter, found.kinds)
    print(found["front_wheelset.y.amplitude"].to_numpy())
