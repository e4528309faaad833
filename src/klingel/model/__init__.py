"""From the description of a vehicle to compiled tables and kernels."""
