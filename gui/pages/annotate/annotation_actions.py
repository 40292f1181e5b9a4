"""Actions of the annotator: one edit each, written immediately."""

from collections.abc import Callable
from typing import Final

from awase.core.annotation import actions
from awase.core.annotation.actions import next_incomplete, next_unsettled
from awase.core.records.abstract import (
    AlignmentState,
    EditEffort,
    SentenceAlignment,
    ShownSuggestion,
)
from awase.core.records.edits import Edit
from awase.core.records.source import SentenceRef
from awase.gui.kit.i18n import ntr, tr
from awase.gui.pages.annotate.annotation_state import AnnotatePosition, AnnotationState
from awase.gui.pages.annotate.live_results import Assistance


class AnnotationActions:
    """Actions of keys, buttons and clicks."""

    def __init__(
        self,
        annotation: AnnotationState,
        active_ms: Callable[[], int],
        assistance: Assistance,
        n_keys: Callable[[], int],
    ) -> None:
        """`active_ms` and `n_keys` return work since the last call."""
        self._annotation, self._say = annotation, annotation.said.emit
        self._active_ms = active_ms
        self._assistance = assistance
        self._n_keys = n_keys

    def begin_alternative(self) -> None:
        """Starts a new alternative with the next link."""
        if not self._may_edit():
            return
        if self._annotation.is_fresh:
            self._say(tr("The next sentence you link begins this alternative."))
        self._annotation.stand_at(len(self._annotation.entry.alternatives))

    def toggle(self, ref: SentenceRef) -> None:
        """Links a source sentence in the current alternative, or unlinks it."""
        if not self._may_edit():
            return
        entry, at = self._annotation.entry, self._annotation.alternative_idx
        verb = actions.UNLINK if actions.is_member(entry, at, ref) else actions.LINK
        self._perform(actions.with_toggled(entry, at, ref), verb, str(ref))

    def toggle_in(self, alternative_idx: int, ref: SentenceRef) -> None:
        """Toggles a link in the given alternative and selects that."""
        self._annotation.stand_at(alternative_idx)
        self.toggle(ref)

    def add_to(self, alternative_idx: int, ref: SentenceRef) -> None:
        """Links a source sentence in the given alternative, if it is not."""
        if not self._may_edit():
            return
        if actions.is_member(self._annotation.entry, alternative_idx, ref):
            self._annotation.stand_at(alternative_idx)
            self._say(tr("This sentence is already in that alternative."))
        else:
            self.toggle_in(alternative_idx, ref)

    def exchange_candidate(self, position: int) -> None:
        """Adds an alternative with the candidate at `position` for the member linked last."""
        ref = self._candidate_at(position)
        if ref is None or not self._may_edit():
            return
        old = self._annotation.entry
        new = actions.with_exchanged(old, self._annotation.alternative_idx, ref)
        if new == old:
            self._say(tr("This alternative already exists."))
        else:
            self._perform(new, actions.EXCHANGE, str(ref))

    def begin_with_candidate(self, position: int) -> None:
        """Starts an alternative with the candidate at `position`."""
        ref = self._candidate_at(position)
        if ref is not None and self._may_edit():
            self._annotation.stand_at(len(self._annotation.entry.alternatives))
            self.toggle(ref)

    def toggle_candidate(self, position: int) -> None:
        """Toggles the candidate at `position`, counted from 0."""
        ref = self._candidate_at(position)
        if ref is not None:
            self.toggle(ref)

    def _candidate_at(self, position: int) -> SentenceRef | None:
        """Returns the candidate with this digit; None = none visible."""
        place = self._annotation.first_digit + position
        if place >= len(self._annotation.order):
            return None
        if position >= self._annotation.n_digits:
            self._say(tr("No visible candidate has this digit."))
            return None
        return self._annotation.order[place]

    def take_suggestion(self, *, stays: bool) -> None:
        """Accepts the suggestion; unless `stays`, confirms the sentence and goes on."""
        # A suggestion that was not visible at the key press is only shown: nobody has judged it
        # yet.
        if not self._may_edit():
            return
        in_sight = self._assistance.offered
        self._assistance.refresh()
        offered = self._assistance.offered
        if offered is None:
            self._say(tr("Nothing is suggested for this sentence."))
            return
        if offered != in_sight:
            self._say(tr("This suggestion is new; press the key again to accept it."))
            return
        shown = self._assistance.shown(offered)
        new = actions.with_accepted(self._annotation.entry, offered.suggestion.family)
        if not stays:
            new = actions.as_confirmed(new)
        if self._perform(new, actions.TAKE, offered.source, shown=shown) and not stays:
            self._go_on()

    def remove_alternative(self, alternative_idx: int) -> None:
        if self._may_edit():
            new = actions.without_alternative(self._annotation.entry, alternative_idx)
            self._perform(new, actions.REMOVE_ALTERNATIVE)

    def add_duplicates(self) -> None:
        """Adds alternatives in which near-duplicates replace members."""
        if not self._may_edit():
            return
        old = self._annotation.entry
        new = actions.with_duplicates(
            old, self._annotation.alternative_idx, self._annotation.index.near_duplicates
        )
        if new == old:
            self._say(tr("No near-duplicate gives another alternative."))
        else:
            self._perform(new, actions.ADD_DUPLICATES)

    def toggle_no_source(self) -> None:
        """Marks the sentence “no source”, or reopens it."""
        if self._may_edit():
            entry = self._annotation.entry
            is_marked = entry.state is AlignmentState.NO_SOURCE
            verb = actions.REOPEN if is_marked else actions.NO_SOURCE
            if self._perform(actions.as_no_source(entry), verb) and entry.alternatives:
                self._say(
                    ntr(
                        "“No source” dropped {n} alternative; undo restores it.",
                        "“No source” dropped {n} alternatives; undo restores them.",
                        len(entry.alternatives),
                    )
                )

    def toggle_flag(self) -> None:
        if self._may_edit():
            entry = self._annotation.entry
            verb = actions.UNFLAG if entry.state is AlignmentState.FLAGGED else actions.FLAG
            is_written = self._perform(actions.with_flag_toggled(entry), verb)
            if is_written and entry.state is AlignmentState.NO_SOURCE:
                self._say(tr("The flag replaced “no source”; undo restores it."))

    def set_note(self, who: str, topic_id: str, abstract_id: str, n: int, note: str) -> bool:
        """Sets an annotator's note on an abstract sentence, visible or not.

        Returns False when it could not be stored: an error, another annotator, or no such sentence.
        """
        session = self._annotation.session
        topic = session.topic(topic_id)
        abstract = topic.abstract(abstract_id) if topic is not None else None
        if session.read_only or session.who != who or abstract is None:
            return False
        if all(sentence.n != n for sentence in abstract.sentences):
            return False
        entry = AnnotatePosition(topic=topic, abstract=abstract, who=who).entry(n)
        new = actions.with_note(entry, note)
        edit = actions.alignment_edit(topic_id, abstract, who, new, verb=actions.NOTE)
        with self._annotation.staying():
            return self._write(edit)

    def set_rank(self, position: int) -> None:
        """Sets the rank by position in the corpus's ranks; -1 clears it."""
        abstract, topic = self._annotation.place.abstract, self._annotation.place.topic
        if abstract and topic and position < len(self._annotation.ranks) and self._may_edit():
            rank = self._annotation.ranks[position] if position >= 0 else None
            self._write(actions.rank_edit(topic.id, abstract, self._annotation.n, rank))

    def confirm(self) -> None:
        """Confirms the sentence and goes to the next unsettled one."""
        if not self._may_edit():
            return
        entry = self._annotation.entry
        if entry.state is AlignmentState.FLAGGED:
            self._go_on()
            self._say(tr("The flag stays; press its key to remove it."))
            return
        if entry.state is not AlignmentState.NO_SOURCE:
            if not actions.can_confirm(entry):
                self._say(tr("Nothing to confirm yet: link a sentence, or mark “no source”."))
                return
            shown = self._assistance.refused() if entry.assist is None else None
            new = actions.as_confirmed(entry, is_refusal=shown is not None)
            if not self._perform(new, actions.CONFIRM, shown=shown):
                return
        self._go_on()

    def go_to_next_incomplete(self) -> None:
        """Goes to the next unsettled sentence, across topics."""
        annotation, here = self._annotation, self._annotation.place.ids
        topics = annotation.session.topics()
        found = next_incomplete(topics, annotation.place.who, *here, annotation.n)
        if found is None:
            annotation.said.emit(tr("No other sentence is left to settle in this corpus."))
            return
        if (found.topic_id, found.abstract_id) != here:
            annotation.go_to(found.topic_id, found.abstract_id)
        annotation.select(found.n)

    def _go_on(self) -> None:
        annotation, abstract = self._annotation, self._annotation.place.abstract
        who, n = annotation.place.who, annotation.n
        following = next_unsettled(abstract, who, n) if abstract else None
        if following is None:
            # Not to stay: the next digits would change what has just been confirmed.
            self.go_to_next_incomplete()
        elif following != annotation.n:
            annotation.select(following)

    def _may_edit(self) -> bool:
        if self._annotation.session.read_only:
            self._say(tr("This corpus is open for reading only."))
        return self._annotation.can_edit

    def _perform(
        self,
        new: SentenceAlignment,
        verb: str,
        subject: str = "",
        shown: ShownSuggestion | None = None,
    ) -> bool:
        """Writes the entry; returns False on failure."""
        place = self._annotation.place
        if place.topic is None or place.abstract is None:
            return False
        edit = actions.alignment_edit(
            place.topic.id, place.abstract, place.who, new, verb=verb, subject=subject
        )
        return self._write(edit, shown)

    def _write(self, edit: Edit | None, shown: ShownSuggestion | None = None) -> bool:
        if edit is None:  # the keys count for the next one
            return True
        n_keys = self._n_keys()
        effort = EditEffort(
            active_ms=self._active_ms(),
            n_keys=n_keys if self._assistance.counts_keys else None,
            shown=shown,
        )
        return self._annotation.session.perform(edit, effort=effort)


# A longer gap between two inputs is a break: only this much of it counts.
LONGEST_THOUGHT_MS: Final = 30_000


class ActivityClock:
    """Adds up the time between inputs."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        """Takes a monotonic clock in milliseconds."""
        self._now_ms = now_ms
        self._last_ms = now_ms()
        self._active_ms = 0

    def touch(self) -> None:
        now_ms = self._now_ms()
        self._active_ms += min(now_ms - self._last_ms, LONGEST_THOUGHT_MS)
        self._last_ms = now_ms

    def take(self) -> int:
        """Returns the active milliseconds since the last call."""
        self.touch()
        taken, self._active_ms = self._active_ms, 0
        return taken
