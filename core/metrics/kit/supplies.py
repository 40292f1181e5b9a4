"""What some metrics need besides the corpus: parses, vectors, models, oracles, and workers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from awase.core.metrics.kit.workers import ALONE, Workers
from awase.core.vectors.source import WordVectors

if TYPE_CHECKING:  # most scoring needs neither oracles nor models
    from awase.core.oracles.extractive import Oracle
    from awase.core.oracles.units import Splitter
    from awase.core.vectors.contextual import WordEncoder


TIME_LIMIT_S = 30.0
"""For each search, unless somebody says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplies:
    """What scoring may draw on; a metric that needs what is not there says so.

    Attributes:
        parses: A sentence's text to its dependency parse in CoNLL-U.
        parse_model: What made the parses, for signatures; empty = there are none.
        vectors: Word vectors; None = there are none.
        encoders: Language models, by what requests call them.
        workers: Who does what can be done in independent pieces.
        oracles: Oracles found before, by what they depend on.
        edus: EDUs of the user's own segmenter; None = there are none.
        time_limit_s: Seconds for each search that may take for ever: h of an abstract, an oracle;
            what rests on one that is not proved by then is undefined. None = no limit.
    """

    parses: Mapping[str, str] = field(default_factory=dict)
    parse_model: str = ""
    vectors: WordVectors | None = None
    encoders: Mapping[str, "WordEncoder"] = field(default_factory=dict)
    workers: Workers = ALONE
    oracles: Mapping[str, "Oracle"] = field(default_factory=dict)
    edus: "Splitter | None" = None
    time_limit_s: float | None = TIME_LIMIT_S


NO_SUPPLIES = Supplies()

UNDECIDED = Supplies()
"""For signatures told before it is known what there is: nothing is missed, `any` stays `any`."""
