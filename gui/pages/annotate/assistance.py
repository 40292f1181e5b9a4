"""Suggestions for the selected sentence at the project's assistance level."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from awase.core.annotation.candidates import keys_of
from awase.core.annotation.evidence import (
    FamilyWeights,
    MemberRemark,
    UncoveredWord,
    keys_of_all,
    member_remarks,
    uncovered_words,
    weights_of,
)
from awase.core.annotation.suggesters import SUGGESTERS, build_suggesters
from awase.core.annotation.suggestion import (
    CLOSURE,
    AssistLevel,
    Items,
    Suggester,
    Suggestion,
    control_items,
    decoy_items,
    decoy_model,
    decoy_of,
    is_shown,
    own_view,
)
from awase.core.errors import CorpusFormatError
from awase.core.records.abstract import AbstractSentence
from awase.core.records.alignment import AssistSettings, ShownSuggestion
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic
from awase.gui.kit.i18n import labelled, tr
from awase.gui.pages.annotate.annotation_state import AnnotationState
from awase.jobs.team.asking_models import cached_answers

# Shorter than a pause to read, longer than painting a page.
_QUIET_MS: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A suggestion and its suggester."""

    suggestion: Suggestion
    source: str
    model: str


class Assistance(QObject):
    """The best suggestion and the marks of the selected sentence."""

    # Computed in idle time after painting: a digit never waits for it.

    changed = Signal()  # suggestion, words or remarks are others

    def __init__(
        self, annotation: AnnotationState, now_ms: Callable[[], int], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._annotation = annotation
        self._now_ms = now_ms
        self._made: tuple[str, dict[str, Suggester]] | None = None
        self._drawn: tuple[object, Items, Items] | None = None
        self._texts: tuple[object, dict[str, str]] | None = None
        self._keys: tuple[object, frozenset[str]] | None = None
        self.offered: Offered | None = None  # the surest suggestion; None = there is none
        self._seen: Offered | None = None
        self._since_ms = 0
        self._failed: set[str] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_QUIET_MS)
        self._timer.timeout.connect(self.refresh)
        annotation.placeChanged.connect(self._on_moved)
        annotation.sentenceChanged.connect(self._on_moved)
        annotation.alternativeChanged.connect(self._look_soon)
        annotation.entryChanged.connect(self._look_soon)

    @property
    def level(self) -> AssistLevel:
        """At which the selected sentence is shown."""
        settings = self._settings
        if settings.control_percent and self._is_in(self._items()[0]):
            return min(AssistLevel(settings.level), AssistLevel.RANKED)
        return AssistLevel(settings.level)

    @property
    def decoy_percent(self) -> int:
        """The share of suggestions that are wrong on purpose, where any are shown."""
        settings = self._settings
        return settings.decoy_percent if settings.level > AssistLevel.MARKS else 0

    @property
    def counts_keys(self) -> bool:
        """Whether a comparison runs."""
        return self._settings.control_percent > 0

    def shown(self, offered: Offered) -> ShownSuggestion:
        return ShownSuggestion(
            kind=offered.suggestion.kind,
            family=tuple(tuple(map(str, one.members)) for one in offered.suggestion.family),
            confidence=offered.suggestion.confidence,
            source=offered.source,
            model=offered.model,
            shown_ms=max(0, self._now_ms() - self._since_ms),
        )

    def refused(self) -> ShownSuggestion | None:
        """Returns the visible suggestion that was not accepted, lints excepted."""
        is_opinion = self._seen is not None and self._seen.suggestion.kind != CLOSURE
        return self.shown(self._seen) if self._seen is not None and is_opinion else None

    def uncovered(self) -> tuple[UncoveredWord, ...]:
        """Returns the words that the current alternative lacks; none while it has no member."""
        by_ref, texts = self._members(), self._text_by_name()
        if not by_ref:
            return ()
        if self._keys is None or self._keys[0] is not texts:
            self._keys = texts, keys_of_all(texts.values())
        text = self._annotation.place.text(self._annotation.n)
        return uncovered_words(text, [*by_ref.values()], self._keys[1])

    def remarks(self) -> tuple[MemberRemark, ...]:
        """Returns which members of the current alternative seem needless."""
        by_ref, annotation = self._members(), self._annotation
        return member_remarks(annotation.place.text(annotation.n), tuple(by_ref), by_ref)

    def _members(self) -> dict[SentenceRef, str]:
        """Returns the texts of the current alternative's members; none where nothing is marked."""
        annotation = self._annotation
        if self.level < AssistLevel.MARKS or annotation.is_fresh or not annotation.n:
            return {}
        texts = self._text_by_name()
        members = annotation.entry.alternatives[annotation.alternative_idx].members
        return {ref: texts.get(str(ref), "") for ref in members}

    def refresh(self) -> None:
        self._timer.stop()
        self.offered = self._best()
        if self.offered is not None and self.offered != self._seen:
            self._seen, self._since_ms = self.offered, self._now_ms()
        self.changed.emit()

    def _on_moved(self) -> None:
        self.offered = self._seen = None
        self._look_soon()

    def _look_soon(self, _n: int = 0) -> None:
        self._timer.start()

    @property
    def _settings(self) -> AssistSettings:
        return self._annotation.session.assist

    def _best(self) -> Offered | None:
        annotation, level = self._annotation, self.level
        place = annotation.place
        if level < AssistLevel.MARKS or not annotation.can_edit or not place.topic:
            return None
        sentences = place.abstract.sentences if place.abstract else ()
        sentence = next((one for one in sentences if one.n == annotation.n), None)
        if sentence is None or not keys_of(sentence.text):
            return None
        view = own_view(place.topic, place.who)
        found = [
            Offered(suggestion=one, source=name, model=one.model or SUGGESTERS[name].version)
            for name, suggester in self._suggesters(level).items()
            for one in self._asked(name, suggester, view, sentence)
            if is_shown(one, level)
        ]
        best = max(found, key=lambda one: one.suggestion.confidence, default=None)
        return best if best is None else self._or_decoy(best)

    def _or_decoy(self, offered: Offered) -> Offered:
        annotation = self._annotation
        if not self.decoy_percent or not self._is_in(self._items()[1]):
            return offered
        decoy = decoy_of(offered.suggestion, annotation.order, annotation.entry)
        if decoy is None:
            return offered
        return replace(offered, suggestion=decoy, model=decoy_model(offered.model))

    def _items(self) -> tuple[Items, Items]:
        """Returns the topic's control and decoy items."""
        settings, topic = self._settings, self._annotation.place.topic
        if topic is None:
            return frozenset(), frozenset()
        key = (settings, topic.documents, topic.id)
        if self._drawn is None or self._drawn[0] != key:
            self._drawn = key, control_items(settings, topic), decoy_items(settings, topic)
        return self._drawn[1:]

    def _is_in(self, items: Items) -> bool:
        abstract = self._annotation.place.abstract
        return abstract is not None and (abstract.id, self._annotation.n) in items

    def _asked(
        self, name: str, suggester: Suggester, view: Topic, sentence: AbstractSentence
    ) -> tuple[Suggestion, ...]:
        """Runs a suggester; failures of plug-ins are reported once."""
        try:
            return suggester.suggest(view, sentence, self._annotation.entry)
        except Exception as error:  # whatever a stranger's code raises
            if name not in self._failed:
                self._failed.add(name)
                why = (
                    labelled(type(error).__name__, str(error))
                    if str(error)
                    else type(error).__name__
                )
                self._annotation.said.emit(
                    tr("The suggester {name} failed, so it suggests nothing here: {why}",
                       name=name, why=why)
                )  # fmt: skip
            return ()

    def _suggesters(self, level: AssistLevel) -> dict[str, Suggester]:
        weights = self._settings.weights
        if self._made is None or self._made[0] != weights:
            self._made = weights, build_suggesters(SUGGESTERS, _fitted(weights), cached_answers())
        made = self._made[1]
        # Below suggestions only the lint runs, to save time.
        return made if level > AssistLevel.MARKS else {CLOSURE: made[CLOSURE]}

    def _text_by_name(self) -> dict[str, str]:
        topic = self._annotation.place.topic
        documents = topic.documents if topic else ()
        if self._texts is None or self._texts[0] is not documents:
            texts = {str(ref): one.text for ref, one in topic.sentences()} if topic else {}
            self._texts = documents, texts
        return self._texts[1]


def _fitted(weights: str) -> FamilyWeights | None:
    try:
        return weights_of(weights) if weights else None
    except CorpusFormatError:
        return None
