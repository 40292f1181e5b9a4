"""Sentences of a CoNLL-U file to the sentences of a corpus.

White space does not matter. What a corpus has as one sentence may be several in the file: such a
run of consecutive sentences is one parse.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from awase.core.errors import Problem
from awase.core.parsing.conllu import FoundSentence, conllu_of

_SHOWN = 40
_LINES_LOOKED_AT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """What of a file belongs to a corpus.

    Attributes:
        parses: Text of the corpus to its parse in CoNLL-U.
        unmatched: Sentences that the corpus does not have.
    """

    parses: Mapping[str, str]
    unmatched: tuple[FoundSentence, ...]

    def warnings(self, source: str, limit: int = 20) -> list[Problem]:
        """Returns a warning for each of the first unmatched sentences, and one for the rest."""
        warnings = [
            Problem(
                what="The corpus has no sentence “{text}”.",
                hint="Only sentences of the corpus take a parse; compare # text.",
                fields={"text": _shortened(found.sentence.text)},
                source=source,
                line=found.line,
            )
            for found in self.unmatched[:limit]
        ]
        n_more = len(self.unmatched) - limit
        if n_more > 0:
            warnings.append(
                Problem(
                    what="{n} more sentences of the file are not in the corpus.",
                    fields={"n": n_more},
                    source=source,
                )
            )
        return warnings


def match(sentences: Sequence[FoundSentence], texts: Iterable[str]) -> Matches:
    """Returns which sentences are parses of which texts; of equal ones the last."""
    texts_by_key: dict[str, list[str]] = {}
    for text in dict.fromkeys(texts):
        texts_by_key.setdefault(_key(text), []).append(text)
    keys = sorted(texts_by_key)
    parses: dict[str, str] = {}
    unmatched: list[FoundSentence] = []
    idx = 0
    while idx < len(sentences):
        n_joined = _length_of_run(sentences, idx, texts_by_key, keys)
        if not n_joined:
            unmatched.append(sentences[idx])
            idx += 1
            continue
        run = [found.sentence for found in sentences[idx : idx + n_joined]]
        conllu = conllu_of(tuple(run))
        for text in texts_by_key["".join(_key(one.text) for one in run)]:
            parses[text] = conllu
        idx += n_joined
    return Matches(parses=parses, unmatched=tuple(unmatched))


def _length_of_run(
    sentences: Sequence[FoundSentence],
    idx: int,
    texts_by_key: Mapping[str, object],
    keys: Sequence[str],
) -> int:
    """Returns how many sentences from `idx` on make one text together, the fewest; 0 = none do."""
    joined = ""
    for n_joined, found in enumerate(sentences[idx:], start=1):
        joined += _key(found.sentence.text)
        if joined in texts_by_key:
            return n_joined
        place = bisect_left(keys, joined)
        if place == len(keys) or not keys[place].startswith(joined):
            return 0
    return 0


def _key(text: str) -> str:
    return "".join(text.split())


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


MODEL_COMMENT = "# model = "


def model_named_in(conllu: str) -> str:
    """Returns what made the parses as far as the first lines say it; else an empty string."""
    for line in conllu.split("\n", _LINES_LOOKED_AT)[:_LINES_LOOKED_AT]:
        if line.startswith(MODEL_COMMENT):
            return line.removeprefix(MODEL_COMMENT).strip()
    return ""
