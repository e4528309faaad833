"""A compiled function, kept on disk; it may not allocate."""

import klingel as kg


@kg.kernel
def quadratic_damper(v, c):
    return c * v * abs(v)


print(quadratic_damper(-2.0, 3.0))
