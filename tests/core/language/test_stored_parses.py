"""Parses that are looked up are those that are stored."""

from awase.core.language.stored_parses import StoredParses, parses_of


def test_that_stored_parses_are_those_of_the_texts_that_have_one():
    known = {"a": "1 a", "b": "1 b", "d": "1 d"}
    asked: list[list[str]] = []

    def look_up(texts):
        asked.append([*texts])
        return {one: known[one] for one in texts if one in known}

    parses = StoredParses(lambda: iter(["a", "c", "b", "a"]), look_up)
    assert asked == []
    assert parses == {"a": "1 a", "b": "1 b"}
    assert (len(parses), bool(parses), "c" in parses, parses["d"]) == (2, True, False, "1 d")
    asked.clear()
    assert parses_of(parses, ["c", "b", "c"]) == {"b": "1 b"}
    assert asked == [["c", "b"]]
    assert parses_of(known, ["a"])["a"] == "1 a"
    assert not StoredParses(lambda: iter(["c"]), look_up)
