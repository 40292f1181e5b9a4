"""Edits of texts that carry links over, and of the whole corpus: removals, the project.

A link to a sentence that was split becomes links to all its parts. An alternative that loses a
member is removed as a whole, as the rest need not suffice. Then, and where a member was split or
joined, confirmed sentences become incomplete: an alternative may be larger than needed now.
Removing something removes references to it.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from awase.core.errors import InputError, Listing, Problem
from awase.core.records.abstract import (
    Abstract,
    AbstractSentence,
    Alignment,
    AlignmentState,
    Alternative,
    Gold,
    GoldEntry,
    SentenceAlignment,
    gold_alignment,
)
from awase.core.records.corpus import Corpus
from awase.core.records.edits import (
    AbstractTextEdit,
    GuidelinesEdit,
    SourceTextEdit,
    TopicEdit,
    difference,
)
from awase.core.records.source import Document, SentenceRef
from awase.core.records.topic import Extract, Output, Topic, ids_of, map_topics, select_topics
from awase.core.text.resplitting import Resplit, ResplitOutcome, resplit

# Ids of the actions. They are stored in the operation log, so they are for ever.
EDIT_SOURCE_TEXT: Final = "edit_source_text"
EDIT_ABSTRACT_TEXT: Final = "edit_abstract_text"
ADD_ABSTRACT: Final = "add_abstract"
EDIT_ABSTRACT: Final = "edit_abstract"
REMOVE_ABSTRACT: Final = "remove_abstract"
ADD_DOCUMENT: Final = "add_document"
REMOVE_DOCUMENT: Final = "remove_document"
RESPLIT_DOCUMENT: Final = "resplit_document"
EDIT_TOPIC: Final = "edit_topic"
EDIT_GUIDELINES: Final = "edit_guidelines"

# Address of a source sentence to those that have its text now; none = it is gone.
Carried = Mapping[SentenceRef, tuple[SentenceRef, ...]]


def source_text_edit(topic: Topic, ref: SentenceRef, text: str) -> SourceTextEdit | None:
    """Returns the edit of a source sentence's text; None = no difference."""
    old = next((sentence.text for known, sentence in topic.sentences() if known == ref), None)
    if old is None or old == text:
        return None
    return SourceTextEdit(verb=EDIT_SOURCE_TEXT, topic=topic.id, ref=ref, old=old, new=text)


def abstract_text_edit(
    topic_id: str, abstract: Abstract, n: int, text: str
) -> AbstractTextEdit | None:
    """Returns the edit of abstract sentence `n`'s text; None = no difference."""
    old = next((sentence.text for sentence in abstract.sentences if sentence.n == n), None)
    if old is None or old == text:
        return None
    return AbstractTextEdit(
        verb=EDIT_ABSTRACT_TEXT, topic=topic_id, abstract=abstract.id, n=n, old=old, new=text
    )


def topic_edit(
    old: Topic, new: Topic, *, verb: str, abstract: str | None = None, subject: str = ""
) -> TopicEdit | None:
    """Returns the edit from `old` to `new`; None = no difference."""
    if old == new:
        return None
    before, after = difference(old, new)
    return TopicEdit(
        verb=verb, topic=old.id, old=before, new=after, abstract=abstract, subject=subject
    )


def guidelines_edit(old: str, new: str) -> GuidelinesEdit | None:
    """Returns the edit of the guidelines; None = no difference."""
    return None if old == new else GuidelinesEdit(verb=EDIT_GUIDELINES, old=old, new=new)


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """References to some source sentences."""

    n_links: int = 0
    n_alternatives: int = 0
    n_extract_members: int = 0

    @property
    def is_any(self) -> bool:
        """Whether anything refers to them."""
        return bool(self.n_links or self.n_extract_members)


def uses_of(topic: Topic, refs: frozenset[SentenceRef]) -> Uses:
    """Returns the references in `topic` to `refs`."""
    n_by_alternative = [
        sum(ref in refs for ref in alternative.members)
        for abstract in topic.abstracts
        for alignment in (*abstract.alignments, gold_alignment(abstract.gold))
        for entry in alignment.sentences
        for alternative in entry.alternatives
    ]
    extracts = (output for output in topic.outputs if isinstance(output, Extract))
    return Uses(
        n_links=sum(n_by_alternative),
        n_alternatives=sum(map(bool, n_by_alternative)),
        n_extract_members=sum(ref in refs for extract in extracts for ref in extract.sentences),
    )


def with_document(topic: Topic, document: Document) -> Topic:
    """Appends a document."""
    return replace(topic, documents=(*topic.documents, document))


def without_document(topic: Topic, document_id: str) -> Topic:
    """Removes a document and all references to it."""
    gone: dict[SentenceRef, tuple[SentenceRef, ...]] = {
        ref: () for ref in topic.refs() if ref.document_id == document_id
    }
    kept = tuple(document for document in topic.documents if document.id != document_id)
    return _carried(topic, kept, gone)


def with_replaced_document(
    topic: Topic,
    document: Document,
    carried: Carried,
    recut: frozenset[SentenceRef] = frozenset(),
) -> Topic:
    """Returns the topic with the document of the same id replaced.

    Links to `recut` sentences, which were split or joined, become incomplete.
    """
    documents = tuple(document if old.id == document.id else old for old in topic.documents)
    return _carried(topic, documents, carried, recut)


def _carried(
    topic: Topic,
    documents: tuple[Document, ...],
    carried: Carried,
    recut: frozenset[SentenceRef] = frozenset(),
) -> Topic:
    return replace(
        topic,
        documents=documents,
        abstracts=tuple(
            one.with_entries(lambda entry: _entry(entry, carried, recut)) for one in topic.abstracts
        ),
        outputs=tuple(_output(output, carried) for output in topic.outputs),
    )


def _entry(
    entry: SentenceAlignment, carried: Carried, recut: frozenset[SentenceRef]
) -> SentenceAlignment:
    if not any(ref in carried or ref in recut for ref in entry.refs()):
        return entry
    kept: dict[frozenset[SentenceRef], Alternative] = {}
    is_to_review = not recut.isdisjoint(entry.refs())
    for alternative in entry.alternatives:
        places = [carried.get(ref, (ref,)) for ref in alternative.members]
        if all(places):
            members = Alternative(tuple(ref for refs in places for ref in refs))
            kept.setdefault(members.as_set, members)
        else:
            is_to_review = True
    alternatives = tuple(kept.values())
    state = state_to_review(entry.state, alternatives) if is_to_review else entry.state
    return replace(entry, alternatives=alternatives, state=state)


def state_to_review(state: AlignmentState, alternatives: tuple[Alternative, ...]) -> AlignmentState:
    """Returns the state of an entry whose alternatives were changed by an edit of texts."""
    if state in (AlignmentState.FLAGGED, AlignmentState.NO_SOURCE):
        return state
    return AlignmentState.INCOMPLETE if alternatives else AlignmentState.TODO


def _output(output: Output, carried: Carried) -> Output:
    if not isinstance(output, Extract) or not any(ref in carried for ref in output.sentences):
        return output
    places = (carried.get(ref, (ref,)) for ref in output.sentences)
    return replace(output, sentences=tuple(ref for refs in places for ref in refs))


def carried_in(document_id: str, found: Resplit) -> Carried:
    """Returns the new addresses of a resplit document's sentences."""
    return {
        SentenceRef(document_id, n): tuple(SentenceRef(document_id, new) for new in places)
        for n, places in found.found.items()
        if places != (n,)
    }


def recut_in(document_id: str, found: Resplit) -> frozenset[SentenceRef]:
    """Returns the old sentences of a document that were split or joined."""
    return frozenset(
        SentenceRef(document_id, n)
        for n, fate in found.fates.items()
        if fate in (ResplitOutcome.CUT, ResplitOutcome.JOINED)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """A rewritten abstract."""

    abstract: Abstract
    resplit: Resplit
    worked_on: frozenset[int]  # old sentences of which an annotator or the gold says something


def rewritten(abstract: Abstract, texts: tuple[str, ...]) -> Rewriting:
    """Returns the abstract with its sentences replaced by these.

    An unchanged sentence keeps its number, rank and alignments; of a split one the first part does,
    and the other parts have its rank. Joined sentences need the sources of all: every alternative
    of one is combined with every one of the other. Confirmed entries of split or joined sentences
    become incomplete.
    """
    numbered = [(sentence.n, sentence.text) for sentence in abstract.sentences]
    found = resplit(numbered, texts)
    olds: dict[int, list[int]] = {}
    for old, places in found.found.items():
        for n in places:
            olds.setdefault(n, []).append(old)
    ranks = {sentence.n: sentence.rank for sentence in abstract.sentences}
    sentences = []
    for n, text in found.sentences:
        ranked = (ranks[old] for old in olds.get(n, ()) if ranks[old] is not None)
        sentences.append(AbstractSentence(n=n, text=text, rank=next(ranked, None)))
    alignments = (_alignment(alignment, found) for alignment in abstract.alignments)
    after = replace(
        abstract,
        sentences=tuple(sentences),
        alignments=tuple(alignment for alignment in alignments if alignment.sentences),
        gold=_gold(abstract.gold, found),
    )
    worked_on = frozenset(
        entry.n
        for alignment in (*abstract.alignments, gold_alignment(abstract.gold))
        for entry in alignment.sentences
        if entry != SentenceAlignment(n=entry.n)
    )
    return Rewriting(abstract=after, resplit=found, worked_on=worked_on)


def _alignment(alignment: Alignment, found: Resplit) -> Alignment:
    carried: dict[int, SentenceAlignment] = {}
    order = {n: place for place, (n, _) in enumerate(found.sentences)}
    for entry in alignment.sentences:
        if not found.found[entry.n]:
            continue
        n = found.found[entry.n][0]
        moved = _moved(entry, n, found.fates[entry.n])
        carried[n] = _joined(carried[n], moved) if n in carried else moved
    entries = tuple(carried[n] for n in sorted(carried, key=order.__getitem__))
    kept_order = tuple(entry.n for entry in alignment.sentences)
    if sorted(kept_order) == sorted(carried):
        entries = tuple(carried[n] for n in kept_order)
    return replace(alignment, sentences=entries)


def _gold(gold: Gold, found: Resplit) -> Gold:
    """Returns the gold carried over as alignments are; a joined entry is its first one's."""
    if not gold:
        return ()
    first_by_n: dict[int, GoldEntry] = {}
    for decided in gold:
        for n in found.found[decided.n][:1]:
            first_by_n.setdefault(n, decided)
    entries = _alignment(gold_alignment(gold), found).sentences
    return tuple(first_by_n[entry.n].with_entry(entry) for entry in entries)


def _moved(entry: SentenceAlignment, n: int, fate: ResplitOutcome) -> SentenceAlignment:
    if entry == SentenceAlignment(n=entry.n) or fate not in (
        ResplitOutcome.CUT,
        ResplitOutcome.JOINED,
    ):
        return replace(entry, n=n)
    return replace(entry, n=n, state=state_to_review(entry.state, entry.alternatives))


def _joined(one: SentenceAlignment, other: SentenceAlignment) -> SentenceAlignment:
    """Combines two entries for a joined sentence."""
    alternatives = _products(one.alternatives, other.alternatives)
    states = {one.state, other.state}
    if AlignmentState.FLAGGED in states:
        state = AlignmentState.FLAGGED
    elif states == {AlignmentState.NO_SOURCE}:
        state = AlignmentState.NO_SOURCE
    else:
        state = AlignmentState.INCOMPLETE if alternatives else AlignmentState.TODO
    notes = dict.fromkeys(note for note in (one.note, other.note) if note)
    return SentenceAlignment(
        n=one.n,
        state=state,
        alternatives=alternatives,
        note=" / ".join(notes) or None,
        rank=one.rank if one.rank is not None else other.rank,
    )


def _products(
    one: tuple[Alternative, ...], other: tuple[Alternative, ...]
) -> tuple[Alternative, ...]:
    if not one or not other:
        return one or other
    both = (Alternative(a.members + b.members) for a, b in product(one, other))
    return tuple({alternative.as_set: alternative for alternative in both}.values())


_SHOWN: Final = 10


def without_topics(corpus: Corpus, ids: Collection[str]) -> Corpus:
    """Returns the corpus without these topics, and without scores and work that are about them."""
    kept = frozenset(ids_of(corpus.topics)) - _meant(corpus, ids)
    return replace(
        corpus,
        topics=select_topics(corpus.topics, kept),
        human_scores=tuple(score for score in corpus.human_scores if score.topic not in ids),
        assignments=tuple(part for part in corpus.assignments if part.topic not in ids),
    )


def without_documents(corpus: Corpus, topic_id: str, ids: Collection[str]) -> Corpus:
    """Removes documents of a topic and all references to them."""

    def removed(topic: Topic) -> Topic:
        _check_known("document", ids, [document.id for document in topic.documents])
        for document_id in ids:
            topic = without_document(topic, document_id)
        return topic

    return _with_topic(corpus, topic_id, removed)


def without_abstracts(corpus: Corpus, topic_id: str, ids: Collection[str]) -> Corpus:
    """Returns the corpus without these abstracts of a topic, their alignments and their work."""

    def removed(topic: Topic) -> Topic:
        _check_known("abstract", ids, [abstract.id for abstract in topic.abstracts])
        kept = tuple(abstract for abstract in topic.abstracts if abstract.id not in ids)
        return replace(topic, abstracts=kept)

    after = _with_topic(corpus, topic_id, removed)
    assignments = tuple(
        part for part in after.assignments if part.topic != topic_id or part.abstract not in ids
    )
    return replace(after, assignments=assignments)


def without_systems(
    corpus: Corpus, systems: Collection[str], topic_ids: Collection[str] = ()
) -> Corpus:
    """Returns the corpus without these systems' outputs; human scores stay."""
    meant = _meant(corpus, topic_ids)
    known: set[str] = set()
    changed: set[str] = set()
    for shape in select_topics(corpus.topics, meant):
        there = {output.system for output in shape.outputs}
        known |= there
        if not there.isdisjoint(systems):
            changed.add(shape.id)
    _check_known("system", systems, sorted(known))

    def removed(topic: Topic) -> Topic:
        kept = tuple(output for output in topic.outputs if output.system not in systems)
        return replace(topic, outputs=kept)

    return replace(corpus, topics=map_topics(corpus.topics, removed, changed))


def without_alignments(
    corpus: Corpus,
    annotator: str,
    topic_ids: Collection[str] = (),
    abstract_ids: Collection[str] = (),
) -> Corpus:
    """Removes one annotator's alignments, in all topics or some."""

    def is_meant(abstract: Abstract) -> bool:
        return not abstract_ids or abstract.id in abstract_ids

    known: dict[str, None] = {}
    names: dict[str, None] = {}
    changed: set[str] = set()
    for shape in select_topics(corpus.topics, _meant(corpus, topic_ids)):
        for part in shape.abstracts:
            known[part.id] = None
            there = [one.annotator for one in part.alignments] if is_meant(part) else []
            names |= dict.fromkeys(there)
            if annotator in there:
                changed.add(shape.id)
    _check_known("abstract", abstract_ids, known)
    _check_known("annotator", [annotator], names)

    def without(abstract: Abstract) -> Abstract:
        if not is_meant(abstract) or abstract.alignment_by(annotator) is None:
            return abstract
        kept = tuple(one for one in abstract.alignments if one.annotator != annotator)
        return replace(abstract, alignments=kept)

    def removed(topic: Topic) -> Topic:
        return replace(topic, abstracts=tuple(map(without, topic.abstracts)))

    return replace(corpus, topics=map_topics(corpus.topics, removed, changed))


def without_human_scores(
    corpus: Corpus,
    *,
    measures: Collection[str] = (),
    systems: Collection[str] = (),
    annotators: Collection[str] = (),
    topic_ids: Collection[str] = (),
) -> Corpus:
    """Removes the human scores that match all criteria."""
    wanted = (
        (measures, "measure"),
        (systems, "system"),
        (annotators, "annotator"),
        (topic_ids, "topic"),
    )
    kept = tuple(
        score
        for score in corpus.human_scores
        if any(names and getattr(score, field) not in names for names, field in wanted)
    )
    if len(kept) == len(corpus.human_scores):
        raise InputError.of("No human score matches.", "Use fewer or other filters.")
    return replace(corpus, human_scores=kept)


def _with_topic(corpus: Corpus, topic_id: str, change: Callable[[Topic], Topic]) -> Corpus:
    return replace(corpus, topics=map_topics(corpus.topics, change, _meant(corpus, [topic_id])))


def _meant(corpus: Corpus, topic_ids: Collection[str]) -> frozenset[str]:
    """Returns these ids, or all if none is given."""
    known = dict.fromkeys(ids_of(corpus.topics))
    _check_known("topic", topic_ids, known)
    return frozenset(topic_ids or known)


def _check_known(what: str, names: Collection[str], known: Collection[str]) -> None:
    unknown = [name for name in names if name not in known]
    if not unknown:
        return
    shown = Listing([*known], most=_SHOWN)
    raise InputError(
        [
            Problem(
                what="There is no {what} “{name}”.",
                hint="There are: {known}." if known else "There is none.",
                fields={"what": what, "name": name, "known": shown},
            )
            for name in unknown
        ]
    )
