"""How do creep forces saturate?

A wheel that creeps on the rail by a few thousandths of its speed transmits a tangential force; at the limit of
friction it slides. Six creep laws for the same contact ellipse: they agree at small creepages, where all have
Kalker's slope, and at the limit of friction. In between, and with spin, they differ.
"""

from klingel.contact.creep.catalogue import Law
from klingel.contact.creep.creepage import Patch, Settings
from klingel.contact.patch.kalker import kalker
from klingel.plots.style import save
from klingel.plots.wheel_rail.creep import creep_curves

patch = Patch(6e-3, 4.5e-3, 8e4, 0.3, 8.27e10, *kalker(6 / 4.5, 0.27))
laws = [law for law in Law if law != Law.FASTSIM_TABLE]
save(creep_curves(patch, laws, Settings(strips=20, cells=20)), "creep.png")
