"""Texts of which BLEU and chrF would make nonsense, or which look as if they had been changed."""

from collections import Counter
from collections.abc import Iterator, Sequence

from awase.core.errors import InputError, Problem
from awase.core.metrics.kit.texts.cases import Case
from awase.core.metrics.kit.warning_lines import listed
from awase.core.metrics.packages.sacrebleu_requests import SacrebleuRequest
from awase.core.text.tokens.words import has_kana, has_unspaced_script

_OF_WRITTEN_TEXT = ("13a", "intl")
_BY_BLANKS = (*_OF_WRITTEN_TEXT, "none")
_CHINESE = "zh"


def check_words(cases: Sequence[Case], request: SacrebleuRequest) -> None:
    """Refuses tokens that would be whole sentences."""
    if request.tokens == _CHINESE:
        is_lost = has_kana
    elif request.tokens in _BY_BLANKS:
        is_lost = has_unspaced_script
    else:
        return
    has_blanks_set = request.metric == "bleu" and request.tokens == "none"
    for case in cases:
        for text in (case.text, *case.references):
            if has_blanks_set and any(" " in sentence.strip() for sentence in text):
                continue
            if is_lost(" ".join(text)):
                raise _refusal(request, case)


def _refusal(request: SacrebleuRequest, case: Case) -> InputError:
    if request.metric == "chrf":
        return InputError.of(
            "chrf with nw={n} counts words between blanks, and text of system “{system}” or its "
            "references in topic “{topic}” has none between its words.",
            "Choose nw=0.",
            n=dict(request.spelled)["nw"],
            system=case.system,
            topic=case.topic,
        )
    return InputError.of(
        "bleu with tokens={tokens} would take whole phrases of system “{system}” or its references "
        "in topic “{topic}” for one word.",
        "Choose tokens=ja for Japanese, tokens=zh for Chinese, or tokens=char for characters.",
        tokens=request.tokens,
        system=case.system,
        topic=case.topic,
    )


class TokenisedTexts:
    """Counts texts that look tokenised already, which BLEU by sacrebleu is not made for."""

    def __init__(self, requests: Sequence[SacrebleuRequest]) -> None:
        """Counts none yet."""
        self._matters = any(
            one.metric == "bleu" and one.tokens in _OF_WRITTEN_TEXT for one in requests
        )
        self._n_suspect: Counter[str] = Counter()
        self._n_texts: Counter[str] = Counter()

    def add(self, cases: Sequence[Case]) -> None:
        """Looks at further texts."""
        if self._matters:
            self._n_texts.update(case.system for case in cases)
            self._n_suspect.update(
                case.system for case in cases if " ".join(case.text).endswith(" .")
            )

    def problems(self) -> Iterator[Problem]:
        """Yields a warning where most texts of a system look so."""
        suspect = [one for one, n in self._n_texts.items() if 2 * self._n_suspect[one] > n]
        if suspect:
            yield Problem(
                what="Texts of {systems} end with a blank and a full stop: they look tokenised, "
                "and BLEU by sacrebleu is of text as it is written.",
                hint="Score the text before tokenisation, or choose tokens=none.",
                fields={"systems": listed(suspect)},
            )
