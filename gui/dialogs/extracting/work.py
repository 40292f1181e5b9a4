"""What the dialog of extractors has done on another thread: extracted and stored, or nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from awase.core.errors import InputError, Problem
from awase.core.extraction.extractors import Extraction, needs_of
from awase.core.extraction.running import (
    addition_of_extracts,
    extract,
    named,
    systems_there,
)
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.storage.changing.changes import Changes

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class PutThere:
    """What joined the corpus.

    Attributes:
        n_extracts: How many extracts.
        signatures: Name of each system to how its extracts were made.
        warnings: Where something was left out.
        changes: What is no longer what it was.
    """

    n_extracts: int
    signatures: Mapping[str, str]
    warnings: tuple[Problem, ...]
    changes: Changes


def put_extractors(
    store: "CorpusStore",
    corpus: Corpus,
    requests: Sequence[Extraction],
    names: Sequence[str],
    *,
    replaces: bool,
    who: str,
    reporter: Reporter,
) -> PutThere:
    """Extracts with every request and stores all of it at once.

    Args:
        store: The corpus's.
        corpus: As it is now.
        requests: Each once.
        names: Of the systems; an empty one = the request's own.
        replaces: Whether extracts of these names give way.
        who: Who does it, for the log.
        reporter: Told of each topic.

    Raises:
        InputError: A name is taken or given twice, nothing can be extracted, or parses are missing.
        EnvironmentProblem: It cannot be stored.
        Cancelled: The reporter asked to stop; nothing was stored.
    """
    from awase.jobs.supplies.parses import supplies_of

    supplies = supplies_of(store, corpus, needs_of(requests))
    own = named(corpus, requests, parse_model=supplies.parse_label)
    chosen = [name.strip() or usual for name, usual in zip(names, own, strict=True)]
    if len(set(chosen)) != len(chosen):
        raise InputError.of("Two systems cannot have the same name.", "Give each its own.")
    systems = dict(zip(chosen, own.values(), strict=True))
    taken = systems_there(corpus, systems)
    if taken and not replaces:
        raise InputError.of(
            "The corpus has extracts of {systems} already.",
            "Choose another name, or let them be replaced.",
            systems=", ".join(f"“{name}”" for name in taken),
        )
    made = extract(corpus, systems, reporter, supplies=supplies)
    if not made.extracts:
        raise InputError.of(
            "Nothing can be extracted: no topic has an abstract for which the size is known.",
            "Import abstracts, align them, or give a size.",
        )
    source = ", ".join(one.signature for one in systems.values())
    changes = store.add(
        addition_of_extracts(made.extracts),
        who=who,
        source=f"extractors: {source}",
        reporter=reporter,
        replacing=taken,
    )
    return PutThere(
        n_extracts=len(made.extracts),
        signatures={name: one.signature for name, one in systems.items()},
        warnings=made.warnings,
        changes=changes,
    )
