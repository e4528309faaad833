"""Coefficients of the Runge-Kutta pairs as exact fractions.

The derivative at the new point, k_s = f(t + h, x₁), is not listed as a stage: it is evaluated anyway as the
first stage of the next step. Error weights `d` and interpolants may use it; it is their entry s.

| name | pair | source |
|---|---|---|
| esdirk34 | ESDIRK34 NT1, stiffly accurate, γ = 5/12 | Hoffmann, thesis (2006), table 3.1 |
| erkf34 | Fehlberg 4(3), 5 stages | Fehlberg, Computing 6 (1970) |
| bs32 | Bogacki-Shampine 3(2) | Appl. Math. Lett. 2 (1989) 321 |
| cashkarp54 | Cash-Karp 5(4) | ACM Trans. Math. Softw. 16 (1990) 201 |
| dopri54 | Dormand-Prince 5(4) | J. Comput. Appl. Math. 6 (1980) 19 |
| verner65 | Verner 6(5), 8 stages | SIAM J. Numer. Anal. 15 (1978) 772 |
| chain33, chain34, chain35 | stage i uses k_{i-1} only, tuned stability | docs/theory/runge-kutta.md |

Interpolants: dopri54 is Hairer's; those of erkf34, cashkarp54 and verner65 are our own (see the theory page).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from klingel.numerics.ode.interpolants import Weights, evaluate, smooth_weights


@dataclass(frozen=True)
class Tableau:
    """A pair in exact arithmetic; the fields are explained in `klingel.numerics.ode.tableaus.Method`."""

    a: list[list[Fraction]]
    b: list[Fraction]
    c: list[Fraction]
    d: list[Fraction]
    order: int
    error_order: int
    dense_order: int
    extra_a: list[list[Fraction]]
    extra_c: list[Fraction]
    dense: Weights


def _row(text: str) -> list[Fraction]:
    return [Fraction(word) for word in text.split()]


def _pair(
    a: str,
    b: str,
    d: str,
    orders: tuple[int, int, int],
    bumps: Sequence[str] = (),
    dense: Weights | None = None,
    extra: Sequence[list[Fraction]] = (),
) -> Tableau:
    """Rows of `a` are divided by bars; d is padded with zeros for the derivative at the new point."""
    weights = _row(b)
    s = len(weights)
    rows = [(row + [Fraction(0)] * s)[:s] for row in map(_row, a.split("|"))]
    width = s + 1 + len(extra)
    extra_rows = [(list(row) + [Fraction(0)] * width)[:width] for row in extra]
    return Tableau(
        a=rows,
        b=weights,
        c=[sum(row, Fraction(0)) for row in rows],
        d=[*_row(d), Fraction(0)][: s + 1],
        order=orders[0],
        error_order=orders[1],
        dense_order=orders[2],
        extra_a=extra_rows,
        extra_c=[sum(row, Fraction(0)) for row in extra_rows],
        dense=dense or smooth_weights(weights, [_row(bump) for bump in bumps]),
    )


def _esdirk34() -> Tableau:
    return _pair(
        a="0 | 5/12 5/12 | 95/588 -5/49 5/12 | 59/600 -31/75 539/600 5/12",
        b="59/600 -31/75 539/600 5/12",
        d="-37/600 -37/75 1813/6600 37/132",
        orders=(3, 3, 3),
        dense=[
            _row("59/600 0 0"),
            _row("-541/75 62/5 -28/5"),
            _row("26509/6600 -49/10 98/55"),
            _row("541/132 -15/2 42/11"),
            _row("0 0 0"),
        ],
    )


def _erkf34() -> Tableau:
    b = "229/1470 0 1125/1813 13718/81585 1/18"
    return _pair(
        a="0 | 2/7 | 77/900 343/900 | 805/1444 -77175/54872 97125/54872 | 79/490 0 2175/3626 2166/9065",
        b=b,
        d="-4/735 0 75/3626 -5776/81585 1/18",
        orders=(4, 3, 4),
        bumps=["-687/490 0 -10125/1813 -13718/9065 -1/2 9/4 27/4"],
        extra=[evaluate(smooth_weights(_row(b)), Fraction(1, 3))],
    )


def _bs32() -> Tableau:
    return _pair(a="0 | 1/2 | 0 3/4", b="2/9 1/3 4/9", d="-5/72 1/12 1/9 -1/8", orders=(3, 2, 3))


def _rkf23() -> Tableau:
    return _pair(a="0 | 1 | 1/4 1/4", b="1/6 1/6 2/3", d="-1/3 -1/3 2/3", orders=(3, 2, 3))


def _cashkarp54() -> Tableau:
    return _pair(
        a="0 | 1/5 | 3/40 9/40 | 3/10 -9/10 6/5 | -11/54 5/2 -70/27 35/27"
        "| 1631/55296 175/512 575/13824 44275/110592 253/4096",
        b="37/378 0 250/621 125/594 0 512/1771",
        d="-277/64512 0 6925/370944 -6925/202752 -277/14336 277/7084",
        orders=(5, 4, 4),
        bumps=["-1543/1536 0 6175/2688 -425/1024 877/7168 -7/2 5/2"],
    )


def _dopri54() -> Tableau:
    return _pair(
        a="0 | 1/5 | 3/40 9/40 | 44/45 -56/15 32/9 | 19372/6561 -25360/2187 64448/6561 -212/729"
        "| 9017/3168 -355/33 46732/5247 49/176 -5103/18656",
        b="35/384 0 500/1113 125/192 -2187/6784 11/84",
        d="71/57600 0 -71/16695 71/1920 -17253/339200 22/525 -1/40",
        orders=(5, 4, 4),
        bumps=[
            "-12715105075/11282082432 0 87487479700/32700410799 -10690763975/1880347072"
            " 701980252875/199316789632 -1453857185/822651844 69997945/29380423"
        ],
    )


def _verner65() -> Tableau:
    b = "3/40 0 875/2244 23/72 264/1955 0 125/11592 43/616"
    fourth_order = ["-5953/4000 0 15613/5984 -1783/1200 -3072/2125 -45/44 1/3 0 5/2"]
    half = evaluate(smooth_weights(_row(b), [_row(bump) for bump in fourth_order]), Fraction(1, 2))
    return _pair(
        a="0 | 1/6 | 4/75 16/75 | 5/6 -8/3 5/2 | -165/64 55/6 -425/64 85/96"
        "| 12/5 -8 4015/612 -11/36 88/255"
        "| -8263/15000 124/75 -643/680 -81/250 2484/10625 0"
        "| 3501/1720 -300/43 297275/52632 -319/2322 24068/84065 0 3850/26703",
        b=b,
        d="-1/160 0 -125/17952 1/144 -12/1955 -3/44 125/11592 43/616",
        orders=(6, 5, 5),
        bumps=[
            "-16387/6880 0 341125/45408 13205/6192 1788/4945 1923/1892 3875/35604 -5/4 1/2 -8",
            "7591/3440 0 -3609125/385968 -23759/3096 -271896/84065 69/946 -9625/35604 -7/4 4 16",
        ],
        extra=[half],
    )


def chain(*early: str) -> Tableau:
    """Third-order chain: stage i sees x + h a_i k_{i-1}; the last a are 1/3 and 2/3, `early` are free."""
    steps = [*early, "1/3", "2/3"]
    between = " ".join(["0"] * (len(steps) - 1))
    return _pair(
        a=" | ".join(["0"] + ["0 " * i + step for i, step in enumerate(steps)]),
        b=f"1/4 {between} 3/4",
        d=f"-1/16 {between} 3/16 -1/8",
        orders=(3, 2, 3),
    )


TABLEAUS: dict[str, Tableau] = {
    "esdirk34": _esdirk34(),
    "erkf34": _erkf34(),
    "bs32": _bs32(),
    "rkf23": _rkf23(),
    "cashkarp54": _cashkarp54(),
    "dopri54": _dopri54(),
    "verner65": _verner65(),
    "chain33": chain(),
    "chain34": chain("0.129"),
    "chain35": chain("0.048", "0.144"),
}
