"""How large a disturbance is too large?

Amplitude of the periodic motions of Cooperrider's bogie over speed. Below 63.63 m/s the bogie always comes to
rest, above 65.29 m/s it always hunts. Between these speeds the size of the disturbance decides: the dashed
line, an unstable periodic motion, is the border.
"""

import klingel as kg
from klingel.plots.catalogue import draw
from klingel.plots.style import save

branch = kg.continue_orbit(kg.load_vehicle("cooperrider"), first=70.0, last=50.0)
save(draw("branch", branch), "branch.png")
