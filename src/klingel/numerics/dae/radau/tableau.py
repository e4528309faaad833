"""Three-stage Radau IIA collocation (order 5), diagonalised for Newton's method.

Nodes c = (4 - sqrt 6)/10, (4 + sqrt 6)/10, 1. The inverse of the coefficient matrix A has one real
eigenvalue GAMMA and a pair ALPHA +- i BETA; with A^-1 = T L T^-1,

    L = [[GAMMA, 0, 0], [0, ALPHA, -BETA], [0, BETA, ALPHA]],

the Newton system of size 3 n falls apart into a real one and a complex one of size n.

Error estimate: the embedded formula of order 3 that uses x'_n with weight 1/GAMMA,
err = (GAMMA/h M - J)^-1 (M x'_n + M (E1 Z1 + E2 Z2 + E3 Z3)/h).

Source: Hairer and Wanner, Solving Ordinary Differential Equations II (1996), sections IV.5 and IV.8.
"""

import numpy as np

_R6 = 6.0**0.5

C = np.array([(4.0 - _R6) / 10.0, (4.0 + _R6) / 10.0, 1.0])


def _collocation_matrix(c: np.ndarray) -> np.ndarray:
    """a[i, j] = integral of the j-th Lagrange polynomial from 0 to c_i."""
    k = np.arange(1, c.size + 1)
    powers = c[:, None] ** (k - 1)
    return (c[:, None] ** k / k) @ np.linalg.inv(powers)


A = _collocation_matrix(C)
A_INV = np.linalg.inv(A)


def _diagonalise() -> tuple[float, float, float, np.ndarray]:
    values, vectors = np.linalg.eig(A_INV)
    real = int(np.argmin(np.abs(np.imag(values))))
    pair = int(np.argmax(np.imag(values)))
    first = np.real(vectors[:, real])
    second = vectors[:, pair] / vectors[-1, pair]
    t = np.stack([first / first[-1], np.real(second), -np.imag(second)], axis=1)
    eigenvalue = complex(values[pair])
    return complex(values[real]).real, eigenvalue.real, eigenvalue.imag, t


GAMMA, ALPHA, BETA, T = _diagonalise()
T_INV = np.linalg.inv(T)

# sum_i E_i Z_i/h = (x_hat' - x'_n) with x_hat of order 3: e = GAMMA (b_hat - b) A^-1, see (IV.8.17)-(IV.8.19)
E = np.array([-(13.0 + 7.0 * _R6) / 3.0, (-13.0 + 7.0 * _R6) / 3.0, -1.0 / 3.0])

# x_n + sum_k SHAPE[k] s^(k+1), through x_n and the three stages: SHAPE = POWERS^-1 Z
SHAPE = np.linalg.inv(C[:, None] ** np.arange(1, 4))

# value and slope at 0 of the parabola through the stages alone, which the start of the step does not enter
_PARABOLA = np.linalg.inv(C[:, None] ** np.arange(3))
LIMIT, LIMIT_RATE = _PARABOLA[0].copy(), _PARABOLA[1].copy()
