"""Tables as TOML text, by tomli-w; vectors on one line, which it does not do.

(tomlkit does, and keeps comments, but its time grows with the square of an array: a minute for a measured track.)
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any


def toml_text(content: Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """Text of a file; keys whose value is None are left out, numbers read back exactly."""
    import tomli_w

    lists = {key: part for key, part in content.items() if key.isidentifier() and _of_tables(part)}
    tables = {key: part for key, part in content.items() if isinstance(part, Mapping)}
    texts = [tomli_w.dumps(_given({k: part for k, part in content.items() if k not in {**lists, **tables}}))]
    for key, rows in lists.items():
        texts += [f"[[{key}]]\n{tomli_w.dumps(_given(row))}" for row in rows]
    texts.append(tomli_w.dumps(_given(tables)))
    body = "\n".join(line for text in texts if text for line in _arrays_joined(text.split("\n")))
    return "".join(f"# {comment}\n" for comment in comments) + body


def _of_tables(part: Any) -> bool:
    """Whether it is a list of tables without tables in them, which may stand as [[key]]."""
    rows = part if isinstance(part, list) else []
    plain = (isinstance(row, Mapping) and all(isinstance(p, str | float | int | list) for p in row.values())
             and not any(isinstance(p, list) and any(isinstance(q, Mapping) for q in p) for p in row.values())
             for row in rows)  # fmt: skip
    return bool(rows) and all(plain)


def _given(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _given(part) for key, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [_given(part) for part in value]
    return value


def _arrays_joined(lines: Sequence[str]) -> Iterator[str]:
    """No text has a line break in it, so a line that ends with a bracket opens an array."""
    depth, parts = 0, []
    for line in lines:
        depth += line.endswith("[") - (depth > 0 and line.lstrip().startswith("]"))
        parts.append(line.strip() if parts else line)
        if depth == 0:
            yield _joined(parts) if len(parts) > 1 else line
            parts = []


def _joined(parts: Sequence[str]) -> str:
    text = parts[0]
    for before, part in pairwise(parts):
        closes = part.startswith("]")
        text = text.removesuffix(",") if closes else text
        text += part if closes or before.endswith("[") else f" {part}"
    return text


def nested(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Tables by dotted names as tables within tables, if that keeps their order and puts none into another."""
    paths = [tuple(name.split(".")) for name in tables]
    groups = {path[:depth] for path in paths for depth in range(1, len(path))}
    if any(path in groups for path in paths):
        return dict(tables)
    found: dict[str, Any] = {}
    for (*above, last), table in zip(paths, tables.values(), strict=True):
        place = found
        for word in above:
            place = place.setdefault(word, {})
        place[last] = table
    return found if list(_paths(found, groups)) == paths else dict(tables)


def _paths(
    found: Mapping[str, Any], groups: set[tuple[str, ...]], above: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    for word, part in found.items():
        path = (*above, word)
        if path in groups:
            yield from _paths(part, groups, path)
        else:
            yield path
