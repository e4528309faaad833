"""Small dense linear algebra: LU, complementarity problems, sparsity of Jacobians."""
