"""Dialogs that write texts, and those that tell of people: the help among them."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from screens.stage import opened

if TYPE_CHECKING:
    from awase.gui.frame.main_window import MainWindow
    from awase.gui.session.session import CorpusSession
    from awase.gui.session.settings import Services


def editing_dialogs(
    window: "MainWindow", services: "Services", session: "CorpusSession"
) -> Iterator[tuple[str, Callable[[], QWidget]]]:
    from awase.gui.dialogs.editing.editing import AbstractDialog, DocumentDialog

    topic = session.topics()[0]

    def writing() -> QWidget:
        dialog = AbstractDialog(session, services.jobs, topic, topic.abstracts[0], window)
        texts = [sentence.text for sentence in topic.abstracts[0].sentences]
        dialog.editor.set_sentences([" ".join(texts[:2]), *texts[3:]])
        dialog.fields.set("limit", 60)
        dialog.show_state()
        return opened(dialog)

    def splitting() -> QWidget:
        dialog = DocumentDialog(session, services.jobs, topic, topic.documents[0], window)
        texts = [sentence.text for sentence in topic.documents[0].sentences]
        half = len(texts[0]) // 2
        dialog.editor.set_sentences([texts[0][:half], texts[0][half:], *texts[2:]])
        dialog.show_state()
        return opened(dialog)

    yield "abstract", writing
    yield (
        "new-document",
        lambda: opened(DocumentDialog(session, services.jobs, topic, None, window)),
    )
    yield "document", splitting


def reading_dialogs(
    window: "MainWindow", services: "Services", session: "CorpusSession"
) -> Iterator[tuple[str, Callable[[], QWidget]]]:
    from awase.core.records.topic import annotators_of
    from awase.core.team.progress import LoggedTime
    from awase.gui.dialogs.editing.editing import GuidelinesDialog, TopicDialog
    from awase.gui.dialogs.whole_corpus import TimesDialog
    from awase.gui.frame.help import PAGES, HelpWindow
    from awase.gui.pages.annotate.status_strip import AnnotatorDialog

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
        return opened(TimesDialog(session.topics(), log, window))

    yield "topic", lambda: opened(TopicDialog(session, session.topics()[0], window))
    yield "edit-guidelines", lambda: opened(GuidelinesDialog(session, window))
    yield "annotator", lambda: opened(AnnotatorDialog(session.who, people, window))
    yield "times", timing
    for page in PAGES:
        yield f"help-{page}", partial(helping, page)
