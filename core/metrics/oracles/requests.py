"""Options of oracles as metrics, extractors and commands spell them, understood and checked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from awase.core.errors import InputError
from awase.core.metrics.kit.options.option import Chosen
from awase.core.metrics.kit.options.shared import STEM, STOP
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.oracles.options import BE, LIMIT, ORACLE, TOKENS, UNIT, UNIT_IDS
from awase.core.metrics.rouge.tokens.preparation import Preparation
from awase.core.oracles.units import FILE, PARSES, SENTENCE
from awase.core.records.abstract import Limit
from awase.core.records.corpus import Corpus
from awase.core.text.tokens.tokeniser_choice import cut_of, settled

Tokens = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleOptions:
    """What an oracle maximises, of which units, within which limit.

    Attributes:
        n: Of the n-grams; None = basic elements.
        unit: `sentence`, `edu`, `edu-parse` or `edu-file`.
        limit: None = the reference's own.
        tokens: As `tokeniser_id` returns it.
    """

    n: int | None
    unit: str
    limit: Limit | None
    stem: bool
    stop: bool
    tokens: str

    @property
    def uses_parses(self) -> bool:
        """Whether oracles rest on parses."""
        return self.n is None or self.unit == PARSES

    def settled_in(self, corpus: Corpus, supplies: Supplies, unit: str) -> Mapping[str, str]:
        """Returns what signatures say once the corpus is known; `unit` is as it was asked for."""
        if self.unit == FILE and supplies.edus is not None:
            unit = supplies.edus.id
        return {"tokens": settled(corpus, self.tokens), "unit": unit}

    def tokens_with(self, tokeniser: str) -> Tokens:
        """Returns what makes the tokens of a text that are counted."""
        split, drops_stop_words = cut_of(tokeniser, stem=self.stem, stop=self.stop)
        drops_here = self.stop and not drops_stop_words
        reduced = Preparation(stem=self.stem, drops_stop_words=drops_here).reduction()
        if reduced is None:
            return split
        return lambda text: [word for token in split(text) if (word := reduced(token))]


def oracle_options(chosen: Chosen) -> OracleOptions:
    """Returns the options of oracles among those chosen."""
    unit = next((name for name, full in UNIT_IDS.items() if full == chosen[UNIT]), chosen[UNIT])
    limit = chosen[LIMIT]
    if limit is not None and limit.unit == "sentences" and unit != SENTENCE:
        raise InputError.of(
            "limit={limit} counts sentences, but oracles of unit={unit} choose parts of sentences.",
            "Give a limit in words (100w) or characters (200c), or choose unit=sentence.",
            limit=LIMIT.spell(limit),
            unit=unit,
        )
    oracle = chosen[ORACLE]
    options = OracleOptions(
        n=None if oracle == BE else int(oracle[-1]),
        unit=unit.partition(".")[0],
        limit=limit,
        stem=chosen[STEM],
        stop=chosen[STOP],
        tokens=chosen[TOKENS],
    )
    if options.n is None and (options.stem or options.stop):
        raise InputError.of(
            "Basic elements have neither stems nor stop words here.",
            "Leave stem and stop out, or choose oracle=rouge-2.",
        )
    return options
