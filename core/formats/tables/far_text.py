"""FAR's annotation as it is published: `output/low_abstraction.txt` and its like.

    idx: 1
    ID: f001ec…
    Document
    the whole article on a line .

    Reference
    Facet-0: a sentence of the reference .
    [Support Group-0][Sent-0][Sent_idx:3]: a source sentence that supports it .

Only the supporting sentences say where they begin, end and stand. They are found in the article,
and what lies between two of them is divided at its full stops into as many as there have to be.

Source: Mao et al. (2020), "Facet-Aware Evaluation for Extractive Summarization".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from awase.core.errors import Listing
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.sentence_names import known_ids

BEGINNING: Final = re.compile(r"\s*idx: \d+\s*\nID: \S+")
"""How such a file begins."""

_FACET = re.compile(r"Facet-(\d+):\s*(.*)")
_SUPPORT = re.compile(r"\[Support Group-(\d+)\]\[Sent-\d+\]\[Sent_idx:\s*(\d+)\]:\s*(.*)")
_END = re.compile(r"(?<=\s)[.?!](?: (?:''|'|-rrb-))*(?=\s|$)")
_NOTE: Final = "Note:"
_LARGEST: Final = 100_000


@dataclass(slots=True, kw_only=True)
class _Sample:
    """One `idx`, as it is read line by line."""

    line: int
    topic: str
    docid: str = ""
    article: list[str] = field(default_factory=list)
    facets: dict[int, str] = field(default_factory=dict)
    groups: dict[int, dict[int, list[int]]] = field(default_factory=dict)
    sentences: dict[int, str] = field(default_factory=dict)


def topics_of(text: str, findings: Findings) -> list[dict[str, Any]]:
    """Returns the samples in the form of FAR's JSON; a sentence that has no text is None.

    Args:
        text: Of the whole file.
        findings: Gets what is wrong, by line, and which sentences could not be told apart.
    """
    topics = []
    for sample in _samples(text, findings):
        sentences = _sentences(sample, findings)
        lost = [str(n) for n, one in enumerate(sentences) if one is None]
        if lost:
            findings.remark(
                sample.line,
                what="Sentences {names} of sample {topic} cannot be told from their neighbours.",
                names=Listing(lost),
                topic=sample.topic,
            )
        has_groups = any(sample.groups.values())
        topics.append(
            {
                "topic": sample.topic,
                "docid": sample.docid,
                "sentences": sentences,
                "abstract": [
                    {
                        "id": n + 1,
                        "text": facet,
                        "alternatives": [*sample.groups.get(n, {}).values()]
                        if has_groups
                        else None,
                    }
                    for n, facet in sorted(sample.facets.items())
                ],
            }
        )
    return topics


def _samples(text: str, findings: Findings) -> Iterator[_Sample]:
    sample: _Sample | None = None
    facet, is_article = -1, False
    notes: list[str] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if line.startswith("idx: "):
            if sample is not None:
                yield sample
            sample, facet, is_article = _Sample(line=number, topic=line[5:].strip()), -1, False
        elif not line or sample is None:
            continue
        elif line.startswith("ID: ") and not is_article:
            sample.docid = line[4:].strip()
        elif line in ("Document", "Reference"):
            is_article = line == "Document"
        elif is_article:
            sample.article.append(line)
        elif match := _FACET.fullmatch(line):
            facet = int(match[1])
            sample.facets[facet] = match[2]
        elif line.startswith(_NOTE):
            notes.append(f"{sample.topic} ({line.removeprefix(_NOTE).strip()})")
        elif (match := _SUPPORT.fullmatch(line)) and facet in sample.facets:
            _take_support(sample, facet, match, number, findings)
        else:
            findings.add(
                number,
                what="The line is neither a facet nor a sentence that supports one.",
                hint="It begins with Facet-0: or [Support Group-0][Sent-0][Sent_idx:0]:",
            )
    if sample is not None:
        yield sample
    if notes:
        findings.remark(
            None,
            what="Notes of the annotators are left out, of samples {names}.",
            names=known_ids(notes),
        )


def _take_support(
    sample: _Sample, facet: int, match: re.Match[str], number: int, findings: Findings
) -> None:
    idx = int(match[2])
    if idx > _LARGEST or sample.sentences.setdefault(idx, match[3]) != match[3]:
        findings.add(
            number,
            what="Sentence {n} cannot be: it is too far down, or has another text above.",
            n=idx,
        )
        return
    sample.groups.setdefault(facet, {}).setdefault(int(match[1]), []).append(idx)


def _sentences(sample: _Sample, findings: Findings) -> list[str | None]:
    article = " ".join(sample.article)
    found: list[str | None] = []
    at = 0
    for idx, text in sorted(sample.sentences.items()):
        start = article.find(text, at)
        if start < 0:
            findings.add(
                sample.line,
                what="Sentence {n} of sample {topic} is not in its article, or not in its place.",
                n=idx,
                topic=sample.topic,
            )
            return []
        found += _parted(article[at:start].strip(), idx - len(found))
        found.append(text)
        at = start + len(text)
    return [*found, *_pieces(article[at:].strip())]


def _pieces(text: str) -> list[str]:
    ends = [match.end() for match in _END.finditer(text)]
    starts = [0, *ends]
    pieces = [text[a:b].strip() for a, b in zip(starts, [*ends, len(text)], strict=True)]
    return [piece for piece in pieces if piece]


def _parted(text: str, n_wanted: int) -> Sequence[str | None]:
    """Returns `n_wanted` sentences of what lies between two; None for those that are not found."""
    pieces = _pieces(text)
    while len(pieces) > max(n_wanted, 1):
        shortest = min(range(len(pieces)), key=lambda at: len(pieces[at]))
        at = max(shortest - 1, 0)
        pieces[at : at + 2] = [f"{pieces[at]} {pieces[at + 1]}"]
    if not n_wanted:
        return ()
    return [*pieces, *[None] * (n_wanted - len(pieces))]


def is_unannotated(entries: Sequence[Mapping[str, Any]]) -> bool:
    """Returns whether nobody looked for sources of the abstract's sentences."""
    return all(entry["alternatives"] is None for entry in entries)
