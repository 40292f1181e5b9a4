"""Application of edits to a topic."""

from dataclasses import replace

from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import Alignment, AlignmentState, SentenceAlignment
from awase.core.records.differences import with_parts
from awase.core.records.edits.edit import (
    AbstractTextEdit,
    AlignmentEdit,
    CorpusEdit,
    Edit,
    GoldEdit,
    GuidelinesEdit,
    RankEdit,
    SourceTextEdit,
    TopicEdit,
)
from awase.core.records.gold import GoldEntry
from awase.core.records.source import Document
from awase.core.records.topic import Topic


def topic_after(topic: Topic, edit: Edit) -> Topic:
    """Applies `edit` to `topic`; unchanged without such an abstract."""
    if isinstance(edit, GuidelinesEdit):
        return topic
    if isinstance(edit, CorpusEdit):
        return _in_corpus(topic, edit)
    if isinstance(edit, TopicEdit):
        return with_parts(topic, edit.old, edit.new)
    if isinstance(edit, SourceTextEdit):
        return _with_source_text(topic, edit)
    abstracts = tuple(
        abstract_after(abstract, edit) if abstract.id == edit.abstract else abstract
        for abstract in topic.abstracts
    )
    return topic.with_abstracts(abstracts)


def _in_corpus(topic: Topic, edit: CorpusEdit) -> Topic:
    news = edit.new.changed_by_id
    if topic.id not in news:
        return topic
    return with_parts(topic, edit.old.changed_by_id[topic.id], news[topic.id])


def _with_source_text(topic: Topic, edit: SourceTextEdit) -> Topic:
    documents = tuple(
        _with_text(document, edit.ref.n, edit.new)
        if document.id == edit.ref.document_id
        else document
        for document in topic.documents
    )
    return replace(topic, documents=documents)


def _with_text(document: Document, n: int, text: str) -> Document:
    sentences = tuple(
        replace(sentence, text=text) if sentence.n == n else sentence
        for sentence in document.sentences
    )
    return replace(document, sentences=sentences)


def abstract_after(
    abstract: Abstract, edit: AlignmentEdit | GoldEdit | RankEdit | AbstractTextEdit
) -> Abstract:
    """Applies `edit` to `abstract`."""
    if isinstance(edit, AlignmentEdit):
        return _with_entry(abstract, edit.annotator, edit.new)
    if isinstance(edit, GoldEdit):
        return _with_decision(abstract, edit.n, edit.new)
    sentences = tuple(
        _sentence_after(sentence, edit) if sentence.n == edit.n else sentence
        for sentence in abstract.sentences
    )
    return replace(abstract, sentences=sentences)


def _sentence_after(
    sentence: AbstractSentence, edit: RankEdit | AbstractTextEdit
) -> AbstractSentence:
    if isinstance(edit, RankEdit):
        return replace(sentence, rank=edit.new)
    return replace(sentence, text=edit.new)


def _with_entry(abstract: Abstract, annotator: str, entry: SentenceAlignment) -> Abstract:
    own = abstract.alignment_by(annotator) or Alignment(annotator=annotator)
    changed = replace(own, sentences=_entries_with(own, entry, abstract))
    alignments = {alignment.annotator: alignment for alignment in abstract.alignments}
    alignments[annotator] = changed
    return replace(
        abstract,
        alignments=tuple(
            alignment
            for alignment in alignments.values()
            if alignment is not changed or changed.sentences
        ),
    )


def _with_decision(abstract: Abstract, n: int, decided: GoldEntry | None) -> Abstract:
    by_n = {old.n: old for old in abstract.gold if old.n != n}
    if decided is not None:
        by_n[n] = decided
        numbers = [sentence.n for sentence in abstract.sentences]
        by_n = {number: by_n[number] for number in numbers if number in by_n}
    return replace(abstract, gold=tuple(by_n.values()))


def _entries_with(
    alignment: Alignment, entry: SentenceAlignment, abstract: Abstract
) -> tuple[SentenceAlignment, ...]:
    """Returns the entries in the abstract's order, without empty ones, as stored."""
    entry_by_n = {old.n: old for old in alignment.sentences}
    entry_by_n[entry.n] = entry
    if entry == SentenceAlignment(n=entry.n):
        del entry_by_n[entry.n]
    return tuple(
        entry_by_n[sentence.n] for sentence in abstract.sentences if sentence.n in entry_by_n
    )


def next_unsettled(abstract: Abstract, annotator: str, after: int) -> int | None:
    """Returns the next unsettled sentence behind `after`, wrapping around; None without any.

    Flagged sentences come last.
    """
    alignment = abstract.alignment_by(annotator) or Alignment(annotator=annotator)
    states = {entry.n: entry.state for entry in alignment.sentences}
    numbers = [sentence.n for sentence in abstract.sentences]
    place = numbers.index(after) + 1 if after in numbers else 0
    ahead = [
        n
        for n in numbers[place:] + numbers[:place]
        if not states.get(n, AlignmentState.TODO).is_settled
    ]
    unflagged = [n for n in ahead if states.get(n) is not AlignmentState.FLAGGED]
    return next(iter(unflagged or ahead), None)
