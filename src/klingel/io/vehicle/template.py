"""Files of templates: tables read by the fields of the registry's entry, options of the caller put in, expanded.

No template is known here by name; `klingel.vehicles.registry` has them.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple

from pydantic import Field as Default
from pydantic import create_model

from klingel._errors import InputError
from klingel.io.toml_tables import REQUIRED as MUST_BE_GIVEN
from klingel.io.toml_tables import Table, one_of, quantity, read_table, text, unknown_key, vector
from klingel.io.units import BadQuantity, read_checked
from klingel.model.description import Vehicle
from klingel.model.standing.statics import with_stated_preloads
from klingel.vehicles.checks import suggestion
from klingel.vehicles.fields import REQUIRED, Choice, Each, Field, Group, Named, Quantity, Rows, Text, Word
from klingel.vehicles.template import EMPTY, LOAD, LOADS, ORIGIN, Template

# of every template file, before and after its own fields
HEAD = {"name": Text("a name"), "template": Text("the name of a template"), "title": Text("a text", "")}
SOURCES = "sources"


class Origin(NamedTuple):
    """What a vehicle was read from, so that it can be read again with another option."""

    content: Mapping[str, Any]  # of the file
    options: Mapping[str, Any]


def read_template(
    template: Template, content: Mapping[str, Any], options: Mapping[str, Any], problems: list[InputError]
) -> Vehicle | None:
    """The expanded vehicle, or None and the problems of the file appended; wrong options are raised."""
    chosen = given_options(template, options)
    values = read_fields(_file(template), content, "", problems)
    if values is not None:
        problems += _problems_of_loads_and_sources(template, values)
    if problems or values is None:
        return None
    try:  # the file must be good by itself
        drawn = template.expand(template.parameters(values, {}))
    except InputError as error:
        problems.append(_told(template, error))
        return None
    values = _with_options(template, values, chosen)
    try:
        parameters = template.parameters(values, chosen)
        meta = {"title": values["title"], **template.words(values, chosen), ORIGIN: Origin(content, options)}
        made = template.vehicle(parameters, template.reached(template.sources(values, chosen)), meta)
        return with_stated_preloads(made, drawn) if LOAD in chosen else made
    except InputError as error:
        raise _told(template, error) from None


def given_options(template: Template, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that choose something; unknown ones are refused."""
    known = {option.keyword: option for option in template.options}
    for keyword, given in options.items():
        if keyword not in known and given is not None and (keyword, given) != (LOAD, EMPTY):
            allowed = f"is no option of {template.name}; {suggestion(keyword, known)}known: {', '.join(known)}"
            raise InputError(keyword, given, allowed)
    return {k: v for k, v in options.items() if k in known and v is not None and v != known[k].default}


def _with_options(template: Template, values: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Options that stand for a field of the file, read by its rules; the load case must be one of the file's."""
    found = dict(values)
    for option in template.options:
        if option.keyword not in chosen:
            continue
        given = chosen[option.keyword]
        if option.keyword == LOAD:
            names = (EMPTY, *values.get(LOADS, {}))
            if given not in names:
                hint = suggestion(str(given), names)
                raise InputError(LOAD, given, f"{hint}must be one of {', '.join(names)}")
        elif option.field:
            problems: list[InputError] = []
            field = template.fields[option.field]
            found[option.field] = read_fields(_alone(option.keyword, field), {option.keyword: given}, "", problems)
            for problem in problems:
                raise problem
            found[option.field] = found[option.field][option.keyword]
    return found


@cache
def _alone(keyword: str, field: Field) -> Group:
    return Group({keyword: field})


@cache
def _file(template: Template) -> Group:
    return Group({**HEAD, **template.fields, SOURCES: Named(Group({}))})


def _told(template: Template, error: InputError) -> InputError:
    return InputError(template.dotted(error.field), error.given, error.allowed)


def _problems_of_loads_and_sources(template: Template, values: Mapping[str, Any]) -> list[InputError]:
    loads = values.get(LOADS, {})
    known = {*template.reaches, *(f"{LOADS}.{name}" for name in loads)}
    found = [
        unknown_key(f"{SOURCES}.{name}", name, template.reaches) for name in values[SOURCES] if name not in known
    ]
    if EMPTY in loads:
        allowed = "is the vehicle as it stands; name the load otherwise"
        found.append(InputError(f"{LOADS}.{EMPTY}", None, allowed))
    return found


def read_fields(group: Group, table: Any, where: str, problems: list[InputError]) -> dict[str, Any] | None:
    """Values of a table by its fields, in SI; None and its problems appended if it is not good."""
    read = read_table(_model(group), table, where, problems)
    if read is None:
        return None
    return {
        name: _below(field, getattr(read, name), f"{where}.{name}" if where else name, problems)
        for name, field in group.fields.items()
    }


@cache
def _model(group: Group) -> type[Table]:
    made: Any = {name: _annotated(name, field) for name, field in group.fields.items()}
    return create_model("FileTable", __base__=Table, **made)


def _annotated(name: str, field: Field) -> tuple[Any, Any]:
    """Type and default for pydantic; what lies deeper is read by `_below`."""
    if name == SOURCES:
        return dict[str, str], Default(default_factory=dict)
    if isinstance(field, Named):
        return dict[str, Any], Default(default_factory=dict)
    if isinstance(field, Group):
        return (dict[str, Any], MUST_BE_GIVEN) if field.required else (dict[str, Any] | None, None)
    if isinstance(field, Rows):
        return list[Any], Default(default_factory=lambda: list(field.default))
    default = MUST_BE_GIVEN if field.default is REQUIRED else field.default
    if isinstance(field, Quantity):
        kind, reader = float, quantity(field.dimension, field.sign, field.infinite)
        if field.size > 1:
            kind, reader = tuple[float, ...], vector(field.dimension, field.sign, field.size)
        if field.default is None:
            return Annotated[kind | None, reader], Default(None, validate_default=False)
        return Annotated[kind, reader], default
    if isinstance(field, Word):
        return Annotated[str, one_of(field.words)], default
    if isinstance(field, Text):
        return (Annotated[str, text(field.what)] if default != "" else str), default
    return Any, default  # Choice, Each


def _below(field: Field, given: Any, where: str, problems: list[InputError]) -> Any:
    if isinstance(field, Group):
        return read_fields(field, given, where, problems) if given is not None else None
    if isinstance(field, Named) and where != SOURCES:
        return {
            name: read_fields(field.group, table, f"{where}.{name}", problems) for name, table in given.items()
        }
    if isinstance(field, Choice):
        return _choice(field, given, where, problems)
    if isinstance(field, Each):
        return _each(field, given, where, problems)
    if isinstance(field, Rows):
        return _rows(field, given, where, problems)
    return given


def _choice(field: Choice, given: Any, where: str, problems: list[InputError]) -> Any:
    if isinstance(given, Mapping):
        return read_fields(field.own, given, where, problems)
    if not isinstance(given, str) or given not in field.words:
        hint = suggestion(given, field.words) if isinstance(given, str) else ""
        own = "" if isinstance(given, str) else f", or {field.own_line}"
        problems.append(InputError(where, given, f"{hint}must be one of {', '.join(field.words)}{own}"))
    return given


def _each(field: Each, given: Any, where: str, problems: list[InputError]) -> dict[str, float]:
    one = not isinstance(given, Mapping)
    table = dict.fromkeys(field.places, given) if one else given
    problems += [unknown_key(f"{where}.{n}", n, field.places) for n in table if n not in field.places]
    found: dict[str, float] = {}
    for place in field.places:
        try:
            found[place] = read_checked(table.get(place), field.quantity.dimension, field.quantity.sign)
        except BadQuantity as bad:
            problems.append(InputError(where if one else f"{where}.{place}", table.get(place), str(bad)))
            break
    return found


def _rows(field: Rows, given: list[Any], where: str, problems: list[InputError]) -> tuple[tuple[float, ...], ...]:
    found = []
    for row in given:
        if not isinstance(row, list | tuple) or len(row) != len(field.columns):
            problems.append(InputError(where, row, f"must be {field.example}"))
            break
        try:
            found.append(
                tuple(read_checked(part, q.dimension, q.sign) for part, q in zip(row, field.columns, strict=True))
            )
        except BadQuantity as bad:
            problems.append(InputError(where, row, str(bad)))
            break
    return tuple(found)
