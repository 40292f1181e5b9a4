"""What files that arrive are to an open corpus: copies that come back, other corpora, or texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from awase.core.errors import AwaseError
from awase.core.formats.awase_json.corpus import corpus_uid_in
from awase.core.text.encoding import decode
from awase.jobs.files.reading import read_file
from awase.storage.store import CorpusStore

CORPUS_SUFFIX = ".awase"
JSON_SUFFIX = ".json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """Files by what can be done with them.

    Attributes:
        copies: Copies of the open corpus, to be taken back; damaged corpus files, too, as that is
            where it is said what is wrong with them.
        corpora: Other corpora, to be opened.
        texts: Everything else, to be imported.
    """

    copies: tuple[Path, ...] = ()
    corpora: tuple[Path, ...] = ()
    texts: tuple[Path, ...] = ()


def sorted_out(paths: Sequence[Path], uid: str) -> Arrived:
    """Returns the files by what they are to the corpus with this uid; no file is changed."""
    copies: list[Path] = []
    corpora: list[Path] = []
    texts: list[Path] = []
    for path in paths:
        suffix = path.suffix.lower()
        if suffix == CORPUS_SUFFIX:
            (copies if _uid_of_corpus(path) in (uid, None) else corpora).append(path)
        elif suffix == JSON_SUFFIX and _uid_of_json(path) == uid:
            copies.append(path)
        else:
            texts.append(path)
    return Arrived(copies=tuple(copies), corpora=tuple(corpora), texts=tuple(texts))


def _uid_of_corpus(path: Path) -> str | None:
    """Returns which corpus the file is a copy of; None = it cannot be read as one."""
    try:
        with CorpusStore.open(path, who="", read_only=True) as store:
            return store.bare_ownership().corpus
    except AwaseError:
        return None


def _uid_of_json(path: Path) -> str | None:
    try:
        return corpus_uid_in(decode(read_file(path)).text)
    except (AwaseError, OSError):
        return None
