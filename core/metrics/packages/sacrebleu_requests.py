"""What is asked of BLEU and chrF: their options understood, and the scorer of `sacrebleu` for them.

The package's own signature stands in ours, so that it can be cited. Only the number of references
is kept apart from it, as it is a fact about the data.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from awase.core.errors import InputError
from awase.core.extras import check_installed, missing_package
from awase.core.metrics.kit.metric import options_for
from awase.core.metrics.kit.options.option import Chosen
from awase.core.metrics.kit.options.shared import ANY_PACKAGE
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.packages.entry import AVERAGE, METRICS, SACREBLEU, TOKENS
from awase.core.text.tokens.tokenisers import JAPANESE, Tokeniser, tokeniser_called

if TYPE_CHECKING:  # slow to import, and an extra
    from sacrebleu.metrics.base import Metric as Scorer

PACKAGE = "sacrebleu"
_OWN_TOKENISERS = ("13a", "intl", "char", "zh", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class SacrebleuRequest:
    """A metric of this family with its options understood.

    Attributes:
        is_of_corpus: Whether a system has one value over all its texts, none by topic.
        tokeniser: Ours, whose tokens the package is given; None = the package cuts by itself.
    """

    metric: str
    spelled: tuple[tuple[str, str], ...]
    is_of_corpus: bool
    tokeniser: Tokeniser | None = None

    @property
    def tokens(self) -> str:
        """Returns the name of the tokeniser; empty where words are not asked for."""
        chosen = dict(self.spelled)
        if self.metric == "chrf":
            return "" if chosen["nw"] == "0" else "none"
        return chosen["tokens"] if self.tokeniser is None else self.tokeniser.name

    @property
    def signature(self) -> str:
        """Returns the signature of its values, without facts about the data."""
        return signature_text(self.metric, dict(self.spelled))

    def signature_with(self, facts: Mapping[str, str]) -> str:
        """Returns the signature of values with facts about the data."""
        return signature_text(self.metric, {**dict(self.spelled), **facts})

    def scorer(self) -> "Scorer":
        """Returns what scores prepared texts."""
        return _scorer(self.metric, dict(self.spelled), is_of_corpus=self.is_of_corpus)

    def prepared(self, sentences: tuple[str, ...]) -> str:
        """Returns a text as the package is to see it."""
        text = " ".join(sentences)
        return text if self.tokeniser is None else " ".join(self.tokeniser.words(text))


def understood(request: MetricRequest, *, is_checked: bool = True) -> SacrebleuRequest:
    """Returns the request with its options read.

    Args:
        request: For `bleu` or `chrf`.
        is_checked: Whether the package must be installed and be the one that is asked for.
    """
    chosen = Chosen.of(request, options_for(METRICS, request))
    spelled = {**chosen.spelled}
    is_of_corpus = chosen[AVERAGE] == "corpus"
    tokeniser = None
    if TOKENS in chosen:
        tokeniser = _tokeniser(chosen[TOKENS])
        if tokeniser is not None:
            spelled[TOKENS.name] = tokeniser.id
    own = own_signature(request.name, spelled, is_of_corpus=is_of_corpus)
    if is_checked:
        _check_package(request.name, chosen[SACREBLEU], own)
    if own and chosen[SACREBLEU] == ANY_PACKAGE:
        spelled[SACREBLEU.name] = own
    return SacrebleuRequest(
        metric=request.name,
        spelled=tuple(spelled.items()),
        is_of_corpus=is_of_corpus,
        tokeniser=tokeniser,
    )


def own_signature(metric: str, chosen: Mapping[str, str], *, is_of_corpus: bool) -> str:
    """Returns the package's signature but for the number of references; empty = not installed.

    It is spelled here, as importing the package takes longer than all else of a dialog.
    """
    try:
        own_version = version(PACKAGE)
    except PackageNotFoundError:
        return ""
    if metric == "bleu":
        smooth = {"floor": "floor[0.10]", "add-k": "add-k[1.00]"}.get(
            chosen["smooth"], chosen["smooth"]
        )
        tokens = chosen["tokens"] if chosen["tokens"] in _OWN_TOKENISERS else "none"
        effective = "no" if is_of_corpus else "yes"
        middle = f"eff:{effective}|tok:{tokens}|smooth:{smooth}"
    else:
        middle = f"eff:yes|nc:{chosen['nc']}|nw:{chosen['nw']}|space:{chosen['space']}"
    return f"case:{chosen['case']}|{middle}|version:{own_version}"


def _check_package(metric: str, asked: str, own: str) -> None:
    if not own:
        raise missing_package(PACKAGE, extra="bleu", needed_for=metric)
    if asked not in (ANY_PACKAGE, own):
        raise InputError.of(
            "{metric} asks for what sacrebleu calls {asked}; here it would be {own}.",
            "Leave sacrebleu out to score with this version; the number may differ.",
            metric=metric,
            asked=asked,
            own=own,
        )


def _tokeniser(name: str) -> Tokeniser | None:
    if name in _OWN_TOKENISERS:
        return None
    if name == JAPANESE or name.startswith(f"{JAPANESE}-"):
        return tokeniser_called(name)
    raise InputError.of(
        "tokens={value} is no tokeniser of BLEU here.",
        "Use tokens=13a or tokens=intl for words between blanks, tokens=zh for Chinese, tokens=ja "
        "for Japanese, tokens=char for characters, or tokens=none for text with blanks set.",
        value=name,
    )


def _scorer(metric: str, chosen: Mapping[str, str], *, is_of_corpus: bool) -> "Scorer":
    check_installed(PACKAGE, extra="bleu", needed_for=metric)
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    is_lower = chosen["case"] == "lc"
    makers: dict[str, Callable[[], Scorer]] = {
        "bleu": lambda: BLEU(
            lowercase=is_lower,
            force=True,  # what it would log is said by our own warning
            tokenize=chosen["tokens"] if chosen["tokens"] in _OWN_TOKENISERS else "none",
            smooth_method=chosen["smooth"],
            effective_order=not is_of_corpus,
        ),
        "chrf": lambda: CHRF(
            char_order=int(chosen["nc"]),
            word_order=int(chosen["nw"]),
            beta=int(chosen["beta"]),
            lowercase=is_lower,
            whitespace=chosen["space"] == "yes",
        ),
    }
    return makers[metric]()
