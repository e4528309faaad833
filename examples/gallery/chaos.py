"""Do two almost equal starts stay together?

Two runs of the Kbps at 50 m/s that differ by a thousandth of a millimetre at the start. Their distance grows by
a factor of ten again and again until it is as large as the motion itself: the wagon moves chaotically, and only
statistics of such a motion mean anything. This is figure 5.27 of Hoffmann's thesis.
"""

import klingel as kg
from klingel.plots.catalogue import draw
from klingel.plots.style import save

wagon, track = kg.load_vehicle("kbps", links="SPP"), kg.Track.straight(inclination=1 / 30)
first, second = (
    kg.simulate(wagon, track, 50.0, 20.0, initial={"front_wheelset.y": y}, rtol=1e-8) for y in (3e-3, 3.001e-3)
)
save(draw("separation", first, other=second), "chaos.png")
