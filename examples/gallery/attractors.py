"""Where does a wagon end up, and does it depend on where it comes from?

The speed of the Kbps wagon on rails inclined 1/30 is changed step by step, downwards and upwards; each step
starts from the last state of the one before. The marks are all maxima of the motion after it has settled. Below
34 m/s the motion is periodic, above it becomes irregular, and from 56 m/s on it reaches the flanges. Where the
marks of both directions differ, two motions exist at the same speed, and the history decides. This is a coarse
version of figure 5.29 of Hoffmann's thesis, which has steps of 0.2 m/s.
"""

import numpy as np

import klingel as kg
from klingel.plots.catalogue import draw
from klingel.plots.style import save

if __name__ == "__main__":  # a sweep starts other processes, which read this script again
    found = kg.sweep(
        kg.load_vehicle("kbps", links="SPP"),
        kg.Track.straight(inclination=1 / 30),
        speeds=np.arange(30.0, 60.1, 1.0),
        direction="both",
        transient=kg.FixedTransient(transient=20.0, maxima=20),
        rtol=1e-4,
    )
    save(draw("bifurcation", found, quantities=("front_wheelset.y",)), "attractors.png")
