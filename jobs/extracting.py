"""Running extractors, and storing their extracts as systems: all of them, or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from awase.core.analysis.extracting import Background, Extracted, extract, named, systems_there
from awase.core.analysis.extractors import Extraction, needs_of
from awase.core.errors import InputError, Listing, Missing, Reporter
from awase.core.metrics.kit.supplies import Workers
from awase.core.records.addition import with_extracts
from awase.core.records.corpus import Corpus
from awase.core.records.edits import IMPORT, Changes
from awase.core.records.topic import ids_of
from awase.jobs.supplies.gathering import Parses, local_workers

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionPlan:
    """Settings of an extraction: extractors and names of systems."""

    requests: tuple[Extraction, ...]
    # Of the systems, one for each request, an empty one = the request's own; none at all = all have
    # their own.
    names: tuple[str, ...] = ()
    replaces: bool = False
    background: Background | None = None  # document frequencies; None = those of the corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class NewExtracts:
    """Extracts that are not in the corpus yet."""

    extracted: Extracted
    systems: Mapping[str, Extraction]  # system name to its extractor
    replaced: tuple[str, ...]
    topics: frozenset[str]  # ids of the topics asked for; extracts of others stay

    def added_to(self, corpus: Corpus) -> Corpus:
        """Returns the corpus with the extracts, in place of those that they replace."""
        return with_extracts(corpus, self.extracted.extracts, self.replaced, self.topics)

    @property
    def signatures(self) -> dict[str, str]:
        """System name to the signature of its extractor."""
        return {name: one.signature for name, one in self.systems.items()}


def make_extracts(
    corpus: Corpus,
    plan: ExtractionPlan,
    reporter: Reporter,
    parses: Parses,
    workers: Workers | None = None,
) -> NewExtracts:
    """Returns the extracts of every request; the corpus is not changed."""
    found = parses(corpus, needs_of(plan.requests))
    supplies = replace(found, workers=workers or local_workers())
    systems = _systems(corpus, plan, supplies.parse_label)
    taken = systems_there(corpus, systems)
    if taken and not plan.replaces:
        raise InputError.of(
            "The corpus has extracts of {systems} already.",
            "Choose another name, or let them be replaced.",
            systems=Listing(f"“{name}”" for name in taken),
            missing=Missing.FREE_NAME,
        )
    made = extract(corpus, systems, reporter, plan.background, supplies)
    topics = frozenset(ids_of(corpus.topics))
    return NewExtracts(extracted=made, systems=systems, replaced=tuple(taken), topics=topics)


def check_not_empty(made: NewExtracts) -> None:
    """Raises without any extract."""
    if not made.extracted.extracts:
        raise InputError.of(
            "Nothing can be extracted: no topic has an abstract for which the size is known.",
            "Import abstracts, align them, or give a size.",
            missing=Missing.SIZE,
        )


def store_extracts(
    store: "CorpusStore", made: NewExtracts, *, who: str, reporter: Reporter
) -> "Changes":
    """Stores the extracts in one transaction and returns what changed."""
    return store.change(
        made.added_to,
        verb=IMPORT,
        names=(f"awase extract: {', '.join(made.signatures.values())}",),
        who=who,
        reporter=reporter,
    )


def _systems(corpus: Corpus, plan: ExtractionPlan, model: str) -> dict[str, Extraction]:
    own = named(corpus, plan.requests, parse_model=model)
    names: Sequence[str] = plan.names or [""] * len(own)
    chosen = [name.strip() or usual for name, usual in zip(names, own, strict=True)]
    if len(set(chosen)) != len(chosen):
        raise InputError.of("Two systems cannot have the same name.", "Give each its own.")
    return dict(zip(chosen, own.values(), strict=True))
