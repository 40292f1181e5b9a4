"""Every dialog of the window, made over one small corpus.

Those that a command names are found by themselves; any other has an entry in `MAKERS`.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QDialog, QWidget

import awase.gui
from awase.core.errors import Problem
from awase.core.plots.charts import Point, scatter
from awase.core.plots.picture import Picture
from awase.core.team.progress import LoggedTime
from awase.gui.dialogs.editing.editing import (
    AbstractDialog,
    DocumentDialog,
    GuidelinesDialog,
    TopicDialog,
)
from awase.gui.dialogs.find import CorpusFindDialog
from awase.gui.dialogs.opening import OpenSharedDialog, RestoreDialog
from awase.gui.dialogs.transfer.files_dialog import ImportDialog
from awase.gui.dialogs.transfer.plan import NewCorpusDialog
from awase.gui.dialogs.transfer.texts_dialog import TextsDialog
from awase.gui.dialogs.whole_corpus import ReportDialog, TimesDialog
from awase.gui.frame.command_palette import CommandPalette
from awase.gui.frame.commands import ALL_COMMANDS
from awase.gui.frame.help import KeySheet
from awase.gui.frame.settings_dialog import SettingsDialog
from awase.gui.kit.commands import ShowDialog, dialog_class
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.picture_view import SavePictureDialog
from awase.gui.kit.problems import DefectDialog, ProblemsDialog
from awase.gui.pages.annotate.status_strip import AnnotatorDialog
from awase.gui.pages.project.dialogs import AssignDialog, AssistanceDialog, PersonDialog
from awase.gui.pages.review.adjudication_tab import NoteDialog, UnlockDialog
from awase.gui.pages.scores.kept import KeptDialog, KeptRuns
from awase.gui.session.scoring_choices import MetricsDialog, SubsetDialog
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.gui.session.topic_list import TopicChooser
from awase.jobs.subset import Subset


@dataclass(frozen=True, slots=True)
class Place:
    session: CorpusSession
    services: Services
    window: QWidget
    folder: Path


def _importing(at: Place) -> ImportDialog:
    texts = {"0.tsv": "1\tA\ts1\n", "a.data": "x", "a.csv": "id,made\nt,x\n"}
    for name, text in texts.items():
        (at.folder / name).write_text(text, "utf-8")
    dialog = ImportDialog(at.session, at.services, at.window)
    dialog.add_files([at.folder / name for name in texts])
    dialog.files.set_field([0], "topic", "t")
    return dialog


def _times(at: Place) -> TimesDialog:
    log = [LoggedTime(annotator="1", active_ms=ms, topic="t", abstract="t-short", n=n)
           for n, ms in ((1, 65_000), (2, 2000))]  # fmt: skip
    return TimesDialog(at.session.topics(), log, at.window)


POINTS = [Point(label="lead", x=0.1, y=0.2), Point(label="mmr", x=0.4, y=0.5)]


def two_systems(width: float, height: float) -> Picture:
    titles = {"title": "Coverage", "x_title": "x", "y_title": "人手"}
    return scatter(POINTS, **titles, width=width, height=height)


def _of_commands() -> Iterator[tuple[type[QDialog], Callable[[Place], QDialog]]]:
    """Yields the dialogs that commands name: they are all made alike."""
    for command in ALL_COMMANDS:
        if isinstance(command.run, ShowDialog):
            kind = dialog_class(command.run.dialog)
            yield kind, lambda at, kind=kind: kind(at.session, at.services, at.window)


MAKERS: Mapping[type[QDialog], Callable[[Place], QDialog]] = {
    **dict(_of_commands()),
    AbstractDialog: lambda at: AbstractDialog(
        at.session, at.services.jobs, at.session.topics()[0], None, at.window
    ),
    AnnotatorDialog: lambda at: AnnotatorDialog("1", ("1", "2"), at.window),
    AssistanceDialog: lambda at: AssistanceDialog(at.session.frame.assist, at.window),
    AssignDialog: lambda at: AssignDialog(at.session.corpus(), at.session.lengths(), {}, at.window),
    CorpusFindDialog: lambda at: CorpusFindDialog(at.session, at.services, at.window),
    DefectDialog: lambda at: DefectDialog("Traceback", at.folder / "awase.log", at.window),
    DocumentDialog: lambda at: DocumentDialog(
        at.session, at.services.jobs, at.session.topics()[0], None, at.window
    ),
    GuidelinesDialog: lambda at: GuidelinesDialog(at.session, at.window),
    ImportDialog: _importing,
    KeptDialog: lambda at: KeptDialog(
        KeptRuns(at.session, at.services, at.window), (), "", can_write=True, parent=at.window
    ),
    MetricsDialog: lambda at: MetricsDialog(
        at.session.corpus(), ("coverage", "rouge-we-1", "subtree"), parent=at.window
    ),
    NewCorpusDialog: lambda at: NewCorpusDialog(name="New", folder=at.folder, parent=at.window),
    NoteDialog: lambda at: NoteDialog("As the guidelines say.", at.window),
    OpenSharedDialog: lambda at: OpenSharedDialog(
        at.services, "postgresql://ann@server.example/tsc3", parent=at.window
    ),
    PersonDialog: lambda at: PersonDialog(None, ("1",), at.window),
    ProblemsDialog: lambda at: ProblemsDialog(
        "Nothing was exported.", [Problem(what="The id is empty.")], at.window
    ),
    RestoreDialog: lambda at: RestoreDialog(at.session.location, at.window),
    ReportDialog: lambda at: ReportDialog(
        at.session, at.services, ("coverage",), Subset(), at.window
    ),
    SavePictureDialog: lambda at: SavePictureDialog(two_systems, at.services.themes, at.window),
    SettingsDialog: lambda at: SettingsDialog(at.services.settings, at.window, at.services.keys),
    SubsetDialog: lambda at: SubsetDialog((("t", "t  Dogs"),), ("lead",), Subset(), at.window),
    TextsDialog: lambda at: TextsDialog(at.services, folder=at.folder, parent=at.window),
    TimesDialog: _times,
    UnlockDialog: lambda at: UnlockDialog(parent=at.window),
    TopicDialog: lambda at: TopicDialog(at.session, at.session.topics()[0], at.window),
}
"""How each dialog is made, ready to be shown."""

NO_FORMS = (CommandPalette, KeySheet, TopicChooser)
"""Dialogs that ask nothing to be kept: lists to choose from, and a sheet to read."""


def dialogs_of_the_window() -> set[type[QDialog]]:
    """Returns the dialogs that awase.gui defines and nobody inherits from."""
    for module in pkgutil.walk_packages(awase.gui.__path__, "awase.gui."):
        importlib.import_module(module.name)
    return {kind for kind in _below(QDialog) if not kind.__subclasses__()}


def _below(kind: type[QDialog]) -> set[type[QDialog]]:
    own = {one for one in kind.__subclasses__() if one.__module__.startswith("awase.gui.")}
    return own.union(*(_below(one) for one in own))


def form_of(dialog: QDialog) -> FormDialog:
    """Returns the dialog as the form that it is."""
    assert isinstance(dialog, FormDialog)
    return dialog
