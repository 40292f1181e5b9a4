"""One signature, one number: whichever file, door, kernel and number of processes made it."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.cli.conftest import Run
from tests.kernels import without_kernel

import awase

# Two items in English; ROUGE-L of the second hangs on where sentences end: the same sentences stand
# in another order, so that by sentences it is 1 and of the text as one it is less.
SYSTEM = ("The cat sat on the mat. It was old.", "Rain fell in Tokyo. The trains stood still.")
REFERENCE = ("The cat sat there. It was very old.", "The trains stood still. Rain fell in Tokyo.")
METRICS = ("rouge-1", "rouge-l", "rouge-2:tokens=unicode", "rouge-su:tokens=chars")


class Number(NamedTuple):
    """What a number is about."""

    topic: str | None
    system: str
    metric: str
    signature: str


Numbers = dict[Number, float]


def rows() -> list[dict[str, str]]:
    pairs = zip(SYSTEM, REFERENCE, strict=True)
    return [
        {"id": str(n), "prediction": system, "reference": reference}
        for n, (system, reference) in enumerate(pairs, start=1)
    ]


def table(separator: str) -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, ("id", "prediction", "reference"), delimiter=separator)
    writer.writeheader()
    writer.writerows(rows())
    return written.getvalue()


def as_lists() -> list[dict[str, object]]:
    """The same rows with their sentences given."""
    return [
        {**row, **{name: [f"{one.rstrip('.')}." for one in row[name].split(". ")]
                   for name in ("prediction", "reference")}}
        for row in rows()
    ]  # fmt: skip


def by_lines() -> list[dict[str, str]]:
    return [{name: text.replace(". ", ".\n") for name, text in row.items()} for row in rows()]


FILES: dict[str, Callable[[], str]] = {
    "t.jsonl": lambda: "".join(f"{json.dumps(row)}\n" for row in rows()),
    "t.json": lambda: json.dumps(rows()),
    "t.csv": lambda: table(","),
    "t.tsv": lambda: table("\t"),
    "lists.jsonl": lambda: "".join(f"{json.dumps(row)}\n" for row in as_lists()),
    "lines.jsonl": lambda: "".join(f"{json.dumps(row)}\n" for row in by_lines()),
}


def numbers_in(scores: list[dict[str, object]], system: str) -> Numbers:
    found: Numbers = {}
    for one in scores:
        if one["value"] is not None and one["system"] == system:
            key = Number(one["topic"], "s", str(one["metric"]), str(one["signature"]))
            found[key] = float(str(one["value"]))
    return found


def asked() -> list[str]:
    return [part for metric in METRICS for part in ("-m", metric)]


def by_rouge(run: Run, path: Path, *more: str) -> Numbers:
    found = run("rouge", path, *asked(), *more, "--name", "s", "--json")
    assert found.status == 0, found.err
    return numbers_in(found.json["scores"], "s")


def by_corpus(run: Run, path: Path, *more: str) -> Numbers:
    corpus = path.with_name(f"{path.name}.awase")
    if not corpus.exists():
        imported = run("import", corpus, path)
        assert imported.status == 0, imported.err
    found = run("score", corpus, *asked(), *more, "--json")
    assert found.status == 0, found.err
    scores = found.json["scores"]
    (system,) = {one["system"] for one in scores}
    return numbers_in(scores, system)


def by_api(rows: list[dict[str, object]]) -> Numbers:
    systems = {"s": [row["prediction"] for row in rows]}
    found = awase.score(systems, [[row["reference"]] for row in rows], METRICS)  # type: ignore[arg-type]
    return {
        Number(one.topic, "s", one.metric, one.signature): float(one.value)
        for one in found.table.scores
        if one.value is not None
    }


def ways(run: Run, folder: Path) -> Iterator[tuple[str, Numbers]]:
    """Yields what each way gives: its name, and all numbers."""
    kernels: dict[str, Callable[[], AbstractContextManager[None]]] = {
        "": nullcontext, " without kernel": without_kernel
    }  # fmt: skip
    for name, text in FILES.items():
        path = folder / name
        path.write_text(text(), encoding="utf-8")
        is_whole = name in ("t.csv", "lists.jsonl")  # of the others a representative will do
        for kernel, switch in kernels.items() if is_whole else [*kernels.items()][:1]:
            with switch():
                yield f"rouge {name}{kernel}", by_rouge(run, path)
                yield f"score {name}{kernel}", by_corpus(run, path)
        for n in ("1", "2") if is_whole else ():
            yield f"score {name} in {n}", by_corpus(run, path, "--processes", n)
    for way in ("one", "lines", "en-2"):
        yield f"rouge by {way}", by_rouge(run, folder / "t.csv", "--sentences", way)
    yield "api", by_api(list(rows()))  # type: ignore[arg-type]
    yield "api of lists", by_api(as_lists())


def rouge_l(numbers: Numbers) -> tuple[str, float]:
    """Returns signature and F of ROUGE-L of the second item."""
    (found,) = [
        (key.signature, value) for key, value in numbers.items()
        if (key.topic, key.metric) == ("2", "rouge-l.f")
    ]  # fmt: skip
    return found


@pytest.mark.slow
def test_that_one_signature_is_one_number_whichever_way_it_was_made(run, tmp_path):
    found = dict(ways(run, tmp_path))
    first: dict[tuple[bool, Number], tuple[str, float]] = {}
    for way, numbers in found.items():
        assert numbers, way
        for key, value in numbers.items():
            is_of_lines = " lines." in way  # other texts: these have line feeds
            before, other = first.setdefault((is_of_lines, key), (way, value))
            assert value == other, (before, way, key)
    of_text = [way for way in found if " t." in way or way in ("api", "rouge by en-2")]
    assert len(of_text) >= 13
    for way in of_text:
        assert found[way] == found["api"], way
    for ending in ("lists", "lines"):
        of_kind = [numbers for way, numbers in found.items() if f" {ending}." in way]
        assert all(numbers == of_kind[0] for numbers in of_kind)
    assert found["api of lists"] == found["rouge lists.jsonl"]
    (by_rules, whole), (as_one, part) = rouge_l(found["api"]), rouge_l(found["rouge by one"])
    assert (whole, part) == (1, 0.5)
    assert by_rules.replace("split=en-2", "split=one") == as_one
