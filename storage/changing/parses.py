"""Parses joined to a stored corpus or taken out of it, within the caller's transaction."""

from collections.abc import Iterable

from awase.core.batches import batches
from awase.core.errors import InputError, Listing
from awase.storage.databases.querying import Writable, change, named_values
from awase.storage.log.acts import log_act
from awase.storage.rows.inserting import insert_rows
from awase.storage.rows.parses import ROWS_AT_A_TIME, read_models


def write_parses(
    connection: Writable, model: str, parses: Iterable[tuple[str, str]], *, who: str, source: str
) -> None:
    """Stores parses, in the place of the same model's of the same texts, and logs it.

    Args:
        connection: Writes them.
        model: What made them.
        parses: Digest of each text with its parse; of equal texts one.
        who: The person.
        source: File that they are from; empty = there is none.
    """
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
            known=Listing(known),
        )
    change(connection, "DELETE FROM parse WHERE model = :model", model=model)
    details: dict[str, object] = {"model": model, "sentences": known[model]}
    log_act(connection, who=who, kind="remove-parses", subject=model, details=details)
    return known[model]
