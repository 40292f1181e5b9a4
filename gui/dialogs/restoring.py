"""Dialog to choose a corpus file and one of its backups."""

import os
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import Body, Field, Form, Note, PathField
from awase.gui.kit.i18n import mark, tr
from awase.gui.kit.texts import local_time
from awase.storage.files.backups import backups_of


class RestoreDialog(FormDialog):
    """Selects the backup to restore."""

    # The corpus file, and the backup; None = the newest in which nothing is damaged.
    chosen = Signal(str, object)

    def __init__(self, location: str = "", parent: QWidget | None = None) -> None:
        self.list = QListWidget()
        form = Form(
            title=mark("Restore a backup"),
            parts=(
                Note(
                    mark(
                        "The backup takes the corpus's place. What is there now is kept beside it "
                        "under a dated name."
                    )
                ),
                Field(
                    "file",
                    mark("Corpus"),
                    PathField(location, filters=(mark("Corpora (*.awase)"),)),
                ),
                Body("backups", mark("Backup"), self.list),
            ),
            accept=mark("Restore"),
            leave=mark("Cancel"),
            focus="backups" if location else "file",
            width=36,
            height=20,
        )
        super().__init__(form, parent)
        self.list.itemSelectionChanged.connect(self.show_state)
        self.changed("file")
        self.show_state()

    def changed(self, name: str) -> None:
        self.list.clear()
        backups = backups_of(self._file()) if self.fields.text("file") else ()
        if backups:
            self._add(tr("The newest one in which nothing is damaged"), None)
            self.list.setCurrentRow(0)
        for backup in reversed(backups):
            self._add(_title_of(backup), backup)

    def verdict(self) -> Verdict:
        if not self.fields.text("file"):
            return refused(tr("Choose the corpus."), "muted")
        if not self.list.count():
            return refused(tr("There is no backup of this corpus."), "muted")
        return Verdict(is_ready=self.list.currentItem() is not None)

    def submit(self) -> None:
        backup = self.list.currentItem().data(Qt.ItemDataRole.UserRole)
        self.chosen.emit(str(self._file()), Path(backup) if backup else None)
        self.accept()

    def _file(self) -> Path:
        return Path(os.path.abspath(self.fields.text("file")))

    def _add(self, title: str, backup: Path | None) -> None:
        item = QListWidgetItem(title, self.list)
        item.setData(Qt.ItemDataRole.UserRole, None if backup is None else str(backup))


def _title_of(backup: Path) -> str:
    moment, _, _ = backup.stem.partition("-")
    at = datetime.strptime(moment, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    return tr(
        "{time} ({size} MB)",
        time=local_time(at.isoformat()),
        size=f"{backup.stat().st_size / 1_000_000:.1f}",
    )
