"""A corpus that is made and closed: a file by SQLite's own driver, which loads at once."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from awase.core.merging.handing_out import Copy
from awase.core.progress import Reporter, Silent
from awase.core.records.edits.addition import Addition
from awase.storage.changing.filling import fill_from, fill_new, fill_with
from awase.storage.changing.parses import write_parses
from awase.storage.databases.addresses import Location, is_url
from awase.storage.databases.querying import Writable
from awase.storage.opening.plain_files import Fill, create_and_close
from awase.storage.rows.parses import by_digest

ParsesByModel = Iterable[tuple[str, Iterable[tuple[str, str]]]]
"""Models, each with texts and their parses."""


def create_corpus(
    location: Location,
    *,
    name: str,
    who: str,
    addition: Addition | None = None,
    parses: Mapping[str, Mapping[str, str]] | None = None,
    source: str = "",
    reporter: Reporter | None = None,
) -> None:
    """Makes a corpus, holding `addition` when it is given, and leaves it closed.

    Args and errors are those of `CorpusStore.create`, which leaves it open.
    """
    fill = filled_with(
        name=name, who=who, addition=addition, parses=parses, source=source, reporter=reporter
    )
    _create(location, who, fill)


def _create(location: Location, who: str, fill: Fill) -> None:
    if not is_url(location):
        create_and_close(Path(location), who, fill)
        return
    from awase.storage.opening.servers import create_on_server

    create_on_server(str(location), fill).close()


def create_copy(
    location: Location, copy: Copy, *, who: str, source: str = "", reporter: Reporter
) -> None:
    """Makes a corpus that is this copy of one, topic by topic, and leaves it closed.

    Args:
        location: The new file, or the address of an empty database.
        copy: Its topics and versions may be read when they are needed.
        who: The person.
        source: Where it is from, for the log.
        reporter: Told of each topic.

    Raises:
        EnvironmentProblem: It exists, or cannot be written.
        Cancelled: The reporter asked to stop; nothing was written.
    """
    _create(location, who, filled_with_copy(copy, who=who, source=source, reporter=reporter))


def filled_with_copy(
    copy: Copy, *, who: str, source: str, reporter: Reporter, parses: ParsesByModel = ()
) -> Fill:
    """Returns what fills an empty database with this copy, topic by topic.

    Args:
        copy: Its topics and versions may be read when they are needed.
        who: The person.
        source: Where it is from, for the log.
        reporter: Told of each topic.
        parses: Each model with texts and their parses.
    """

    def fill(connection: Writable) -> None:
        fill_new(connection, name=copy.corpus.name, who=who)
        fill_with(
            connection, copy.corpus, copy.ownership, who=who, source=source, reporter=reporter
        )
        for model, by_text in parses:
            write_parses(connection, model, by_digest(by_text), who=who, source=source)

    return fill


def filled_with(
    *,
    name: str,
    who: str,
    addition: Addition | None,
    parses: Mapping[str, Mapping[str, str]] | None,
    source: str,
    reporter: Reporter | None,
) -> Fill:
    """Returns what fills an empty database, as `CorpusStore.create` says."""

    def fill(connection: Writable) -> None:
        fill_new(connection, name=name, who=who)
        if addition is not None:
            fill_from(
                connection, addition, name=name, who=who, source=source,
                reporter=reporter or Silent(),
            )  # fmt: skip
        for model, by_text in (parses or {}).items():
            write_parses(connection, model, by_digest(by_text.items()), who=who, source=source)

    return fill
