"""Stored parses, one a model and text, by the text's digest."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Final

from awase.core.errors import InputError, Listing, batches
from awase.storage.querying import (
    Readable,
    Writable,
    change,
    insert_rows,
    log_act,
    named_values,
    rows_of,
)

ROWS_AT_A_TIME: Final = 500

MODELS: Final = "SELECT model, COUNT(*) FROM parse GROUP BY model"
PARSES: Final = "SELECT digest, conllu FROM parse WHERE model = :model"
_PARSED: Final = "SELECT digest FROM parse WHERE model = :model AND digest IN {names}"
_BEHIND: Final = f"{PARSES} AND digest > :digest ORDER BY digest LIMIT :n_rows"


def digest_of(text: str) -> str:
    """Returns the key of a text's parse."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def by_digest(parses: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yields the keys of texts' parses with the parses."""
    return ((digest_of(text), conllu) for text, conllu in parses)


def read_models(connection: Readable) -> dict[str, int]:
    """Returns the number of parses by model, most first, then by name."""
    rows = rows_of(connection, MODELS)
    return dict(sorted(((str(m), int(n)) for m, n in rows), key=lambda one: (-one[1], one[0])))


def read_parses(connection: Readable, model: str, texts: Iterable[str]) -> dict[str, str]:
    """Returns the model's CoNLL-U parses of those texts that have one."""
    by_digest: dict[str, str] = {digest_of(text): text for text in texts}
    found: dict[str, str] = {}
    if len(by_digest) <= ROWS_AT_A_TIME:
        digests, named = named_values([*by_digest])
        rows = rows_of(connection, f"{PARSES} AND digest IN {digests}", model=model, **named)
    else:
        rows = rows_of(connection, PARSES, model=model)
    for digest, conllu in rows:
        text = by_digest.get(digest)
        if text is not None:
            found[text] = conllu
    return found


def read_parsed(connection: Readable, model: str, texts: Iterable[str]) -> set[str]:
    """Returns those of the texts that the model has parsed."""
    found: set[str] = set()
    for some in batches(texts, ROWS_AT_A_TIME):
        by_digest = {digest_of(text): text for text in some}
        digests, named = named_values([*by_digest])
        rows = rows_of(connection, _PARSED.format(names=digests), model=model, **named)
        found.update(by_digest[digest] for (digest,) in rows)
    return found


def read_parses_after(connection: Readable, model: str, digest: str) -> Sequence[tuple[str, str]]:
    """Returns a chunk of (digest, parse) behind `digest`, in order."""
    rows = rows_of(connection, _BEHIND, model=model, digest=digest, n_rows=ROWS_AT_A_TIME)
    return [(found, conllu) for found, conllu in rows]


def each_parse(connection: Readable, model: str) -> Iterator[tuple[str, str]]:
    """Yields each text's digest with its parse by the model, in the order of the digests."""
    last = ""
    while some := read_parses_after(connection, model, last):
        yield from some
        last = some[-1][0]


def digest_of_parses(connection: Readable, models: Iterable[str]) -> str:
    """Returns the digest of these models' parses; of equal texts the first one's."""
    from awase.core.language.conllu import digest_of_models

    digest_in = itemgetter(0)
    # Merging is stable: of equal texts the first model's parse comes first.
    in_order = merge(*(each_parse(connection, model) for model in models), key=digest_in)
    first = (next(of_text) for _, of_text in groupby(in_order, digest_in))
    return digest_of_models((digest, digest_of(conllu)) for digest, conllu in first)


def write_parses(
    connection: Writable, model: str, parses: Iterable[tuple[str, str]], *, who: str, source: str
) -> None:
    """Stores parses, replacing the model's earlier ones, and logs it; digests are distinct."""
    n_parses = 0
    for chunk in batches(parses, ROWS_AT_A_TIME):
        rows = dict(chunk)
        digests, named = named_values([*rows])
        gone = f"DELETE FROM parse WHERE model = :model AND digest IN {digests}"
        change(connection, gone, model=model, **named)
        made = ({"model": model, "digest": d, "conllu": conllu} for d, conllu in rows.items())
        insert_rows(connection, "parse", made)
        n_parses += len(rows)
    details: dict[str, object] = {"model": model, "sentences": n_parses}
    log_act(connection, who=who, kind="parse", subject=source or model, details=details)


def delete_parses(connection: Writable, model: str, *, who: str) -> int:
    """Removes a model's parses, logs it, and returns their number."""
    known = read_models(connection)
    if model not in known:
        raise InputError.of(
            "The corpus has no parses by “{model}”.",
            "It has those by {known}." if known else "",
            model=model,
            known=Listing(known),
        )
    change(connection, "DELETE FROM parse WHERE model = :model", model=model)
    details: dict[str, object] = {"model": model, "sentences": known[model]}
    log_act(connection, who=who, kind="remove-parses", subject=model, details=details)
    return known[model]
