"""Points of a diagram: kinds, maxima, the numbers behind them."""

import klingel as kg

if __name__ == "__main__":
    found = kg.sweep(
        kg.load_vehicle("hbbills311"),
        kg.Track.straight(),
        speeds=[45.0, 44.0],
        transient=kg.FixedTransient(transient=2.0, maxima=5),
        workers=1,
    )
    for speed, kind, maxima in zip(found.parameter, found.kinds, found.maxima("front_wheelset.y"), strict=True):
        print(speed, kind, maxima.round(4))
    print(found.evidence[0])
    found.save("sweep.nc")
