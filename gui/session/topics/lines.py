"""The topics of an open corpus as lines of the list; each is counted once for a state of it."""

from awase.core.errors import Cancelled
from awase.core.progress import Reporter
from awase.core.project.topic_list import TopicLine, line_of, tally_of, work_of
from awase.core.records.project import Assignment
from awase.core.records.topic import Topic
from awase.gui.kit.texts.direction import is_right_to_left, isolated
from awase.gui.kit.texts.i18n import tr
from awase.gui.session.session import CorpusSession

_SHORT = 4
_TOLD_EACH = 1_000


class TopicLines:
    """Keeps what was counted as long as topic, assignments and annotator are the same."""

    def __init__(self, session: CorpusSession) -> None:
        self._session = session
        self._who = ""
        self._assignments: tuple[Assignment, ...] = ()
        self._work = work_of((), "")
        self._known: dict[str, tuple[Topic, TopicLine]] = {}
        self._counted: dict[str, TopicLine] = {}
        self._state = (0, 0)

    def all(self) -> list[TopicLine]:
        """Returns a line a topic, in the order of the corpus; none when counting was stopped."""
        self._look_who()
        if not self._session.is_here:
            return self._all_counted()
        return [self._line(topic) for topic in self._session.topics()]

    def _all_counted(self) -> list[TopicLine]:
        """Returns all lines; no topic is read for them but those that were edited since."""
        session = self._session
        n_read, n_edited = self._state
        if not self._counted or n_read != session.n_times_read:
            try:
                self._counted = session.wait_for(tr("Counting what is settled …"), self._count)
            except Cancelled:
                return []
        else:
            for topic_id in {*session.edited_topics[n_edited:]}:
                topic = session.topic(topic_id)
                if topic is not None:
                    self._counted[topic_id] = self._line(topic)
        self._state = session.n_times_read, len(session.edited_topics)
        return [*self._counted.values()]

    def _count(self, reporter: Reporter) -> dict[str, TopicLine]:
        found: dict[str, TopicLine] = {}
        n_topics = len(self._session.topic_ids())
        for n, tally in enumerate(self._session.tallies()):
            if n % _TOLD_EACH == 0:
                reporter.advance(n, n_topics)
            found[tally.id] = line_of(tally, self._who, self._work)
        return found

    def line_of(self, topic_id: str) -> TopicLine | None:
        """Returns the line of a topic; None when there is no such topic."""
        self._look_who()
        topic = self._session.topic(topic_id)
        return None if topic is None else self._line(topic)

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
            self._known.clear()
            self._counted = {}

    def _line(self, topic: Topic) -> TopicLine:
        known = self._known.get(topic.id)
        if known is None or known[0] is not topic:
            if self._session.is_large:
                self._known.clear()  # they would hold all topics that were ever in sight
            known = self._known[topic.id] = (topic, line_of(tally_of(topic), self._who, self._work))
        return known[1]


def initials_of(who: str) -> str:
    """Returns a short word for a person: the id where it is short, else the initials."""
    if len(who) <= _SHORT:
        return who
    words = who.replace("_", " ").replace(".", " ").split()
    return "".join(word[0] for word in words)[:_SHORT] if len(words) > 1 else who[:_SHORT]


def people_by_topic(session: CorpusSession) -> dict[str, str]:
    """Returns who of the others is in which topic now, as short words, by its id."""
    found: dict[str, dict[str, None]] = {}
    for one in session.others:
        if one.topic:
            found.setdefault(one.topic, {})[initials_of(one.who)] = None
    return {topic: " ".join(people) for topic, people in found.items()}


def name_of(line: TopicLine) -> str:
    """Returns what a topic is called where it is chosen."""
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
