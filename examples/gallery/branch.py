"""How large a disturbance is too large?

Periodic motions of Cooperrider's bogie over speed, followed through the fold. Below 63.63 m/s it always comes to
rest; above 65.29 m/s it always hunts; between them the dashed, unstable motion is the border.
"""

import klingel as kg
from klingel.plots.catalogue import draw
from klingel.plots.style import save

branch = kg.continue_orbit(kg.load_vehicle("cooperrider"), first=70.0, last=50.0)
save(draw("branch", branch), "branch.png")
