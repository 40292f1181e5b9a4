"""Corpus files for tests: what has the same content is written once and copied from then on."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from awase.core.records.addition import addition_of
from awase.core.records.corpus import Corpus
from awase.storage.store import CorpusStore


def corpus_file(path: Path, content: Corpus, *, who: str = "1") -> Path:
    """Makes a corpus file as `CorpusStore.create` does, and returns where it is.

    Copies share the uids of the first one, as files do that people copy.
    """
    path.write_bytes(_written(content, who))
    return path


@cache
def _written(content: Corpus, who: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.awase"
        addition = addition_of(content)
        CorpusStore.create(path, name=content.name, who=who, addition=addition).close()
        return path.read_bytes()
