"""Every screen to a picture, in every language and palette: `python tools/screens.py FOLDER`.

It is how the window is looked at after a change, and how the manual gets its pictures.
"""

import argparse
import os
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QWidget

from awase.gui.kit.look.palettes import PALETTES
from awase.gui.kit.texts.i18n import LANGUAGES, mark
from awase.gui.main_screens import draw, offstage, settle, wait

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from awase.core.errors import Problem
    from awase.core.vectors.contextual import SpannedWords, Step
    from awase.gui.frame.main_window import MainWindow
    from awase.gui.frame.workspace import Workspace
    from awase.gui.kit.commands.command import Command
    from awase.gui.kit.keys.keys import KeyMap
    from awase.gui.pages.inspect.page import InspectPage
    from awase.gui.pages.scores.page import ScoresPage
    from awase.gui.session.services import Services
    from awase.gui.session.session import CorpusSession

_N_DIMENSIONS: Final = 20
"""Of made-up word vectors."""


def render_all(folder: Path) -> list[Path]:
    """Writes a picture of every screen and returns their paths."""
    pictures: list[Path] = []
    with offstage() as stage:
        for language in LANGUAGES:
            for palette in PALETTES:
                stage.look(language, palette)
                for title, widget in _screens(stage.window, stage.services, language, stage.folder):
                    path = folder / f"{language}-{palette}-{title}.png"
                    pictures.append(draw(widget, path))
    return pictures


def _screens(
    window: "MainWindow", services: "Services", language: str, folder: Path
) -> Iterator[tuple[str, QWidget]]:
    window.close_corpus()
    yield "welcome", window
    window.open_demonstration(language)
    yield "loading", window
    wait(lambda: window.workspace is not None)
    workspace = window.workspace
    assert workspace is not None
    yield "annotate", window
    yield from _people(workspace)
    yield from _finding(workspace, language)
    yield from _inspecting(workspace, services)
    workspace.show_page("scores")
    settle()
    wait(lambda: not services.jobs.is_busy)
    yield "scores", window
    yield from _scores(workspace, services)
    workspace.show_page("correlations")
    settle()
    wait(lambda: not services.jobs.is_busy)
    yield "correlations", window
    yield from _reviewing(workspace, services)
    yield from _project(workspace, services)
    for title, show in _dialogs(window, services, folder):
        dialog = show()
        yield title, dialog
        dialog.close()
        dialog.deleteLater()
        settle()
    location = workspace.session.location
    window.close_corpus()
    yield from _locked_screen(window, location)


def _reviewing(workspace: "Workspace", services: "Services") -> Iterator[tuple[str, QWidget]]:
    from awase.gui.pages.review.page import ReviewPage

    workspace.show_page("review")
    settle()
    wait(lambda: not services.jobs.is_busy)
    page, window = workspace.page("review"), workspace.window()
    assert isinstance(page, ReviewPage)
    yield "review", window
    page.agreement.explain()
    yield "review-how", window
    page.agreement.explain()
    results = page.agreement.results
    for at, title in ((1, "topics"), (2, "effects")):
        results.overview.setCurrentIndex(at)
        yield f"review-{title}", window
    results.overview.setCurrentIndex(0)
    results.open_comparison()
    yield "review-comparison", window
    results.close_comparison()
    page.adjudicate()
    settle()
    wait(lambda: not services.jobs.is_busy)
    yield "review-adjudicate", window
    page.show_agreement()


def _project(workspace: "Workspace", services: "Services") -> Iterator[tuple[str, QWidget]]:
    from awase.core.project.assigning import AssignmentRequest, assigned
    from awase.core.records.project import Person
    from awase.gui.pages.project.assign_dialog import Sharing
    from awase.gui.pages.project.page import ProjectPage

    def come_to_rest() -> None:
        settle()
        wait(lambda: not services.jobs.is_busy)

    session, window = workspace.session, workspace.window()
    n_before = session.undo_stack.index()
    workspace.show_page("project")
    page = workspace.page("project")
    assert isinstance(page, ProjectPage)
    come_to_rest()
    yield "project-topics", window
    people = page.people_shown()
    come_to_rest()
    yield "project-nobody", window
    for who, name, role in (("L", "Lea", "lead"), ("A1", "Anna", "annotator")):
        people.take_person(Person(id=who, name=name, role=role))
    session.set_who("L")
    people.take_person(Person(id="A2", name="Ben"))
    first = AssignmentRequest(people=("A1", "A2"), calibration=1, due="2030-01-31")
    people.share_out(Sharing(first.people, partial(assigned, request=first)))
    come_to_rest()
    yield "project-people", window
    people.assign()
    dialog = people.findChildren(QDialog)[-1]
    yield "project-assign", dialog
    dialog.close()
    people.change_assistance()
    dialog = people.findChildren(QDialog)[-1]
    yield "project-assistance", dialog
    dialog.close()
    people.add_person()
    dialog = people.findChildren(QDialog)[-1]
    yield "project-person", dialog
    dialog.close()
    session.set_who("A1")
    come_to_rest()
    yield "project-annotator", window
    workspace.show_page("annotate")
    settle()
    workspace.choose_topic()
    assert workspace.annotate.header.topics.chooser is not None
    yield "topic-list", workspace.annotate.header.topics.chooser
    workspace.annotate.header.topics.chooser.close()
    session.set_who("L")
    while session.undo_stack.index():
        session.undo()
    session.set_who("A1")
    while session.undo_stack.index() > n_before:
        session.undo()
    come_to_rest()


def _scores(workspace: "Workspace", services: "Services") -> Iterator[tuple[str, QWidget]]:
    from awase.core.reports.score_views import View, ViewKind
    from awase.gui.pages.scores.page import ScoresPage
    from awase.gui.pages.scores.plots.pictures import PlotKind
    from awase.jobs.subset import Subset

    page = workspace.page("scores")
    assert isinstance(page, ScoresPage)
    usual, window = page.metrics(), workspace.window()

    def come_to_rest() -> None:
        settle()
        wait(lambda: not services.jobs.is_busy)

    page.controls.intervals.setChecked(True)
    page.controls.baseline.setCurrentIndex(1)
    page.controls.baseline.activated.emit(1)
    come_to_rest()
    yield "scores-tests", window
    page.controls.plot.setChecked(True)
    for kind in PlotKind:
        page.plot.choose(kind)
        yield f"scores-plot-{kind.value}", window
    page.controls.plot.setChecked(False)
    page.controls.intervals.setChecked(False)
    page.controls.baseline.setCurrentIndex(0)
    page.controls.baseline.activated.emit(0)
    come_to_rest()
    page.show_view(View(kind=ViewKind.SYSTEM, subject=page.arrangement.rows[0].name))
    yield "scores-system", window
    page.show_view(View())
    column = page.arrangement.columns[1]
    page.show_view(View(kind=ViewKind.METRIC, length=column.length, metric=column.metric))
    yield "scores-metric", window
    page.choose_metrics(("coverage", "coverage:strict=yes", "rouge-1:tokens=chars"))
    come_to_rest()
    yield "scores-columns", window
    yield from _scores_dialogs(page, services)
    page.choose_subset(Subset(topics=()))
    come_to_rest()
    yield "scores-empty", window
    page.choose_subset(Subset())
    page.choose_metrics(usual)
    come_to_rest()


def _scores_dialogs(page: "ScoresPage", services: "Services") -> Iterator[tuple[str, QWidget]]:
    metrics = page.controls.metrics.ask()
    yield "metrics", metrics
    first = metrics.options.panel["first"]
    assert isinstance(first, QComboBox)
    first.setEditText("0")
    yield "metrics-wrong", metrics
    metrics.reject()
    subset = page.ask_subset()
    yield "subset", subset
    subset.reject()
    for title in ("ROUGE", "Coverage 2"):
        page.keep_scores(title)
        wait(lambda: not services.jobs.is_busy)
    kept = page.kept.open_dialog()
    assert kept is not None
    run_ids = kept.run_ids()
    yield "kept-scores", kept
    kept.fields.button("compare").click()
    wait(lambda: not services.jobs.is_busy)
    yield "scores-compared", page.window()
    page.kept.forget()
    for run_id in run_ids:
        page.kept.remove(run_id)


def _people(workspace: "Workspace") -> Iterator[tuple[str, QWidget]]:
    """Yields what is shown beside the work, and puts it away again."""
    page, window = workspace.annotate, workspace.window()
    page.annotation.toggle_others()
    page.toggle_guidelines()
    yield "others-and-guidelines", window
    page.toggle_guidelines()
    page.annotation.toggle_others()
    page.abstract.filter.step(3)
    yield "disagreement-kept-back", window
    page.abstract.filter.step(-3)
    menu = page.strip.who.menu()
    menu.aboutToShow.emit()
    menu.resize(menu.sizeHint())  # not shown: that would take the keyboard
    yield "annotator-menu", menu
    workspace.begin_tour()
    yield "tour", window
    workspace.end_tour()


def _inspecting(workspace: "Workspace", services: "Services") -> Iterator[tuple[str, QWidget]]:
    from awase.gui.pages.grade.page import GradePage
    from awase.gui.pages.inspect.page import InspectPage
    from awase.gui.pages.inspect.tables import FIRST_SYSTEM_COLUMN, MEAN_COLUMN

    workspace.show_page("inspect")
    settle()
    wait(lambda: not services.jobs.is_busy)
    page = workspace.page("inspect")
    assert isinstance(page, InspectPage)
    page.heat.sort_by(MEAN_COLUMN, Qt.SortOrder.AscendingOrder)
    page.heat.setCurrentIndex(page.heat.model().index(1, FIRST_SYSTEM_COLUMN))
    for tab, title in enumerate(("sentence", "two-systems", "texts", "errors", "places")):
        page.details.setCurrentIndex(tab)
        settle()
        yield f"inspect-{title}", workspace.window()
    yield from _explaining(page, services)
    page.details.setCurrentIndex(0)
    workspace.show_page("grade")
    settle()
    wait(lambda: not services.jobs.is_busy)
    grade = workspace.page("grade")
    assert isinstance(grade, GradePage)
    grade.compared.setCurrentIndex(1)
    for _ in range(3):
        grade.add_best()
    grade.composition.score_now()
    wait(lambda: not services.jobs.is_busy)
    yield "grade", workspace.window()


def _explaining(page: "InspectPage", services: "Services") -> Iterator[tuple[str, QWidget]]:
    from awase.jobs.supplies.gathering import Places

    def come_to_rest() -> None:
        settle()
        wait(lambda: not services.jobs.is_busy)

    details, window = page.details, page.window()
    page.choose_topic(page.session.topics()[0].id)
    details.pyramid.chooser.choose(("pseudo-pyramid:unit=sentence",))
    page.show_explanation("pyramid")
    come_to_rest()
    yield "pyramid", window
    metric, file = _made_up_vectors(page.session, services.data)
    details.words.chooser.choose((metric,), Places(vectors=file))
    page.show_explanation("clusters")
    come_to_rest()
    yield "clusters", window
    services.opened.models.keep("SpanBERT/spanbert-base-cased", _MadeUpModel())
    details.trees.chooser.choose(("subtree",), Places(model="SpanBERT/spanbert-base-cased"))
    page.show_explanation("trees")
    come_to_rest()
    yield "trees", window
    details.trees.choose_match(0)
    yield "trees-match", window
    page.choose_topic(None)
    come_to_rest()


def _finding(workspace: "Workspace", language: str) -> Iterator[tuple[str, QWidget]]:
    from awase.gui.dialogs.find.corpus_dialog import CorpusFindDialog

    words = {"ja": "木造", "en": "boat"}[language]
    page = workspace.annotate
    page.topic_find.look_for(words)
    page.topic_find.step(1)
    yield "find", workspace.window()
    page.topic_find.end()
    workspace.find_in_corpus()
    dialog = workspace.findChild(CorpusFindDialog)
    assert dialog is not None
    dialog.words.setText(words)
    wait(lambda: not dialog.model.is_searching)
    yield "find-in-corpus", dialog
    dialog.hide()
    page.abstract.filter.step(2)
    yield "nothing-flagged", workspace.window()
    page.abstract.filter.step(-2)


_TEXTS: Final = {
    "asahi-2024-01-02": "The hall falls\n\nThe old hall of the town fell. Nobody was hurt.",
    "mainichi-2024-01-02": "An old hall fell down in the night. It was built in 1901.",
    "nikkei-2024-01-03": "Repairs cost two million. The town will pay.",
    "abstract-short": "The town's old hall, built in 1901, fell. The town pays for repairs.",
}


def _texts(services: "Services", window: "MainWindow", folder: Path) -> QWidget:
    from awase.gui.dialogs.transfer.texts_dialog import TextsDialog

    place = folder / "hall"
    place.mkdir(exist_ok=True)
    for stem, text in _TEXTS.items():
        (place / f"{stem}.txt").write_text(text, "utf-8")
    dialog = TextsDialog(services, folder=folder, parent=window)
    dialog.look_at([place])
    wait(lambda: not services.jobs.is_busy)
    return _opened(dialog)


def _dialogs(
    window: "MainWindow", services: "Services", folder: Path
) -> Iterator[tuple[str, Callable[[], QWidget]]]:
    from awase.gui.dialogs.extracting.dialog import ExtractorsDialog
    from awase.gui.dialogs.transfer.export_dialog import ExportDialog
    from awase.gui.dialogs.transfer.import_dialog import ImportDialog
    from awase.gui.dialogs.transfer.new_corpus import NewCorpusDialog
    from awase.gui.frame.pages import PAGES
    from awase.gui.frame.settings_dialog import SettingsDialog
    from awase.gui.kit.defect_dialog import DefectDialog
    from awase.gui.kit.problems import ProblemsDialog

    workspace = window.workspace
    assert workspace is not None
    session = workspace.session

    def importing() -> QWidget:
        dialog = ImportDialog(session, services, window)
        dialog.add_files(_files_to_import(folder))
        return _opened(dialog)

    problems = _some_problems()
    headline = mark("Nothing was imported; the corpus is as it was.")
    report = "Traceback (most recent call last):\n  …\nZeroDivisionError: division by zero\n"
    yield from _editing_dialogs(window, services, session)
    yield from _people_dialogs(window, services, session)
    yield from _team_dialogs(window, services, session, folder)
    yield "commands", lambda: _palette(window, services)
    yield "import", importing
    yield "export", lambda: _opened(ExportDialog(session, services, window))
    yield "parse", lambda: _parsing(session, services, window)
    yield "report", lambda: _report(session, services, window)
    yield "print", lambda: _preview(window)
    yield "extract", lambda: _opened(ExtractorsDialog(session, services, window))
    yield "extract-wrong", lambda: _wrong_extractor(session, services, window)
    yield "texts", lambda: _texts(services, window, folder)
    yield "new-corpus", lambda: _opened(NewCorpusDialog(name="TSC", folder=folder, parent=window))
    yield "problems", lambda: _opened(ProblemsDialog(headline, problems, window))
    yield "defect", lambda: _opened(DefectDialog(report, folder / "awase.log", window))
    yield "settings", lambda: _opened(SettingsDialog(services.settings, window, services.keys))
    yield "settings-keys", lambda: _key_settings(window, services)
    keys = services.keys.keys
    for page in PAGES:
        commands = workspace.commands_of(page)
        name = "keys" if page.id == "annotate" else f"keys-{page.id}"
        yield name, partial(_key_sheet, commands, keys, window)


def _key_sheet(commands: "Sequence[Command]", keys: "KeyMap", window: "MainWindow") -> QWidget:
    from awase.gui.frame.key_sheet import KeySheet

    return _opened(KeySheet(commands, keys, window))


def _editing_dialogs(
    window: "MainWindow", services: "Services", session: "CorpusSession"
) -> Iterator[tuple[str, Callable[[], QWidget]]]:
    from awase.gui.dialogs.editing.abstract_dialog import AbstractDialog
    from awase.gui.dialogs.editing.document_dialog import DocumentDialog

    topic = session.topics()[0]

    def writing() -> QWidget:
        dialog = AbstractDialog(session, services.jobs, topic, topic.abstracts[0], window)
        texts = [sentence.text for sentence in topic.abstracts[0].sentences]
        dialog.editor.set_sentences([" ".join(texts[:2]), *texts[3:]])
        dialog.fields.set("limit", 60)
        dialog.show_state()
        return _opened(dialog)

    def splitting() -> QWidget:
        dialog = DocumentDialog(session, services.jobs, topic, topic.documents[0], window)
        texts = [sentence.text for sentence in topic.documents[0].sentences]
        half = len(texts[0]) // 2
        dialog.editor.set_sentences([texts[0][:half], texts[0][half:], *texts[2:]])
        dialog.show_state()
        return _opened(dialog)

    yield "abstract", writing
    yield (
        "new-document",
        lambda: _opened(DocumentDialog(session, services.jobs, topic, None, window)),
    )
    yield "document", splitting


def _people_dialogs(
    window: "MainWindow", services: "Services", session: "CorpusSession"
) -> Iterator[tuple[str, Callable[[], QWidget]]]:
    from awase.core.annotation.overview import annotators_of
    from awase.core.annotation.times import LoggedTime
    from awase.gui.dialogs.editing.guidelines_dialog import GuidelinesDialog
    from awase.gui.dialogs.editing.topic_dialog import TopicDialog
    from awase.gui.dialogs.times.dialog import TimesDialog
    from awase.gui.frame.help.pages import PAGES
    from awase.gui.frame.help.window import HelpWindow
    from awase.gui.pages.annotate.annotator_dialog import AnnotatorDialog

    people = annotators_of(session.topics())

    def helping(page: str) -> QWidget:
        helping = HelpWindow(services.keys, window)
        helping.show_page(page)
        return helping

    def timing() -> QWidget:
        topic = session.topics()[0]
        abstract = topic.abstracts[0]
        log = [
            LoggedTime(
                annotator="A1", active_ms=9000 + 4700 * part.n, topic=topic.id,
                abstract=abstract.id, n=part.n,
            )
            for part in abstract.sentences * 5
        ]  # fmt: skip
        return _opened(TimesDialog(session.topics(), log, window))

    yield "topic", lambda: _opened(TopicDialog(session, session.topics()[0], window))
    yield "edit-guidelines", lambda: _opened(GuidelinesDialog(session, window))
    yield "annotator", lambda: _opened(AnnotatorDialog(session.who, people, window))
    yield "times", timing
    for page in PAGES:
        yield f"help-{page}", partial(helping, page)


def _team_dialogs(
    window: "MainWindow", services: "Services", session: "CorpusSession", folder: Path
) -> Iterator[tuple[str, Callable[[], QWidget]]]:
    from awase.core.errors import Problem
    from awase.core.progress import Silent
    from awase.gui.dialogs.removing.dialog import RemoveDialog
    from awase.gui.dialogs.shared.dialog import OpenSharedDialog
    from awase.gui.dialogs.team.hand_out import HandOutDialog
    from awase.gui.dialogs.team.take_back import TakeBackDialog
    from awase.jobs.team.handing_out import hand_out

    def taking_back(*people: str) -> QWidget:
        paths = []
        for who in people:
            paths.append(folder / f"{who}-{session.name}.awase")
            if not paths[-1].exists():
                hand_out(session.store, who, paths[-1], who=session.who, reporter=Silent())
        dialog = TakeBackDialog(session, services, window)
        dialog.add_files(paths)
        shown = _opened(dialog)
        wait(lambda: not services.jobs.is_busy)
        return shown

    def removing() -> QWidget:
        dialog = RemoveDialog(session, services, window)
        dialog.list.item(0).setSelected(True)
        return _opened(dialog)

    def refused() -> QWidget:
        location = "postgresql://anna@server.example/tsc3"
        problem = Problem(
            what="The server of “{path}” does not take the password of “{user}”.",
            hint="Type it again; capital letters count. The lead of the corpus can set a new one.",
            fields={"path": location, "user": "anna"},
        )
        return _opened(OpenSharedDialog(services, location, problem, window))

    yield "hand-out", lambda: _opened(HandOutDialog(session, services, window))
    yield "take-back-nothing", taking_back
    yield "take-back", partial(taking_back, "A1", "A2")
    yield "remove", removing
    yield "shared", lambda: _opened(OpenSharedDialog(services, parent=window))
    yield "shared-refused", refused


def _parsing(
    session: "CorpusSession", services: "Services", window: "MainWindow"
) -> QWidget:  # fmt: skip
    from awase.gui.dialogs.parsing.dialog import ParseDialog

    dialog = ParseDialog(session, services, window)
    dialog.choose(folder=os.path.join(os.sep, "models", "stanza"))
    wait(lambda: not services.jobs.is_busy)
    return _opened(dialog)


def _report(
    session: "CorpusSession", services: "Services", window: "MainWindow"
) -> QWidget:  # fmt: skip
    from awase.gui.dialogs.reporting.dialog import ReportDialog
    from awase.jobs.subset import Subset

    dialog = ReportDialog(session, services, ("tsc3", "rouge"), Subset(), window)
    dialog.fields.set("place", os.path.join(os.sep, "home", "sato", "tsc3.html"))
    return _opened(dialog)


def _wrong_extractor(
    session: "CorpusSession", services: "Services", window: "MainWindow"
) -> QWidget:  # fmt: skip
    from awase.gui.dialogs.extracting.dialog import ExtractorsDialog

    dialog = ExtractorsDialog(session, services, window)
    dialog.choose({"lead": {}, "oracle": {"limit": "a page"}})
    return _opened(dialog)


def _preview(window: "MainWindow") -> QWidget:
    from PySide6.QtPrintSupport import QPrintPreviewDialog

    workspace = window.workspace
    assert workspace is not None
    workspace.show_page("inspect")
    window.menus.action("menu:print").trigger()
    return next(widget for widget in window.findChildren(QPrintPreviewDialog) if widget.isVisible())


def _made_up_vectors(session: "CorpusSession", folder: Path) -> tuple[str, str]:
    """Returns a metric that merges words, and a file of vectors for the first topic's words."""
    from awase.core.text.tokens.tokenisers import tokeniser_called

    topic = session.topics()[0]
    name = "ja" if topic.language == "ja" else "ascii"
    tokeniser = tokeniser_called(name, stem=False, stop=False)
    texts = [one.text for document in topic.documents for one in document.sentences]
    texts += [one.text for abstract in topic.abstracts for one in abstract.sentences]
    words = sorted({word for text in texts for word in tokeniser.tokens(text)})
    alike = {"vessel": "boat", "stitched": "sewn", "bog": "moss", "old": "ancient",
             "公表": "発表", "木造船": "船", "研究": "調査", "木片": "木"}  # fmt: skip
    file = folder / "vectors.txt"
    with file.open("w", encoding="utf-8") as lines:
        for word in words:
            rng = random.Random(alike.get(word, word))
            print(word, *(f"{rng.gauss(0, 1):.3f}" for _ in range(_N_DIMENSIONS)), file=lines)
    return f"prouge-1:tokens={name}", str(file)


class _MadeUpModel:
    """A language model that gives each form numbers of its own, whatever stands around it."""

    name, digest = "model", "0" * 64

    def encode(
        self, sentences: "Sequence[SpannedWords]", step: "Step"
    ) -> "list[NDArray[np.float32]]":
        import numpy as np

        step()
        return [
            np.array(
                [
                    [rng.gauss(0.3, 1) for _ in range(_N_DIMENSIONS)]
                    for start, stop in one.spans
                    for rng in (random.Random(one.text[start:stop].lower()),)
                ],
                np.float32,
            )
            for one in sentences
        ]


def _key_settings(window: "MainWindow", services: "Services") -> QWidget:
    from awase.gui.frame.keys_editor.editor import KeysEditor
    from awase.gui.frame.settings_dialog import SettingsDialog

    dialog = SettingsDialog(services.settings, window, services.keys)
    dialog.show_keys()
    editor = dialog.findChild(KeysEditor)
    assert editor is not None
    services.keys.bind("note", ["F12"])
    editor.field.keyPressed.emit("F")
    services.keys.restore_all()
    return _opened(dialog)


def _palette(window: "MainWindow", services: "Services") -> QWidget:
    from awase.gui.frame.command_palette.dialog import CommandPalette
    from awase.gui.frame.command_palette.entries import commands_of_menus, commands_of_pages

    of_pages = commands_of_pages(window.workspace, services.keys.keys)
    commands = [*of_pages, *commands_of_menus(window, window.menus)]
    recent = ("annotate/next-abstract", "annotate/flag")
    return _opened(CommandPalette(commands, recent, services.themes, window))


def _opened(dialog: QWidget) -> QWidget:
    dialog.show()
    return dialog


def _locked_screen(window: "MainWindow", location: str) -> Iterator[tuple[str, QWidget]]:
    from awase.storage.store import CorpusStore

    with CorpusStore.open(location, who="佐藤"):
        window.open_location(location)
        wait(lambda: window.workspace is not None)
        yield "read-only", window
        window.close_corpus()


def _files_to_import(folder: Path) -> list[Path]:
    contents = {
        "0710-short.tsv": b"1\tA\ts1 s10,s11\n2\tB\ts3,s5,s6\n",
        "run-7.extracts": b"lead\t0710\tshort\t980722001:1 980722001:2\n",
        "980723004.txt": "湖底の木造船を東嶺大学が調べた。年代は古墳時代とみられる。\n".encode(
            "cp932"
        ),
        "notes.data": b"x\n",
    }
    folder = folder / "files"
    folder.mkdir(exist_ok=True)
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    texts = folder / "duc-2004"
    texts.mkdir(exist_ok=True)
    (texts / "out_bart.txt").write_text("A wooden boat was found.\n", encoding="utf-8")
    return [*(folder / name for name in contents), texts]


def _some_problems() -> tuple["Problem", ...]:
    from awase.core.errors import InputError
    from awase.core.records.identifiers import SentenceRef
    from awase.core.records.output import Extract
    from awase.core.records.source import Document, SourceSentence
    from awase.core.records.topic import Topic

    document = Document(id="980722001", sentences=(SourceSentence(n=1, text="…"),))
    refs = (SentenceRef("980722001", 1), SentenceRef("98072201", 2), SentenceRef("980722001", 31))
    try:
        Topic(
            id="0710",
            documents=(document, document),
            outputs=(Extract(system="lead", sentences=refs),),
        )
    except InputError as error:
        return tuple(problem.in_source("run-7.json") for problem in error.problems)
    return ()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes a picture of every screen.")
    parser.add_argument("folder", nargs="?", default="screens", type=Path)
    for picture in render_all(parser.parse_args().folder):
        print(picture)
