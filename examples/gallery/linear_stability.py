"""At which speed does rest lose its stability?

Eigenvalues of Cooperrider's bogie over speed: growth rates above, frequencies below. One pair crosses the axis
at 65.29 m/s (Hopf bifurcation). With a large disturbance the bogie hunts below that speed, too: see *How large a
disturbance is too large?* further down.
"""

import numpy as np

import klingel as kg
from klingel.plots.linear.linear_stability import draw_eigenvalues
from klingel.plots.style import save
from klingel.simulation.linear_critical_speed import eigenvalues_over_speed

bogie = kg.load_vehicle("cooperrider")
speeds = np.arange(5.0, 90.0, 0.5)
critical = kg.linear_critical_speed(bogie)
values = eigenvalues_over_speed(bogie, speeds)
save(draw_eigenvalues(speeds, values, "Cooperrider bogie", critical.speed), "linear-stability.png")
