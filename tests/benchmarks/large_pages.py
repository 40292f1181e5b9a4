"""What is done on every page of a window with many topics: steps of `large_window`."""

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox

from awase.core.inspection.columns import Share
from awase.core.records.alignment import Alternative
from awase.core.records.corpus import Corpus
from awase.core.records.output import HumanScore, TextOutput
from awase.core.records.topic import Topic
from awase.core.reports.score_views import View, ViewKind
from awase.gui.frame.main_window import MainWindow
from awase.gui.frame.page_stack import PageStack
from awase.gui.pages.inspect.tables import MEAN_COLUMN
from awase.gui.session.services import Services

if TYPE_CHECKING:
    from tests.benchmarks.large_window import Watch

_UP, _DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
Step = tuple[str, Callable[[], object]]
_ONLY = os.environ.get("ONLY", "")


def peopled(corpus: Corpus, seed: int = 3) -> Corpus:
    """Returns the corpus with a second annotator, two systems' texts and people's scores."""
    generator = random.Random(seed)
    topics = tuple(_peopled(topic, generator) for topic in corpus.topics)
    systems = dict.fromkeys(one.system for topic in topics for one in topic.outputs)
    scores = tuple(
        HumanScore(system=system, topic=topic.id, measure="quality", value=generator.randint(1, 5))
        for topic in topics
        for system in systems
    )
    return replace(corpus, topics=topics, human_scores=scores)


def _peopled(topic: Topic, generator: random.Random) -> Topic:
    (abstract,) = topic.abstracts
    (first,) = abstract.alignments
    refs = [*topic.refs()]
    entries = tuple(
        replace(one, alternatives=(*one.alternatives[1:], Alternative((generator.choice(refs),))))
        if generator.random() < 0.3
        else one
        for one in first.sentences
    )
    second = replace(first, annotator="2", sentences=entries)
    texts = [sentence.text for _, sentence in topic.sentences()]
    outputs = tuple(
        TextOutput(system=f"text{n}", sentences=tuple(generator.sample(texts, 5))) for n in (1, 2)
    )
    return replace(
        topic,
        abstracts=(replace(abstract, alignments=(first, second)),),
        outputs=(*topic.outputs, *outputs),
    )


def walk(watch: "Watch", window: MainWindow, services: Services) -> None:
    """Does the main actions of every page, then shows each page again, then edits."""
    workspace = window.shown
    for page_id, actions in _PAGES.items():
        if _ONLY and page_id not in _ONLY:
            continue
        watch.step(f"{page_id}: show", partial(workspace.show_page, page_id))
        for name, action in actions(workspace, workspace.page(page_id)):
            watch.step(f"{page_id}: {name}", action)
    for page_id in _PAGES:
        if not _ONLY or page_id in _ONLY:
            watch.step(f"{page_id}: again", partial(workspace.show_page, page_id))
    view = workspace.annotate.centre.candidates
    workspace.show_page("annotate")
    watch.step("annotate: digit after all", lambda: QTest.keyClick(view, Qt.Key.Key_1))
    for page_id in _PAGES:
        if not _ONLY or page_id in _ONLY:
            watch.step(f"{page_id}: after a change", partial(workspace.show_page, page_id))
    for name, action in _window(services):
        watch.step(f"window: {name}", action, partial(_have_followed, workspace))


def _have_followed(workspace: Any) -> bool:
    """Returns whether the pages out of sight have the look and the language as well."""
    timers = workspace.findChild(PageStack).findChildren(
        QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly
    )
    return not any(timer.isActive() for timer in timers)


def _window(services: Services) -> Iterator[Step]:
    def change(**changes: Any) -> None:
        services.settings.change(replace(services.settings.settings, **changes))

    yield "dark palette", lambda: change(palette="dark")
    yield "larger letters", lambda: change(point_size=14)
    yield "Japanese", lambda: change(language="ja")


def _annotate(workspace: Any, page: Any) -> Iterator[Step]:
    view, session = page.centre.candidates, workspace.session
    keys = {
        "digit": Qt.Key.Key_1, "second digit": Qt.Key.Key_2, "next sentence": Qt.Key.Key_Right,
        "confirm": Qt.Key.Key_Return, "new alternative": Qt.Key.Key_A,
    }  # fmt: skip
    for name, key in keys.items():
        yield name, partial(QTest.keyClick, view, key)
    for n in (1, 2):
        yield f"undo {n}", session.undo
    yield "redo", session.redo
    yield "next topic", lambda: page.annotation.step_abstract(1)
    yield "topic in the middle", lambda: page.annotation.go_to(_middle(session.topic_ids()))
    yield "next incomplete", lambda: workspace.run_on_page("annotate", "next-incomplete")
    yield "find bar", lambda: workspace.run_on_page("annotate", "find")
    yield "find ends", lambda: workspace.run_on_page("annotate", "end-find")
    yield "others' work", lambda: workspace.run_on_page("annotate", "show-others")
    yield "list of topics", workspace.choose_topic
    chooser = page.header.topics.chooser
    yield "a topic typed", lambda: chooser.view.field.setText("00")
    yield "list closed", chooser.close


def _inspect(workspace: Any, page: Any) -> Iterator[Step]:
    details, filters, heat = page.details, page.filters, page.heat
    session = workspace.session
    yield "another topic", lambda: page.choose_topic(_middle(session.topic_ids()))
    yield "all topics", lambda: page.choose_topic(None)
    yield "sorted by mean", lambda: heat.sort_by(MEAN_COLUMN, _UP)
    yield "sorted by text", lambda: heat.sort_by(2, _DOWN)
    yield "another cell", lambda: page.choose_cell(12_000 % heat.n_rows, page.systems[-1])
    yield "End", lambda: QTest.keyClick(heat, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    yield "words", lambda: filters.text.setText("東京")
    yield "no words", lambda: filters.text.setText("")
    yield "lost by a system", lambda: _activate(filters.system, 2)
    yield "missed by it", lambda: _activate(filters.share, 1 + [*Share].index(Share.ANY))
    yield "while right is", lambda: _activate(filters.right, 3)
    yield "rank", lambda: _activate(filters.rank, 1)
    yield "all sentences", filters.clear.click
    for at, name in enumerate(("two systems", "texts", "where errors gather", "places spent"), 1):
        yield name, partial(details.setCurrentIndex, at)
        if at == 1:
            yield "other systems", lambda: _activate(details.second, 3)
            yield (
                "a sentence of both",
                lambda: details.comparison.clicked.emit(details.comparison.model().index(50, 0)),
            )
        if at == 3:
            yield (
                "a bucket",
                lambda: details.buckets.clicked.emit(details.buckets.model().index(1, 0)),
            )
            yield "back from it", workspace.go_back
        if at == 4:
            yield (
                "a system's places",
                lambda: details.spending.clicked.emit(details.spending.model().index(1, 0)),
            )
            yield "back from those", workspace.go_back
    for at in range(3):
        yield f"explained {at + 1}", partial(details.setCurrentIndex, 5 + at)
    yield "a cell explained so", lambda: page.choose_cell(100, page.systems[0])
    yield "first tab", lambda: details.setCurrentIndex(0)
    yield "whole extract", lambda: page.controls.findChild(QCheckBox).setChecked(True)
    yield "first h again", lambda: page.controls.findChild(QCheckBox).setChecked(False)
    yield "copied", page.controls.copy.click
    yield "to Annotate", page.annotate_current
    yield "back from there", workspace.go_back


def _grade(workspace: Any, page: Any) -> Iterator[Step]:
    actions, session = page.actions_row, workspace.session
    yield "best next", actions.nextChosen.emit
    yield "best of 10", lambda: actions.bestChosen.emit(10)
    yield "a system's", lambda: actions.systemChosen.emit("system01")
    yield "compared", lambda: _activate(page.compared, 2)
    yield "another topic", lambda: page.topics.chosen.emit(_middle(session.topic_ids()))


def _scores(workspace: Any, page: Any) -> Iterator[Step]:
    table = page.table
    yield "sorted", lambda: table.sort_by(1, _UP)
    yield (
        "a system by topics",
        lambda: page.show_view(View(kind=ViewKind.SYSTEM, subject=table.arrangement.rows[0].name)),
    )
    yield "sorted by topics", lambda: table.sort_by(1, _DOWN)
    yield "back", page.go_back
    yield "a metric by topics", table.show_by_topics
    yield "back from it", page.go_back
    yield "intervals", lambda: page.controls.intervals.setChecked(True)
    yield "a baseline", lambda: _activate(page.controls.baseline, 1)
    yield "a plot", lambda: page.controls.plot.setChecked(True)
    for at in range(page.plot.kind.count()):
        yield f"plot {at + 1}", partial(_activate, page.plot.kind, at)
    yield "no plot", lambda: page.controls.plot.setChecked(False)
    yield "ROUGE", lambda: page.choose_metrics(("tsc3", "rouge-1", "rouge-2", "rouge-l"))
    yield "pseudo-pyramid", lambda: page.choose_metrics(("tsc3", "pyramid"))
    yield "a mean's cause", lambda: (table.setCurrentIndex(table.grid.index(0, 1)),
                                     page.show_cause())  # fmt: skip
    yield "back from the cause", workspace.go_back


def _correlations(workspace: Any, page: Any) -> Iterator[Step]:
    yield "again computed", page.compute
    yield "sorted", lambda: page.results.table.sort_by(1, _DOWN)


def _review(workspace: Any, page: Any) -> Iterator[Step]:
    results = page.agreement.results
    yield "another level", lambda: _activate(page.agreement.controls.level, 1)
    yield "by topic", lambda: results.overview.setCurrentIndex(1)
    yield "effects", lambda: results.overview.setCurrentIndex(2)
    yield "by week", lambda: results.overview.setCurrentIndex(3)
    yield "a kind", lambda: results.kinds.clicked.emit(results.kinds.model().index(0, 0))
    yield "all", lambda: results.narrow(None, None)
    yield "sentences sorted", lambda: results.sentences.sort_by(1, _UP)
    yield "next sentence", lambda: results.step(1)
    yield "how", page.agreement.explain
    yield "adjudicate", page.adjudicate
    yield "next case", page.adjudication.next_open
    yield "a decision", page.adjudication.decisions.majority
    yield (
        "a column taken",
        lambda: QTest.keyClick(
            page.adjudication.queue, Qt.Key.Key_1, Qt.KeyboardModifier.ShiftModifier
        ),
    )
    yield "confirmed", page.adjudication.confirm
    yield "taken back", workspace.session.undo


def _project(workspace: Any, page: Any) -> Iterator[Step]:
    yield "topics sorted", lambda: page.topics.table.sortByColumn(1, _DOWN)
    yield "a topic typed", lambda: page.topics.field.setText("00")
    yield "people", page.people_shown
    yield "work shared out", page.people.assign


_PAGES: dict[str, Callable[[Any, Any], Iterator[Step]]] = {
    "annotate": _annotate,
    "inspect": _inspect,
    "grade": _grade,
    "scores": _scores,
    "correlations": _correlations,
    "review": _review,
    "project": _project,
}


def _activate(box: Any, at: int) -> None:
    """Chooses an entry as a user does."""
    box.setCurrentIndex(min(at, box.count() - 1))
    box.activated.emit(box.currentIndex())


def _middle(ids: Sequence[str]) -> str:
    return ids[len(ids) // 2]
