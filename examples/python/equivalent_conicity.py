"""Equivalent conicity at 3 mm on three inclinations of the rails."""

import klingel as kg

for n in (20, 30, 40):
    table = kg.contact_table(inclination=1 / n)
    print(f"1/{n}: {kg.equivalent_conicity(table, amplitude=0.003):.3f}")
