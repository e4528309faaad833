"""Vehicles on bogies in True, Engsig-Karup and Bigoni (2013), Math. and Computers in Simulation 95, 78-97."""
