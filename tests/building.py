"""Builds small topics from short spellings: `topic("t", docs=3, links="s1|s2&s3")`.

Links are spelled a row a sentence of the abstract: `RANK: MARK alternative | alternative`.

- An alternative is its members with `&` or blanks between them. `s2` (or `2`) is sentence 2 of the
  document `d`, `e:2` that of the document `e`.
- A rank is optional, with a colon and a blank behind it: `A: s1|s2`, or `A:` alone.
- A row without a mark is confirmed, an empty one still to do. The marks: `-` no source, `?`
  incomplete, `!` flagged, `+` confirmed although it is empty.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from awase.core.records.abstract import (
    Abstract,
    AbstractSentence,
    Alignment,
    AlignmentState,
    Alternative,
    Limit,
    SentenceAlignment,
)
from awase.core.records.corpus import Corpus
from awase.core.records.source import Document, SentenceRef, SourceSentence
from awase.core.records.topic import Extract, HumanScore, Output, TextOutput, Topic

Rows = str | Sequence[str]
_ROW = re.compile(r"(?:(?P<rank>[^\s:]*):(?=\s|$))?\s*(?P<mark>[-?!+]?)(?P<sets>.*)", re.DOTALL)
_STATES = {
    "-": AlignmentState.NO_SOURCE,
    "?": AlignmentState.INCOMPLETE,
    "!": AlignmentState.FLAGGED,
    "+": AlignmentState.CONFIRMED,
}


def ref(place: int | str, doc: str = "d") -> SentenceRef:
    """Returns the address that `2`, `s2` or `e:2` spells."""
    text = str(place)
    return SentenceRef.parse(text) if ":" in text else SentenceRef(doc, int(text.lstrip("s")))


def refs(*places: int | str, doc: str = "d") -> tuple[SentenceRef, ...]:
    """Returns the addresses of numbers, or of texts such as `"s1 s3 e:2"`."""
    each = [part for place in places for part in re.split(r"[\s&,]+", str(place)) if part]
    return tuple(ref(part, doc) for part in each)


def alternatives(sets: str, doc: str = "d") -> tuple[Alternative, ...]:
    """Returns the alternatives that `s1|s2&s3` spells."""
    return tuple(
        Alternative(refs(members, doc=doc)) for members in sets.split("|") if members.strip()
    )


def document(
    id: str = "d", texts: int | Sequence[str] = 1, *, numbers: Sequence[int] = (), **more: str
) -> Document:
    numbers = numbers or range(1, (texts if isinstance(texts, int) else len(texts)) + 1)
    spelled = [f"{n}." for n in numbers] if isinstance(texts, int) else texts
    sentences = (SourceSentence(n=n, text=t) for n, t in zip(numbers, spelled, strict=True))
    return Document(id=id, sentences=tuple(sentences), **more)


def entry(n: int, row: str = "", *, note: str | None = None, doc: str = "d") -> SentenceAlignment:
    """Returns what one annotator says of abstract sentence `n`."""
    match = _ROW.fullmatch(row.strip())
    assert match is not None
    found = alternatives(match["sets"], doc)
    usual = AlignmentState.CONFIRMED if found else AlignmentState.TODO
    return SentenceAlignment(
        n=n, state=_STATES.get(match["mark"], usual), alternatives=found, note=note
    )


def alignment(who: str, links: Rows, *, numbers: Sequence[int] = (), doc: str = "d") -> Alignment:
    """Returns one annotator's alignment; its rows are numbered from 1 unless `numbers` tells."""
    rows = _rows(links)
    numbered = zip(numbers or range(1, len(rows) + 1), rows, strict=False)
    return Alignment(annotator=who, sentences=tuple(entry(n, row, doc=doc) for n, row in numbered))


def abstract(
    id: str = "a",
    links: Rows | Mapping[str, Rows] = (),
    *,
    texts: Sequence[str] = (),
    ranks: Sequence[str | None] = (),
    numbers: Sequence[int] = (),
    doc: str = "d",
    length: str | None = None,
    author: str | None = None,
    limit: Limit | None = None,
) -> Abstract:
    """Returns an abstract with its alignments.

    Args:
        id: Its id.
        links: By annotator; rows without a name are those of annotator `1`.
        texts: Of its sentences; `sentence 1` … when left out.
        ranks: Of its sentences, when the first annotator's rows do not tell.
        numbers: Of its sentences, when they are not 1, 2, 3 …
        doc: The document that `s1` is of.
        length: Length class.
        author: Author.
        limit: How long it was allowed to be.
    """
    named = links if isinstance(links, Mapping) else ({"1": links} if links else {})
    rows = next(iter(map(_rows, named.values())), [])
    n_sentences = max(len(texts), len(ranks), *(len(_rows(one)) for one in named.values()), 0)
    ranked = [*ranks] or [_rank(row) for row in rows]
    ranked += [None] * (n_sentences - len(ranked))
    spelled = [*texts] or [f"sentence {n}" for n in range(1, n_sentences + 1)]
    return Abstract(
        id=id,
        length=length,
        author=author,
        limit=limit,
        sentences=tuple(
            AbstractSentence(n=n, text=text, rank=rank)
            for n, text, rank in zip(
                numbers or range(1, n_sentences + 1), spelled, ranked, strict=True
            )
        ),
        alignments=tuple(
            alignment(who, one, numbers=numbers, doc=doc) for who, one in named.items()
        ),
    )


def _rows(links: Rows) -> list[str]:
    return links.split(";") if isinstance(links, str) else [*links]


def _rank(row: str) -> str | None:
    match = _ROW.fullmatch(row.strip())
    return (match["rank"] or None) if match else None


def extract(system: str, *places: int | str, length: str | None = None) -> Extract:
    """Returns an extract of these sentences: `extract("lead", "s1 s3")`."""
    return Extract(system=system, sentences=refs(*places), length=length)


def text(
    system: str,
    *sentences: str,
    length: str | None = None,
    references: Sequence[Sequence[str]] | None = None,
) -> TextOutput:
    own = None if references is None else tuple(map(tuple, references))
    return TextOutput(system=system, sentences=sentences, length=length, references=own)


def topic(
    id: str = "t",
    *,
    docs: int | Sequence[str] | Mapping[str, int | Sequence[str]] = 3,
    links: Rows | Mapping[str, Rows] = (),
    abstracts: Sequence[Abstract] = (),
    outputs: Sequence[Output] = (),
    title: str | None = None,
    language: str | None = None,
) -> Topic:
    """Returns a topic.

    Args:
        id: Its id.
        docs: By id, or of the one document `d`: texts of sentences, or how many there are.
        links: Those of an abstract `a`, before the other abstracts.
        abstracts: Abstracts.
        outputs: Outputs.
        title: Title.
        language: Language.
    """
    by_id = docs if isinstance(docs, Mapping) else {"d": docs}
    return Topic(
        id=id,
        title=title,
        language=language,
        documents=tuple(document(name, texts) for name, texts in by_id.items()),
        abstracts=(*((abstract("a", links),) if links else ()), *abstracts),
        outputs=tuple(outputs),
    )


def corpus(*topics: Topic, scores: Iterable[HumanScore] = (), name: str = "") -> Corpus:
    return Corpus(name=name, topics=topics, human_scores=tuple(scores))
