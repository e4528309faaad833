"""Contact of a wheelset on its track; own profiles are given by the names of their files."""

import klingel as kg

table = kg.contact_table(wheel="S1002", rail="UIC60", inclination=1 / 40, gauge=1.435)
print(table.left.jumps)  # where contact jumps, left wheel [m]
