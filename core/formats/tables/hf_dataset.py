"""A data set as the library `datasets` saves it: a folder of Arrow or Parquet files.

dataset_info.json, state.json, data-00000-of-00001.arrow            one split (`save_to_disk`)
dataset_dict.json, train/…, test/…                                  several splits
data/train-00000-of-00002.parquet                                   as the hub has them

A folder with several splits needs to be told which (`part`).
"""

import re
from collections.abc import Iterator, Sequence
from io import BytesIO

from awase.core.errors import CorpusFormatError, Listing, Missing
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.scores.score_rows import Rows
from awase.core.formats.tables.arrow import ArrowRows
from awase.core.formats.tables.text_table import Record, topics_of_records

_SPLIT_OF_FILE = re.compile(r"(?:.*/)?([A-Za-z0-9_]+?)(?:-\d+-of-\d+.*)?\.(?:arrow|parquet|jsonl)")


def read(request: ReadRequest) -> ReadResult:
    """Returns a topic for each row of a split."""
    splits = _splits(request.files.names())
    split = _chosen(request, splits)
    rows = Rows(Findings(request.source))
    records: list[tuple[int, Record]] = []
    for name in splits[split]:
        for record in _records(request, name):
            records.append((len(records) + 1, record))
    return topics_of_records(records, request, rows)


def _splits(names: Sequence[str]) -> dict[str, list[str]]:
    """Returns the files of each split, in order."""
    splits: dict[str, list[str]] = {}
    for name in sorted(names):
        match = _SPLIT_OF_FILE.fullmatch(name)
        if match is None or match[1].startswith("cache"):
            continue
        folder = name.rpartition("/")[0].rpartition("/")[2]
        split = folder if match[1] == "data" and folder else match[1]
        splits.setdefault(split, []).append(name)
    return splits


def _chosen(request: ReadRequest, splits: dict[str, list[str]]) -> str:
    if request.part is not None and request.part in splits:
        return request.part
    if request.part is None and len(splits) == 1:
        return next(iter(splits))
    if not splits:
        raise CorpusFormatError.of(
            "The folder has no Arrow or Parquet file.", "Name the folder of a saved data set."
        )
    raise CorpusFormatError.of(
        "The data set has the splits {splits}, and one is to be named.",
        splits=Listing(splits),
        missing=Missing.PART_OF_FOLDER.value,
    )


def _records(request: ReadRequest, name: str) -> Iterator[Record]:
    data = request.files.data(name)
    if data is None:
        return
    source = request.files.source_of(name)
    for some in ArrowRows(BytesIO(data), source, needed_for="hf-dataset").portions():
        yield from some
