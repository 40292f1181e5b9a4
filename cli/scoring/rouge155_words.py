"""The stop list and the irregular forms of `awase rouge155`: built in, or of a data folder."""

import os
from collections.abc import Mapping
from pathlib import Path

from awase.cli.output.messages import print_problems
from awase.core.errors import CorpusFormatError, InputError, Problem
from awase.core.metrics.rouge.word_lists import (
    WordLists,
    exceptions_of,
    own_lists,
    stop_words_of,
)

_STOP_LIST = "smart_common_words.txt"
_DATABASE = "WordNet-2.0.exc.db"
_SOURCES = "WordNet-2.0-Exceptions"
_PARTS = ("adj", "adv", "noun", "verb")
"""In the order in which the distribution builds its database; later ones win."""
_VARIABLES = ("ROUGE_EVAL_HOME", "RED_EVAL_HOME")


def word_lists(options: Mapping[str, str]) -> WordLists | None:
    """Returns the lists that the program would read; None = those that are built in.

    They are those of the folder of `-e`, or that `ROUGE_EVAL_HOME` names. Only what `-s` and `-m`
    ask for is read; what the folder lacks is told, and taken from the lists built in.
    """
    folder = _folder(options)
    if folder is None:
        return None
    own = own_lists()
    stop_words = _stop_words(folder) if "s" in options else None
    exceptions = _exceptions(folder) if "m" in options else None
    return WordLists(
        stop_words=own.stop_words if stop_words is None else stop_words,
        exceptions=own.exceptions if exceptions is None else exceptions,
    )


def _folder(options: Mapping[str, str]) -> Path | None:
    named = [("-e", options["e"])] if "e" in options else []
    named += [(name, os.environ[name]) for name in _VARIABLES if name in os.environ]
    if not named:
        return None
    by, folder = named[0]
    if not os.path.isdir(Path(folder)):
        raise InputError.of(
            "There is no folder “{folder}”, which {by} names.",
            "Correct it, or leave it out: the word lists are built in.",
            folder=folder,
            by=by,
        )
    return Path(folder)


def _stop_words(folder: Path) -> frozenset[str] | None:
    path = folder / _STOP_LIST
    if not os.path.isfile(path):
        _tell_missing(folder, _STOP_LIST)
        return None
    return stop_words_of(path.read_bytes())


def _exceptions(folder: Path) -> Mapping[str, str] | None:
    from awase.core.rouge_files.berkeley_db import entries_of

    sources = [folder / _SOURCES / f"{part}.exc" for part in _PARTS]
    has_sources = all(os.path.isfile(path) for path in sources)
    database = folder / _DATABASE
    if os.path.isfile(database):
        try:
            entries = entries_of(database.read_bytes())
        except CorpusFormatError as error:
            if not has_sources:
                _tell_unreadable(database, "; ".join(map(str, error.problems)))
                return None
        else:
            return {key.decode("latin-1"): entries[key].decode("latin-1") for key in entries}
    if has_sources:
        return exceptions_of(path.read_bytes() for path in sources)
    _tell_missing(folder, _DATABASE)
    return None


def _tell_missing(folder: Path, name: str) -> None:
    problem = Problem(
        what="“{folder}” has no {name}; the list built in is used.",
        fields={"folder": str(folder), "name": name},
    )
    print_problems("warning", [problem])


def _tell_unreadable(path: Path, reason: str) -> None:
    problem = Problem(
        what="“{path}” cannot be read, so that the irregular forms built in are used: {reason}",
        hint="Put WordNet's .exc files beside it, in a folder WordNet-2.0-Exceptions.",
        fields={"path": str(path), "reason": reason},
    )
    print_problems("warning", [problem])
