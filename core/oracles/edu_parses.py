"""EDUs of a dependency parse: a clause is the subtree of its verb without the clauses inside it.

A clause that another one interrupts becomes several parts, as units are stretches of text. Parts of
fewer than two words join a neighbour; punctuation goes with what stands before it.
"""

from awase.core.oracles.units import Span, from_cuts
from awase.core.records.parse import ParsedSentence, ParsedWord

_CLAUSES = frozenset(["advcl", "acl", "ccomp", "csubj", "parataxis"])
_CONJUNCT = "conj"
_VERBAL = frozenset(["VERB", "AUX"])
_SUBJECTS = ("nsubj", "csubj", "expl")
_FEWEST_WORDS = 2


def edus_of_parse(text: str, sentences: ParsedSentence | tuple[ParsedSentence, ...]) -> list[Span]:
    """Returns where the EDUs are; words without offsets are never cut apart."""
    parsed = (sentences,) if isinstance(sentences, ParsedSentence) else sentences
    cuts: list[int] = []
    for sentence in parsed:
        first = next((word.span for word in sentence.words if word.span), None)
        if first:
            cuts.append(first[0])
        cuts += _cuts(sentence)
    return from_cuts(text, cuts)


def _cuts(sentence: ParsedSentence) -> list[int]:
    clause = _clauses(sentence)
    runs: list[list[int]] = []
    for idx in range(len(clause)):
        if idx and (clause[idx] == clause[idx - 1] or _is_mark(sentence.words[idx])):
            clause[idx] = clause[idx - 1]
            runs[-1].append(idx)
        else:
            runs.append([idx])
    joined: list[list[int]] = []
    for run in runs:
        if joined and (_is_short(sentence, run) or _is_short(sentence, joined[-1])):
            joined[-1] += run
        else:
            joined.append(run)
    spans = [sentence.words[run[0]].span for run in joined[1:]]
    return [span[0] for span in spans if span is not None]


def _clauses(sentence: ParsedSentence) -> list[int]:
    """Returns for each word the index of the head of its clause; -1 = the main clause."""
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
    return relation == _CONJUNCT and word.upos in _VERBAL and _has_subject(sentence, idx)


def _has_subject(sentence: ParsedSentence, idx: int) -> bool:
    return any(
        word.head == idx + 1 and word.deprel.startswith(_SUBJECTS) for word in sentence.words
    )


def _is_mark(word: ParsedWord) -> bool:
    return word.upos == "PUNCT"


def _is_short(sentence: ParsedSentence, run: list[int]) -> bool:
    return sum(not _is_mark(sentence.words[idx]) for idx in run) < _FEWEST_WORDS
