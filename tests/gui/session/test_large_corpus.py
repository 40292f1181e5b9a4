"""A corpus of which the window reads topics as they are needed: of a large one, again and again."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from PySide6.QtCore import Qt
from tests.building import abstract, extract, topic
from tests.in_part import in_turn

from awase.core.annotation import actions
from awase.core.annotation.overview import next_incomplete
from awase.core.errors import Cancelled, EnvironmentProblem
from awase.core.progress import Silent
from awase.core.project.parts import Part, has
from awase.core.project.topic_list import TopicFilter, TopicLine, TopicOrder, tally_of
from awase.core.records.edits import verbs
from awase.core.records.edits.addition import Addition
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topics_on_demand import TopicsOnDemand
from awase.gui.dialogs.find import sentences
from awase.gui.dialogs.find.sentences import Sentences, StoredSentences
from awase.gui.dialogs.removing.dialog import RemoveDialog
from awase.gui.session import held_corpus
from awase.gui.session.session import CorpusSession
from awase.gui.session.topics.lines import TopicLines
from awase.gui.session.topics.reading_ahead import rest_of
from awase.gui.session.topics.topic_view import TopicView
from awase.jobs.supplies.search_index import known_index
from awase.storage import reading_store as stored_corpora
from awase.storage.rows import on_demand
from awase.storage.rows.changes import Changes
from awase.storage.rows.sentences import StoredSentence
from awase.storage.search.building import built
from awase.storage.search.topic_index import TopicIndex, index_path
from awase.storage.store import CorpusStore

WHO = "1"
_LINKS = ("s1|s2;-", {"1": "s1;s2", "2": "s3;!s1"}, ";", {"2": "s1;"})


_LARGE, _MIDDLE = 2, 5


@pytest.fixture(params=[_LARGE, _MIDDLE], ids=["large", "middle"])
def many(request) -> int:
    """How many topics may stay in memory; there are five."""
    return request.param


@pytest.fixture
def store(tmp_path, monkeypatch, many) -> Iterator[CorpusStore]:
    monkeypatch.setattr(stored_corpora, "FEW_TOPICS", 2)
    monkeypatch.setattr(stored_corpora, "MANY_TOPICS", many)
    topics = [
        topic(f"t{n}", docs=3, title=f"Topic {n}", abstracts=(abstract("a", links),))
        for n, links in enumerate(_LINKS)
    ]
    topics.insert(2, topic("empty", docs=1, outputs=[extract("lead", "s1")]))
    made = Addition(topics=tuple(topics))
    path = tmp_path / "many.awase"
    with CorpusStore.create(path, name="many", who=WHO, addition=made) as store:
        yield store


@pytest.fixture
def session(store, qapp) -> CorpusSession:
    return CorpusSession(store, who=WHO)


def _link(session: CorpusSession, topic_id: str) -> bool:
    part = session.topic(topic_id).abstracts[0]
    alignment = part.alignment_by(WHO)
    entry = alignment.of_sentence(1) if alignment else actions.SentenceAlignment(n=1)
    ref = SentenceRef("d", 3)
    new = actions.with_toggled(entry, 9, ref)
    edit = actions.alignment_edit(topic_id, part, WHO, new, verb=actions.LINK, subject=str(ref))
    return session.perform(edit)


def test_that_edits_undo_and_redo_are_stored_as_in_a_small_corpus(session, store) -> None:
    before = store.corpus()
    assert session.corpus() == before
    assert _link(session, "t0")
    assert _link(session, "t3")
    after = store.corpus()
    assert session.corpus() == after != before
    session.undo()
    session.undo()
    assert session.corpus() == store.corpus() == before
    session.redo()
    session.redo()
    assert session.corpus() == store.corpus() == after


def test_that_what_was_handed_out_stays_what_it_was(session, store) -> None:
    before, given = store.corpus(), session.corpus()
    part = given.topics[:2]
    _link(session, "t0")
    _link(session, "t0")
    assert given == before
    assert tuple(part) == before.topics[:2]
    assert session.corpus() == store.corpus() != before


def test_that_the_text_of_a_sentence_is_told_without_its_topic(session, store, monkeypatch) -> None:
    texts = {
        (one.id, part.id, sentence.n): sentence.text
        for one in store.corpus().topics
        for part in one.abstracts
        for sentence in part.sentences
    }
    with monkeypatch.context() as none:
        none.setattr(on_demand, "topics_in_order", None)
        assert {place: session.sentence_text(*place) for place in texts} == texts
        assert session.sentence_text("t0", "a", 99) == session.sentence_text("gone", "a", 1) == ""
    rest_of(session)(Silent())
    assert {place: session.sentence_text(*place) for place in texts} == texts


@pytest.mark.parametrize("many", [_MIDDLE], indirect=True)
def test_that_topics_that_may_stay_are_all_in_memory_once_they_were_read(session, store) -> None:
    assert not session.is_here
    rest_of(session)(Silent())
    assert session.is_here
    assert session.corpus() == store.corpus()
    assert [*map(id, session.topics())] == [id(session.topic(one)) for one in session.topic_ids()]


@pytest.mark.parametrize("many", [_LARGE], indirect=True)
def test_that_the_topics_of_a_large_corpus_do_not_stay(session) -> None:
    assert session.is_large
    rest_of(session)(Silent())
    assert [*session.topics()]
    assert not session.is_here


def test_that_a_topic_read_before_an_edit_does_not_take_the_place_of_what_was_written(
    session, store, monkeypatch
) -> None:
    begun = session.topics()
    read, waiting = on_demand.topics_in_order, ["t3"]

    def read_and_edit(connection, ids, **reading):
        found = read(connection, ids, **reading)
        while waiting:
            assert _link(session, waiting.pop())
        return found

    monkeypatch.setattr(on_demand, "topics_in_order", read_and_edit)
    assert tuple(begun) != store.corpus().topics
    assert not waiting
    assert session.topic("t3") == store.topic("t3")
    assert tuple(session.topics()) == store.corpus().topics


@pytest.mark.parametrize("many", [_MIDDLE], indirect=True)
def test_that_what_was_handed_out_before_all_were_read_outlasts_a_change_of_the_whole(
    session, store
) -> None:
    before, given = store.corpus(), session.corpus()
    rest_of(session)(Silent())
    _link(session, "t0")
    store.add(Addition(topics=(topic("new", docs=1),)), who="other")
    session.reload(Changes(topics=frozenset({"new"}), corpus=True))
    assert given == before


def test_that_nobody_computes_on_topics_of_two_states_of_a_corpus(session, store) -> None:
    given = session.corpus()
    store.add(Addition(topics=(topic("new", docs=1),)), who="other")
    session.reload(Changes(topics=frozenset({"new"}), corpus=True))
    assert session.topic_ids()[-1] == "new"
    with pytest.raises(EnvironmentProblem, match="as a whole"):
        list(given.topics)


def test_that_a_step_of_the_whole_that_is_stopped_leaves_the_corpus_readable(store, qapp) -> None:
    def stop(title: str, work: object) -> NoReturn:
        raise Cancelled

    store.add(Addition(topics=(topic("new", docs=1),)), who=WHO)
    session = CorpusSession(store, who=WHO, waits=stop)
    before = store.corpus()
    assert session.corpus() == before
    session.undo()
    assert session.corpus() == store.corpus() == before


def test_that_the_whole_is_known_without_reading_it(session, store) -> None:
    whole = store.corpus()
    assert session.annotators() == ("1", "2")
    assert [session.has_alignments(who) for who in ("1", "2", "nobody")] == [True, True, False]
    assert [*session.tallies(session.topic_ids())] == [tally_of(one) for one in whole.topics]
    for part in Part:
        assert session.has(part) is has(whole, part), part


def _told(session) -> tuple[object, ...]:
    tallies = [*session.tallies(session.topic_ids())]
    return (
        session.annotators(), session.systems(), session.titles(), session.lengths(),
        {*session.languages()}, session.has_alignments(), tallies,
        [session.has_alignments(who) for who in ("1", "2", "nobody")],
    )  # fmt: skip


@pytest.mark.parametrize("many", [_MIDDLE], indirect=True)
def test_that_all_in_memory_tell_what_the_file_does(session, store) -> None:
    asked = _told(session)
    parts = [session.has(part) for part in Part]
    rest_of(session)(Silent())
    assert asked == _told(session)
    assert parts == [session.has(part) for part in Part]


def test_that_a_corpus_without_something_is_known_to_lack_it(tmp_path) -> None:
    with CorpusStore.create(tmp_path / "bare.awase", name="bare", who=WHO) as store:
        assert not any(store.has_part(part) for part in Part)


@in_turn("who", ["1", "2", "nobody"])
@in_turn("start", ["t0", "t1", "t2", "t3", "empty"])
def test_that_the_next_sentence_to_settle_is_the_one_of_all_topics(
    session, store, who, start
) -> None:
    session.set_who(who)
    topics = store.corpus().topics
    expected = next_incomplete(topics, who, start, "a", 1)
    assert next_incomplete(session.topics_to_settle(start), who, start, "a", 1) == expected


def test_that_the_next_sentence_to_settle_far_away_is_looked_for_in_a_job_that_can_be_stopped(
    store, qapp, monkeypatch
) -> None:
    monkeypatch.setattr(held_corpus, "NEAR", 1)
    told: list[int] = []

    class Tells:
        def advance(self, done: int, total: int, what: str = "") -> None:
            told.append(total)
            if len(told) > 1:
                raise Cancelled

    session = CorpusSession(store, who="nobody", waits=lambda _title, work: work(Tells()))
    assert [one.id for one in session.topics_to_settle("t0")] == ["t0", "t1"]
    assert not told, "the next one is asked for at once"
    assert [one.id for one in session.topics_to_settle("t1")] == ["t1", "t2"]
    assert told == [3]
    with pytest.raises(Cancelled):
        session.topics_to_settle("t1")


def _all_of(lines: TopicLines) -> dict[str, TopicLine]:
    finder = lines.finder()
    return {line.id: line for line in map(finder.line, finder.found())}


def test_that_the_list_counts_edits_without_counting_all_again(session, store) -> None:
    lines = TopicLines.of(session)
    small = _all_of(lines)
    assert [*small] == [topic_id for topic_id, _ in store.titles()]
    assert (small["t1"].n_settled, small["t1"].others) == (2, (("2", 1),))
    assert lines.count(lines.finder())
    edit = actions.alignment_edit(
        "t2", session.topic("t2").abstracts[0], WHO,
        actions.as_no_source(actions.SentenceAlignment(n=1)), verb=actions.NO_SOURCE,
    )  # fmt: skip
    session.perform(edit)
    now = _all_of(lines)
    assert (small["t2"].n_settled, now["t2"].n_settled) == (0, 1)
    assert {**now, "t2": small["t2"]} == small
    assert not lines.finder().lacks_counts(TopicFilter.DONE, TopicOrder.PROGRESS)
    by_progress = [*lines.finder().found(order=TopicOrder.PROGRESS, is_descending=True)]
    assert by_progress == [*_sorted_by_progress(now)]


def _sorted_by_progress(lines: dict[str, TopicLine]) -> list[int]:
    listed = [*lines.values()]
    shares = [one.n_settled / one.n_sentences if one.n_sentences else 2.0 for one in listed]
    return sorted(range(len(listed)), key=shares.__getitem__, reverse=True)


def test_that_a_list_counts_the_topics_in_sight_and_all_only_to_sort_or_filter_by_counts(
    session, monkeypatch
) -> None:
    asked: list[str] = []
    tallies = CorpusSession.tallies

    def noted(self, ids):
        asked.extend(ids)
        return tallies(self, ids)

    monkeypatch.setattr(CorpusSession, "tallies", noted)
    finder = TopicLines.of(session).finder()
    places = finder.found("t")
    assert asked == []
    finder.line(places[1], places[:2])
    finder.line(places[0])
    assert sorted(asked) == ["t0", "t1"]
    assert finder.lacks_counts(TopicFilter.ALL, TopicOrder.PROGRESS)
    finder.count(Silent())
    assert asked[2:] == [*session.topic_ids()]


def test_that_a_list_whose_counting_is_stopped_shows_all_topics_as_before(store, qtbot) -> None:
    titles: list[str] = []

    def wait(title: str, work):
        titles.append(title)
        if len(titles) == 2:
            raise Cancelled
        return work(Silent())

    shown = TopicView(CorpusSession(store, who=WHO, waits=wait))
    qtbot.addWidget(shown)
    shown.offer()
    shown.filter.setCurrentIndex(shown.filter.findData(TopicFilter.DONE))
    assert shown.filter.currentData() is TopicFilter.ALL
    assert shown.model.n_topics == shown.model.n_all == len(store.titles())
    shown.table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    shown.table.sortByColumn(3, Qt.SortOrder.AscendingOrder)
    assert len(titles) == 3


def test_that_all_lists_of_a_corpus_share_what_they_read_and_count(store, qtbot) -> None:
    waited_for: list[str] = []

    def wait(title: str, work):
        waited_for.append(title)
        return work(Silent())

    session = CorpusSession(store, who=WHO, waits=wait)
    views = [TopicView(session), TopicView(session)]
    for view in views:
        qtbot.addWidget(view)
        view.offer()
    views[0].filter.setCurrentIndex(views[0].filter.findData(TopicFilter.OPEN))
    views[1].filter.setCurrentIndex(views[1].filter.findData(TopicFilter.DONE))
    assert len(waited_for) == 2, "titles, and counts"
    n_open, n_done = (view.model.n_topics for view in views)
    session.set_who("nobody")
    for view in views:
        view.offer()
    assert len(waited_for) == 4
    assert views[0].model.n_topics == n_open + n_done
    assert views[1].model.n_topics == 0


def test_that_a_large_file_is_read_on_demand(store) -> None:
    assert isinstance(store.corpus_held().topics, TopicsOnDemand)
    assert store.corpus_held() == store.corpus()


@in_turn("needle", ["sentence", "3.", "nowhere", "", "1"])
def test_that_a_large_corpus_finds_what_a_small_one_does(session, store, needle) -> None:
    small, large = Sentences(store.corpus().topics), _stored(session)
    in_small = small.search(needle, 0, 9.0)[0]
    in_large = large.search(needle, 0, 9.0)[0]
    assert [large[one] for one in in_large] == [small[one] for one in in_small]
    assert [large[one] for one in large.search(needle, 0, 9.0)[0]] == [
        small[one] for one in in_small
    ]


def test_that_a_search_goes_on_where_a_slice_of_it_ended(session, store, monkeypatch) -> None:
    monkeypatch.setattr(sentences, "TOPICS_AT_ONCE", 1)
    large, found, at, n_slices = _stored(session), list[int](), 0, 0
    while at < large.n_blocks:
        some, at = large.search("1.", at, -1.0)
        found += some
        n_slices += 1
    assert n_slices == len(store.corpus().topics)
    assert [large[one].topic_id for one in found] == [*session.topic_ids()]


def test_that_a_search_ends_when_enough_was_found(session, monkeypatch) -> None:
    monkeypatch.setattr(sentences, "MOST_FOUND", 2)
    large = _stored(session)
    found, at = large.search("sentence", 0, 9.0)
    assert len(found) == 2
    assert at >= large.n_blocks


def test_that_an_index_changes_nothing_of_what_is_found(session, store, tmp_path) -> None:
    index = _indexed(store, tmp_path)
    assert index.n_missing == 0
    small = Sentences(store.corpus().topics)
    for needle in ("sentence", "3.", "nowhere", "", "1", "ce 2", "鯨"):
        large = _stored(session)
        large.take_index(index)
        found = large.search(needle, 0, 9.0)[0]
        in_small = small.search(needle, 0, 9.0)[0]
        assert [large[one] for one in found] == [small[one] for one in in_small], needle
    index.close()


def test_that_only_topics_that_may_have_the_words_are_read(session, store, tmp_path) -> None:
    store.add(Addition(topics=(topic("new", docs=("鯨がいた。",)),)), who=WHO)
    asked: list[str] = []

    def read(topics: Sequence[str]) -> Sequence[StoredSentence]:
        asked.extend(topics)
        return store.sentences(topics)

    index = _indexed(store, tmp_path)
    large = StoredSentences([topic_id for topic_id, _ in store.titles()], read)
    large.take_index(index)
    found, at = large.search("鯨", 0, 9.0)
    assert [large[one].text for one in found] == ["鯨がいた。"]
    assert (asked, at) == (["new"], large.n_blocks)
    index.close()


def _indexed(store: CorpusStore, folder: Path) -> TopicIndex:
    [*built(Path(store.location), index_path(folder, store.location))]
    topics, digests = zip(*store.text_digests(), strict=True)
    index = known_index(store.location, topics, digests, folder)
    assert index is not None
    return index


def _stored(session: CorpusSession) -> StoredSentences:
    return StoredSentences(session.topic_ids(), session.store.sentences)


def test_that_systems_and_titles_are_those_of_all_topics(session, store) -> None:
    assert session.systems() == ("lead",)
    assert session.titles() == tuple((one.id, one.title or "") for one in store.corpus().topics)


def _removing(session: CorpusSession, kind: str, name: str) -> RemoveDialog:
    dialog = RemoveDialog(session)
    dialog.fields.set("kind", kind)
    (item,) = dialog.list.findItems(name, Qt.MatchFlag.MatchExactly)
    item.setSelected(True)
    return dialog


_EVERYWHERE = ((verbs.REMOVE_SYSTEMS, "lead"), (verbs.REMOVE_ALIGNMENTS, "1"))


@pytest.mark.parametrize(("kind", "name"), _EVERYWHERE)
def test_that_removing_from_every_topic_reads_them_in_a_job_that_tells_each_and_can_be_stopped(
    store, qtbot, monkeypatch, kind, name
) -> None:
    read, jobs, told, running = on_demand.topics_in_order, [], [], []

    def read_in_job(*args, **keywords):
        assert running, "the window's own thread reads topics"
        return read(*args, **keywords)

    class Tells:
        def advance(self, done: int, total: int, what: str = "") -> None:
            told.append((done, total))
            if len(jobs) == 1:
                raise Cancelled

    def in_a_job(title, work):
        jobs.append(title)
        running.append(title)
        try:
            return work(Tells())
        finally:
            running.clear()

    session = CorpusSession(store, who=WHO, waits=in_a_job)
    before, state = store.corpus(), store.state()
    monkeypatch.setattr(on_demand, "topics_in_order", read_in_job)
    dialog = _removing(session, kind, name)
    qtbot.addWidget(dialog)
    with qtbot.assertNotEmitted(dialog.removed):
        dialog.submit()
    assert (store.corpus(), store.state()) == (before, state)
    assert session.undo_stack.count() == 0
    told.clear()
    with qtbot.waitSignal(dialog.removed), qtbot.waitSignals([session.changed, session.edited]):
        dialog.submit()
    assert len(told) == len(before.topics) + {"lead": 1, "1": 3}[name]  # read, then written
    assert told == sorted(told)
    assert name in jobs[1]
    after = store.corpus()
    assert after != before
    assert session.undo_stack.undoText()
    session.undo()
    assert store.corpus() == before
    session.redo()
    assert store.corpus() == after
    assert len(jobs) == 4


def test_that_what_can_be_removed_is_listed_without_reading_a_topic(
    session, qtbot, monkeypatch
) -> None:
    def read(*_args: object, **_keywords: object) -> NoReturn:
        raise AssertionError("a topic is read")

    monkeypatch.setattr(on_demand, "topics_in_order", read)
    dialog = RemoveDialog(session)
    qtbot.addWidget(dialog)
    listed = {}
    for kind in (verbs.REMOVE_TOPICS, verbs.REMOVE_SYSTEMS, verbs.REMOVE_ALIGNMENTS):
        dialog.fields.set("kind", kind)
        listed[kind] = [dialog.list.item(at).text() for at in range(dialog.list.count())]
    assert listed == {
        verbs.REMOVE_TOPICS: ["t0  Topic 0", "t1  Topic 1", "empty", "t2  Topic 2", "t3  Topic 3"],
        verbs.REMOVE_SYSTEMS: ["lead"],
        verbs.REMOVE_ALIGNMENTS: ["1", "2"],
    }
