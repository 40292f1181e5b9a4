"""Damaged and hostile files of every format: each is read, or refused in words, and soon.

What is read is a corpus like any other: it is written as Awase JSON and read back as the same.
"""

import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from time import process_time

from awase.core.errors import EnvironmentProblem, InputError, Silent
from awase.core.formats.importing import read_files
from awase.core.formats.reading.requests import ReadRequest, WriteRequest
from awase.core.formats.registry import FORMATS, format_by_id
from awase.core.records.addition import addition_of, merge
from awase.core.records.corpus import Corpus
from tests.proofs.mutations import mutated
from tests.proofs.seeds import Seed, base, seeds

_OF_AN_ABSTRACT = ("alignment-table", "label-studio", "doccano")

MOST_SECONDS = 20.0
"""Of the processor, for files of some kilobytes."""

_ROUND_TRIP_OF = 10
"""One in so many of those read is written and read back."""


class Found(AssertionError):
    """An input that broke a promise; its text says which, and how to make the input again."""


@dataclass(frozen=True, slots=True)
class _Folder:
    files: Mapping[str, bytes]

    def names(self) -> Sequence[str]:
        return sorted(self.files)

    def read(self, name: str) -> bytes | None:
        return self.files.get(posixpath.normpath(name))

    def leads_outside(self, name: str) -> bool:
        return posixpath.normpath(name).startswith(("..", "/"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    format_id: str
    data: Seed
    encoding: str | None = None
    joins: bool = True

    def content(self) -> ReadRequest:
        is_file = isinstance(self.data, bytes)
        return ReadRequest(
            source="f", data=self.data if is_file else None, format_id=self.format_id,
            encoding=self.encoding, topic="t",
            abstract="a" if FORMATS[self.format_id].id in _OF_AN_ABSTRACT else "b", annotator="2",
            is_folder=not is_file,
            folder=None if is_file else _Folder(self.data),
        )  # fmt: skip


def made(number: int) -> Input:
    random = Random(number)
    all_seeds = seeds()
    format_id = random.choice(sorted(all_seeds))
    seed = random.choice(all_seeds[format_id])
    if random.random() < 0.1 and FORMATS[format_id].suffixes:
        seed = random.choice([one for group in all_seeds.values() for one in group])
    other = random.choice([one for group in all_seeds.values() for one in group])
    if not isinstance(other, bytes):
        other = random.choice([*other.values()])
    if isinstance(seed, bytes):
        data: Seed = mutated(random, seed, other)
    else:
        files = dict(seed)
        for name in random.sample(sorted(files), min(len(files), random.choice((1, 1, 2)))):
            files[name] = mutated(random, files[name], other)
        if random.random() < 0.1:
            del files[random.choice(sorted(files))]
        data = files
    encoding = random.choice((None, None, "utf-8", "euc_jp", "latin-1"))
    return Input(format_id=format_id, data=data, encoding=encoding, joins=random.random() < 0.8)


def outcome(made_input: Input, *, with_round_trip: bool = True) -> str:
    """Returns `read` or `refused`.

    Raises:
        Found: Anything else happened.
    """
    corpus = base() if made_input.joins else Corpus()
    begin = process_time()
    try:
        read = read_files(corpus, [made_input.content()], Silent(), 1)
    except InputError as error:
        if not error.problems or not all(str(problem).strip() for problem in error.problems):
            raise Found("refused without a word") from error
        return "refused"
    except EnvironmentProblem as error:
        return "refused" if str(error) else "silent"
    except Exception as error:
        raise Found(f"{type(error).__name__}: {error}") from error
    finally:
        if process_time() - begin > MOST_SECONDS:
            raise Found(f"took {process_time() - begin:.0f} s")
    if with_round_trip:
        _check_round_trip(read.corpus)
    return "read"


def _check_round_trip(corpus: Corpus) -> None:
    entry = format_by_id("awase-json")
    text = "".join(entry.piecewise_writer()(WriteRequest(corpus=corpus)))
    again = merge(Corpus(), entry.reader()(ReadRequest(text=text, source="again")).addition)
    if addition_of(again) != addition_of(corpus):
        raise Found("what was read is written and read back as something else")


def run(n_inputs: int, *, first: int = 0) -> Counter[str]:
    """Returns how many of the inputs from number `first` on were read and refused.

    Raises:
        Found: One broke a promise.
    """
    counts: Counter[str] = Counter()
    for number in range(first, first + n_inputs):
        made_input = made(number)
        try:
            counts[outcome(made_input, with_round_trip=number % _ROUND_TRIP_OF == 0)] += 1
        except Found as found:
            raise Found(
                f"input {number}, read as {made_input.format_id}: {found}"
            ) from found.__cause__
    return counts
