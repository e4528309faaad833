"""De Pater's wheelset on a tangent track: four coordinates over the distance run, single and double contact.

section 3  `geometry` (circular profiles; real ones are in `contact.geometry.continuation`)
section 4  `equations_of_motion`, with the creepages of section 5, the creep law of section 6 from `creep_table`
           and the iteration of section 7
section 8  `linear`
section 9  `hybrid_system`: flange contact as events, the problem for the integrator; `rigid` is the limit of
           stiff rails
Besides: `parameters`, `layout` of the arrays, `history` of a run, `runs`, `report`, `pictures` and `example`.
"""
