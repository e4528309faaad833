"""Runs AUTO-07p (Debian packages auto-07p and gfortran) on equations in Fortran, and reads what it found."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

INSTALLED = shutil.which("auto-07p") is not None and shutil.which("gfortran") is not None

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
        U=0.0d0
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
SCRIPT = """r=run(e='equations',NDIM={size},IPS=1,ISP=2,ILP=0,ICP=[1],NTST={mesh},NCOL=4,IAD=3,ISW=1,NMX=400,
 NPR=1000,DS={step},DSMIN=1e-7,DSMAX={largest},IADS=1,EPSL=1e-10,EPSU=1e-10,EPSS=1e-8,ITMX=12,ITNW=9,NWTN=4,
 RL0=-1e9,RL1=1e9,IID=2,MXBF=0,UZSTOP={{1:{beyond}}})
p=run(r('HB1'),IPS=2,ICP=[1,11],ILP=1,NMX={points},DS={way},DSMAX={widest},UZSTOP={{1:{ends}}},NTST={mesh})
"""
END = 4  # a value asked for
KINDS = {END: "end", 1: "branch", 2: "fold", 3: "hopf", 5: "fold", 6: "branch", 7: "period-doubling", 8: "torus"}


@dataclass(frozen=True)
class Found:
    kind: str
    parameter: float
    period: float
    largest: float  # of the first unknown
    multipliers: list[complex]


def branch(folder: Path, equations: str, more: str = "", **numbers: object) -> list[Found]:
    """Special points of the branch of orbits from the first Hopf point."""
    (folder / "equations.f90").write_text(FRAME.format(equations=equations, more=more, first=numbers.pop("first")))
    (folder / "go.auto").write_text(SCRIPT.format(**numbers))
    subprocess.run(["auto-07p", "go.auto"], cwd=folder, check=True, capture_output=True, timeout=300)
    multipliers = _multipliers(folder / "fort.9")
    found = []
    for line in (folder / "fort.7").read_text().splitlines():
        words = line.split()
        if len(words) > 6 and words[0] != "0" and abs(int(words[2])) % 10 in KINDS and int(words[3]) > 0:
            point = abs(int(words[1]))
            kind = KINDS[abs(int(words[2])) % 10]
            found.append(
                Found(kind, _number(words[4]), _number(words[-1]), _number(words[6]), multipliers.get(point, []))
            )
    return found


def _number(text: str) -> float:
    return float(text)


def _multipliers(file: Path) -> dict[int, list[complex]]:
    found: dict[int, dict[int, complex]] = {}
    for line in file.read_text().splitlines():
        words = line.split()
        if "Multiplier" in words and "Abs." in words:
            k = words.index("Multiplier")
            found.setdefault(abs(int(words[1])), {})[int(words[k + 1])] = complex(
                _number(words[k + 2]), _number(words[k + 3])
            )
    return {point: list(values.values()) for point, values in found.items()}
