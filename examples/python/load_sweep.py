"""A sweep from its file, also one that is not finished."""

import klingel as kg

if __name__ == "__main__":
    rule = kg.FixedTransient(transient=1.0, maxima=3)
    wagon, track = kg.load_vehicle("hbbills311"), kg.Track.straight()
    kg.sweep(wagon, track, speeds=[45.0, 44.0], transient=rule, workers=1, out="sweep.nc")
    print(kg.load_sweep("sweep.nc"))
