"""Text that reads back as what it was made from, on lines one can read."""

import tomllib

from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.io.toml_text import nested, toml_text
from klingel.io.vehicle.files import flatten

SCALARS = st.one_of(st.text(max_size=8), st.floats(allow_nan=False), st.integers(-9, 9), st.booleans())
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=12,
)


@settings(deadline=None, max_examples=300)
@given(content=st.dictionaries(st.text("abc[]=,\"' .\n", min_size=1, max_size=4), VALUES, max_size=4))
def test_anything_reads_back(content):
    assert tomllib.loads(toml_text(content, ["a comment [", "another = ["])) == content


def test_vectors_are_on_one_line_and_lists_of_tables_are_tables():
    content = {"name": "x", "point": ["1 m", "2 m"], "pairs": [[1, 2], [3, 4]], "stage": [{"a": [1, 2]}, {"b": 2}]}
    assert toml_text({**content, "left out": None}, ["head"]).splitlines() == [
        "# head",
        'name = "x"',
        'point = ["1 m", "2 m"]',
        "pairs = [[1, 2], [3, 4]]",
        "",
        "[[stage]]",
        "a = [1, 2]",
        "",
        "[[stage]]",
        "b = 2",
    ]


@settings(deadline=None)
@given(names=st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(".".join), unique=True))
def test_nesting_keeps_every_table_and_their_order(names):
    tables = {name: {"law": "spring", "number": k} for k, name in enumerate(names)}
    again = flatten(tomllib.loads(toml_text({"elements": nested(tables)}))["elements"], "law")
    assert list(again.items()) == list(tables.items())
