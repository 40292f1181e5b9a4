"""What dialogs, menus and pages say, and in which order, is what was recorded (tests/goldens)."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, product
from pathlib import Path

import pytest
from PySide6.QtCore import (
    SIGNAL,
    QAbstractItemModel,
    QAbstractListModel,
    QCoreApplication,
    QEvent,
    QMetaMethod,
    QObject,
    QStandardPaths,
    Qt,
)
from PySide6.QtGui import QColor, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QScrollBar,
    QSpinBox,
    QTableView,
    QTabWidget,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid
from tests import building
from tests.gui.every_dialog import MAKERS, Place
from tests.gui.frame.test_language import PROPERTIES, parts_of
from tests.gui.looking import is_part
from tests.gui.pages.correlations.test_correlations_page import corpus
from tests.gui.painting import painted_by, paints_itself
from tests.gui.seeing import pick
from tests.gui.test_every_dialog import unasked
from tests.models_made_up import put_parser
from tests.oracles.corpus_edits import corpus_edit

import awase.gui
from awase.core.agreement.adjudication import GOLD_LINK
from awase.core.analysis.grading import save_edit
from awase.core.annotation import actions, content
from awase.core.errors import Problem
from awase.core.formats.awase_json.corpus import pieces
from awase.core.formats.reading.requests import WriteRequest
from awase.core.records.abstract import EditEffort, GoldEntry, GoldSource, Limit
from awase.core.records.corpus import Assignment, Corpus, Person
from awase.core.records.edits import EDIT_PROJECT, GoldEdit
from awase.core.records.source import Document
from awase.core.records.topic import Topic
from awase.core.reports.grid import RowsOnDemand
from awase.gui.dialogs.editing.editing import AbstractDialog, DocumentDialog
from awase.gui.dialogs.editing.text_dialog import TextDialog
from awase.gui.frame.commands import PAGES
from awase.gui.kit.commands import Command
from awase.gui.kit.forms.controls import PlaceField
from awase.gui.kit.forms.dialog import FormDialog, JobDialog
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.i18n import language, set_language
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.pages.scores.plots import PlotKind, Quantity
from awase.gui.session.pages import Cause
from awase.gui.session.scoring_choices import MetricsDialog
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore

COLOUR, LONG = re.compile("#[0-9a-f]{6}"), re.compile(r"(\.\d{6})\d+")
DAY = re.compile(r"20(?<!\w20)\d\d-\d\d-\d\d(\d\d:\d\d|\b(?![T ]\d\d:))")  # of a backup or week
MANY = re.compile("(; choice [^;]+){8,}")
LOOKS = {
    "read": Qt.ItemDataRole.AccessibleTextRole,
    "tip": Qt.ItemDataRole.ToolTipRole,
    "ink": Qt.ItemDataRole.ForegroundRole,
    "ticked": Qt.ItemDataRole.CheckStateRole,
}
GUI, CONNECTED = Path(awase.gui.__path__[0]), re.compile(r"\.(\w+)\.connect\(")
QUIET_SIGNALS = {"destroyed", "dataChanged"}
QUIET = (QObject, QScrollBar, QStandardItemModel, QHeaderView)
PASSED_OVER = (QHeaderView, QMenu, QProgressBar, QScrollBar)
HELD = ("checked", "currentText", "plainText", "minimum", "maximum", "look")
FEW = 60
"""Cells, which are all looked at as they are painted."""
OF_THIS_MACHINE = {"DefectDialog"}
"""What is installed decides what it says."""


def lines_of(widget: QWidget) -> Iterator[str]:
    """Yields what each widget says, holds and allows, in the order in which they were made."""
    for one in (widget, *widget.findChildren(QWidget)):
        is_seen, is_list = one.isVisibleTo(widget), isinstance(one, QAbstractItemView)
        is_elsewhere = one.window() is not widget.window()
        if (
            is_part(one)
            or is_elsewhere
            or isinstance(one, PASSED_OVER)
            or (is_list and not is_seen)
        ):
            continue
        told = [(name, one.property(name)) for name in (*PROPERTIES, *HELD)]
        told += parts_of(one) if is_seen else ()
        if isinstance(one, QComboBox) and one.lineEdit():
            told.append(("hint", one.lineEdit().placeholderText()))
        if is_list and one.model() is not None:
            told += [("row", one.model().index(at, 0).data()) for at in range(9)]
            told += (*looks_in(one.model()), ("current", one.currentIndex().data()))
        if is_seen and isinstance(one, GridView):
            told.append(("painted by", type(one.itemDelegate()).__name__))
            told += (("column", column) for column in one.grid.columns)
            told += (("cell", cell) for row in one.grid.rows for cell in row)
            told += (
                ("titled", one.grid.headerData(at, Qt.Orientation.Vertical)) for at in range(9)
            )
            told.append(("leads", one.leads_to(one.currentIndex())))
            told.append(("about", one.item() and str(one.item())[:60]))
            if [*one.grid.order] != [*range(len(one.grid.order))]:
                told.append(("order", [*one.grid.order]))
            if isinstance(one.grid.rows, RowsOnDemand):
                places = range(len(one.grid.columns))
                told += (("keys", [*one.grid.rows.values(at)]) for at in places)
        if is_seen and paints_itself(one) and not has_many_cells(one):
            told.append(("painted", painted_by(one)))
        if is_seen and isinstance(one, QTextEdit):
            told += [("colour", colour) for colour in sorted({*COLOUR.findall(one.toHtml())})]
        said = "; ".join(
            f"{name} {value}" for name, value in told if value not in (None, "", False)
        )
        states = "hidden " * (not is_seen) + "disabled " * (not one.isEnabled())
        if said:
            yield f"{type(one).__name__} {states}{said}"


def has_many_cells(widget: QWidget) -> bool:
    model = widget.model() if isinstance(widget, QTableView) else None
    return model is not None and model.rowCount() * model.columnCount() > FEW


def looks_in(model: QAbstractItemModel) -> Iterator[tuple[str, object]]:
    """Yields how the cells of the first rows are read out, and what look they have."""
    n_columns = 1 if isinstance(model, QAbstractListModel) else min(model.columnCount(), 9)
    for row, column in product(range(2), range(n_columns)):
        for name, role in LOOKS.items():
            look = model.index(row, column).data(role)
            yield f"{row} {column} {name}", look.name() if isinstance(look, QColor) else look


def heard_in(*roots: QObject) -> Iterator[str]:
    """Yields how many hear each signal of ours, and what is done to controls, in their order."""
    signals: dict[type, list[str]] = {}
    parts = (one for root in roots for one in (root, *root.findChildren(QObject)))
    for one in dict.fromkeys(parts):
        if type(one) in QUIET or (isinstance(one, QWidget) and is_part(one)):
            continue  # of Qt's own
        if type(one) not in signals:
            signals[type(one)] = signals_of(one)
        counted = ((signal, one.receivers(SIGNAL(signal))) for signal in signals[type(one)])
        heard = ", ".join(f"{signal} {n}" for signal, n in counted if n)
        if heard:
            text = one.property("accessibleName") or one.property("text") or ""
            yield f"{type(one).__name__} {text}: {heard}"


def signals_of(one: QObject) -> Sequence[str]:
    """Returns the signals of an object that are ours, or that our code listens to somewhere."""
    about, found = one.metaObject(), {}
    for method in map(about.method, range(about.methodCount())):
        name = method.name().toStdString()
        owner = next((base for base in type(one).__mro__ if name in vars(base)), object)
        is_ours = owner.__module__.startswith("awase") or name in listened_to()
        if is_ours and method.methodType() is QMetaMethod.MethodType.Signal:
            found.setdefault(name, method.methodSignature().toStdString())  # the one with defaults
    return [*found.values()]


@cache
def listened_to() -> set[str]:
    sources = (path.read_text("utf-8") for path in GUI.rglob("*.py"))
    return {name for text in sources for name in CONNECTED.findall(text)} - QUIET_SIGNALS


@pytest.fixture
def recorded(golden, tmp_path):
    def compare(name: str, outputs: dict[str, Iterable[str]]) -> None:
        texts = {title: "".join(f"{line}\n" for line in lines) for title, lines in outputs.items()}
        places = {str(tmp_path): "(FOLDER)", str(Path.home()): "(HOME)", "\u200b": ""}
        for place, stand_in in places.items():
            texts = {title: text.replace(place, stand_in) for title, text in texts.items()}
        texts = {title: LONG.sub(r"\1", DAY.sub("(DAY)", text)) for title, text in texts.items()}
        golden(name, texts)

    return compare


@pytest.fixture
def no_parser(monkeypatch):
    """Finds every parser and a keyring; asks no parser how it is: that imports it, for seconds."""
    monkeypatch.setattr("awase.storage.postgresql.servers.has_keyring", lambda: True)
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: "nowhere")
    put_parser(monkeypatch, None)
    monkeypatch.setattr("awase.gui.dialogs.deriving.look", unasked)


def test_that_every_dialog_says_what_was_recorded(
    session_over, services, qtbot, tmp_path, recorded, no_parser
):
    again = Assignment(topic="t", abstract="t-short", person="2", round=2)
    made = team()
    persons, work = (*made.persons, Person(id="a/3")), (*made.assignments, again)
    session = session_over(corpus=replace(made, name="1.2", persons=persons, assignments=work))
    place = Place(session, services, qtbot.added(QWidget()), tmp_path)
    kinds = {kind.__name__: kind for kind in MAKERS if kind.__name__ not in OF_THIS_MACHINE}
    dialogs = {name: MAKERS[kind](place) for name, kind in kinds.items()}
    (topic, *_), jobs = session.topics(), services.jobs
    for kind, old in ((AbstractDialog, topic.abstracts[0]), (DocumentDialog, topic.documents[0])):
        dialogs[f"{kind.__name__} of one"] = kind(session, jobs, topic, old, place.window)
    remarks = [Problem(what="Guessed.")] * 2
    dialogs["Remarks"] = ProblemsDialog("Done.", remarks, place.window, are_remarks=True)
    for dialog in dialogs.values():
        if isinstance(dialog, FormDialog):
            dialog.show_state()
    recorded("window/heard-of-dialogs", {one: heard_in(dialogs[one]) for one in dialogs})
    outputs = {name: [*lines_of(dialog)] for name, dialog in dialogs.items()}
    set_language("ja")
    QApplication.processEvents()
    outputs |= {f"{name} (ja)": [*lines_of(dialog)] for name, dialog in dialogs.items()}
    recorded("window/dialogs", outputs)
    set_language("en")
    QApplication.processEvents()
    outputs, whole = {}, stored(session)
    for name, form in dialogs.items():
        if isinstance(form, FormDialog) and not isinstance(form, MetricsDialog):
            outputs[name] = [*filled(form, form.fields, tmp_path)]
            if isinstance(form, TextDialog) or not isinstance(form, JobDialog):
                outputs[name] += confirmed(form, session, whole)
    recorded("window/filled", outputs)


TEXTS = (  # joined and put in; split, changed and gone; changed, and one in the middle gone
    "One. Two.\nThree.\nNew words.\nFour.\nFive.", "On\ne.\nTwo, three.\nThree.\nFive.",
    "One, two.\nTwo, three.\nFour.\nAnd five.",
)  # fmt: skip


def test_that_texts_edited_say_and_store_what_was_recorded(session_over, services, qtbot, recorded):
    texts, limit = ("One.", "Two.", "Three.", "Four.", "Five."), Limit(unit="characters", size=9)
    of_document = [replace(one, paragraph=one.n) for one in building.document("d", texts).sentences]
    document = Document(id="d", sentences=tuple(of_document), title="News", source="A", date="2001")
    long = building.abstract("a", "1; ; ; 2&3|4;", texts=texts, ranks="ABCAA", limit=limit)
    noted = replace(long.alignments[0], annotator="2", sentences=(building.entry(2, note="Why?"),))
    gold, both = (GoldEntry(entry=building.entry(3, "1")),), (*long.alignments, noted)
    long = replace(long, alignments=both, gold=gold, length="tiny")
    session = session_over(Topic(id="t", documents=(document,), abstracts=(long,)))
    whole, outputs, said, (topic,) = stored(session), {}, set(), session.topics()
    for kind, old in ((AbstractDialog, topic.abstracts[0]), (DocumentDialog, topic.documents[0])):
        for text in TEXTS:
            dialog = qtbot.added(kind(session, services.jobs, topic, old))
            is_undoable, review = dialog.editor.document().isUndoAvailable(), dialog.review
            told = [f"{dialog.has_unsaved()} {is_undoable}"]
            for step in range(-1, 4):
                if step in (0, 3):
                    dialog.editor.setPlainText(text)
                    dialog.show_state()
                elif step == 1:
                    review.findChild(QListWidget).setCurrentRow(len(review.rows) - 1)
                elif step == 2:
                    review.putBack.emit(review.rows[0].n)
                lines = [*lines_of(dialog)]
                told += (f"{step}: {line}" for line in lines if line not in said)
                said = {*lines}
            review.set("agree", True)
            outputs[f"{kind.__name__}: {text}"] = [*told, *confirmed(dialog, session, whole)]
    recorded("window/texts", outputs)


PLACES = ("", ".", "1.2.awase", "no/x", "new")
WORDS = ("", " a=1/b, c ", "12")


def values_for(control: QWidget, folder: Path) -> Sequence[object]:
    """Returns what is written, chosen or ticked in a field, one after the other."""
    if not control.isEnabled() or not control.isVisibleTo(control.window()):
        return ()
    match control:
        case PlaceField():
            return [place and str(folder / place) for place in PLACES]
        case QComboBox():
            offered = [control.itemData(at) for at in range(min(control.count(), 4))]
            return (*offered, *WORDS[:2]) if control.isEditable() else offered[::-1]
        case QSpinBox():
            return control.maximum(), control.minimum()
        case QCheckBox():
            return [not control.isChecked()]
        case QLineEdit() if not control.isReadOnly():
            return WORDS
        case QPlainTextEdit() if not control.isReadOnly():
            return "", "One.\nTwo words."
        case QListWidget():
            return control.count() - 1, control.count() // 2, 0
    return ()


def filled(dialog: FormDialog, panel: FormPanel, folder: Path) -> Iterator[str]:
    """Yields what a form says that it did not say before each value of its fields."""
    before, names = [*lines_of(dialog)], panel.names()
    for name in (*names, *names[:2]):  # others may follow the first ones, or no longer
        control = panel[name]
        for value in values_for(control, folder):
            if isinstance(control, QListWidget):
                control.setCurrentRow(value)
            else:
                panel.set(name, value)
            if isinstance(control, QPlainTextEdit):
                dialog.show_state()  # as a pause in writing does
            now = [*lines_of(dialog)]
            yield f"- {name}: {value}"
            yield from (MANY.sub("; many choices", line) for line in now if line not in before)
            before = now
    for inner in panel.findChildren(FormPanel):
        yield from filled(dialog, inner, folder)


def confirmed(dialog: FormDialog, session: CorpusSession, whole: list[str]) -> Iterator[str]:
    """Yields what a form tells others, says, and stores, which is undone: `whole` is stored."""
    told: list[str] = []
    for signal in signals_of(dialog):
        name = signal.partition("(")[0]
        getattr(dialog, name).connect(lambda *given, name=name: told.append(f"{name} {given}"))
    dialog.confirm()
    yield from (*told, f"{dialog.result()} {dialog.message.text()}")
    if session.undo_stack.canUndo():
        lines = stored(session)
        yield from (session.undo_stack.undoText(), *stored_anew(whole, lines))
        session.undo_stack.undo()
        assert stored(session) == whole


def stored_anew(before: list[str], lines: list[str]) -> Iterator[str]:
    yield from (f"gone: {line}" for line in before if line not in lines)
    yield from (line for line in lines if line not in before)


def stored(session: CorpusSession) -> list[str]:
    return "".join(pieces(WriteRequest(corpus=session.store.corpus()))).splitlines()


@pytest.fixture
def rest(services, qtbot):
    def come_to_rest() -> None:
        QApplication.processEvents()
        qtbot.waitUntil(lambda: not services.jobs.is_busy)
        QApplication.processEvents()

    return come_to_rest


def team() -> Corpus:
    """A blind project of three, two of whom differ about what is partly decided."""
    made = corpus()
    first, second = made.topics
    (abstract,) = first.abstracts
    entries = building.entry(1, "3", note="Why?"), building.entry(2, "!2")
    theirs = replace(abstract.alignments[0], annotator="2", sentences=entries)
    both, digest = (*abstract.alignments, theirs), "0" * 64  # of an entry that was changed since
    gold = GoldEntry(
        entry=building.entry(1, "1"), sources=(GoldSource(annotator="2", digest=digest),)
    )
    locked = replace(gold, entry=building.entry(2, "1|2"), decided_by="1", locked=True)
    first = replace(first, abstracts=(replace(abstract, alignments=both, gold=(gold, locked)),))
    links = {"1": "A: 2; B: 3", "2": "3; 3"}
    long = building.abstract("u-long", links, texts=("Three.", "Four."), length="long")
    written = building.text("all", "Four. It rained.", length="long")
    extracts = building.extract("lead", 3, 3, 1, length="long"), building.extract("any", 2)
    outputs = (*second.outputs, *extracts, written)
    second = replace(second, abstracts=(*second.abstracts, long), outputs=outputs)
    people = (Person(id="1", role="lead"), Person(id="2", name="Anna"), Person(id="3"))
    work = [Assignment(topic=t, abstract=f"{t}-short", person=who) for t, who in ("t2", "u3")]
    return replace(
        made, topics=(first, second), persons=people, assignments=tuple(work), is_blind=True,
        guidelines="Link *all* that is said.",
    )  # fmt: skip


def shown_by(window, rest, *pages: str) -> Iterator[tuple[str, list[str]]]:
    """Yields what each page, or these, say, and what comes with another tab in front."""
    for page in pages or (one.id for one in PAGES):
        window.workspace.show_page(page)
        shown = window.workspace.page(page)
        if page == "grade":
            shown.composition.score_now()  # as a moment of quiet does
        rest()
        if page == "annotate":
            shown.assistance.refresh()  # as a moment of quiet does
        lines = [*lines_of(shown)]
        for tabs in shown.findChildren(QTabWidget):
            for at in [*range(1, min(tabs.count(), 5)), 0]:  # behind them metrics are explained
                tabs.setCurrentIndex(at)
                rest()
                lines += (line for line in lines_of(shown) if line not in lines)
        if page == "annotate":
            lines += window.workspace.print_content().html.splitlines()
        yield page, lines


Steps = Iterator[tuple[str, list[str]]]


def used(page: QWidget, now: Callable[[], list[str]], session: CorpusSession) -> Steps:
    """Yields what a page says that it did not say before, after each use of a control."""
    before = now()
    for control in page.findChildren(QWidget):
        bring_up(control, page)
        for value in choices(control, page):
            there, index = windows(), session.undo_stack.index()
            match control:
                case QComboBox():
                    control.setCurrentIndex(value)
                    control.activated.emit(value)
                case QSpinBox():
                    control.setValue(value)
                case QLineEdit():
                    control.setText(value)
                    control.textEdited.emit(value)
                case QAbstractItemView():
                    gone_into(control, value)
                case QAbstractButton():
                    control.click()
            title, lines = f"{control.accessibleName()}: {value}", now()
            outcome = [line for line in lines if line not in before]
            outcome += [QApplication.clipboard().text()] * (value == "Copy table")
            outcome += opened_since(there)
            while session.undo_stack.index() > index:
                outcome.append(session.undo_stack.undoText())
                session.undo_stack.undo()
            yield title, outcome
            before = lines


def bring_up(control: QWidget, page: QWidget) -> None:
    """Brings the tabs to the front that a control is in, but not those that explain metrics."""
    for tabs in page.findChildren(QTabWidget) if isValid(control) else ():
        for at in range(min(tabs.count(), 5)):
            if tabs.widget(at).isAncestorOf(control):
                tabs.setCurrentIndex(at)


def gone_into(view: QAbstractItemView, row: int) -> None:
    """Goes to a row, and opens it unless it is the first: that of a sorted table."""
    if isinstance(view, GridView) and view.isSortingEnabled():
        view.sort_by(0 if row else -1, Qt.SortOrder.DescendingOrder)
    index = view.model().index(row, 0)
    view.setCurrentIndex(index)
    if row:
        opens = view.receivers(SIGNAL("activated(QModelIndex)"))
        (view.activated if opens else view.doubleClicked).emit(index)


def choices(control: QWidget, page: QWidget) -> Sequence[object]:
    """Returns what a person would try, the present choice last."""
    if not isValid(control) or not control.isVisibleTo(page) or not control.isEnabled():
        return ()
    match control:
        case QComboBox() if control.count() > 1:
            return *range(1, min(control.count(), 3)), control.currentIndex()
        case QSpinBox():
            return control.maximum(), control.value()
        case QLineEdit() if not is_part(control):
            return "one", ""
        case QAbstractItemView() if control.model() and not isinstance(control, QHeaderView):
            return control.model().rowCount() - 1, 0
        case QAbstractButton() if control.isCheckable():
            return not control.isChecked(), control.isChecked()
        case QPushButton() if type(control) is QPushButton and not control.text().endswith("…"):
            return (control.text(),)
    return ()


def commanded(window, commands: Iterable[Command], now: Callable[[], list[str]]) -> Steps:
    """Yields what a page says anew after each of its commands, what is opened, and stored."""
    page, session, lines = window.shown.page_id, window.shown.session, now()
    whole = stored(session)
    for command in commands:
        if command.run is None or command.number > 2:
            continue
        before, there, index = lines, windows(), session.undo_stack.index()
        command.run(window.workspace.page(page))
        lines = now()
        outcome = [*(one for one in lines if one not in before), *opened_since(there)]
        if session.undo_stack.index() != index:
            last, whole = whole, stored(session)
            outcome += (session.undo_stack.undoText(), *stored_anew(last, whole))
        yield command.id, outcome


def windows() -> list[QWidget]:
    return [one for one in QApplication.topLevelWidgets() if one.isVisible()]


def opened_since(there: Sequence[QWidget]) -> Iterator[str]:
    """Yields the windows that were opened, and closes them."""
    for one in windows():
        if one not in there:
            yield f"{type(one).__name__} {one.windowTitle()}"
            one.close()


OF_EDITS = ("annotate", "inspect", "grade", "review", "project")


def edited(session: CorpusSession) -> None:
    """Changes texts, links, a note, a decision, an output and the people."""
    topic, here = session.topic("u"), {"topic": "u", "abstract": "u-long"}
    long, made = topic.abstracts[1], session.corpus()
    alone = replace(made, is_blind=False, persons=(), assignments=())
    entry = building.entry(1, "-", note="Really?")
    decided = GoldEntry(entry=building.entry(1, "!2", note="Ask."), cause="slip")
    for edit in (
        content.source_text_edit(topic, building.ref(2), "A hen sat."),
        content.abstract_text_edit("u", long, 2, "Fourth."),
        actions.alignment_edit("u", long, session.who, entry, verb=actions.NO_SOURCE),
        GoldEdit(verb=GOLD_LINK, n=1, old=None, new=decided, **here),
        save_edit(topic, "mine", "short", [building.ref(3)]),
        corpus_edit(made, alone, verb=EDIT_PROJECT),
    ):
        assert session.perform(edit)


def differences(state, before, now) -> dict[str, list[str]]:
    found = {}
    for page, lines in now.items():
        gone = [f"no longer {line}" for line in before[page] if line not in lines]
        found[f"{page} {state}"] = [one for one in lines if one not in before[page]] + gone
    return found


ELSEWHERE = ("menu:quit", "menu:close", "menu:tour", "menu:print", "menu:demo", "undo", "redo")
"""Entries that leave the corpus, change it or take long."""


def test_that_menus_and_pages_say_what_was_recorded_and_entries_lead_there(
    window_over, make_corpus, services, rest, recorded, no_parser, monkeypatch, qtbot
):
    monkeypatch.setattr("awase.gui.pages.correlations.page.N_RESAMPLES", 99)
    window = window_over(make_corpus(corpus=team()))
    window.resize(1400, 1200)  # room for a table and a plot, whatever comes first
    settings, session = services.settings, window.shown.session
    page_ids = ("annotate", "inspect", "grade", "review", "scores")
    annotate, inspect, grade, review, scores = map(window.workspace.page, page_ids)
    for n, ms in ((1, 2000), (2, 8000)):  # of work, which stays in the log
        short, entry = session.topic("u").abstracts[0], building.entry(n, "2&3|3", note="So.")
        worked = actions.alignment_edit("u", short, "1", entry, verb=actions.LINK)
        session.perform(worked, effort=EditEffort(active_ms=ms, n_keys=3))
    annotate.show_sentence("u", "u-long", 2)
    scores.controls.plot.setChecked(True)
    scores.plot.choose(PlotKind.TOPICS)
    outputs = {
        f"menu {menu.title()}": [
            f"{one.text()}, {one.shortcut().toString()}, {one.isEnabled()}"
            for one in menu.actions()
        ]
        for menu in window.menuBar().findChildren(QMenu)
    }
    assert len(inspect.details.panes) == 3  # made when they are wanted
    known = dict(shown_by(window, rest))
    recorded("window/pages", outputs | known)
    heard = {page.id: [*heard_in(window.workspace.page(page.id))] for page in PAGES}
    beside = settings, services.keys, services.themes, services.defects, services.jobs
    of_pages, parts = {*chain(*heard.values())}, (*beside, session, session.undo_stack, window)
    heard["window"] = [line for line in heard_in(*parts) if line not in of_pages]
    recorded("window/heard", heard)
    place, outputs = annotate.place(), {}
    edited(session)
    states = differences("after edits", known, dict(shown_by(window, rest, *OF_EDITS)))
    while session.undo_stack.index() > 2:
        session.undo_stack.undo()
    assert (annotate.place()[:2], annotate.centre.current_ref()) == (place[:2], building.ref(2))
    annotate.return_to(place)
    again = differences("undone", known, dict(shown_by(window, rest, *OF_EDITS)))
    assert [one for lines in again.values() for one in lines if " hidden " not in one] == []
    there = windows()
    for name, action in window.menus.actions.items():
        if action.isEnabled() and not name.startswith(ELSEWHERE):
            window.workspace.show_page("annotate")
            action.trigger()
            QApplication.processEvents()
            opened = [one for one in windows() if one not in there]
            outputs[name] = [f"page {window.shown.page_id}"]
            outputs[name] += sorted(f"{type(one).__name__} {one.windowTitle()}" for one in opened)
            for one in opened:
                outputs[name] += [one.text()] if "remove" in name and name != "menu:remove" else []
                one.close()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    recorded("window/entries", outputs)

    def hand_over() -> None:
        session.set_who("2")  # who may not see the rest, however long what is left takes
        assert inspect.heat.model().rowCount() == 0
        assert review.agreement.study is None
        assert not review.agreement.results.isVisibleTo(review.agreement)
        assert not review.adjudication.queue.cases
        assert window.workspace.page("project").people.table.model().rowCount() == 1

    inspect.show_cause(Cause(topic=None, system="last", length="short"))
    pick(inspect.filters.share, "any share")
    inspect.details.setCurrentWidget(inspect.details.buckets)
    inspect.details.buckets.activated.emit(inspect.details.buckets.model().index(0, 0))
    grade.composition.go_to("u", "u-long")
    grade.composition.set_extract([*building.refs("s3 s1")])
    review.adjudication.open_case("u", "u-long", 1)
    pick(review.agreement.controls.length, "long")
    pick(review.agreement.controls.level, "Which extracts suffice (function)")
    scores.plot.choose(PlotKind.SCATTER, against=Quantity(measure="quality"))
    for state, look, change, *changed in (
        ("in Japanese", "ja light", lambda: settings.set(language="ja")),
        ("in the dark", "ja dark", lambda: settings.set(palette="dark"), "inspect", "review"),
        ("to an annotator", "ja dark", hand_over),
    ):
        change()
        qtbot.waitUntil(lambda wanted=look: f"{language()} {services.themes.theme.name}" == wanted)
        shown = dict(shown_by(window, rest, *changed))
        states |= differences(state, known, shown)
        known |= shown
    recorded("window/states", states)
    assert settings.settings.annotator == "2"  # who goes on the next time


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
def test_that_controls_and_commands_of_pages_do_what_was_recorded(
    window_over, make_corpus, rest, recorded, no_parser, monkeypatch
):
    monkeypatch.setattr("awase.gui.pages.correlations.page.N_RESAMPLES", 9)
    window, outputs = window_over(make_corpus(corpus=team())), {}
    window.resize(1400, 1200)
    session = window.shown.session
    whole, page_of = stored(session), window.workspace.page
    QApplication.clipboard().setText("s3 s1")  # which Grade can take over
    page_of("correlations").controls.metrics.show_metrics(("rouge-1:tokens=unicode", "coverage"))
    # The Project page tells how long people worked; all lead to the Annotate page.
    for page in (PAGES[-1], *PAGES[1:-1], PAGES[0]):

        def now(page_id: str = page.id) -> list[str]:
            if page_id == "grade":
                page_of(page_id).composition.score_now()  # as a moment of quiet does
            rest()
            there = window.shown.page_id
            if there == page_id:
                return [*lines_of(page_of(page_id))]
            place = page_of(there).place() if there == "annotate" else ""
            window.workspace.show_page(page_id)
            rest()
            return [f"to {there} {place}", *lines_of(page_of(page_id))]

        window.workspace.show_page(page.id)
        for steps in (used(page_of(page.id), now, session), commanded(window, page.commands, now)):
            outputs |= {f"{page.id} {title}": lines for title, lines in steps}
        while session.undo_stack.canUndo():
            session.undo_stack.undo()
        assert stored(session) == whole
    recorded("window/used", outputs)


def test_that_pages_without_anything_say_what_was_recorded(
    window_over, make_corpus, rest, recorded
):
    window = window_over(make_corpus(building.topic("t", docs=("It rained.",))))
    recorded("window/nothing", dict(shown_by(window, rest)))


def test_that_pages_of_a_corpus_open_for_reading_say_what_was_recorded(
    window_over, make_corpus, rest, recorded, monkeypatch
):
    monkeypatch.setattr("awase.gui.pages.correlations.page.N_RESAMPLES", 99)
    path = make_corpus(corpus=team())
    with CorpusStore.open(path, who="Sato"):
        window = window_over(path)
        shown = dict(shown_by(window, rest))
    told = {name: [one for one in lines if " disabled " in one] for name, lines in shown.items()}
    entries = (f"{one.text()}, {one.isEnabled()}" for one in window.menus.actions.values())
    recorded("window/reading", told | {"window": [window.windowTitle(), *entries]})
