"""checks"""
from klingel.numerics.dae_run import DaeError
def checked(problem,t0,x0,rtol):
    return problem
def failure(problem,status,solver):
    return DaeError(status.name+str(solver.real))
