"""What happens in a curve?

An empty Hbbills 311 runs at 20 m/s through a left curve of 1000 m with 150 mm of cant: lateral shift, yaw and
the forces between wheel and rail over the distance. At 31.3 m/s the cant would balance the curve; at 20 m/s the
wagon leans inwards. This is figure 5.32 of Hoffmann's thesis.
"""

import klingel as kg
from klingel.plots.catalogue import draw
from klingel.plots.style import save

curve = kg.Track.curve(radius=1000.0, cant=0.150, transition=100.0, length=300.0, lead_in=50.0)
run = kg.simulate(kg.load_vehicle("hbbills311", links="PTP"), curve, speed=20.0, duration=35.0, rtol=1e-4)
save(draw("curve", run), "curve.png")
