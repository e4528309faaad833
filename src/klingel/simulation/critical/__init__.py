"""Critical speed: the lowest speeds of a vehicle's motions, with what they depend on."""
