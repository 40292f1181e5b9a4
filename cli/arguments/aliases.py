"""`--aliases` and `--exclude-from`: files of names of systems."""

from pathlib import Path

from awase.core.errors import CorpusFormatError


def read_aliases(file: Path | None) -> dict[str, str]:
    """Returns other names with the names of the systems; none where there is no file.

    Raises:
        CorpusFormatError: A line without two names, or a name with two meanings.
    """
    from awase.jobs.files.reading import read_argument

    if file is None:
        return {}
    from awase.core.formats.score_files import aliases_of_file
    from awase.core.text.encoding import decode

    try:
        return aliases_of_file(decode(read_argument(file), None).text, str(file))
    except CorpusFormatError as error:
        raise CorpusFormatError(p.in_source(str(file)) for p in error.problems) from error


def names_in(file: Path | None) -> tuple[str, ...]:
    """Returns the names in a file, a line each; none where there is no file, or after `#`."""
    from awase.jobs.files.reading import read_argument

    if file is None:
        return ()
    from awase.core.text.encoding import decode

    lines = (line.strip() for line in decode(read_argument(file), None).text.splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))
