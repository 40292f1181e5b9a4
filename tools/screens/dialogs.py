"""Every dialog, opened when it is drawn; editing and teams have modules of their own."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from awase.gui.kit.i18n import mark
from awase.gui.main_screens import wait
from screens.dialogs_of_editing import editing_dialogs, reading_dialogs
from screens.dialogs_of_teams import team_dialogs
from screens.made_up_files import files_to_import, some_problems, texts
from screens.stage import opened

if TYPE_CHECKING:
    from awase.gui.frame.main_window import MainWindow
    from awase.gui.kit.commands import Command
    from awase.gui.kit.keys import KeyMap
    from awase.gui.session.session import CorpusSession
    from awase.gui.session.settings import Services


def dialogs(
    window: "MainWindow", services: "Services", folder: Path
) -> Iterator[tuple[str, Callable[[], QWidget]]]:
    from awase.gui.dialogs.deriving import ExtractorsDialog
    from awase.gui.dialogs.transfer.files_dialog import ExportDialog, ImportDialog
    from awase.gui.dialogs.transfer.plan import NewCorpusDialog
    from awase.gui.frame.commands import PAGES
    from awase.gui.frame.settings_dialog import SettingsDialog
    from awase.gui.kit.problems import DefectDialog, ProblemsDialog

    workspace = window.workspace
    assert workspace is not None
    session = workspace.session

    def importing() -> QWidget:
        dialog = ImportDialog(session, services, window)
        dialog.add_files(files_to_import(folder))
        return opened(dialog)

    problems = some_problems()
    headline = mark("Nothing was imported; the corpus is unchanged.")
    report = "Traceback (most recent call last):\n  …\nZeroDivisionError: division by zero\n"
    yield from editing_dialogs(window, services, session)
    yield from reading_dialogs(window, services, session)
    yield from team_dialogs(window, services, session, folder)
    yield "commands", lambda: _palette(window, services)
    yield "import", importing
    yield "export", lambda: opened(ExportDialog(session, services, window))
    yield "parse", lambda: _parsing(session, services, window)
    yield "report", lambda: _report(session, services, window)
    yield "print", lambda: _preview(window)
    yield "extract", lambda: opened(ExtractorsDialog(session, services, window))
    yield "extract-wrong", lambda: _wrong_extractor(session, services, window)
    yield "texts", lambda: texts(services, window, folder)
    yield "new-corpus", lambda: opened(NewCorpusDialog(name="TSC", folder=folder, parent=window))
    yield "problems", lambda: opened(ProblemsDialog(headline, problems, window))
    yield "defect", lambda: opened(DefectDialog(report, folder / "awase.log", window))
    yield "settings", lambda: opened(SettingsDialog(services.settings, window, services.keys))
    yield "settings-keys", lambda: _key_settings(window, services)
    keys = services.keys.keys
    for page in PAGES:
        commands = workspace.commands_of(page)
        name = "keys" if page.id == "annotate" else f"keys-{page.id}"
        yield name, partial(_key_sheet, commands, keys, window)


def _key_sheet(commands: "Sequence[Command]", keys: "KeyMap", window: "MainWindow") -> QWidget:
    from awase.gui.frame.help import KeySheet

    return opened(KeySheet(commands, keys, window))


def _parsing(
    session: "CorpusSession", services: "Services", window: "MainWindow"
) -> QWidget:  # fmt: skip
    from awase.gui.dialogs.deriving import ParseDialog

    dialog = ParseDialog(session, services, window)
    dialog.fields.set("folder", os.path.join(os.sep, "models", "stanza"))
    dialog.look()
    wait(lambda: not services.jobs.is_busy)
    return opened(dialog)


def _report(
    session: "CorpusSession", services: "Services", window: "MainWindow"
) -> QWidget:  # fmt: skip
    from awase.gui.dialogs.whole_corpus import ReportDialog
    from awase.jobs.subset import Subset

    dialog = ReportDialog(session, services, ("tsc3", "rouge"), Subset(), window)
    dialog.fields.set("place", os.path.join(os.sep, "home", "sato", "tsc3.html"))
    return opened(dialog)


def _wrong_extractor(
    session: "CorpusSession", services: "Services", window: "MainWindow"
) -> QWidget:  # fmt: skip
    from PySide6.QtCore import Qt

    from awase.core.analysis.extractors import EXTRACTORS
    from awase.gui.dialogs.deriving import ExtractorsDialog

    dialog = ExtractorsDialog(session, services, window)
    for row, name in enumerate(EXTRACTORS):
        is_wanted = name in ("lead", "oracle")
        state = Qt.CheckState.Checked if is_wanted else Qt.CheckState.Unchecked
        dialog.offer.item(row).setCheckState(state)
    for name in ("oracle", "lead", "oracle"):  # what is wrong is in sight when it is chosen
        dialog.offer.setCurrentRow([*EXTRACTORS].index(name))
        if name == "oracle":
            dialog.options.panel.set("limit", "a page")
    return opened(dialog)


def _preview(window: "MainWindow") -> QWidget:
    from PySide6.QtPrintSupport import QPrintPreviewDialog

    workspace = window.workspace
    assert workspace is not None
    workspace.show_page("inspect")
    window.menus.actions["menu:print"].trigger()  # once the page has computed what it shows

    def previews() -> list[QWidget]:
        return [one for one in window.findChildren(QPrintPreviewDialog) if one.isVisible()]

    wait(lambda: bool(previews()))
    return previews()[0]


def _key_settings(window: "MainWindow", services: "Services") -> QWidget:
    from PySide6.QtWidgets import QTabWidget

    from awase.gui.frame.settings_dialog import KeysEditor, SettingsDialog

    dialog = SettingsDialog(services.settings, window, services.keys)
    dialog.fields.widget_as("tabs", QTabWidget).setCurrentIndex(1)
    editor = dialog.findChild(KeysEditor)
    assert editor is not None
    services.keys.bind("note", ["F12"])
    editor.field.keyPressed.emit("F")
    services.keys.restore_all()
    return opened(dialog)


def _palette(window: "MainWindow", services: "Services") -> QWidget:
    from awase.gui.frame.command_palette import CommandPalette, commands_of_menus, commands_of_pages

    of_pages = commands_of_pages(window.workspace, services.keys.keys)
    commands = [*of_pages, *commands_of_menus(window, window.menus)]
    recent = ("annotate/next-abstract", "annotate/flag")
    return opened(CommandPalette(commands, recent, services.themes, window))
