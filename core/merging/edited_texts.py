"""Maps the sentences of one copy of a topic to another's, when texts were edited."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from awase.core.annotation.content import state_to_review
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alternative, SentenceAlignment
from awase.core.records.encoding.digests import text_value
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMap:
    """Their sentences in our topic."""

    is_same: bool
    # Their source sentence to ours; what is missing cannot be mapped. Empty where all texts are the
    # same.
    refs: Mapping[SentenceRef, SentenceRef]
    numbers: Mapping[str, Mapping[int, int]]

    def entry(self, entry: SentenceAlignment, n: int) -> tuple[SentenceAlignment, int]:
        """Returns their entry mapped to our sentence `n`, and its number of lost alternatives."""
        if self.is_same:
            return entry, 0
        kept: list[Alternative] = []
        for alternative in entry.alternatives:
            members = [self.refs.get(ref) for ref in alternative.members]
            if None not in members:
                kept.append(Alternative(tuple(ref for ref in members if ref is not None)))
        n_lost = len(entry.alternatives) - len(kept)
        state = state_to_review(entry.state, tuple(kept)) if n_lost else entry.state
        return replace(entry, n=n, alternatives=tuple(kept), state=state), n_lost


def text_map(theirs: Topic, ours: Topic) -> TextMap:
    """Maps their sentences to ours: by id, else by text."""
    if text_value(theirs) == text_value(ours):
        numbers = {one.id: {each.n: each.n for each in one.sentences} for one in ours.abstracts}
        return TextMap(is_same=True, refs={}, numbers=numbers)
    our_documents = {document.id: document for document in ours.documents}
    refs: dict[SentenceRef, SentenceRef] = {}
    for document in theirs.documents:
        ours_of_it = our_documents.get(document.id)
        if ours_of_it is not None:
            found = _numbers(
                ((sentence.n, sentence.text) for sentence in document.sentences),
                {sentence.n: sentence.text for sentence in ours_of_it.sentences},
            )
            for n, new in found.items():
                refs[SentenceRef(document.id, n)] = SentenceRef(document.id, new)
    mapped = {
        abstract.id: _abstract_numbers(abstract, other)
        for abstract in theirs.abstracts
        if (other := ours.abstract(abstract.id)) is not None
    }
    return TextMap(is_same=False, refs=refs, numbers=mapped)


def _abstract_numbers(theirs: Abstract, ours: Abstract) -> dict[int, int]:
    return _numbers(
        ((sentence.n, sentence.text) for sentence in theirs.sentences),
        {sentence.n: sentence.text for sentence in ours.sentences},
    )


def _numbers(theirs: Iterable[tuple[int, str]], ours: Mapping[int, str]) -> dict[int, int]:
    places: dict[str, int] = {}
    for n, text in ours.items():
        places.setdefault(text, n)
    found: dict[int, int] = {}
    for n, text in theirs:
        if n in ours:
            found[n] = n
        elif text in places:
            found[n] = places[text]
    taken: set[int] = set()
    unique: dict[int, int] = {}
    # Who keeps the number goes first: two sentences never become one.
    for n in sorted(found, key=lambda one: found[one] != one):
        if found[n] not in taken:
            taken.add(found[n])
            unique[n] = found[n]
    return unique
