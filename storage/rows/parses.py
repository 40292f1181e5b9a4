"""Stored parses: one a model and text, found by the text's digest."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import islice
from typing import Final

from sqlalchemy import Connection, Select, delete, func, insert, select

from awase.core.errors import InputError
from awase.core.parsing import parse_digests
from awase.storage.log.operations import log_act
from awase.storage.rows.schema import ParseRow

_ROWS_AT_A_TIME: Final = 500


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
    if len(by_digest) <= _ROWS_AT_A_TIME:
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


def write_parses(
    connection: Connection, model: str, parses: Mapping[str, str], *, who: str, source: str
) -> None:
    """Stores parses, in the place of those that the model made of the same texts, and logs it."""
    for chunk in _chunks(parses.items()):
        rows = {digest_of(text): conllu for text, conllu in chunk}
        connection.execute(
            delete(ParseRow).where(ParseRow.model == model, ParseRow.digest.in_(rows))
        )
        connection.execute(
            insert(ParseRow),
            [{"model": model, "digest": d, "conllu": conllu} for d, conllu in rows.items()],
        )
    details: dict[str, object] = {"model": model, "sentences": len(parses)}
    log_act(connection, who=who, kind="parse", subject=source or model, details=details)


def delete_parses(connection: Connection, model: str, *, who: str) -> int:
    """Removes what a model made, logs it, and returns how many parses that were.

    Raises:
        InputError: There is nothing by such a model.
    """
    known = read_models(connection)
    if model not in known:
        raise InputError.of(
            "The corpus has no parses by “{model}”.",
            "It has those by {known}." if known else "",
            model=model,
            known=", ".join(known),
        )
    connection.execute(delete(ParseRow).where(ParseRow.model == model))
    details: dict[str, object] = {"model": model, "sentences": known[model]}
    log_act(connection, who=who, kind="remove-parses", subject=model, details=details)
    return known[model]


def _parses_of(model: str) -> Select[tuple[str, str]]:
    return select(ParseRow.digest, ParseRow.conllu).where(ParseRow.model == model)


def _chunks(pairs: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    rest = iter(pairs)
    while chunk := [*islice(rest, _ROWS_AT_A_TIME)]:
        yield chunk
