"""What may stand in the file of a template, as data: `io` reads files by it, forms and help are made from it.

=========  =============================================================  ======================================
field      in the file                                                    what the template gets
=========  =============================================================  ======================================
Quantity   `wheelbase = "10 m"`, or two or three of them along x, y, z     SI number or tuple
Word       `leaf_model = "full"`, one of some words                        the word
Text       `profile = "S1002"`                                             the text
Group      a table: `[carbody]`                                            dict, None where it may be left out
Named      tables by names of the user: `[loads.NAME]`                     dict of dicts
Choice     `links = "PTP"`, a word, or a table of one's own                the word, or dict
Each       `link_friction = 0.3`, or a table with one number per place     dict with a number for every place
Rows       `sliders = [["10.4 1/m", 0.053]]`                               tuple of tuples
=========  =============================================================  ======================================

Dimensions are named in words of `klingel.io.units`; signs are "positive", "not negative", "fraction" or nothing.
A default of None means that the value may be left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Union

POSITIVE, NOT_NEGATIVE, FRACTION = "positive", "not negative", "fraction"


class _Required:
    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED: Final = _Required()


@dataclass(frozen=True)
class Quantity:
    dimension: str
    sign: str = ""
    default: Any = REQUIRED
    size: int = 1  # 2 or 3: one along each of x, y (and z)
    infinite: bool = False  # allowed
    line: str = ""  # for people


@dataclass(frozen=True)
class Word:
    words: tuple[str, ...]
    default: Any = REQUIRED
    line: str = ""


@dataclass(frozen=True)
class Text:
    what: str  # "the name or file of a wheel profile"
    default: Any = REQUIRED
    line: str = ""


@dataclass(frozen=True)
class Rows:
    columns: tuple[Quantity, ...]
    example: str  # how a good one looks: 'pairs of stiffness and limit: [["10.4 1/m", 0.053]]'
    default: Any = ()
    line: str = ""


@dataclass(frozen=True)
class Each:
    quantity: Quantity
    places: tuple[str, ...]
    default: Any = REQUIRED
    line: str = ""


@dataclass(frozen=True, eq=False)
class Group:
    fields: Mapping[str, "Field"]
    required: bool = True
    line: str = ""


@dataclass(frozen=True, eq=False)
class Named:
    group: Group
    line: str = ""


@dataclass(frozen=True, eq=False)
class Choice:
    words: tuple[str, ...]
    own: Group
    own_line: str  # what else may be given: "two tables links.x and links.y"
    default: Any = REQUIRED
    line: str = ""


Field = Union[Quantity, Word, Text, Rows, Each, Group, Named, Choice]  # noqa: UP007, for the names above
Fields = Mapping[str, Field]


def quantity_at(fields: Fields, name: str) -> Quantity | None:
    """The quantity a dotted name leads to: `carbody.inertia.z`, `links.x.stiffness`."""
    first, _, rest = name.partition(".")
    field = fields.get(first)
    if isinstance(field, Quantity):
        return field
    if isinstance(field, Each):
        return field.quantity
    if isinstance(field, Choice | Named):
        field = field.own if isinstance(field, Choice) else field.group
    return quantity_at(field.fields, rest) if isinstance(field, Group) else None
