"""De Pater's wheelset on a tangent track: four coordinates over the distance run, single and double contact."""
