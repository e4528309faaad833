"""What does hunting look like?

An empty Hbbills 311 at 45 m/s on rails inclined 1/40, its front wheelset kicked 5 mm to the side. The wheelsets
swing, each at its own pace, and the carbody follows. Below, every change of mode of the suspension and of the
wheel-rail contacts within half a second: each is located in time, none is smoothed.
"""

import klingel as kg
from klingel.plots.catalogue import draw
from klingel.plots.style import save

wagon = kg.load_vehicle("hbbills311", links="PTP")
track = kg.Track.straight(inclination=1 / 40)
run = kg.simulate(wagon, track, speed=45.0, duration=20.0, initial={"front_wheelset.y": 0.005})
save(draw("lateral", run, window=(18.0, 20.0)), "hunting-1-motion.png")
save(draw("events", run, window=(19.5, 20.0)), "hunting-2-events.png")
