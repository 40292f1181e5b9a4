"""Non-modal dialogs of the window.

Qt's own are imported on use: PySide6 builds their dozen enumerations, which would delay the first
paint.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal, qVersion
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QWidget

from awase.core.errors import EnvironmentProblem, InputError, Problem, Reporter
from awase.gui.frame.commands import MODULES
from awase.gui.frame.welcome import json_name
from awase.gui.kit.commands import Command, dialog_class
from awase.gui.kit.i18n import mark, ntr, tr
from awase.gui.kit.jobs.running import Jobs
from awase.gui.session.settings import Services
from awase.storage.addresses import is_url

if TYPE_CHECKING:  # These bring the slow libraries; the first paint must not wait for them.
    from awase.gui.frame.help import HelpWindow
    from awase.gui.kit.printing import PrintContent
    from awase.gui.session.session import CorpusSession
    from awase.jobs.checking import CorpusCheck
    from awase.jobs.subset import Subset


CHECKING_JOB: Final = "checking"


def look_for_damage(
    session: "CorpusSession",
    jobs: Jobs,
    window: QWidget,
    failed: Callable[[str, BaseException], None],
) -> None:
    """Compares what is stored with its digests, as `CHECKING_JOB`."""
    store = session.store

    def check(reporter: Reporter) -> object:
        from awase.jobs.checking import check_corpus

        jobs.modules.load(MODULES, reporter)
        return check_corpus(store, reporter)

    jobs.start(
        CHECKING_JOB,
        check,
        lambda found: _show_check(window, found),
        lambda error: failed(mark("The corpus is damaged."), error),
    )


def show_remarks(window: QWidget, remarks: Sequence[Problem]) -> None:
    """Shows remarks that are no errors, if any."""
    from awase.gui.kit.problems import ProblemsDialog  # the kit of all forms

    ProblemsDialog.show_remarks(window, mark("Notes on this corpus"), remarks)


def _show_check(window: QWidget, check: "CorpusCheck") -> None:
    """Reports damage, and the backup to restore."""
    from awase.gui.kit.problems import ProblemsDialog

    problems = check.damage
    if problems and check.backup is not None:
        backup_to_take = Problem(
            what="The newest undamaged backup is “{path}”.",
            hint="Restore it with File > Restore a backup…; the current file is kept.",
            fields={"path": str(check.backup)},
        )
        problems = (backup_to_take, *problems)
    if problems:
        title = mark("Parts of the corpus differ from what was written")
        ProblemsDialog.show_for(window, title, problems)
    show_remarks(window, check.remarks)


class Dialogs(QObject):
    """Opens dialogs over the window, which receives their results."""

    failed = Signal(str, object)  # headline and error

    # Any: the window, which this module cannot know, opens what is chosen.
    def __init__(self, window: Any, services: Services) -> None:  # noqa: ANN401
        super().__init__(window)
        self._window = window
        self._services = services
        self._help: HelpWindow | None = None

    def ask_corpus(self) -> None:
        from awase.gui.kit.forms.controls import ask_file

        kinds = (tr("Corpora (*.awase *.json)"),)
        title = tr("Open a corpus")
        open_path = self._window.open_location
        ask_file(self._window, title, lambda path: open_path(str(path)), kinds=kinds)

    def ask_shared(self, location: str = "", problem: "Problem | None" = None) -> None:
        """Asks for a corpus on a server; `problem` says why `location` failed."""
        dialog = self._opened("dialogs.opening:OpenSharedDialog", self._services, location, problem)
        dialog.chosen.connect(self._window.open_shared)

    def ask_backup(self) -> None:
        """Asks which backup to restore, by default of the open corpus."""
        workspace = self._window.workspace
        location = "" if workspace is None else workspace.session.location
        place = "" if is_url(location) else location
        dialog = self._opened("dialogs.opening:RestoreDialog", place)
        dialog.chosen.connect(self._window.restore)

    def ask_new_corpus(self, source: Path | None = None) -> None:
        """Asks for name and path of a new corpus, imported from `source` if given."""
        name = json_name(source) if source is not None else ""
        dialog = self._opened("dialogs.transfer.plan:NewCorpusDialog", source=source, name=name)
        dialog.chosen.connect(self._window.create_corpus)

    def show(self, dialog: str, session: "CorpusSession", paths: Sequence[Path] = ()) -> None:
        """Shows a dialog, `module:class` below `awase.gui`, over the open corpus."""
        opened = self._opened(dialog, session, self._services)
        if paths:
            opened.add_files(paths)

    def show_texts(self, session: "CorpusSession | None", paths: Sequence[Path] = ()) -> None:
        """Opens the import of plain texts into the open corpus; None = into a new one."""
        dialog = self._opened("dialogs.transfer.texts_dialog:TextsDialog", self._services, session)
        if session is None:
            dialog.created.connect(self._window.open_location)
        if paths:
            dialog.add_files(paths)

    def show_report(self, session: "CorpusSession", subset: "Subset") -> None:
        """Opens the report on the Scores page's metrics over `subset`."""
        from awase.gui.session.metric_drafts import score_metrics

        metrics = score_metrics(session, self._services.settings.settings)
        report = "dialogs.whole_corpus:ReportDialog"
        self._opened(report, session, self._services, metrics, subset)

    def show_print(self, content: "PrintContent") -> None:
        """Opens a print preview."""
        from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog

        from awase.gui.kit.printing import give_icons, put_on

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(content.title)
        dialog = QPrintPreviewDialog(printer, self._window)
        dialog.setWindowTitle(tr("Print"))
        dialog.resize(self._window.size())
        give_icons(dialog, self._services.themes.theme)

        def put(device: "QPrinter") -> None:
            try:
                put_on(device, content)
            except OSError:
                problem = EnvironmentProblem(
                    "The printer cannot be used.",
                    "Choose another printer or file, or save the page as PDF.",
                )
                self.failed.emit(mark("Nothing was printed."), problem)

        dialog.paintRequested.connect(put)
        self._open(dialog)

    def ask_pdf(self, session: "CorpusSession", content: "PrintContent") -> None:
        """Asks for a file and writes the pages there."""
        from awase.gui.kit.forms.controls import file_dialog
        from awase.gui.kit.forms.parts import Asks

        place = str(session.file_beside(".pdf"))
        dialog = file_dialog(self._window, tr("Save as PDF"), Asks.NEW_FILE, place, ".pdf")
        dialog.fileSelected.connect(lambda name: self.write_pdf(content, Path(name)))
        self._open(dialog)

    def write_pdf(self, content: "PrintContent", path: Path) -> None:
        """Writes the pages; reports errors."""
        from awase.gui.kit.printing import write_pdf

        try:
            write_pdf(content, path)
        except (InputError, EnvironmentProblem) as error:
            self.failed.emit(mark("Nothing was exported."), error)

    def show_settings(self) -> None:
        """Shows the settings, which apply immediately."""
        settings, keys = self._services.settings, self._services.keys
        self._opened("frame.settings_dialog:SettingsDialog", settings, keys=keys)

    def show_help(self) -> None:
        """Shows the help in a modeless window."""
        from awase.gui.frame.help import HelpWindow

        if self._help is None:
            self._help = HelpWindow(self._services.keys, self._window)
        self._help.show_page("tour")

    def show_keys(self, commands: Iterable["Command"]) -> None:
        self._opened("frame.help:KeySheet", commands, self._services.keys.keys)

    def show_about(self) -> None:
        from awase.core.kernel.binding import kernel
        from awase.core.packages import VERSION

        counting = "numpy" if kernel() is None else tr("compiled kernel")
        box = QMessageBox(self._window)
        box.setWindowTitle(tr("About Awase"))
        box.setIconPixmap(self._window.windowIcon().pixmap(64))
        box.setText(f"Awase {VERSION}")
        box.setInformativeText(
            tr("Build extract corpora, see the minimal cover live, score systems.")
            + f"\n\n{counting} · Qt {qVersion()} · Apache License 2.0"
        )
        self._open(box)

    def ask_to_stop(self, leave: Callable[[], object]) -> None:
        """Asks whether to stop an import or export, so that the window can close."""
        question = tr("An import or export is still under way. Stop it and close?")
        what = tr("Stopping leaves nothing half done: the corpus stays unchanged.")
        self._ask(tr("Close the window"), question, what, tr("Stop and close"), leave)

    def ask_to_lose(self, texts: Sequence[str], leave: Callable[[], object]) -> None:
        """Asks whether to discard texts that could not be stored."""
        question = ntr(
            "{n} note could not be saved. Discard it?",
            "{n} notes could not be saved. Discard them?",
            len(texts),
        )
        self._ask(tr("Not saved"), question, "\n\n".join(texts), tr("Discard and close"), leave)

    def _ask(
        self, title: str, question: str, what: str, does: str, then: Callable[[], object]
    ) -> None:
        from awase.gui.kit.forms.controls import ask_first

        over = QApplication.activeModalWidget() or self._window
        ask_first(over, title, question, what, does=does, leaves=tr("Continue"), then=then)

    def show_defect(self, report: str) -> None:
        self._opened("kit.problems:DefectDialog", report, self._services.defects.log)

    # Any: dialogs share no constructor; their modules are slow to import.
    def _opened(self, dialog: str, *args: object, **named: object) -> Any:  # noqa: ANN401
        """Opens a dialog, `module:class` below `awase.gui`, over the window."""
        opened = dialog_class(dialog)(*args, parent=self._window, **named)
        self._open(opened)
        return opened

    def _open(self, dialog: "QDialog") -> None:
        from awase.gui.kit.forms.controls import open_once

        failed = getattr(dialog, "failed", None)  # one that only shows something cannot fail
        if failed is not None:
            failed.connect(self.failed)
        open_once(dialog)
