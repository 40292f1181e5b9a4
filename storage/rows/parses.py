"""Stored parses: one a model and text, found by the text's digest."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from awase.core.parsing import parse_digests
from awase.storage.databases.querying import Readable, rows_of

ROWS_AT_A_TIME: Final = 500

MODELS: Final = "SELECT model, COUNT(*) FROM parse GROUP BY model"
PARSES: Final = "SELECT digest, conllu FROM parse WHERE model = :model"


def digest_of(text: str) -> str:
    """Returns what a text's parse is stored under."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read_models(connection: Readable) -> dict[str, int]:
    """Returns how many parses each model made, most first, then by name."""
    rows = rows_of(connection, MODELS)
    return dict(sorted(((str(m), int(n)) for m, n in rows), key=lambda one: (-one[1], one[0])))


def read_parses(connection: Readable, model: str, texts: Iterable[str]) -> dict[str, str]:
    """Returns those of the texts that the model parsed, with their parses in CoNLL-U."""
    by_digest: dict[str, str] = {digest_of(text): text for text in texts}
    found: dict[str, str] = {}
    if len(by_digest) <= ROWS_AT_A_TIME:
        wanted = {f"d{number}": digest for number, digest in enumerate(by_digest)}
        places = ", ".join(f":{name}" for name in wanted) or "NULL"
        rows = rows_of(connection, f"{PARSES} AND digest IN ({places})", model=model, **wanted)
    else:
        rows = rows_of(connection, PARSES, model=model)
    for digest, conllu in rows:
        text = by_digest.get(digest)
        if text is not None:
            found[text] = conllu
    return found


def digest_of_parses(connection: Readable, models: Iterable[str]) -> str:
    """Returns the digest of everything that these models parsed; of equal texts the first one's."""
    digests: dict[str, str] = {}
    for model in models:
        for digest, conllu in rows_of(connection, PARSES, model=model):
            digests.setdefault(digest, digest_of(conllu))
    return parse_digests.digest_of_parses(digests.items())
