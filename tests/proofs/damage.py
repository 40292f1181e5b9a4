"""Damaged corpus files: read as they were, refused, or named; never wrong without a word."""

import shutil
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from awase.core.errors import AwaseError, EnvironmentProblem
from awase.core.records.corpus import Corpus
from awase.storage.store import CorpusStore
from tests.storage.sample import CONFIRMED, LINKED, addition, edit, rank_edit

N_TOPICS = 40
_WORKED_IN = "t30"
_PAGE = 4096


def made(path: Path) -> None:
    """Writes a corpus of some dozen pages with a log, parses and nothing waiting beside it."""
    content = addition(*(f"t{number}" for number in range(N_TOPICS)))
    with CorpusStore.create(path, name="x", who="ann", addition=content) as store:
        for number in range(10):
            store.apply(edit(LINKED, topic=f"t{number}"), who="ann")
            store.apply(edit(CONFIRMED, old=LINKED, topic=f"t{number}"), who="ann")
        store.apply(rank_edit("B"), who="ann")
        store.undo(who="ann")
        store.add_parses("m", {f"s{n}": "1\ta\n" * 20 for n in range(50)}, who="ann")


def damaged(content: bytes, random: Random) -> bytes:
    """Returns the file after an accident of a disk, a copy or a network."""
    data = bytearray(content)
    kind = random.choice(("bit", "bits", "run", "zeros", "swap", "cut", "shift", "page", "header"))
    at = random.randrange(len(data))
    page = at // _PAGE * _PAGE
    if kind in ("bit", "bits"):
        for _ in range(1 if kind == "bit" else 50):
            data[random.randrange(16, len(data))] ^= 1 << random.randrange(8)
    elif kind == "run":
        length = random.choice((2, 20, 500, 9000))
        data[at : at + length] = random.randbytes(len(data[at : at + length]))
    elif kind == "zeros":
        data[page : page + _PAGE] = bytes(_PAGE)
    elif kind == "swap":
        other = random.randrange(len(data)) // _PAGE * _PAGE
        data[page : page + _PAGE], data[other : other + _PAGE] = (
            data[other : other + _PAGE],
            data[page : page + _PAGE],
        )
    elif kind == "cut":
        del data[at:]
    elif kind == "shift":
        del data[at : at + random.choice((1, 7, 512))]
    elif kind == "page":
        data[page : page + _PAGE] = random.randbytes(_PAGE)
    else:
        data[random.randrange(100)] = random.randrange(256)
    return bytes(data)


def check(path: Path, original: Path, random: Random) -> str:
    """Damages a copy of `original` at `path`, and opens it to read and to write.

    Returns:
        `refused`, `named` (something is not as it was written, and is said so) or `whole`.

    Raises:
        AssertionError: Something else is read than was written, and nothing says so, before or
            after it was opened to write; reading changed the file; or an error is not told in
            words.
    """
    content = damaged(original.read_bytes(), random)
    path.write_bytes(content)
    with CorpusStore.open(original, who="", read_only=True) as store:
        wanted = (store.corpus(), store.history("ann"))
    try:
        with CorpusStore.open(path, who="", read_only=True) as store:
            found = (store.corpus(), store.history("ann"))
            outcome = "named" if store.find_damage() else "whole"
    except EnvironmentProblem as problem:
        assert str(path) in str(problem)  # noqa: PT017
        outcome = "refused"
    assert path.read_bytes() == content, "reading changed the file"
    if outcome == "whole":
        assert found == wanted, "something else is read than was written"
    _check_writing(path, wanted[0])
    return outcome


def _check_writing(path: Path, wanted: Corpus) -> None:
    """Opens the file to write, works in one topic, and looks at the others."""
    with suppress(AwaseError):
        with CorpusStore.open(path, who="ann") as store:
            store.apply(edit(LINKED, topic=_WORKED_IN), who="ann")
        with CorpusStore.open(path, who="", read_only=True) as store:
            is_whole = not store.find_damage()
            assert not is_whole or _others(store.corpus()) == _others(wanted), "damage was blessed"


def _others(corpus: Corpus) -> Corpus:
    topics = tuple(topic for topic in corpus.topics if topic.id != _WORKED_IN)
    return replace(corpus, topics=topics)


def run(n_files: int, *, first: int = 0) -> Counter[str]:
    """Returns how the damaged files from number `first` on were taken; raises as `check` does."""
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        original, work = Path(folder) / "sound.awase", Path(folder) / "work"
        made(original)
        for number in range(first, first + n_files):
            work.mkdir()
            try:
                counts[check(work / "c.awase", original, Random(number))] += 1
            except Exception as error:
                raise AssertionError(f"damaged file {number}: {error}") from error
            shutil.rmtree(work)
    return counts
