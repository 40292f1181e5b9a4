"""Dialogs to open a corpus on a server and to restore a backup."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from awase.core.errors import Problem
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.dialog import FormDialog, JobDialog, Verdict, refused
from awase.gui.kit.forms.parts import (
    Body,
    Button,
    Check,
    Field,
    Form,
    Gap,
    Line,
    Note,
    Number,
    Part,
    PathField,
    Row,
)
from awase.gui.kit.i18n import joined_sentences, local_time, mark, ntr, problem_text, tr
from awase.gui.session.settings import Services
from awase.storage.addresses import ServerPlace, is_url, place_of
from awase.storage.files.locks_and_backups import backups_of

if TYPE_CHECKING:
    from awase.storage.postgresql.servers import ServerCorpus


_JOB = "shared"
_LAST_PORT = 65535


@dataclass(frozen=True, slots=True)
class _Tried:
    """Result of a test: what is on the server, and whether the keyring works."""

    corpus: "ServerCorpus"
    is_kept: bool


class OpenSharedDialog(JobDialog):
    """The password goes to the server and, on request, into the keyring."""

    chosen = Signal(str, str)  # location, without a password, and the password; it may be empty

    headline = mark("The corpus was not opened.")
    uses_text = False

    def __init__(
        self,
        services: Services,
        location: str = "",
        problem: Problem | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Asks for what is missing in `location`; `problem` says why."""
        from awase.storage.postgresql.servers import has_keyring

        self._can_keep = has_keyring()
        place, password = place_of(location) if location else (ServerPlace(host=""), "")
        self._found: ServerCorpus | None = None
        self._host = place.host
        super().__init__(self._form(place), services.jobs, parent)
        self.fields.set("password", password)
        self.fields.widget_as("host", QLineEdit).editingFinished.connect(self._take_apart)
        if problem is not None:
            self.show_outcome(problem_text(problem), "danger")
            self.fields["password"].setFocus()

    def location(self) -> str:
        return self._named()[0].location()

    def verdict(self) -> Verdict:
        place, _ = self._named()
        if not place.host:
            return refused(tr("Enter the host name of the server."), "muted")
        if not place.database:
            return refused(
                tr("Enter the name of the database; ask the lead of the corpus for it."), "muted"
            )
        if not place.user:
            return refused(tr("Enter your user name on the server."), "muted")
        return Verdict(self._available_parses_text())

    def changed(self, name: str) -> None:
        self._found = None
        if name == "host":
            before, self._host = self._host, self.fields.text("host")
            if len(self._host) > len(before) + 1:  # pasted: what is typed is not whole yet
                self._take_apart()

    def _take_apart(self) -> None:
        """Fills the fields from a whole URL in the first one."""
        if is_url(self.fields.text("host")):
            place, password = place_of(self.fields.text("host"))
            self.fields.set("port", place.port)
            for field, value in (
                ("database", place.database), ("user", place.user), ("password", password),
            ):  # fmt: skip
                if value:
                    self.fields.set(field, value)
            self.fields.set("host", place.host)

    def submit(self) -> None:
        self._try(self._on_opening)

    def test(self) -> None:
        if self.verdict().is_ready:
            self._try(self._on_tested)
        else:
            self.show_state()

    def went_wrong(self, error: BaseException) -> None:
        self.show_outcome(problem_text(problems_of(error)[0]), "danger")

    def _try(self, then: Callable[[_Tried], None]) -> None:
        self._take_apart()
        location, (_, password) = self.location(), self._named()
        keeps = self._can_keep and bool(self.fields.value("keep")) and bool(password)

        def work(_reporter: object) -> _Tried:
            from awase.storage.postgresql.servers import keep_server_password, look_at_server

            found = look_at_server(location, password)
            return _Tried(found, keep_server_password(location, password) if keeps else True)

        self.start(_JOB, work, then)

    def _on_tested(self, tried: _Tried) -> None:
        self._found = tried.corpus
        if not tried.is_kept:
            self.show_outcome(
                tr("The keyring of this computer did not accept the password."), "warning"
            )

    def _on_opening(self, tried: _Tried) -> None:
        self._on_tested(tried)
        self.settle()
        self.chosen.emit(self.location(), self._named()[1])
        self.accept()

    def _available_parses_text(self) -> str:
        found = self._found
        if found is None:
            return ""
        parts = [
            ntr(
                "Connected to “{name}”: {n} topic.", "Connected to “{name}”: {n} topics.",
                found.n_topics, name=found.name,
            )
        ]  # fmt: skip
        if not found.may_write:
            parts.append(tr("“{role}” may only read it.", role=found.role))
        if found.is_older:
            parts.append(tr("It was made by an older version; its lead must open it first."))
        return joined_sentences(*parts)

    def _named(self) -> tuple[ServerPlace, str]:
        """Returns URL and password from the fields; a whole URL takes precedence."""
        text, port = self.fields.text, self.fields.value("port")
        assert isinstance(port, int)
        password = str(self.fields.value("password"))
        host, database, user = text("host"), text("database"), text("user")
        if is_url(host):
            address, secret = place_of(host)
            host, port = address.host, address.port
            database, user = address.database or database, address.user or user
            password = secret or password
        return ServerPlace(host=host, port=port, database=database, user=user), password

    def _form(self, place: ServerPlace) -> Form:
        host = Line(place.host, hint=mark("server.example.org, or a whole postgresql://… address"))
        parts: list[Part] = [
            Note(
                mark(
                    "Several people work on a corpus on a PostgreSQL server at once. "
                    "Its lead tells you these names."
                )
            ),
            Field("host", mark("Server"), host),
            Field("port", mark("Port"), Number(place.port, 1, _LAST_PORT)),
            Field("database", mark("Database"), Line(place.database)),
            Field("user", mark("Your user name"), Line(place.user)),
            Field(
                "password",
                mark("Password"),
                Line(is_secret=True, hint=mark("from ~/.pgpass, PGPASSWORD or the keyring")),
            ),
        ]
        if self._can_keep:
            keep = mark("Keep it in the keyring")
            parts.append(Field("keep", keep, Check()))
        parts.append(Row(Button("test", mark("Test connection"), self.test), Gap()))
        return Form(
            title=mark("Open a shared corpus"),
            parts=tuple(parts),
            accept=mark("Open"),
            focus="host",
            width=38,
        )


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
                        "The backup replaces the corpus. The current file is kept beside it under "
                        "a dated name."
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
            focus="backups" if location else "file",
            width=36,
            height=20,
        )
        super().__init__(form, parent)
        self.list.itemSelectionChanged.connect(self.show_state)
        self.changed("file")

    def changed(self, name: str) -> None:
        self.list.clear()
        backups = backups_of(self._file()) if self.fields.text("file") else ()
        if backups:
            self._add(tr("The newest undamaged one"), None)
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
