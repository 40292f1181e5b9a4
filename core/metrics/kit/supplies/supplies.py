"""What some metrics need besides the corpus: parses, vectors, models, oracles, and workers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from awase.core.metrics.kit.supplies.parses import label_of_parses
from awase.core.metrics.kit.workers import ALONE, Workers
from awase.core.parsing.stored_parses import parses_of
from awase.core.records.topic import Topic
from awase.core.vectors.source import WordVectors

if TYPE_CHECKING:  # most scoring needs neither oracles nor models
    from awase.core.oracles.extractive import Oracle
    from awase.core.oracles.units import Splitter
    from awase.core.vectors.contextual import WordEncoder


_DIGITS_IN_LABEL = 12
TIME_LIMIT_S = 30.0
"""For each search, unless somebody says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplies:
    """What scoring may draw on; a metric that needs what is not there says so.

    Attributes:
        parses: A sentence's text to its dependency parse in CoNLL-U; may be `StoredParses`.
        parse_model: What made the parses; empty = there are none.
        parse_digest: Of all parses by the model in the corpus, as `digest_of_models` gives it;
            empty = these are all.
        vectors: Word vectors; None = there are none.
        edus: EDUs of the user's own segmenter; None = there are none.
        time_limit_s: Seconds for each search that may take for ever: h of an abstract, an oracle;
            what rests on one that is not proved by then is undefined. None = no limit.
    """

    parses: Mapping[str, str] = field(default_factory=dict)
    parse_model: str = ""
    parse_digest: str = ""
    vectors: WordVectors | None = None
    encoders: Mapping[str, "WordEncoder"] = field(default_factory=dict)
    workers: Workers = ALONE
    oracles: Mapping[str, "Oracle"] = field(default_factory=dict)
    edus: "Splitter | None" = None
    time_limit_s: float | None = TIME_LIMIT_S

    @property
    def parse_label(self) -> str:
        """Returns how signatures name the parses; empty = there are none."""
        return label_of_parses(self.parse_model, self._whole_digest())

    def shares(self, topics: Iterable[Topic]) -> Iterator["Supplies"]:
        """Yields for each topic what work on it alone needs, which names the parses as all do.

        Workers, vectors and encoders stay here.
        """
        from awase.core.parsing.corpus_texts import texts_of_topic  # brings the sentence rules

        digest, has_parses = self._whole_digest(), bool(self.parses)
        for topic in topics:
            texts = [text for _, text in texts_of_topic(topic)] if has_parses else ()
            parses = parses_of(self.parses, texts)
            yield Supplies(
                parses={text: parses[text] for text in texts if text in parses},
                parse_model=self.parse_model,
                parse_digest=digest,
                oracles=self.oracles,
                edus=self.edus,
                time_limit_s=self.time_limit_s,
            )

    def _whole_digest(self) -> str:
        if self.parse_digest or not self.parse_model:
            return self.parse_digest
        from awase.core.parsing.conllu import digest_of_models, sha256_of

        digests = [(sha256_of(text), sha256_of(one)) for text, one in self.parses.items()]
        return digest_of_models(sorted(digests))

    @property
    def oracles_label(self) -> str:
        """Returns how signatures name the oracles found before; empty = there are none."""
        if not self.oracles:
            return ""
        from awase.core.oracles.oracle_file import digest_of_oracles

        return f"file@{digest_of_oracles(self.oracles)[:_DIGITS_IN_LABEL]}"


NO_SUPPLIES = Supplies()

UNDECIDED = Supplies()
"""For signatures told before it is known what there is: nothing is missed, `any` stays `any`."""
