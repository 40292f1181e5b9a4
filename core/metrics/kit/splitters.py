"""The splitters by name, and EDUs from rules, from parses and from a file of the user's own."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from awase.core.errors import CorpusFormatError
from awase.core.language.conllu import parse_of
from awase.core.metrics.kit.extractive import Span, Splitter, WholeSentences, from_cuts, trimmed
from awase.core.metrics.kit.oracle_choices import FILE, PARSES_ID, RULES, RULES_ID, SENTENCE
from awase.core.records.parse import ParsedSentence, ParsedWord
from awase.core.text.sentences import bracketed, span_around

_DIGITS_OF_AN_ID = 8


class EduRules:
    """EDUs by rules on words, of the sentence's language: Japanese, otherwise English."""

    id = RULES_ID

    def spans(self, text: str, language: str) -> Sequence[Span]:
        """Returns where the EDUs are."""
        if language == "ja":
            return japanese_edus(text)
        spans = from_cuts(text, _english_cuts(text))
        return _joined(spans, lambda span: len(_WORDS.findall(text, *span)) < _FEWEST_WORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class EdusOfParses:
    """EDUs by rules on the clauses of dependency parses."""

    parses: Mapping[str, str]
    id: str = PARSES_ID

    def spans(self, text: str, language: str) -> Sequence[Span]:
        """Returns where the EDUs are; a sentence without a parse is one."""
        conllu = self.parses.get(text)
        if conllu is None:
            return trimmed(text, [(0, len(text))])
        return edus_of_parse(text, parse_of(conllu))


@dataclass(frozen=True, slots=True, kw_only=True)
class EdusOfFile:
    """EDUs of the user's own segmenter (docs/formats/edus.md)."""

    id: str
    # A sentence without its white space to the letters of its parts.
    parts_by_letters: Mapping[str, tuple[int, ...]]
    # Sentences missing in the file; each counts as one EDU.
    unknown: set[str] = field(default_factory=set)

    def spans(self, text: str, language: str) -> Sequence[Span]:
        """Returns where the EDUs are; a sentence that the file lacks is one."""
        places = [place for place, char in enumerate(text) if not char.isspace()]
        sizes = self.parts_by_letters.get("".join(text.split()))
        if sizes is None:
            if places:
                self.unknown.add(text)
            return trimmed(text, [(0, len(text))])
        spans, first = [], 0
        for size in sizes:
            spans.append((places[first], places[first + size - 1] + 1))
            first += size
        return spans


def read_edus(text: str, source: str) -> EdusOfFile:
    """Returns the EDUs in a file: a sentence a line, tabs between its EDUs."""
    parts: dict[str, tuple[int, ...]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        pieces = ["".join(piece.split()) for piece in line.split("\t")]
        sizes = tuple(len(piece) for piece in pieces if piece)
        if not sizes:
            continue
        if parts.setdefault("".join(pieces), sizes) != sizes:
            raise CorpusFormatError.of(
                "The sentence is cut in another way above.",
                "Cut the same sentence in the same way.",
                source=source,
                line=number,
            )
    digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGITS_OF_AN_ID]
    return EdusOfFile(id=f"{FILE}.{digest}", parts_by_letters=parts)


# Splitters that need nothing but the text.
BUILT_IN: Mapping[str, Splitter] = {SENTENCE: WholeSentences(), RULES: EduRules()}


_SUBORDINATORS = (
    r"because|although|though|even though|even if|while|whereas|unless|until|once|since|"
    r"so that|in order to|as soon as|as long as|as if|as though|if|when|whenever|after|before"
)
_PRONOUNS = r"he|she|it|they|we|you|i|there|this|that|these|those|who|which"
_SAYING = (
    r"said|says|say|saying|told|tells|announced|announces|added|adds|believes?|believed|claimed|"
    r"claims|reported|reports|thinks?|thought|argued|argues|warned|warns|admitted|admits|denied|"
    r"insisted|insists|suggested|suggests|showed|shows|found|confirmed|revealed|hopes?|hoped"
)
_WORD = r"[^\W_]+(?:['’\-][^\W_]+)*"
_CUTS = [
    # , because … / because … (but not the first word of the sentence)
    r"(?<=\S)\s+(?=(?:because|although|though|whereas|unless|so that|in order to|even though|"
    r"even if|as soon as|as if)\s)",
    rf",(?=\s+(?:{_SUBORDINATORS})\s)",
    # , which … / , who …
    r",(?=\s+(?:which|who|whose|whom|where)\s)",
    # , but … / , and they …
    r",(?=\s+(?:but|yet|nor)\s)",
    rf",(?=\s+(?:and|or|so)\s+(?:{_PRONOUNS}|the|a|an|his|her|its|their|our|my|no)\s)",
    rf",(?=\s+(?:and|or)\s+(?:then\s+)?{_WORD}ed\s)",
    # , saying …
    r",(?=\s+(?:[a-z]+ly\s+)?[a-z]{2,}ing\s)",
    # said that …
    rf"(?:\b(?:{_SAYING})(?:\s+{_WORD}){{0,2}})(?=\s+that\s)",
    # …, he said / …,” said X
    rf",[\"”’']*(?=\s+(?:(?:{_WORD}\s+){{1,4}}(?:said|says|told|added|announced)\b|"
    rf"(?:said|says|added)\s))",
    # ; and : and dashes
    r"[;:](?=\s)",
    r"\s(?=(?:--|–|—)\s)",
    r"—",
]
_CUT = [re.compile(pattern, re.IGNORECASE) for pattern in _CUTS]
_OPENING = re.compile(
    rf"\s*[\"“‘']*(?:{_SUBORDINATORS}|as|despite|having|[a-z]+ing)\s[^,;]*,(?=\s)", re.IGNORECASE
)
_WORDS = re.compile(_WORD)
_FEWEST_WORDS = 2


def _english_cuts(text: str) -> Iterator[int]:
    for pattern in _CUT:
        for match in pattern.finditer(text):
            yield match.end()
    opening = _OPENING.match(text)
    if opening:  # “When the boat came, they left”: the clause in front ends at its comma
        yield opening.end()


def _joined(spans: Iterable[Span], is_short: Callable[[Span], bool]) -> list[Span]:
    """Merges short spans into the one before, or else behind."""
    joined: list[Span] = []
    for span in spans:
        if joined and (is_short(span) or is_short(joined[-1])):
            joined[-1] = joined[-1][0], span[1]
        else:
            joined.append(span)
    return joined


_COMMA = re.compile(r"[、，,](?=\S)")
_PREDICATE = r"(?:た|だ|る|う|く|す|つ|ぬ|ぶ|む|ぐ|い|です|ます|ない)"
_ENDS = re.compile(
    r"(?:"
    r"て|んで|いで|ずに|ず|ば|ながら|つつ|たら|なら|ても|でも(?<=んでも)|し|り|"
    rf"{_PREDICATE}(?:が|から|ので|のに|ものの|けれども?|けど|と|ため|ために|上で|うえで|一方で?|"
    r"ほか|際(?:に)?|とき(?:に)?|時(?:に)?|後(?:に)?|あと|前に|場合(?:は|に)?|ところ|とともに|以上|"
    r"うち(?:に)?|結果|ように|だけでなく)|"
    r"であり|であるが|だが|なく|"
    r"[一-鿿々][きぎちにびみいえけげせてねべめれ]|[ぁ-ん](?:え|け|げ|せ|ね|べ|め|れ)|"
    r"[」』]と"
    r")$"
)
_NO_ENDS = re.compile(
    r"(?:及び|および|並びに|ならびに|または|又は|特に|次に|先に|後に|新に|共に|同時に|互い|違い|戦い|"
    r"[一-鿿々]に|もし|しかし|ただし|なぜなら|それなら|だから|そして|こうして|やがて|まして|"
    r"初めて|始めて|改めて|極めて|併せて|あわせて|はじめて|によって|にとって|として|に対して|について|"
    r"に関して|に加えて|[ぁ-ん]り(?<=やはり)|つまり|あまり|[つぶか]り(?<=ゆっくり)|これ|それ|あれ|"
    r"誰|だれ|いずれ|われ|とりわけ|全て|すべて|かつて)$"
)
_PAIRS = {
    "」": "「",
    "』": "『",
    "）": "（",
    ")": "(",
    "”": "“",
    "】": "【",
    "〉": "〈",
    "》": "《",
}
_LETTERS = re.compile(r"\w")
_FEWEST_LETTERS = 4


def japanese_edus(text: str) -> list[Span]:
    """Returns where the EDUs of a Japanese sentence are."""
    spans = from_cuts(text, _japanese_cuts(text))
    return _joined(spans, lambda span: len(_LETTERS.findall(text[slice(*span)])) < _FEWEST_LETTERS)


def _japanese_cuts(text: str) -> Iterator[int]:
    spans = bracketed(text, _PAIRS)
    for comma in _COMMA.finditer(text):
        before = text[max(0, comma.start() - 12) : comma.start()]
        if span_around(spans, comma.start()) is not None:
            continue
        if _ENDS.search(before) and not _NO_ENDS.search(before):
            yield comma.end()


_CLAUSES = frozenset(["advcl", "acl", "ccomp", "csubj", "parataxis"])
_CONJUNCT = "conj"
_VERBAL = frozenset(["VERB", "AUX"])
_SUBJECTS = ("nsubj", "csubj", "expl")


def edus_of_parse(text: str, sentences: ParsedSentence | tuple[ParsedSentence, ...]) -> list[Span]:
    """Returns where the EDUs are; words without offsets are never cut apart."""
    parsed = (sentences,) if isinstance(sentences, ParsedSentence) else sentences
    cuts: list[int] = []
    for sentence in parsed:
        first = next((word.span for word in sentence.words if word.span), None)
        if first:
            cuts.append(first[0])
        cuts += _parses_cuts(sentence)
    return from_cuts(text, cuts)


def _parses_cuts(sentence: ParsedSentence) -> list[int]:
    clause, words = _clauses(sentence), sentence.words
    firsts: list[int] = []
    for idx in range(len(clause)):
        if idx and (clause[idx] == clause[idx - 1] or _is_mark(words[idx])):
            clause[idx] = clause[idx - 1]
        else:
            firsts.append(idx)

    def is_short(run: Span) -> bool:
        return sum(not _is_mark(word) for word in words[slice(*run)]) < _FEWEST_WORDS

    runs = _joined(pairwise([*firsts, len(words)]), is_short)
    spans = [words[first].span for first, _ in runs[1:]]
    return [span[0] for span in spans if span is not None]


def _clauses(sentence: ParsedSentence) -> list[int]:
    """Returns the head of each word's clause; -1 = the main clause."""
    words = sentence.words
    heads = [_is_clause(sentence, idx) for idx in range(len(words))]
    clauses = []
    for idx in range(len(words)):
        above: int = idx
        while above >= 0 and not heads[above]:
            above = words[above].head - 1
        clauses.append(above)
    return clauses


def _is_clause(sentence: ParsedSentence, idx: int) -> bool:
    word = sentence.words[idx]
    relation = word.deprel.partition(":")[0]
    if relation in _CLAUSES:
        return True
    if relation != _CONJUNCT or word.upos not in _VERBAL:
        return False
    return any(one.head == idx + 1 and one.deprel.startswith(_SUBJECTS) for one in sentence.words)


def _is_mark(word: ParsedWord) -> bool:
    return word.upos == "PUNCT"
