"""The annotator's position, and derived state."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from PySide6.QtCore import QObject, Signal

from awase.core.annotation import actions
from awase.core.annotation.actions import abstract_beside, next_unsettled
from awase.core.annotation.candidates import TopicIndex
from awase.core.annotation.suggestion import AssistLevel
from awase.core.annotation.visibility import Sight
from awase.core.records.abstract import Abstract, Alignment, SentenceAlignment
from awase.core.records.edits import AlignmentEdit, Changes, Edit
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.gui.kit.i18n import listed, tr
from awase.gui.pages.annotate.commands import N_DIGITS
from awase.gui.session.session import CorpusSession
from awase.gui.session.undo_stack import number_in


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatePosition:
    """A topic, one of its abstracts, and the annotator's alignment of it."""

    topic: Topic | None = None  # as stored; None when the corpus has none
    abstract: Abstract | None = None  # as stored; None when the topic has none
    who: str = ""
    sight: Sight = Sight.ALL  # visibility of others' work
    _entries: Mapping[int, SentenceAlignment] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Rows request entries singly, several times a paint.
        own = self.abstract.alignment_by(self.who) if self.abstract else None
        entries = {entry.n: entry for entry in own.sentences} if own else {}
        object.__setattr__(self, "_entries", entries)

    @property
    def alignment(self) -> Alignment:
        """The annotator's alignment; empty when not begun."""
        own = self.abstract.alignment_by(self.who) if self.abstract else None
        return own or Alignment(annotator=self.who)

    @property
    def ids(self) -> tuple[str, str]:
        """Ids of topic and abstract, each empty when there is none."""
        return self.topic.id if self.topic else "", self.abstract.id if self.abstract else ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the abstract's sentences, in order."""
        return tuple(sentence.n for sentence in self.abstract.sentences) if self.abstract else ()

    @property
    def entries(self) -> Collection[SentenceAlignment]:
        """The annotator's entries; empty before the first."""
        return self._entries.values()

    def entry(self, n: int) -> SentenceAlignment:
        """Returns the annotator's entry for abstract sentence `n`."""
        return self._entries.get(n) or SentenceAlignment(n=n)

    def may_see_others(self, n: int) -> bool:
        """Returns whether others' entries of abstract sentence `n` may be shown."""
        if self.sight is Sight.SETTLED:
            return self.entry(n).state.is_settled
        return self.sight is Sight.ALL

    def text(self, n: int) -> str:
        """Returns the text of abstract sentence `n`; empty when there is none."""
        sentences = self.abstract.sentences if self.abstract else ()
        return next((sentence.text for sentence in sentences if sentence.n == n), "")


class AnnotationState(QObject):
    """The annotator's position: topic, abstract, sentence, alternative, candidates."""

    # Another topic or abstract, or the same reloaded: everything is outdated.
    placeChanged = Signal()
    # Another abstract sentence is selected, so the candidates are others.
    sentenceChanged = Signal()
    orderChanged = Signal()  # the candidates of the same abstract sentence are in another order
    digitsChanged = Signal()  # the digits moved within the same order
    alternativeChanged = Signal()  # another alternative is current
    entryChanged = Signal(int)  # the alignment or rank of this abstract sentence is another one
    # A message for the annotator: why nothing happened, or a side effect.
    said = Signal(str)
    # What other annotators did is shown, or no longer, or is something else.
    othersChanged = Signal()
    # Topics, or how far others are with them, are others; where the annotator is stays.
    topicsChanged = Signal()
    newsChanged = Signal()  # visible data changed elsewhere, or was applied; see `news`

    def __init__(self, session: CorpusSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session: Final = session
        self.place = AnnotatePosition()  # topic, abstract and alignment
        self.n = 0  # number of the selected abstract sentence; 0 when there is none
        self.alternative_idx = 0  # index of the current alternative; beyond the last = a new one
        self.index = TopicIndex(Topic(id="-"))  # the topic's sentences, ready to be ranked
        self.order: tuple[SentenceRef, ...] = ()  # the topic's sentences, the best candidates first
        # Position in `order` of the candidate with digit 1, from 0.
        self.first_digit, self.n_digits = 0, N_DIGITS
        self._shows_others = False
        # Who changed visible data that is not shown yet; empty = nobody.
        self.news: tuple[str, ...] = ()
        self._topic_ids: tuple[str, ...] = ()
        self._is_staying = False
        session.changed.connect(self._on_changed)
        session.edited.connect(self._on_edited)
        session.sightChanged.connect(self._on_sight_changed)

    # Where

    @property
    def entry(self) -> SentenceAlignment:
        """The entry of the selected abstract sentence."""
        return self.place.entry(self.n or 1)

    @property
    def is_fresh(self) -> bool:
        """Whether the next link starts a new alternative."""
        return self.alternative_idx >= len(self.entry.alternatives)

    @property
    def is_ranked(self) -> bool:
        """Whether candidates are ranked by likeness, not in document order."""
        return self.session.frame.assist.level != AssistLevel.DOCUMENT_ORDER

    def assign_digits(self, first: int, n_digits: int) -> None:
        """Assigns the digits to `n_digits` candidates from `first` on."""
        if (first, n_digits) != (self.first_digit, self.n_digits):
            self.first_digit, self.n_digits = first, n_digits
            self.digitsChanged.emit()

    @property
    def can_edit(self) -> bool:
        """Whether an editable sentence is selected."""
        return self.n > 0 and not self.session.read_only

    @property
    def ranks(self) -> tuple[str, ...]:
        """The corpus's ranks in order of importance."""
        return tuple(rank for rank, _ in self.session.frame.rank_weights)

    @property
    def shows_others(self) -> bool:
        """Whether others' work was revealed."""
        return self._shows_others and self.place.sight is not Sight.NOTHING

    def toggle_others(self) -> None:
        """Shows or hides the other annotators' entries."""
        if not self._shows_others and self.place.sight is Sight.NOTHING:
            self.said.emit(tr("Others' work is hidden until the project lead allows it."))
            return
        self._shows_others = not self._shows_others
        self.othersChanged.emit()

    def open_first(self) -> None:
        """Starts at the first sentence that is not settled, of the first abstract."""
        topics = self.session.topics()
        first = abstract_beside(topics, "", "", 1)
        self.go_to(first.topic_id if first else topics[0].id if topics else None)

    def go_to(self, topic_id: str | None, abstract_id: str | None = None) -> None:
        """Opens a topic and one of its abstracts, the first one by default."""
        topic = self.session.topic(topic_id) if topic_id else None
        abstract = None
        if topic is not None:
            abstract = topic.abstract(abstract_id) if abstract_id else None
            abstract = abstract or next(iter(topic.abstracts), None)
        self._open(topic, abstract)
        self._select_first()
        self.placeChanged.emit()

    def step_abstract(self, step: int) -> None:
        """Moves by `step` abstracts, across topics."""
        found = abstract_beside(self.session.topics(), *self.place.ids, step)
        if found is not None:
            self.go_to(found.topic_id, found.abstract_id)
        elif self.place.abstract is not None:
            self.said.emit(
                tr("This is the last abstract.") if step > 0 else tr("This is the first abstract.")
            )

    def select(self, n: int) -> None:
        """Selects abstract sentence `n` and its first alternative."""
        if n in self.place.numbers and n != self.n:
            if self.news:  # the sentence that was to stay as it was is left
                self._reload_position()
                if n not in self.place.numbers:
                    return
            self.n = n
            self._enter_sentence()
            self.sentenceChanged.emit()

    def stand_at(self, alternative_idx: int) -> None:
        bounded = max(0, min(alternative_idx, len(self.entry.alternatives)))
        if bounded != self.alternative_idx:
            self.alternative_idx = bounded
            self.alternativeChanged.emit()

    def step_alternative(self, step: int) -> None:
        """Moves by `step` alternatives, wrapping around."""
        count = len(self.entry.alternatives)
        if count:
            at = self.alternative_idx + step
            # From an alternative not begun yet, back leads to the last one and on to the first.
            self.stand_at((count - 1 if step < 0 else 0) if self.is_fresh else at % count)

    def rerank(self) -> None:
        """Ranks the candidates anew for the current alternative, after others' changes."""
        if self.news:
            self.show_news()
        if self.n:
            self.order = self._ranked(self.alternative_idx)
            self.first_digit = 0
            self.orderChanged.emit()

    # What came of it

    def _on_sight_changed(self) -> None:
        if self._shows_others:  # the next annotator did not request them
            self.toggle_others()
        self._reload_position()

    def show_news(self) -> None:
        """Applies others' visible changes at the same alternative."""
        if self.news:
            at = self.alternative_idx
            self._reload_position()
            self.stand_at(at)

    def _on_changed(self, changes: Changes) -> None:
        if changes.by:
            self._on_others_changed(changes)
            return
        topic = self.place.topic
        if topic is None or self.news or changes.topics or changes.corpus:  # for the topic list
            self._reload_position()
        elif topic.id in changes.touched_topics():
            self._refresh_records()

    def _on_others_changed(self, changes: Changes) -> None:
        """Applies others' changes, except to the current sentence."""
        topic, abstract = self.place.topic, self.place.abstract
        if topic is None or self.session.topic(topic.id) is None:
            self._reload_position(changes.by)
            return
        mine, elsewhere = self._touched_here(changes)
        if topic.id in changes.topics or self.n in mine:
            self.news = tuple(dict.fromkeys((*self.news, *changes.by)))
            self.newsChanged.emit()
        elif topic.id in changes.touched_topics() and not self.news:
            self._refresh_records()
            for n in sorted(mine):
                self.entryChanged.emit(n)
            if elsewhere and self._shows_others and abstract is not None:
                self.othersChanged.emit()
        self.topicsChanged.emit()

    def _touched_here(self, changes: Changes) -> tuple[set[int], bool]:
        """Returns the abstract's changed sentences, and whether others' entries changed."""
        here, me = self.place.ids, self.place.who
        own = {n for *key, who, n in changes.alignments if tuple(key) == here and who == me}
        own |= {n for *key, n in changes.ranks if tuple(key) == here}
        is_elsewhere = any(tuple(key) == here and who != me for *key, who, _ in changes.alignments)
        return own, is_elsewhere

    def _reload_position(self, by: tuple[str, ...] = ()) -> None:
        """Reloads the position, or the one beside it if that is gone."""
        topic, abstract, n = self.place.topic, self.place.abstract, self.n
        if topic is None:
            self.open_first()
        elif self.session.topic(topic.id) is None:
            self._leave_removed(topic.id, by)
        else:
            self.go_to(topic.id, abstract.id if abstract else None)
            self.select(n)

    def _leave_removed(self, topic_id: str, by: tuple[str, ...]) -> None:
        """Goes to the topic behind or before a removed one, with a message."""
        there = {*self.session.topic_ids()}
        known = self._topic_ids
        at = known.index(topic_id) if topic_id in known else 0
        beside = (*known[at:], *reversed(known[:at]))
        self.go_to(next((one for one in beside if one in there), next(iter(there), None)))
        who = listed(filter(None, by)) or tr("Somebody")
        if by:
            self.said.emit(tr("{who} removed topic “{topic}”.", who=who, topic=topic_id))
        else:
            self.said.emit(tr("Topic “{topic}” was removed.", topic=topic_id))

    def _refresh_records(self) -> None:
        topic = self.place.topic
        stored = self.session.topic(topic.id) if topic else None
        if stored is not None:
            abstract = self.place.abstract
            current = stored.abstract(abstract.id) if abstract else None
            self.place = replace(self.place, topic=stored, abstract=current)

    @contextmanager
    def staying(self) -> Iterator[None]:
        """Keeps the position during edits inside the block."""
        was_staying, self._is_staying = self._is_staying, True
        try:
            yield
        finally:
            self._is_staying = was_staying

    def _on_edited(self, edit: Edit) -> None:
        """Goes to the position of an edit, so that nothing is undone out of sight."""
        if not edit.topic:
            return
        topic, abstract = self.place.ids
        here = (topic, edit.abstract and abstract)
        n = number_in(edit)
        if self._is_staying and (*here, self.n) != (edit.topic, edit.abstract, n):
            if (edit.topic, edit.abstract) == here and n is not None:
                self.entryChanged.emit(n)
            return
        if (edit.topic, edit.abstract) != here:
            self.go_to(edit.topic, edit.abstract)
        if n is None:
            return
        old_idx = self.alternative_idx
        if n == self.n:
            self._follow(edit)
            self.entryChanged.emit(n)
        else:
            self.entryChanged.emit(n)
            self.select(n)
            self._follow(edit)
        if self.alternative_idx != old_idx:
            self.alternativeChanged.emit()

    def _follow(self, edit: Edit) -> None:
        if isinstance(edit, AlignmentEdit) and edit.old.alternatives != edit.new.alternatives:
            self.alternative_idx = _place_of_change(edit, self.alternative_idx)

    def _open(self, topic: Topic | None, abstract: Abstract | None) -> None:
        if self.news:
            self.news = ()
            self.newsChanged.emit()
        self._topic_ids = self.session.topic_ids()
        old = self.place.topic
        if topic is None or old is None or topic.documents is not old.documents:
            self.index = TopicIndex(topic or Topic(id="-"))
        who, sight = self.session.who, self.session.sight
        self.place = AnnotatePosition(topic=topic, abstract=abstract, who=who, sight=sight)

    def _select_first(self) -> None:
        abstract, numbers = self.place.abstract, self.place.numbers
        unsettled = next_unsettled(abstract, self.place.who, 0) if abstract else None
        self.n = unsettled or next(iter(numbers), 0)
        self._enter_sentence()

    def _enter_sentence(self) -> None:
        self.alternative_idx = 0
        # As for a new alternative: links first, to be reviewed.
        self.order = self._ranked(len(self.entry.alternatives))
        self.first_digit = 0

    def _ranked(self, alternative_idx: int) -> tuple[SentenceRef, ...]:
        if not self.is_ranked:
            return self.index.refs
        text = self.place.text(self.n)
        return self.index.ranked_for(text, self.entry, alternative_idx)


def _place_of_change(edit: AlignmentEdit, current_idx: int) -> int:
    """Returns the alternative that an edit changed; a removed single member leaves its own."""
    old, new = edit.old.alternatives, edit.new.alternatives
    if edit.verb in (actions.REMOVE_ALTERNATIVE, actions.ADD_DUPLICATES) and new:
        return min(current_idx, len(new) - 1)
    if len(new) < len(old):
        return len(new)
    differing = (idx for idx, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1])
    return next(differing, max(0, len(new) - 1))
