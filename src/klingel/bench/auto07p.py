"""Runs AUTO-07p (Debian packages auto-07p and gfortran) on equations in Fortran, and reads what it found.

AUTO is the reference program for orbits of smooth systems: orthogonal collocation on an adapted mesh. It is called
as a user would call it, by a script of its command language, one run of it after the other (`Stage`).
"""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

INSTALLED = shutil.which("auto-07p") is not None and shutil.which("gfortran") is not None
MISSING = "AUTO-07p is not installed (packages auto-07p, gfortran)"
MOST_SECONDS = 600

FRAME = """      SUBROUTINE FUNC(NDIM,U,ICP,PAR,IJAC,F,DFDU,DFDP)
      IMPLICIT NONE
      INTEGER, INTENT(IN) :: NDIM, ICP(*), IJAC
      DOUBLE PRECISION, INTENT(IN) :: U(NDIM), PAR(*)
      DOUBLE PRECISION, INTENT(OUT) :: F(NDIM)
      DOUBLE PRECISION, INTENT(INOUT) :: DFDU(NDIM,NDIM), DFDP(NDIM,*)
{equations}
      END SUBROUTINE FUNC
{more}
      SUBROUTINE STPNT(NDIM,U,PAR,T)
      IMPLICIT NONE
      INTEGER, INTENT(IN) :: NDIM
      DOUBLE PRECISION, INTENT(INOUT) :: U(NDIM),PAR(*)
      DOUBLE PRECISION, INTENT(IN) :: T
        PAR(1)={first}d0
        U={state}
      END SUBROUTINE STPNT
      SUBROUTINE BCND
      END SUBROUTINE BCND
      SUBROUTINE ICND
      END SUBROUTINE ICND
      SUBROUTINE FOPT
      END SUBROUTINE FOPT
      SUBROUTINE PVLS
      END SUBROUTINE PVLS
"""
REST = """r=run(e='equations',NDIM={size},IPS=1,ISP=2,ILP={folds},ICP=[1],NTST={mesh},NCOL=4,IAD=3,ISW=1,NMX=400,
 NPR=1000,DS={step},DSMIN=1e-7,DSMAX={largest},IADS=1,EPSL={tolerance},EPSU={tolerance},EPSS={located},ITMX=20,ITNW=9,NWTN=4,
 RL0=-1e9,RL1=1e9,IID=2,MXBF=0,UZSTOP={{1:{beyond}}})
sv(r,'rest')
"""
ORBITS = """p=run({start},IPS=2,ICP=[1,11],ISW={switch},ILP=1,NMX={points},DS={step},DSMAX={largest},
 UZSTOP={{1:{ends}}},NTST={mesh})
sv(p,'{name}')
"""
END = 4  # a value asked for
KINDS = {END: "end", 1: "branch", 2: "fold", 3: "hopf", 5: "fold", 6: "branch", 7: "period-doubling", 8: "torus"}


@dataclass(frozen=True)
class Stage:
    """A run along orbits: from the first Hopf point, then each from where the one before ended."""

    ends: float  # value of the parameter
    step: float = 0.05  # first, its sign the direction
    largest: float = 2.0
    points: int = 300
    start: str = "end"  # or `branch`: onto the branch that leaves at the first branch point of the stage before


@dataclass(frozen=True)
class Found:
    kind: str
    parameter: float
    period: float  # of an orbit [s]
    largest: float  # of the first unknown
    multipliers: list[complex]


@dataclass(frozen=True)
class Case:
    """Equations F of the unknowns U and the parameter PAR(1), and how they are gone along."""

    equations: str  # Fortran, the body of FUNC
    size: int
    first: float  # value of the parameter at which rest is known
    beyond: float  # of it, beyond the Hopf point
    stages: Sequence[Stage]
    more: str = ""  # further subroutines
    mesh: int = 50  # intervals
    step: float = 0.02  # along rest
    largest: float = 0.05
    state: str = "0.0d0"  # of rest
    tolerance: float = 1e-10  # of corrections, relative
    located: float = (
        1e-8  # of special points; branch points need more of both, as the equations are singular there
    )

    def script(self) -> str:
        text = REST.format(
            size=self.size,
            mesh=self.mesh,
            step=self.step,
            largest=self.largest,
            beyond=self.beyond,
            folds=1,
            tolerance=self.tolerance,
            located=self.located,
        )
        for k, stage in enumerate(self.stages):
            start = "r('HB1')" if k == 0 else {"end": "p('UZ1')", "branch": "p('BP1')"}[stage.start]
            text += ORBITS.format(
                start=start, switch=-1 if stage.start == "branch" else 1, points=stage.points, step=stage.step,
                largest=stage.largest, ends=stage.ends, mesh=self.mesh, name=f"orbits{k}",
            )  # fmt: skip
        return text

    def write(self, folder: Path) -> None:
        """Equations, compiled, and script: a run without points compiles."""
        text = FRAME.format(equations=self.equations, more=self.more, first=self.first, state=self.state)
        (folder / "equations.f90").write_text(text)
        (folder / "go.auto").write_text(self.script())
        (folder / "compile.auto").write_text(self.script().split("NMX=400")[0] + "NMX=1)\n")
        call(folder, "compile.auto")

    def read(self, folder: Path) -> list[Found]:
        """Special points along rest, then those of every stage."""
        names = ["rest", *(f"orbits{k}" for k in range(len(self.stages)))]
        return [point for name in names for point in _points(folder, name)]


def call(folder: Path, script: str = "go.auto") -> None:
    subprocess.run(["auto-07p", script], cwd=folder, check=True, capture_output=True, timeout=MOST_SECONDS)


def branch(folder: Path, case: Case) -> list[Found]:
    """Special points that AUTO finds, in its order."""
    case.write(folder)
    call(folder)
    return case.read(folder)


def _points(folder: Path, name: str) -> list[Found]:
    multipliers = _multipliers(folder / f"d.{name}")
    found = []
    for line in (folder / f"b.{name}").read_text().splitlines():
        words = line.split()
        if len(words) > 6 and words[0] != "0" and abs(int(words[2])) % 10 in KINDS and int(words[3]) > 0:
            kind = KINDS[abs(int(words[2])) % 10]
            found.append(
                Found(kind, float(words[4]), float(words[-1]), float(words[6]),
                      multipliers.get(abs(int(words[1])), []))
            )  # fmt: skip
    return found


def _multipliers(file: Path) -> dict[int, list[complex]]:
    """By number of the point; a point located between two steps is printed last."""
    found: dict[int, dict[int, complex]] = {}
    for line in file.read_text().splitlines():
        words = line.split()
        if "Multiplier" in words and "Abs." in words:
            k = words.index("Multiplier")
            found.setdefault(abs(int(words[1])), {})[int(words[k + 1])] = complex(
                float(words[k + 2]), float(words[k + 3])
            )
    return {point: list(values.values()) for point, values in found.items()}
