"""Outputs that are read together: as each alone, whatever blanks and other things stand in them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.tables.text_table import read

_SENTENCES = st.text(st.sampled_from(" \t\u3000\na犬"), max_size=3)
_LISTS = st.lists(_SENTENCES, min_size=2, max_size=4)


@pytest.mark.slow
@given(st.lists(st.lists(_LISTS | st.none(), min_size=3, max_size=3), min_size=1, max_size=3))
def test_that_sentences_lose_their_blanks_and_empty_ones_are_none(rows: list[list[list[str]]]):
    names = [f"prediction_s{number}" for number in range(3)]
    items = [
        {"id": f"t{number}", "reference": "r", **dict(zip(names, row, strict=True))}
        for number, row in enumerate(rows)
    ]
    text = "".join(json.dumps(item) + "\n" for item in items)
    topics = read(ReadRequest(text=text, source="f")).addition.topics
    found = [{one.system: one.sentences for one in topic.outputs} for topic in topics]
    assert found == [
        {
            f"s{number}": tuple(filter(None, map(str.strip, value)))
            for number, value in enumerate(row)
            if value is not None and "".join(value).strip()
        }
        for row in rows
    ]
