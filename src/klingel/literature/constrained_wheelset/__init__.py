"""Wheelset with conical wheels on rigid rails of circular section (Hoffmann 2006, appendix B.4).

The contact is a constraint. Two forms of the equations are offered, which agree: `augmented` (all coordinates,
multipliers from one linear system, drift corrected at events) and `reduced` (five states, constraints solved).
"""
