"""Lazy parses of a stored corpus."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from awase.core.errors import InputError, Listing, Missing
from awase.core.language.stored_parses import StoredParses, texts_of
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import ANY_PARSER, NO_SUPPLIES, Supplies, model_of
from awase.core.metrics.registry import metric_by_name
from awase.core.records.corpus import Corpus

if TYPE_CHECKING:  # What reads a file is not needed where there is none.
    from awase.storage.reader import StoredCorpus

JOINED = "+"  # between the models of a corpus in several languages, each of which one model parsed


def supplies_of(
    store: "StoredCorpus", corpus: Corpus, requests: Sequence[MetricRequest]
) -> Supplies:
    """Returns the parses that the requests need, loaded lazily while the store is open.

    The default `parser` is the model with most parses.
    """
    needing = [one for one in requests if "parses" in metric_by_name(one.name).needs_of(one)]
    if not needing:
        return NO_SUPPLIES
    known = store.parse_models()
    model = _model_spec_of(needing) or next(iter(known), "")
    if not model:
        return NO_SUPPLIES
    models = model.split(JOINED)
    for one in models:
        if one not in known:
            raise InputError.of(
                "The corpus has no parses by “{model}”.",
                "It has those by {known}." if known else "Parse it first.",
                model=one,
                known=Listing(known),
                missing="" if known else Missing.PARSES,
            )
    return Supplies(
        parses=_parses(store, corpus, models),
        parse_model=model,
        parse_digest=store.digest_of_parses(models),
    )


def _parses(store: "StoredCorpus", corpus: Corpus, models: Sequence[str]) -> StoredParses:
    def look_up(texts: Sequence[str]) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for model in models:
            found = {**store.parses(model, texts), **found}
        return found

    return StoredParses(lambda: (one.text for one in texts_of(corpus)), look_up)


def _model_spec_of(requests: Sequence[MetricRequest]) -> str:
    asked = {model_of(dict(request.options).get("parser", ANY_PARSER)) for request in requests}
    asked -= {ANY_PARSER}
    if len(asked) > 1:
        raise InputError.of(
            "Scores can rest on the parses of one model at a time, not of {models}.",
            "Ask for one.",
            models=Listing(sorted(asked)),
        )
    return next(iter(asked), "")
