"""Diff of two corpora: topics, texts, alignments, human scores."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from awase.core.errors import Reporter
from awase.core.records.abstract import SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Extract, Output, Topic, ids_of, with_progress


class Change(StrEnum):
    """In which way a part differs."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A part that only one corpus has, or that is another in the second."""

    change: Change
    part: str  # `topic`, `document`, `abstract`, `output`, `alignment`, `human score` or `name`
    topic: str = ""  # id of its topic; empty = it has none
    id: str = ""
    n: int | None = None  # number of the sentence, from 1; None = the part as a whole
    old: str = ""  # what the first corpus has, for people; empty = nothing
    new: str = ""  # what the second has


_Lines = Mapping[int, str]  # number of a sentence to its text


def differences(first: Corpus, second: Corpus, reporter: Reporter) -> Sequence[Difference]:
    """Returns the differences by topic, in the order of the first corpus."""
    # The order of sentences and of members matters, that of topics and their parts does not.
    return tuple(_found(first, second, reporter))


def _found(first: Corpus, second: Corpus, reporter: Reporter) -> Iterator[Difference]:
    if first.name != second.name:
        yield Difference(change=Change.CHANGED, part="name", old=first.name, new=second.name)
    others = {topic.id: topic for topic in second.topics}
    for old in with_progress(first.topics, reporter):
        new = others.get(old.id)
        if new is None:
            yield Difference(change=Change.REMOVED, part="topic", topic=old.id, id=old.id)
        else:
            yield from _of_topic(old, new)
    known = frozenset(ids_of(first.topics))
    for id_ in others:
        if id_ not in known:
            yield Difference(change=Change.ADDED, part="topic", topic=id_, id=id_)
    yield from _of_scores(first, second)


def _of_topic(old: Topic, new: Topic) -> Iterator[Difference]:
    if (old.title, old.language) != (new.title, new.language):
        yield Difference(
            change=Change.CHANGED, part="topic", topic=old.id, id=old.id,
            old=f"{old.title or ''} {old.language or ''}".strip(),
            new=f"{new.title or ''} {new.language or ''}".strip(),
        )  # fmt: skip
    # Where a system has an extract and a text, each has its own name.
    twice = {*_ids_had_twice(old), *_ids_had_twice(new)}
    before, after = _parts(old, twice), _parts(new, twice)
    for key in dict.fromkeys((*before, *after)):
        part, id_ = key
        yield from _of_part(old.id, part, id_, before.get(key), after.get(key))


def _of_part(
    topic: str, part: str, id_: str, old: _Lines | None, new: _Lines | None
) -> Iterator[Difference]:
    if old is None or new is None:
        yield Difference(change=_change(old, new), part=part, topic=topic, id=id_)
        return
    for n in sorted({*old, *new}):
        was, is_ = old.get(n, ""), new.get(n, "")
        if was != is_:
            change = _change(old.get(n), new.get(n))
            yield Difference(
                change=change, part=part, topic=topic, id=id_, n=n, old=was, new=is_
            )  # fmt: skip


def _change(old: object, new: object) -> Change:
    if old is None:
        return Change.ADDED
    return Change.REMOVED if new is None else Change.CHANGED


def _ids_had_twice(topic: Topic) -> Iterator[str]:
    return (id_ for id_, n in Counter(map(_output_id, topic.outputs)).items() if n > 1)


def _parts(topic: Topic, twice: Collection[str]) -> dict[tuple[str, str], _Lines]:
    parts: dict[tuple[str, str], _Lines] = {}
    for document in topic.documents:
        parts["document", document.id] = {one.n: one.text for one in document.sentences}
    for abstract in topic.abstracts:
        parts["abstract", abstract.id] = {
            one.n: f"{one.text} [{one.rank}]" if one.rank else one.text
            for one in abstract.sentences
        }
        for alignment in abstract.alignments:
            parts["alignment", f"{abstract.id} {alignment.annotator}"] = {
                entry.n: _entry_text(entry) for entry in alignment.sentences
            }
    for output in topic.outputs:
        id_ = _output_id(output)
        name = f"{id_} {_kind_of(output)}" if id_ in twice else id_
        parts["output", name] = _output_lines(output)
    return parts


def _entry_text(entry: SentenceAlignment) -> str:
    sets = " | ".join(
        sorted(" & ".join(sorted(map(str, one.members))) for one in entry.alternatives)
    )
    parts = (entry.state.value, sets, f"({entry.note})" if entry.note else "")
    return " ".join(part for part in parts if part)


def _output_id(output: Output) -> str:
    return f"{output.system} {output.length or ''}".rstrip()


def _kind_of(output: Output) -> str:
    return "extract" if isinstance(output, Extract) else "text"


def _output_lines(output: Output) -> _Lines:
    sentences = output.sentences
    lines = {n: str(one) for n, one in enumerate(sentences, start=1)}
    return {**lines, 0: f"{_kind_of(output)} {output.references or ''}".strip()}


def _of_scores(first: Corpus, second: Corpus) -> Iterator[Difference]:
    before, after = (
        {
            (one.topic, one.system, one.measure, one.annotator or ""): str(one.value)
            for one in corpus.human_scores
        }
        for corpus in (first, second)
    )
    for key in dict.fromkeys((*before, *after)):
        old, new = before.get(key), after.get(key)
        if old == new:
            continue
        topic, *names = key
        yield Difference(
            change=_change(old, new), part="human score", topic=topic or "",
            id=" ".join(name for name in names if name), old=old or "", new=new or "",
        )  # fmt: skip
