"""How what is missing is given on the command line."""

from collections.abc import Mapping
from typing import Final

from awase.core.errors import Missing, Problem

HOW: Final[Mapping[Missing, str]] = {
    Missing.VECTORS: "Name them with --vectors.",
    Missing.MODEL: "Or name one with --model FOLDER.",
    Missing.PARSES: "The commands: awase parse CORPUS, and awase parse CORPUS --from FILE.",
    Missing.EDUS: "Name it with --edus FILE.",
    Missing.ORACLES: "The command: awase oracle CORPUS -o FILE.",
    Missing.TIME: "The options: --time-limit SECONDS, --settle.",
    Missing.HUMAN_SCORES: "The command: awase import CORPUS scores.csv.",
    Missing.STUDY_OF_METRICS: "Give them to awase correlate --scores.",
    Missing.PART_OF_FOLDER: "Name it with --part.",
    Missing.FREE_NAME: "The options: --name, --force.",
    Missing.LEAVE_TO_REPLACE: "Or add --force to replace it.",
    Missing.SIZE: "The option: --size.",
    Missing.COLUMNS: "The options: --column, --reference-column, --document-column, "
    "--system-column, --id-column.",
    Missing.COLUMN_OF_OUTPUTS: "The option: --column NAME.",
    Missing.COLUMN_OF_REFERENCES: "The option: --reference-column NAME, or a file REF.",
    Missing.ALIASES: "Import the files one after the other, one with --aliases FILE (name in the "
    "file, tab, name of the system).",
    Missing.BACKUP: "The command: awase restore FILE.",
    Missing.REFERENCES: "Give a file or a folder of references as REF.",
}


def full_text(problem: Problem) -> str:
    """Returns where and what is wrong, how to mend it, and with which flag or command."""
    how = "" if problem.missing is None else HOW[problem.missing]
    return f"{problem} {how}".rstrip()
