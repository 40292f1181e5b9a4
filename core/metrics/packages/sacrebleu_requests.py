"""What is asked of BLEU and chrF: their options understood, and the scorer of `sacrebleu` for them.

The package's own signature stands in ours, so that it can be cited. Only the number of references
is kept apart from it, as it is a fact about the data.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from awase.core.errors import EnvironmentProblem, InputError
from awase.core.metrics.kit.option_values import choice_of, plain_decimal
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.registry import ANY_PACKAGE, metric_by_name
from awase.core.text.tokens.tokenisers import JAPANESE, Tokeniser, tokeniser_called

if TYPE_CHECKING:  # slow to import, and an extra
    from sacrebleu.metrics.base import Metric as Scorer

PACKAGE = "sacrebleu"
_OWN_SIGNATURE = "sacrebleu"
_OWN_TOKENISERS = ("13a", "intl", "char", "zh", "none")
MOST_ORDER = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class SacrebleuRequest:
    """A metric of this family with its options understood.

    Attributes:
        metric: `bleu` or `chrf`.
        spelled: (option, value) as signatures have them.
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

    @property
    def averages_as_perl(self) -> bool:
        """Returns False: means are plain."""
        return False

    def signature_with(self, facts: Mapping[str, str]) -> str:
        """Returns the signature of values with facts about the data."""
        return signature_text(self.metric, {**dict(self.spelled), **facts})

    def scorer(self) -> "Scorer":
        """Returns what scores prepared texts.

        Raises:
            EnvironmentProblem: The package is not installed.
        """
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

    Raises:
        InputError: An option or its value does not exist, or another package is asked for.
        EnvironmentProblem: The package is not installed.
    """
    defaults = metric_by_name(request.name).defaults
    chosen = request.chosen(defaults)
    choice_of(chosen, "case", "mixed", "lc")
    is_of_corpus = choice_of(chosen, "average", "plain", "corpus") == "corpus"
    tokeniser = None
    if request.name == "bleu":
        choice_of(chosen, "smooth", "exp", "floor", "add-k", "none")
        tokeniser = _tokeniser(chosen["tokens"])
        if tokeniser is not None:
            chosen["tokens"] = tokeniser.id
    else:
        choice_of(chosen, "space", "no", "yes")
        chosen["nc"] = _order(chosen, "nc", 1)
        chosen["nw"] = _order(chosen, "nw", 0)
        chosen["beta"] = _beta(chosen["beta"])
    own = own_signature(request.name, chosen, is_of_corpus=is_of_corpus)
    if is_checked:
        _check_package(request.name, chosen[_OWN_SIGNATURE], own)
    if own and chosen[_OWN_SIGNATURE] == ANY_PACKAGE:
        chosen[_OWN_SIGNATURE] = own
    return SacrebleuRequest(
        metric=request.name,
        spelled=tuple((option, chosen[option]) for option in defaults),
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
        raise missing_package(metric)
    if asked not in (ANY_PACKAGE, own):
        raise InputError.of(
            "{metric} asks for what sacrebleu calls {asked}; here it would be {own}.",
            "Leave sacrebleu out to score with this version; the number may differ.",
            metric=metric,
            asked=asked,
            own=own,
        )


def missing_package(metric: str) -> EnvironmentProblem:
    """Returns the error that says how to install the package."""
    return EnvironmentProblem(
        "{metric} is computed by sacrebleu, which is not installed.",
        'Install it with: pip install "awase[bleu]".',
        metric=metric,
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


def _order(chosen: Mapping[str, str], option: str, least: int) -> str:
    text = chosen[option]
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise _bad_order(option, text, least)
    if not least <= int(text) <= MOST_ORDER:
        raise _bad_order(option, text, least)
    return str(int(text))


def _bad_order(option: str, text: str, least: int) -> InputError:
    return InputError.of(
        "{option}={value} is not a length of n-grams.",
        "Use a whole number from {least} to {most}.",
        option=option, value=text, least=least, most=MOST_ORDER,
    )  # fmt: skip


def _beta(text: str) -> str:
    beta = plain_decimal("beta", text)
    if beta != str(int(float(beta))) or not 1 <= int(beta) <= MOST_ORDER:
        raise InputError.of(
            "beta={value} is not a weight of recall.", "Use a whole number from 1 to {most}.",
            value=text, most=MOST_ORDER,
        )  # fmt: skip
    return beta


def _scorer(metric: str, chosen: Mapping[str, str], *, is_of_corpus: bool) -> "Scorer":
    try:
        from sacrebleu.metrics.bleu import BLEU
        from sacrebleu.metrics.chrf import CHRF
    except ImportError as error:
        raise missing_package(metric) from error
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
