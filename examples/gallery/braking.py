"""At which speed does hunting stop?

The wagon starts in full hunting at 50 m/s and brakes slowly, by 0.28 m/s². At first it moves from flange to
flange, later with smaller amplitudes. This is figure 5.9 of Hoffmann's thesis. It is a quick look only: a
motion needs time to die out, so it seems to end at a lower speed than it really does. The sweep below is the
slow and sure way.
"""

import klingel as kg
from klingel.plots.catalogue import draw
from klingel.plots.style import save

start = {
    "front_wheelset.y": 5.5e-3,
    "rear_wheelset.y": -5.5e-3,
    "front_wheelset.yaw": 3e-3,
    "rear_wheelset.yaw": -2e-3,
}
wagon, track = kg.load_vehicle("hbbills311", links="PTP"), kg.Track.straight(inclination=1 / 40)
run = kg.simulate(wagon, track, 50.0, 160.0, start, acceleration=-0.28, rtol=1e-4)
save(draw("shadowing", run), "braking.png")
