"""Writing a file so that it appears when it is whole."""

from pathlib import Path

from awase.core.errors import EnvironmentProblem


def write_text(path: Path, text: str) -> None:
    """Writes the text as UTF-8; what stood there stays until the whole of it is written.

    Raises:
        EnvironmentProblem: It cannot be written.
    """
    partial = path.with_name(f".{path.name}.part")
    try:
        partial.write_text(text, encoding="utf-8", newline="\n")
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise not_writable(path, error) from error


def not_writable(path: Path, error: OSError) -> EnvironmentProblem:
    """Returns the error that tells why a file cannot be written."""
    return EnvironmentProblem(
        "“{path}” cannot be written ({error}).",
        "Choose another place, or make room on the disk.",
        path=str(path),
        error=error.strerror or str(error),
    )
