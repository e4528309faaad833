"""Motion on a nonsmooth constraint manifold: rigid wheel on rigid rail, ridges, jump laws (Frischmuth 1995)."""
