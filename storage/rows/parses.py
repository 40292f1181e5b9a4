"""Stored parses: one a model and text, found by the text's digest."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection, Select, func, select

from awase.core.parsing import parse_digests
from awase.storage.rows.schema import ParseRow

ROWS_AT_A_TIME: Final = 500


def digest_of(text: str) -> str:
    """Returns what a text's parse is stored under."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read_models(connection: Connection) -> dict[str, int]:
    """Returns how many parses each model made, most first, then by name."""
    number = func.count()
    rows = connection.execute(
        select(ParseRow.model, number).group_by(ParseRow.model)
    )  # fmt: skip
    return dict(sorted(((str(m), int(n)) for m, n in rows), key=lambda one: (-one[1], one[0])))


def read_parses(connection: Connection, model: str, texts: Iterable[str]) -> dict[str, str]:
    """Returns those of the texts that the model parsed, with their parses in CoNLL-U."""
    by_digest: dict[str, str] = {digest_of(text): text for text in texts}
    found: dict[str, str] = {}
    if len(by_digest) <= ROWS_AT_A_TIME:
        wanted = ParseRow.digest.in_(by_digest)
        rows = connection.execute(_parses_of(model).where(wanted))
    else:
        rows = connection.execute(_parses_of(model))
    for digest, conllu in rows:
        text = by_digest.get(digest)
        if text is not None:
            found[text] = conllu
    return found


def digest_of_parses(connection: Connection, models: Iterable[str]) -> str:
    """Returns the digest of everything that these models parsed; of equal texts the first one's."""
    digests: dict[str, str] = {}
    for model in models:
        for digest, conllu in connection.execute(_parses_of(model)):
            digests.setdefault(digest, digest_of(conllu))
    return parse_digests.digest_of_parses(digests.items())


def _parses_of(model: str) -> Select[tuple[str, str]]:
    return select(ParseRow.digest, ParseRow.conllu).where(ParseRow.model == model)
