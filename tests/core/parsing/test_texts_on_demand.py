"""Different texts that are asked for anew: the same as if all were held."""

from hypothesis import given
from hypothesis import strategies as st

from awase.core.parsing import texts_on_demand
from awase.core.parsing.texts_on_demand import ParsesOnDemand, TextsOnDemand, parses_of

_TEXTS = st.lists(st.text("ab犬\ud800", max_size=3))


@given(_TEXTS, _TEXTS)
def test_that_each_text_comes_once_where_it_first_stands(texts, others) -> None:
    found = TextsOnDemand(lambda: texts)
    assert [*found] == [*dict.fromkeys(texts)]
    assert len(found) == len({*texts})
    assert [text for text in others if text in found] == [text for text in others if text in texts]
    chosen = found.where(lambda some: (text for text in some if text in others))
    assert [*chosen] == [text for text in dict.fromkeys(texts) if text in others]
    assert len(chosen) == len([*chosen])


def test_that_many_texts_come_in_portions(monkeypatch) -> None:
    monkeypatch.setattr(texts_on_demand, "AT_ONCE", 3)
    texts = [str(n % 10) for n in range(25)]
    found = TextsOnDemand(lambda: texts)
    assert [*found.portions()] == [["0", "1", "2"], ["3", "4", "5"], ["6", "7", "8"], ["9"]]


def test_that_what_changed_meanwhile_is_left_out() -> None:
    texts = ["one", "two", "one", "three"]
    found = TextsOnDemand(lambda: texts)
    texts[:2] = ["new"]
    assert [*found] == ["one", "three"]


def test_that_a_text_is_found_by_the_digest_that_its_parse_is_stored_under() -> None:
    from awase.storage.rows.parses import digest_of

    found = TextsOnDemand(lambda: ["犬だ。"])
    assert found.has_digest(digest_of("犬だ。"))
    assert not found.has_digest(digest_of("犬"))


def test_that_parses_on_demand_are_those_of_the_texts_that_have_one():
    known = {"a": "1 a", "b": "1 b", "d": "1 d"}
    asked: list[list[str]] = []

    def look_up(texts):
        asked.append([*texts])
        return {one: known[one] for one in texts if one in known}

    parses = ParsesOnDemand(lambda: iter(["a", "c", "b", "a"]), look_up)
    assert asked == []
    assert parses == {"a": "1 a", "b": "1 b"}
    assert (len(parses), bool(parses), "c" in parses, parses["d"]) == (2, True, False, "1 d")
    asked.clear()
    assert parses_of(parses, ["c", "b", "c"]) == {"b": "1 b"}
    assert asked == [["c", "b"]]
    assert parses_of(known, ["a"])["a"] == "1 a"
    assert not ParsesOnDemand(lambda: iter(["c"]), look_up)
