from dataclasses import replace
from datetime import date

from awase.core.agreement import comparison
from awase.core.agreement.comparison import WeekOfAgreement, drifts_of
from awase.core.agreement.distances import Kind, SetDistance
from awase.core.agreement.results import SentenceAgreement
from awase.core.records.digests import EntryKey, EntryVersion


def sentence(n, distance):
    return SentenceAgreement(
        topic="T", abstract="a", n=n, annotators=("A", "B"), kind=Kind.IDENTICAL,
        distances={SetDistance.ALTERNATIVES: distance},
    )  # fmt: skip


def versions(**days):
    """Reads when entries of topic T got their values: `A1="2026-11-02"` is A's of sentence 1."""
    found = {
        EntryKey("T", "a", name[0], int(name[1:])): (
            EntryVersion(revision=1, digest="x", at="2020-01-01T00:00:00.000+00:00"),
            EntryVersion(revision=2, digest="y", at=f"{day}T12:00:00.000+00:00" if day else ""),
        )
        for name, day in days.items()
    }

    def read(topics):
        assert topics == ["T"]
        return found

    return read


def test_that_a_sentence_is_of_the_week_in_which_the_second_one_settled_it():
    found = drifts_of(
        [sentence(1, 0.5), sentence(2, 0.0), sentence(3, 0.25)],
        versions(
            A1="2026-11-02", B1="2026-11-15",  # a Sunday
            A2="2026-11-10", B2="2026-11-09",  # a Monday
            A3="2026-11-16", B3="2026-11-03",
        ),
    )  # fmt: skip
    weeks = (
        WeekOfAgreement(begins=date(2026, 11, 9), n_items=2, mean_distance=0.25, n_same=1),
        WeekOfAgreement(begins=date(2026, 11, 16), n_items=1, mean_distance=0.25, n_same=0),
    )
    assert found == {None: weeks, ("A", "B"): weeks}


def test_that_versions_are_read_a_few_topics_at_a_time(monkeypatch):
    monkeypatch.setattr(comparison, "SENTENCES_AT_ONCE", 4)
    sentences = [replace(sentence(1, 0.5), topic=f"t{n // 3}") for n in range(9)]
    asked = []

    def read(topics):
        asked.append(topics)
        at = EntryVersion(revision=1, digest="x", at="2026-11-02T12:00:00.000+00:00")
        return {EntryKey(topic, "a", who, 1): (at,) for topic in topics for who in "AB"}

    (week,) = drifts_of(sentences, read)[None]
    assert week.n_items == 9
    assert asked == [["t0", "t1"], ["t1", "t2"], ["t2"]]


def test_that_what_has_no_time_or_no_distance_is_left_out():
    times = versions(A1="2026-11-02", B1="", A2="2026-11-02", B2="2026-11-02", A3="2026-11-02")
    assert drifts_of([sentence(1, 0.5), sentence(2, None), sentence(3, 0.1)], times) == {None: ()}
