"""h and scores as they follow the work: the paper's numbers, bounds, and news from the worker."""

from dataclasses import replace
from fractions import Fraction

import pytest
from PySide6.QtCore import Qt
from tests.gui.pages.annotate.conftest import SYSTEM_1, s
from tests.gui.pages.annotate.test_annotating import annotate_table_1
from tests.gui.seeing import label_with, texts

from awase.core.annotation.visibility import Sight
from awase.core.metrics.extracts.gold import gold_of
from awase.core.metrics.extracts.scorers import score_extract
from awase.core.solvers.cover import CoverProblem, MinimalCover, Status
from awase.gui.pages.annotate.live_results import CoverSearch, ShareMaker, live_scores

K = Qt.Key


def labels(annotation):
    return [text for text in texts(annotation.page.strip) if text.startswith(("P ", "Cov ", "WC "))]


def test_that_the_strip_shows_the_papers_numbers_and_what_the_last_action_changed(annotation):
    annotate_table_1(annotation)
    assert annotation.n_keys == 19
    annotation.page.live_results.choose("system 1")
    assert labels(annotation) == ["P 0.667", "Cov 0.556", "WC 0.697"]
    tips = [label_with(annotation.page.strip, name).toolTip() for name in ("P", "Cov", "WC")]
    assert tips == [
        "Precision: 2/3 = 0.666667",
        "Coverage: 5/9 = 0.555556",
        "Weighted coverage: 23/33 = 0.696970",
    ]
    annotation.press(K.Key_S)
    assert labels(annotation) == ["P 1.000", "Cov 0.778", "WC 0.848"]
    assert "h = 6" in texts(annotation.page.strip)
    assert "(2 minimal covers)" in texts(annotation.page.strip)
    annotation.press(K.Key_S)
    annotation.page.annotation.select(3)
    annotation.page.annotation.stand_at(2)
    annotation.page.annotation_actions.toggle(s(17))
    # e(3) rises from 1/3 to 1; h falls from 6 to 5, and with it the surplus 61.
    assert annotation.page.live_results.state.change("coverage") == Fraction(2, 9)
    assert labels(annotation)[:2] == ["P 1.000 (+0.333)", "Cov 0.778 (+0.222)"]
    annotation.press(K.Key_S, K.Key_S)
    assert "(" not in " ".join(labels(annotation))


def test_that_without_any_link_there_is_no_h_and_without_ranks_no_weighted_coverage(annotation):
    assert "h = —" in texts(annotation.page.strip)
    assert labels(annotation) == ["P —", "Cov —", "WC —"]
    assert "nothing to cover" in label_with(annotation.page.strip, "Cov").toolTip()
    annotation.press_candidates(1)
    label = label_with(annotation.page.strip, "WC")
    assert label.text() == "WC —"
    assert "rank" in label.toolTip()
    state = annotation.page.live_results.state  # provisional until all is confirmed
    assert (state.is_provisional, state.skipped, state.unsettled) == (True, (2, 3), (1,))
    assert label_with(annotation.page.strip, "provisional").toolTip().splitlines() == [
        "Left out, as they have no alternative: 2, 3", "Not confirmed: 1"
    ]  # fmt: skip


def test_that_bars_show_what_the_scorer_says_and_a_link_changes_those_of_its_sentence_alone(
    annotation,
):
    annotate_table_1(annotation)
    scores = annotation.page.live_results.state.scores
    abstract = annotation.store.topic("0310").abstracts[0]
    gold = gold_of(abstract, abstract.alignments[0])
    explained = score_extract(gold, tuple(map(s, SYSTEM_1)), 6, scores.options)
    maker = ShareMaker()
    before = maker.shares(scores)
    assert [dict(before[n])["system 1"] for n in (1, 2, 3)] == [
        sentence.value for sentence in explained.sentences
    ]
    first = replace(scores.gold.sentences[0], n=1, masks=(1,), sizes=(1,), union=1)
    changed = replace(scores.gold, sentences=(first, *scores.gold.sentences[1:]))
    after = maker.shares(replace(scores, gold=changed))
    assert maker.n_made == 3 + 1
    assert [after[n] for n in (2, 3)] == [before[n] for n in (2, 3)]


def test_that_annotators_of_a_blind_project_see_nothing_of_systems(annotation):
    annotation.press_candidates(1)
    live, place = annotation.page.live_results, annotation.page.annotation.place
    scores = live.state.scores
    for sight, systems in ((Sight.ALL, scores.systems), (Sight.NOTHING, ())):
        seen = live_scores(replace(place, sight=sight), scores.gold, 6, ())
        assert seen.systems == systems
    assert len(scores.systems) > 1


class SlowWorker:
    """A worker whose news the test gives out."""

    def __init__(self):
        self.running = False
        self.n_started = self.n_cancelled = 0
        self.news = []

    def start(self, problem, *, deadline_s=None):
        self.running = True
        self.n_started += 1

    def poll(self):
        news = self.news.pop(0) if self.news else None
        if news is not None and news.status is not Status.FEASIBLE:
            self.running = False
        return news

    def cancel(self):
        self.running = False
        self.n_cancelled += 1

    close = cancel


HARD = CoverProblem(needs=())


def bounds(lower, upper, status=Status.FEASIBLE, **fields):
    cover = frozenset(range(upper))
    is_final = status is Status.OPTIMAL
    return MinimalCover(
        status=status, cover=cover, lower=lower, upper=upper, is_final=is_final, **fields
    )


@pytest.fixture
def worker(monkeypatch):
    slow = SlowWorker()
    monkeypatch.setattr("awase.gui.pages.annotate.live_results.CoverThread", lambda _: slow)
    return slow


@pytest.fixture
def solved(monkeypatch):
    """The problems looked at, each of which is too hard to be solved within a frame."""
    problems = []

    def solve(_session, problem, *, effort):
        problems.append(problem)
        return bounds(2, 5)

    monkeypatch.setattr("awase.gui.pages.annotate.live_results.CoverSession.solve", solve)
    return problems


@pytest.fixture
def hard_page(table_1, open_page, worker, solved):
    return open_page(table_1)


def test_that_bounds_are_shown_while_h_is_looked_for(hard_page, worker, qtbot):
    hard_page.press_candidates(1)
    strip = hard_page.page.strip
    assert "h = [2, 5]" in texts(strip)
    assert "computing …" in texts(strip)
    assert labels(hard_page) == ["P …", "Cov …", "WC …"]
    qtbot.waitUntil(lambda: worker.running)
    worker.news = [bounds(3, 4), bounds(2, 5)]  # what was known is not forgotten
    qtbot.waitUntil(lambda: not worker.news)
    assert "h = [3, 4]" in texts(strip)
    worker.news = [bounds(4, 4, Status.OPTIMAL, n_covers=7)]
    qtbot.waitUntil(lambda: "h = 4" in texts(strip))
    assert "(7 minimal covers)" in texts(strip)
    known = hard_page.page.live_results.state.values
    hard_page.press_candidates(10)
    qtbot.waitUntil(lambda: worker.running)
    worker.news = [bounds(3, 5, Status.TIMED_OUT)]
    qtbot.waitUntil(lambda: "not proved in time" in texts(strip))
    assert "h = [3, 5]" in texts(strip)
    assert hard_page.page.live_results.state.before == known  # with which what comes is compared


@pytest.mark.slow
def test_that_an_answer_that_came_too_late_is_dropped(hard_page, worker, qtbot):
    hard_page.press_candidates(1)
    qtbot.waitUntil(lambda: worker.running)
    worker.news = [bounds(4, 4, Status.OPTIMAL, n_covers=7)]
    before = worker.n_cancelled
    hard_page.page.annotation_actions.toggle(s(10))  # a key press would let the timer in between
    assert worker.n_cancelled == before + 1
    assert not worker.running
    assert "h = [2, 5]" in texts(hard_page.page.strip)


def test_that_a_large_hard_problem_is_not_looked_at_again_at_each_key(qtbot, worker, solved):
    cover_search = CoverSearch()
    needs = tuple((frozenset({n % 5}), frozenset({n})) for n in range(1_002))
    for news, least in ((), 2), ([bounds(3, 5)], 3):
        cover_search.seek(CoverProblem(needs=needs))
        if news:
            with qtbot.waitSignal(cover_search.found):
                qtbot.waitUntil(lambda: worker.running)
                worker.news = news
        for item in (3, 900):
            known = cover_search.seek(CoverProblem(needs=(*needs, (frozenset({item}),))))
            assert (known.lower, known.upper) == (least, 5 + (item == 900))
        known = cover_search.seek(CoverProblem(needs=needs[1:]))
        assert (known.lower, known.upper) == (least - 1, 5)
    assert len(solved) == 1
    cover_search.drop()


def test_that_a_search_begins_after_typing_and_ends_when_the_page_is_closed(qtbot, worker, solved):
    cover_search = CoverSearch()
    for _ in range(3):  # without a turn of the event loop, as if no time passed between the keys
        cover_search.seek(HARD)
    assert cover_search.is_searching
    assert worker.n_started == 0
    qtbot.waitUntil(lambda: worker.running)
    with qtbot.waitSignal(cover_search.destroyed):
        cover_search.deleteLater()
    assert not worker.running
