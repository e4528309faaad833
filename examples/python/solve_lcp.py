"""Two contacts that push or stay open: y = A x + b, neither negative, one of each pair zero."""

import numpy as np

import klingel as kg

forces, gaps = kg.solve_lcp(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-1.0, 3.0]))
print(forces, gaps)
