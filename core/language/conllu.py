"""CoNLL-U reader (lenient) and writer (strict).

Source: https://universaldependencies.org/format.html. Faults that leave the tree unambiguous are
repaired with a warning; all others are reported together.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, NamedTuple

from awase.core.errors import Findings
from awase.core.records.parse import (
    ROOT,
    EmptyNode,
    EnhancedEdge,
    EnhancedEdges,
    MultiWordToken,
    NodeId,
    Parse,
    ParsedSentence,
    ParsedWord,
)


def digest_of_models(digests: Iterable[tuple[str, str]]) -> str:
    """Returns a digest of parses from (digest of text, digest of parse), in order of the texts."""
    whole = hashlib.sha256()
    for number, (text, parse) in enumerate(digests):
        line = f"{text} {parse}"
        whole.update((f"\n{line}" if number else line).encode())
    return whole.hexdigest()


def sha256_of(text: str) -> str:
    """Returns the digest of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


_SIDE_BY_SIDE = "parataxis"


def with_one_root(words: Sequence[ParsedWord]) -> tuple[list[ParsedWord], int]:
    """Attaches all roots but the first to it, and returns how many."""
    # As `parataxis`, UD's relation of clauses side by side, which is no basic element.
    roots = [number for number, word in enumerate(words, start=1) if word.head == 0]
    mended = list(words)
    for number in roots[1:]:
        word = words[number - 1]
        edges = tuple(
            EnhancedEdge(NodeId(roots[0]), _SIDE_BY_SIDE) if edge.head == ROOT else edge
            for edge in word.enhanced
        )
        mended[number - 1] = replace(word, head=roots[0], deprel=_SIDE_BY_SIDE, enhanced=edges)
    return mended, len(roots[1:])


def with_spans(sentence: ParsedSentence) -> ParsedSentence:
    """Returns the sentence with offsets of those words that occur in its text, in order.

    Words of a multi-word token get the offsets of their own letters where they spell the token
    (`do` + `n't`), else those of the token (`du` = `de` + `le`).
    """
    spans: list[tuple[int, int] | None] = [None] * len(sentence.words)
    tokens = {token.first: token for token in sentence.tokens}
    place, number = 0, 1
    while number <= len(sentence.words):
        token = tokens.get(number)
        last = token.last if token is not None else number
        form = token.form if token is not None else sentence.words[number - 1].form
        start = sentence.text.find(form, place)
        if start >= 0 and not sentence.text[place:start].strip():
            place = start + len(form)
            for word, span in zip(
                range(number, last + 1), _parts(sentence, number, last, start, form), strict=True
            ):
                spans[word - 1] = span
        number = last + 1
    words = (
        replace(word, span=span) for word, span in zip(sentence.words, spans, strict=True)
    )  # fmt: skip
    return replace(sentence, words=tuple(words))


def _parts(
    sentence: ParsedSentence, first: int, last: int, start: int, form: str
) -> list[tuple[int, int]]:
    forms = [word.form for word in sentence.words[first - 1 : last]]
    if "".join(forms) != form:
        return [(start, start + len(form))] * len(forms)
    ends = [start + sum(map(len, forms[:idx])) for idx in range(len(forms) + 1)]
    return [*pairwise(ends)]


_N_COLUMNS: Final = 10
_FEWEST_COLUMNS: Final = 8
_ID: Final = re.compile(r"([0-9]{1,6})(?:([-.])([0-9]{1,6}))?")
_TEXT: Final = re.compile(r"#\s*text\s*=\s?(.*)")
_SENT_ID: Final = re.compile(r"#\s*sent_id\s*=\s?(.*)")
_WORD: Final = re.compile(r"[0-9]+[ \t]")
_OPENING: Final = re.compile(r"1[ \t]|1-|#\s*(?:text|sent_id|newdoc|newpar)\b")
_NONE: Final = "_"
_NO_SPACE: Final = "SpaceAfter=No"


class FileSentence(NamedTuple):
    """A sentence of a file, the line where it begins, and its `sent_id`; empty = it has none."""

    sentence: ParsedSentence
    line: int
    id: str = ""


class ConlluReader:
    """Streams the sentences of a file; errors are raised at the end."""

    def __init__(
        self, lines: Iterable[str], source: str | None = None, *, has_spans: bool = True
    ) -> None:
        self._lines = lines
        self._problems = Findings(source)
        self._has_spans = has_spans
        self.warnings: Final = self._problems.warnings

    def __iter__(self) -> Iterator[FileSentence]:
        for lines in _blocks(self._lines, self._problems):
            sentence = _sentence(lines, self._problems, has_spans=self._has_spans)
            if sentence is not None:
                ids = (match[1].strip() for one in lines if (match := _SENT_ID.fullmatch(one.text)))
                yield FileSentence(sentence, lines[0].number, next(ids, ""))

    def check(self) -> None:
        """Raises the collected errors."""
        self._problems.refuse_if_any()


def parse_of(conllu: str, *, has_spans: bool = True) -> Parse:
    """Parses one text's CoNLL-U as stored in a corpus."""
    reader = ConlluReader(conllu.removeprefix("\ufeff").split("\n"), has_spans=has_spans)
    parse = tuple(found.sentence for found in reader)
    reader.check()
    return parse


def with_ids(conllu: str, id_: str) -> str:
    """Returns the parse of one text with a `sent_id` a sentence: `id_`, `id_.2`, …."""
    sentences = conllu.removesuffix("\n\n").split("\n\n")
    return "".join(
        f"# sent_id = {id_}{f'.{number}' if number > 1 else ''}\n{sentence}\n\n"
        for number, sentence in enumerate(sentences, start=1)
    )


def conllu_of(parse: Parse) -> str:
    """Formats the sentences as CoNLL-U."""
    return "".join(f"{line}\n" for sentence in parse for line in (*_lines_of(sentence), ""))


class _Line(NamedTuple):
    number: int
    text: str


def _blocks(lines: Iterable[str], problems: Findings) -> Iterator[list[_Line]]:
    """Yields the lines of each sentence; word 1 starts one without an empty line, too."""
    block: list[_Line] = []
    for number, line in enumerate(lines, start=1):
        line = line.removesuffix("\r")
        if not line.strip():
            if block:
                yield block
            block = []
            continue
        if _OPENING.match(line) and any(_WORD.match(one.text) for one in block):
            problems.remark(number, what="An empty line was missing before this sentence.")
            yield block
            block = []
        block.append(_Line(number, line))
    if block:
        yield block


@dataclass(slots=True)
class _Draft:
    words: list[ParsedWord] = field(default_factory=list)
    tokens: list[MultiWordToken] = field(default_factory=list)
    empty_nodes: list[EmptyNode] = field(default_factory=list)
    text: str | None = None
    # Forms in the text, each with the blank behind it.
    written: list[str] = field(default_factory=list)
    # Of the last word line, invalid ones included, so that an error is reported once.
    last_number: int = 0


def _sentence(lines: list[_Line], problems: Findings, *, has_spans: bool) -> ParsedSentence | None:
    draft = _Draft()
    n_problems = len(problems.found)
    for line in lines:
        if line.text.startswith("#"):
            match = _TEXT.fullmatch(line.text)
            if match:
                draft.text = match[1]
        else:
            _take_line(draft, line, problems)
    first = lines[0].number
    if len(problems.found) > n_problems or not (draft.words or draft.empty_nodes):
        return None  # faulty, or comments alone
    words, n_attached = with_one_root(draft.words)
    if n_attached:
        problems.remark(
            first,
            what="The sentence has {n} roots; all but the first were attached to the first.",
            n=n_attached + 1,
        )
    sentence: ParsedSentence | None = None
    with problems.noting(first):
        sentence = ParsedSentence(
            words=tuple(words),
            text=draft.text if draft.text is not None else "".join(draft.written).strip(),
            tokens=tuple(draft.tokens),
            empty_nodes=tuple(draft.empty_nodes),
        )
    return with_spans(sentence) if sentence is not None and has_spans else sentence


def _take_line(draft: _Draft, line: _Line, problems: Findings) -> None:
    columns = _columns(line, problems)
    match = _ID.fullmatch(columns[0]) if columns else None
    if columns is None:
        return
    if match is None:
        problems.add(line.number, what="“{id}” is not the number of a word.", id=columns[0])
        draft.last_number += 1
        return
    number, kind, other = int(match[1]), match[2], int(match[3] or 0)
    blank = "" if _NO_SPACE in columns[9].split("|") else " "
    if kind == "-":
        draft.tokens.append(MultiWordToken(first=number, last=other, form=columns[1]))
        draft.written.append(columns[1] + blank)
    elif kind == ".":
        draft.empty_nodes.append(
            EmptyNode(
                id=NodeId(number, other),
                form=_value(columns[1]),
                lemma=_value(columns[2]),
                upos=_value(columns[3]),
                enhanced=_edges(columns[8], line, problems),
            )
        )
    else:
        _take_word(draft, number, columns, line, problems)
        if not draft.tokens or draft.tokens[-1].last < number:
            draft.written.append(columns[1] + blank)


def _columns(line: _Line, problems: Findings) -> list[str] | None:
    columns = line.text.split("\t")
    if len(columns) == 1:
        columns = line.text.split()
        if len(columns) >= _FEWEST_COLUMNS:
            problems.remark(line.number, what="The columns are separated by blanks, not by tabs.")
    if len(columns) < _FEWEST_COLUMNS:
        problems.add(
            line.number,
            what="The line has {n} {n:column|columns}.",
            hint="CoNLL-U has ten, separated by tabs.",
            n=len(columns),
        )
        return None
    if len(columns) != _N_COLUMNS:
        problems.remark(
            line.number, what="The line has {n} {n:column|columns}, not ten.", n=len(columns)
        )
    columns = [column.strip() or _NONE for column in columns[:_N_COLUMNS]]
    return columns + [_NONE] * (_N_COLUMNS - len(columns))


def _take_word(
    draft: _Draft, number: int, columns: list[str], line: _Line, problems: Findings
) -> None:
    expected = draft.last_number + 1
    draft.last_number = number
    if number != expected:
        problems.add(
            line.number,
            what="Expected word {expected}, found word {number}.",
            number=number,
            expected=expected,
        )
    if not re.fullmatch(r"[0-9]{1,6}", columns[6]):
        problems.add(
            line.number,
            what="Word {number} has the head “{head}”.",
            hint="Heads are numbers; a text that is not parsed has none.",
            number=number,
            head=columns[6],
        )
        return
    deprel = columns[7]
    if deprel == _NONE:
        problems.remark(
            line.number, what="Word {number} has no relation; dep is used.", number=number
        )
        deprel = "dep"
    form = columns[1]
    draft.words.append(
        ParsedWord(
            form=form,
            lemma=columns[2] if form == _NONE else _value(columns[2]),
            upos=_value(columns[3]),
            xpos=_value(columns[4]),
            feats=_value(columns[5]),
            head=int(columns[6]),
            deprel="root" if columns[6] == "0" else deprel,
            enhanced=_edges(columns[8], line, problems),
        )
    )


def _edges(column: str, line: _Line, problems: Findings) -> EnhancedEdges:
    edges: list[EnhancedEdge] = []
    for part in _value(column).split("|"):
        if not part:
            continue
        head, _, relation = part.partition(":")
        match = _ID.fullmatch(head)
        if match is None or match[2] == "-" or not relation:
            problems.add(
                line.number,
                what="“{edge}” is not an enhanced edge.",
                hint="Write head:relation.",
                edge=part,
            )
            continue
        edges.append(EnhancedEdge(NodeId(int(match[1]), int(match[3] or 0)), relation))
    return tuple(edges)


def _value(column: str) -> str:
    return "" if column == _NONE else column


def _lines_of(sentence: ParsedSentence) -> Iterator[str]:
    text = sentence.text
    if text:
        yield f"# text = {_one_line(text)}"
    tokens = {token.first: token for token in sentence.tokens}
    hidden_until = 0
    yield from _empty_nodes_after(sentence, 0)
    for number, word in enumerate(sentence.words, start=1):
        token = tokens.get(number)
        if token is not None:
            hidden_until = token.last
            blank = _blank_after(sentence, token.last)
            yield _line(f"{number}-{token.last}", token.form, misc=blank)
        misc = _NONE if number <= hidden_until else _blank_after(sentence, number)
        yield _line(
            str(number), word.form, word.lemma, word.upos, word.xpos, word.feats,
            str(word.head), word.deprel, _spelled(word.enhanced), misc,
        )  # fmt: skip
        yield from _empty_nodes_after(sentence, number)


def _empty_nodes_after(sentence: ParsedSentence, number: int) -> Iterator[str]:
    for node in sentence.empty_nodes:
        if node.id.word == number:
            yield _line(
                str(node.id), node.form, node.lemma, node.upos, deps=_spelled(node.enhanced)
            )


def _line(
    id_: str, form: str, lemma: str = "", upos: str = "", xpos: str = "", feats: str = "",
    head: str = "", deprel: str = "", deps: str = "", misc: str = "",
) -> str:  # fmt: skip
    columns = (id_, form, lemma, upos, xpos, feats, head, deprel, deps, misc)
    return "\t".join(_one_line(column) or _NONE for column in columns)


def _spelled(edges: EnhancedEdges) -> str:
    return "|".join(f"{edge.head}:{edge.relation}" for edge in sorted(edges))


def _blank_after(sentence: ParsedSentence, number: int) -> str:
    """Returns MISC's entry about the blank after a word."""
    span = sentence.words[number - 1].span
    following = sentence.words[number].span if number < len(sentence.words) else None
    return _NO_SPACE if span and following and span[1] == following[0] else _NONE


def _one_line(text: str) -> str:
    return re.sub(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]", " ", text)
