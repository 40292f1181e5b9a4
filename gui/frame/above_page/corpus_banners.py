"""Banners about how the corpus is open."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QTime, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from awase.core.annotation.applying import whose_work
from awase.core.errors import EnvironmentProblem, Listing
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.notices import Banner
from awase.gui.kit.texts.i18n import mark
from awase.gui.kit.texts.moments import local_time
from awase.gui.session.session import CorpusSession
from awase.storage.addresses import is_url

_MOST_NAMES: Final = 5


class CorpusBanners(QWidget):
    """Read-only corpus, somebody else's work, lost server; hidden until needed."""

    reopenChosen = Signal()
    annotatorAsked = Signal()

    def __init__(
        self, session: CorpusSession, themes: ThemeBox, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._whose: tuple[str, ...] = ()
        self._read_only, self._whose_work = Banner(themes), Banner(themes, icon="annotate")
        self._cut_off = Banner(themes, icon="warning")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for banner in (self._read_only, self._whose_work, self._cut_off):
            layout.addWidget(banner)
        self._read_only.chosen.connect(self.reopenChosen)
        self._whose_work.chosen.connect(self._on_whose_chosen)
        self._cut_off.chosen.connect(session.reconnect)
        session.whoChanged.connect(self._show_whose_work)
        session.edited.connect(self._on_edited)
        session.connectionChanged.connect(self._on_connection_changed)
        self._show_whether_read_only()
        self._show_whose_work()

    def _show_whether_read_only(self) -> None:
        session = self._session
        if not session.read_only:
            return
        holder = session.holder
        if holder is None:
            self._read_only.show_message(
                mark("This corpus is open for reading only; nothing can be changed."),
                mark("Try again"),
            )
            return
        self._read_only.show_message(
            mark(
                "{who} has this corpus open on {host} (process {pid}, since {since}). "
                "You can read everything and change nothing."
            ),
            mark("Try again"),
            who=holder.who,
            host=holder.host,
            pid=holder.pid,
            since=local_time(holder.since),
        )

    def _show_whose_work(self, _what: object = None) -> None:
        session, who = self._session, self._session.who
        named: Sequence[str] = [one.id for one in session.persons]
        if not named and not session.has_alignments(who):
            named = session.annotators()
        people = self._whose = whose_work(named, who)
        if not people:
            self._whose_work.hide()
            return
        names = Listing(people, most=_MOST_NAMES)
        if len(people) == 1:
            message = mark("The work in this corpus is that of “{names}”; you are “{who}” here.")
            self._whose_work.show_message(message, mark("Go on as “{names}”"), names=names, who=who)
        else:
            message = mark("The work in this corpus is that of {names}; you are “{who}” here.")
            self._whose_work.show_message(message, mark("Who are you?"), names=names, who=who)

    def _on_edited(self, _edit: object) -> None:
        if self._whose:  # with a first edit the corpus is one's own work, too
            self._show_whose_work()

    def _on_whose_chosen(self) -> None:
        if len(self._whose) == 1:
            self._session.set_who(self._whose[0])
        else:
            self.annotatorAsked.emit()

    def _on_connection_changed(self, problem: EnvironmentProblem | None) -> None:
        if problem is None:
            self._cut_off.hide()
            return
        if not is_url(self._session.location):
            self._cut_off.show_message(
                mark(
                    "{problem} What is shown is what was stored last; nothing can be changed until "
                    "the file is back."
                ),
                mark("Try now"),
                problem=replace(problem.problem, hint=""),
            )
            return
        self._cut_off.show_message(
            mark(
                "No connection to the server since {time}. What is shown is what was stored last; "
                "nothing can be changed until it is back. It is tried again all the time."
            ),
            mark("Try now"),
            time=QTime.currentTime().toString("HH:mm"),
        )
