"""The topics of an open corpus as lines of the list; each is counted once for a state of it."""

from typing import Self

from PySide6.QtCore import QObject, Qt

from awase.core.records.project import Assignment
from awase.core.team.topic_list import TopicFinder, TopicLine, line_of, tally_of, work_of
from awase.gui.kit.texts.direction import is_right_to_left, isolated
from awase.gui.kit.texts.i18n import tr
from awase.gui.session.session import CorpusSession

_SHORT = 4


class TopicLines(QObject):
    """Caches counts as long as topics, assignments and annotator stay the same."""

    def __init__(self, session: CorpusSession) -> None:
        super().__init__(session)
        self._session = session
        self._who = ""
        self._assignments: tuple[Assignment, ...] = ()
        self._work = work_of((), "")
        self._finder: TopicFinder | None = None
        self._state = (0, 0)

    @classmethod
    def of(cls, session: CorpusSession) -> Self:
        """Returns the session's instance, shared by its lists."""
        known = session.findChild(cls, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return cls(session) if known is None else known

    def finder(self) -> TopicFinder:
        """Returns the finder of the current topics."""
        self._look_who()
        session = self._session
        n_read, n_edited = self._state
        if self._finder is None or n_read != session.n_times_read:
            self._finder = TopicFinder(session.topics(), self._who, self._work)
        else:
            edited = dict.fromkeys(session.edited_topics[n_edited:])
            self._finder.renew(one for id_ in edited if (one := session.topic(id_)) is not None)
        self._state = session.n_times_read, len(session.edited_topics)
        return self._finder

    def line_of(self, topic_id: str) -> TopicLine | None:
        """Returns the line of a topic; None when there is no such topic."""
        self._look_who()
        topic = self._session.topic(topic_id)
        return None if topic is None else line_of(tally_of(topic), self._who, self._work)

    @property
    def has_work(self) -> bool:
        """Whether the annotator at work has assignments."""
        self._look_who()
        return bool(self._work)

    def _look_who(self) -> None:
        session = self._session
        if session.who != self._who or session.assignments is not self._assignments:
            self._who, self._assignments = session.who, session.assignments
            self._work = work_of(self._assignments, self._who)
            self._finder = None


def initials_of(who: str) -> str:
    """Returns a short word for a person: the id where it is short, else the initials."""
    if len(who) <= _SHORT:
        return who
    words = who.replace("_", " ").replace(".", " ").split()
    return "".join(word[0] for word in words)[:_SHORT] if len(words) > 1 else who[:_SHORT]


def people_by_topic(session: CorpusSession) -> dict[str, str]:
    """Returns other clients' names by topic id."""
    found: dict[str, dict[str, None]] = {}
    for one in session.others:
        if one.topic:
            found.setdefault(one.topic, {})[initials_of(one.who)] = None
    return {topic: " ".join(people) for topic, people in found.items()}


def name_of(line: TopicLine) -> str:
    """Returns the display name of a topic."""
    title = isolated(line.title) if is_right_to_left(line.title) else line.title
    return f"{line.id}  {title}" if line.title else line.id


def short_text(line: TopicLine) -> str:
    """Returns the topic with the progress of the annotator at work first."""
    if not line.n_sentences:
        return name_of(line)
    others = [f"{who} {n}" for who, n in line.others]
    return f"{name_of(line)}   {' · '.join([f'{line.n_settled}/{line.n_sentences}', *others])}"


def tip_of(line: TopicLine, who: str) -> str:
    """Returns the topic, and a line for each annotator."""
    total = line.n_sentences
    lines = [
        tr("{who}: {settled} of {total} settled", who=one, settled=settled, total=total)
        for one, settled in ((who, line.n_settled), *line.others)
    ]
    return "\n".join([name_of(line), *(lines if total else ())])
