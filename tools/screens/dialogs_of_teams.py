"""Dialogs that hand corpora out, take them back, and open shared ones."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from awase.gui.main_screens import wait
from screens.stage import opened

if TYPE_CHECKING:
    from awase.gui.frame.main_window import MainWindow
    from awase.gui.session.session import CorpusSession
    from awase.gui.session.settings import Services


def team_dialogs(
    window: "MainWindow", services: "Services", session: "CorpusSession", folder: Path
) -> Iterator[tuple[str, Callable[[], QWidget]]]:
    from awase.core.errors import Problem, Silent
    from awase.gui.dialogs.opening import OpenSharedDialog
    from awase.gui.dialogs.team import HandOutDialog, TakeBackDialog
    from awase.gui.dialogs.whole_corpus import RemoveDialog
    from awase.jobs.team.copies import hand_out

    def taking_back(*people: str) -> QWidget:
        paths = []
        for who in people:
            paths.append(folder / f"{session.frame.name}-{who}.awase")
            if not paths[-1].exists():
                hand_out(session.store, who, paths[-1], who=session.who, reporter=Silent())
                _look_again(paths[-1], who)
        dialog = TakeBackDialog(session, services, window)
        dialog.add_files(paths)
        shown = opened(dialog)
        wait(lambda: not services.jobs.is_busy)
        return shown

    def removing() -> QWidget:
        dialog = RemoveDialog(session, services, window)
        dialog.list.item(0).setSelected(True)
        return opened(dialog)

    def refused() -> QWidget:
        location = "postgresql://anna@server.example/tsc3"
        problem = Problem(
            what="The server of “{path}” rejects the password of “{user}”.",
            hint="Type it again; capital letters count. The lead of the corpus can set a new one.",
            fields={"path": location, "user": "anna"},
        )
        return opened(OpenSharedDialog(services, location, problem, window))

    yield "hand-out", lambda: opened(HandOutDialog(session, services, window))
    yield "take-back-nothing", taking_back
    yield "take-back", partial(taking_back, "A1", "A2")
    yield "remove", removing
    yield "shared", lambda: opened(OpenSharedDialog(services, parent=window))
    yield "shared-refused", refused


def _look_again(path: Path, who: str) -> None:
    """Flags the first sentence of every abstract in a file that was handed out."""
    from awase.core.annotation import actions
    from awase.storage.store import CorpusStore

    with CorpusStore.open(path, who=who) as store:
        for topic in store.corpus().topics:
            for abstract in topic.abstracts:
                own = abstract.alignment_by(who)
                if own is not None:
                    entry = actions.with_flag_toggled(own.sentences[0])
                    edit = actions.alignment_edit(topic.id, abstract, who, entry, verb=actions.FLAG)
                    assert edit is not None
                    store.apply(edit, who=who)
