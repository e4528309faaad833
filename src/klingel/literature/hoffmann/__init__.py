"""Claims of Hoffmann's thesis (2006) on freight wagons, contact and the integrator."""
