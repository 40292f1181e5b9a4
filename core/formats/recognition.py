"""Which format a file has, by its name and its first lines."""

from awase.core.formats.registry import FORMATS, Format, format_of_file


def format_of_text(name: str, text: str) -> Format:
    """Returns the format of a file; what it holds tells formats apart that share an ending.

    Args:
        name: Its name.
        text: Its beginning, at least the first line that is not blank.

    Raises:
        InputError: The name tells nothing, and the file shows no sign of a format.
    """
    signed = [(entry.sign, entry) for entry in FORMATS.values() if entry.sign and entry.reads]
    for sign, entry in sorted(signed, key=lambda pair: pair[0].is_weak):
        if sign.test(name, text):
            return entry
    return format_of_file(name)
