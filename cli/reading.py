"""Options of commands that read files: formats, tables and texts."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar, cast

import click

from awase.cli.options import (
    format_option,
    read_aliases,
    sentences_option,
    topic_option,
)
from awase.core.errors import InputError

if TYPE_CHECKING:
    from awase.core.formats.reading.requests import ReadRequest
    from awase.core.formats.registry import Format

F = TypeVar("F", bound=Callable[..., object])

_COLUMNS: Final = {
    "--column": ("system", "Column of a table that holds outputs; repeatable."),
    "--reference-column": ("reference", "Column that holds references."),
    "--document-column": ("document", "Column that holds documents."),
    "--system-column": ("system name", "Column that names the system of a row."),
    "--id-column": ("id", "Column that names the item of a row."),
}
_TOLD: Final = ("topic", "abstract", "annotator", "part")
_PARAMETERS: Final = {option: option.removeprefix("--").replace("-", "_") for option in _COLUMNS}


def column_options() -> Callable[[F], F]:
    """Returns the options of columns, as `columns`: role to columns."""

    def decorated(command: F) -> F:
        @wraps(command)
        def with_columns(**given: object) -> object:
            columns: dict[str, tuple[str, ...]] = {}
            for option, (role, _) in _COLUMNS.items():
                names = cast(tuple[str, ...], given.pop(_PARAMETERS[option]))
                if names:
                    columns[role] = names
            _check_form(columns.get("system", ()))
            return command(columns=columns, **given)

        result = cast(F, with_columns)
        for option, (_, what) in reversed(_COLUMNS.items()):
            result = click.option(
                option, _PARAMETERS[option], metavar="NAME", multiple=True,
                help=what if option == "--column" else f"{what}  [default: told by its name]",
            )(result)  # fmt: skip
        return result

    return decorated


def _check_form(columns: Sequence[str]) -> None:
    """Refuses the old `--column ROLE=NAME`, with what it is called now."""
    options = {role: option for option, (role, _) in _COLUMNS.items()}
    for column in columns:
        role, equals, name = column.partition("=")
        if equals and role in options:
            raise click.UsageError(f"--column {column}: write it as {options[role]} {name}.")


def separators_option() -> Callable[[F], F]:
    """Returns `--separators`, as `separators`: `all` or `none`."""
    return click.option(
        "--separators", type=click.Choice(["all", "none"]), default="all", show_default=True,
        help="Whether tags part sentences: <t> … </t>, <q>, <n>, </s>, <S_SEP>, [SEP].",
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Settings of files to read."""

    request: "ReadRequest"  # of any file
    aliases: Mapping[str, str]  # name in the files to name of the system

    def requests(self, places: Sequence[Path]) -> "list[ReadRequest]":
        """Returns the read requests, reading a pipe now, as it cannot be reread.

        Raises:
            UsageError: A required setting is missing, or one has no effect.
        """
        requests = [self.request_of(place) for place in places]
        self.check_used([request.format_id for request in requests])
        return requests

    def check_used(self, format_ids: Sequence[str]) -> None:
        """Refuses settings that no file needs."""
        from awase.core.formats.registry import format_by_id

        formats = [format_by_id(one) for one in dict.fromkeys(format_ids)]
        unused = [
            f"--{name}"
            for name in _TOLD
            if getattr(self.request, name) and not any(name in one.asks for one in formats)
        ]
        if unused and formats:
            kinds, told = ", ".join(one.id for one in formats), ", ".join(unused)
            raise click.UsageError(f"Files of {kinds} say this themselves: leave {told} out.")

    def request_of(self, place: Path) -> "ReadRequest":
        """Returns the request of one path; raises likewise."""
        from awase.jobs.files.reading import is_stream, read_argument

        streamed = read_argument(place) if is_stream(place) else None
        return replace(
            self.request,
            path=place,
            data=streamed,
            source=str(place),
            format_id=self._format(place, streamed).id,
        )

    def _format(self, place: Path, streamed: bytes | None) -> "Format":
        from awase.core.formats.registry import FORMATS, format_by_id
        from awase.jobs.importing import format_of_place

        format_id = self.request.format_id
        try:
            named = format_by_id(format_id) if format_id else None
            entry = named or format_of_place(place, streamed)
        except InputError:
            table = FORMATS["text-table"]
            if (
                format_id
                or not self.request.columns
                or not place.name.lower().endswith(table.suffixes)
            ):
                raise
            entry = table  # named columns tell what no sign of a format does
        if not entry.reads:
            readable = ", ".join(known.id for known in FORMATS.values() if known.reads)
            raise InputError.of(
                "Format “{id}” can be written, not read.", "Use one of {readable}.",
                id=entry.id, readable=readable,
            )  # fmt: skip
        missing = [f"--{name}" for name in entry.needs if getattr(self.request, name) is None]
        if missing:
            raise click.UsageError(
                f"“{place}” is read as {entry.id}, which does not say everything: "
                f"give {', '.join(missing)}{self._or_another_format(place, entry)}."
            )
        return entry

    def _or_another_format(self, place: Path, entry: "Format") -> str:
        from awase.core.formats.registry import FORMATS

        if self.request.format_id:
            return ""
        others = [
            f"--format {other.id}"
            for other in FORMATS.values()
            if other is not entry and other.reads and place.name.lower().endswith(other.suffixes)
        ]
        return f"; or name another format: {', '.join(others)}" if others else ""


def _composed(name: object) -> str | None:
    return None if name is None else unicodedata.normalize("NFC", str(name))


def reading_options() -> Callable[[F], F]:
    """Returns all options of files to read, as one `Reading`, `reading`."""
    options = (
        format_option("Format of the files"),
        click.option("--encoding", metavar="NAME",
                     help="Encoding of the files; found out when left out."),
        topic_option("Topic of the files, where they do not say."),
        click.option("--abstract", metavar="ID", help="Abstract of the files, likewise."),
        click.option("--annotator", metavar="NAME", help="Who made the alignment."),
        click.option("--language", type=click.Choice(["ja", "en"]),
                     help="For splitting into sentences."),
        click.option("--part", metavar="NAME", help="Part of a folder, such as a language pair."),
        column_options(),
        sentences_option(),
        separators_option(),
        click.option("--aliases", type=click.Path(path_type=Path),
                     help="File of names: name in the files, tab, name of the system."),
        click.option("--allow-outside", is_flag=True,
                     help="Read files that FILES name elsewhere, too."),
    )  # fmt: skip
    names = ("encoding", "annotator", "language", "part", "columns", "sentences", "allow_outside")

    def decorated(command: F) -> F:
        @wraps(command)
        def with_reading(**given: object) -> object:
            from awase.core.formats.reading.requests import ReadRequest
            from awase.core.text.script import Separators

            if given["sentences"] is not None:
                from awase.core.text.sentences import check_split

                check_split(str(given["sentences"]))
            request = ReadRequest(
                source="",
                format_id=cast(str | None, given.pop("format_id")) or "",
                topic=_composed(given.pop("topic")),
                abstract=_composed(given.pop("abstract")),
                separators=Separators(is_on=given.pop("separators") == "all"),
                # A file may name others from where a program is started that reads it.
                started_in=Path.cwd(),
                **{name: given.pop(name) for name in names},  # type: ignore[arg-type]  # as declared
            )
            aliases = read_aliases(cast(Path | None, given.pop("aliases")))
            return command(reading=Reading(request=request, aliases=aliases), **given)

        result = cast(F, with_reading)
        for option in reversed(options):
            result = option(result)
        return result

    return decorated
