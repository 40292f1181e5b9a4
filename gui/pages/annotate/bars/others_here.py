"""Who else has the corpus open on the server, said quietly beside the topic."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip, QWidget

from awase.core.records.identifiers import sentence_place
from awase.core.reports.grid import UNDEFINED
from awase.gui.kit.fitting.labels import ElidedLabel
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.pages.annotate.state.annotation_state import AnnotationState
from awase.storage.sharing.notices import Presence

_CHARACTERS = 22
"""Where the topic is needs the room more; the tip has everything."""


class OthersHere(ElidedLabel):
    """Those in the topic in sight first; the tip says where everybody is."""

    def __init__(self, annotation: AnnotationState, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._annotation, self._places = annotation, ""
        self.setProperty("look", "muted")
        annotation.placeChanged.connect(self.show_others)
        self._bind_texts()

    def _bind_texts(self) -> None:
        bind(self, "accessibleName", mark("Others who have the corpus open"))
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        self.show_others()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._places, self)
            return True
        return super().event(event)

    def show_others(self) -> None:
        """Shows who is where now."""
        session, topic = self._annotation.session, self._annotation.place.topic
        others = session.others if session else ()
        here = topic.id if topic else ""
        ordered = sorted(others, key=lambda one: one.topic != here)
        who = session.who if session else ""
        self.setText(" · ".join(dict.fromkeys(_short(one, who, here) for one in ordered)))
        self._places = "\n".join(_long(one) for one in ordered)
        self.setMaximumWidth(self.fontMetrics().averageCharWidth() * _CHARACTERS)
        self.setVisible(bool(others))


def _short(one: Presence, who: str, here: str) -> str:
    if one.who == who:
        return tr("you on {host}", host=one.host)
    if one.topic == here:
        return tr("{who} here", who=one.who)
    return tr("{who}: {topic}", who=one.who, topic=one.topic) if one.topic else one.who


def _long(one: Presence) -> str:
    place = sentence_place(one.topic, one.abstract, one.n) if one.n else one.topic
    return tr("{who} on {host}: {place}", who=one.who, host=one.host, place=place or UNDEFINED)
