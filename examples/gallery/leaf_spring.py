"""How does a leaf spring take energy out of a motion?

The carbody of an Hbbills 311 is lifted by 50 mm and let go. The leaves rub on each other, so loading and
unloading follow different lines; the area inside each loop is the energy that becomes heat. This is figure 5.39
of Hoffmann's thesis.
"""

import klingel as kg
from klingel.plots.catalogue import draw
from klingel.plots.style import save

run = kg.simulate(
    kg.load_vehicle("hbbills311", links="SPP"),
    kg.Track.straight(inclination=1 / 30),
    speed=20.0,
    duration=5.0,
    initial={"carbody.z": 0.050},
    leaves="loading",
    output_step=0.001,
)
save(draw("hysteresis", run, quantities=("front_left.leaf",)), "leaf-spring.png")
