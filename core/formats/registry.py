"""Registry of formats.

A format is a module in a room of this folder with a `read` or a `write` function, or both. To add
one, write the module and its docs page and name it in the table below; a plug-in uses the entry
point `awase.formats`. Modules are imported lazily.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from importlib import import_module
from operator import attrgetter
from typing import Final, cast

from awase.core.errors import InputError, Listing
from awase.core.formats.reading.records import (
    BEGINNING,
    Sign,
    are_places_by_number,
    first_line,
    first_record,
    has_columns,
    has_key_in_first_line,
    has_records,
    has_word_near_beginning,
    sign_of,
)
from awase.core.formats.reading.requests import FolderWriter, PieceWriter, Reader
from awase.core.formats.reading.roles import JAPANESE_ROLES, has_texts, holds_texts
from awase.core.packages import Extended, Plugins, table_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A file format.

    Attributes:
        id: Stable for ever; used on the command line and in logs.
        module: Module with `read` and `write`, or instead of `write` `pieces` for long files or
            `folder_pieces` for folders.
        reader_name: Of its function, where one module reads several formats.
        writer_name: Likewise, instead of `pieces`.
        suffixes: File name endings, the usual one first; none where only folders are read.
        reads: Whether the module has `read`.
        writes: Whether the module has `write`, `pieces` or `folder_pieces`.
        sign: Detects the format by content, where its ending does not.
        folder_signs: Patterns of file names, any of which identifies a folder of this format; such
            a format can read a folder, and when it writes, it writes one.
        needs: Names of required `ReadRequest` fields.
        may_need: Names of those that only some of its files need, and that select what is written.
    """

    id: str
    title: str
    module: str
    suffixes: tuple[str, ...]
    reads: bool = True
    writes: bool = True
    needs: tuple[str, ...] = ()
    may_need: tuple[str, ...] = ()
    reader_name: str = "read"
    writer_name: str = "pieces"
    folder_signs: tuple[str, ...] = ()
    sign: Sign | None = None

    @property
    def asks(self) -> tuple[str, ...]:
        """Names of `ReadRequest` fields that mean something to this format."""
        return (*self.needs, *self.may_need)

    @property
    def is_folder(self) -> bool:
        """Whether it can read a folder, and writes one."""
        return bool(self.folder_signs)

    def reader(self) -> Reader:
        """Returns the module's function that reads."""
        return cast(Reader, getattr(import_module(self.module), self.reader_name))

    def piecewise_writer(self) -> PieceWriter:
        """Returns the module's `pieces`, or a wrapper of `write`."""
        module = import_module(self.module)
        pieces: PieceWriter | None = getattr(module, self.writer_name, None)
        return pieces or (lambda request: iter((cast(str, module.write(request)),)))

    def folder_writer(self) -> FolderWriter:
        """Returns the module's `folder_pieces`."""
        return cast(FolderWriter, import_module(self.module).folder_pieces)


def _is_table_of_extracts(text: str) -> bool:
    from awase.core.formats.tables.tsc_lines import has_heading

    return has_heading(text)


_ReadOnlyFormat = partial(Format, writes=False)

_OWN = table_of(
    attrgetter("id"),
    Format(
        id="awase-json",
        title="Awase JSON (a whole corpus)",
        module="awase.core.formats.awase_json.corpus",
        suffixes=(".json",),
    ),
    Format(
        id="alignment-table",
        sign=Sign(
            test=lambda name, text: (
                name.lower().endswith(".tsv")
                and first_line(text).count("\t") == 2
                and not _is_table_of_extracts(text)
            ),
            wants="2 tabs in the first line",
            is_weak=True,
        ),
        title="Alignment table (TSC-3, one abstract)",
        module="awase.core.formats.tables.tsc_lines",
        reader_name="read_alignment",
        writer_name="alignment_pieces",
        suffixes=(".tsv", ".align"),
        needs=("topic", "abstract", "annotator"),
    ),
    Format(
        id="extract-lines",
        sign=Sign(
            test=lambda name, text: (
                name.lower().endswith((".tsv", ".csv", ".extracts"))
                and (first_line(text).count("\t") == 3 or _is_table_of_extracts(text))
            ),
            wants="3 tabs in the first line, or the columns topic, system, sentence",
            is_weak=True,
        ),
        title="System extracts (one per line)",
        module="awase.core.formats.tables.tsc_lines",
        reader_name="read_extracts",
        writer_name="extract_pieces",
        suffixes=(".extracts", ".tsv"),
    ),
    _ReadOnlyFormat(
        id="text",
        title="Plain text document",
        module="awase.core.formats.tables.text_folder",
        reader_name="read_document",
        suffixes=(".txt",),
        needs=("topic",),
    ),
    _ReadOnlyFormat(
        id="sgml",
        title="TSC / NTCIR documents (SGML)",
        module="awase.core.formats.duc.summaries",
        reader_name="read_sgml",
        suffixes=(".sgml", ".sgm", ".xml"),
        needs=("topic",),
    ),
    _ReadOnlyFormat(
        id="duc-documents",
        sign=sign_of("duc-documents"),
        title="DUC documents with numbered sentences",
        module="awase.core.formats.duc.summaries",
        reader_name="read_duc",
        suffixes=(".s", ".sgml", ".sgm"),
        may_need=("topic",),
    ),
    _ReadOnlyFormat(
        id="duc-abstracts",
        sign=sign_of("duc-abstracts"),
        title="DUC and TAC summaries",
        module="awase.core.formats.duc.summaries",
        reader_name="read_abstracts",
        suffixes=(".sum", ".html", ".htm", ".sgml", ".sgm", ".txt"),
        may_need=("topic", "abstract", "annotator"),
    ),
    _ReadOnlyFormat(
        id="duc-extracts",
        sign=sign_of("duc-extracts"),
        title="DUC 2002 extracts",
        module="awase.core.formats.duc.summaries",
        reader_name="read_extracts",
        suffixes=(".200e", ".400e", ".sgml", ".sgm"),
        may_need=("topic", "annotator"),
    ),
    _ReadOnlyFormat(
        id="ducview-pyramid",
        title="DUCView pyramid",
        module="awase.core.formats.duc.pyramid",
        reader_name="read_pyramid_file",
        suffixes=(".pyr",),
        may_need=("topic", "abstract", "annotator"),
    ),
    _ReadOnlyFormat(
        id="ducview-annotation",
        title="DUCView peer annotation",
        module="awase.core.formats.duc.pyramid",
        reader_name="read_annotation",
        suffixes=(".pan",),
        may_need=("topic", "annotator"),
    ),
    Format(
        id="score-table",
        sign=has_columns(
            lambda names: (
                {"system", "sys", "summarizer", "peer"} & {*names} != set()
                and {"measure", "metric", "dimension"} & {*names} != set()
                and {"value", "score", "rating"} & {*names} != set()
            ),
            "the columns system, measure and value",
        ),
        title="Human scores (CSV or TSV with a heading)",
        module="awase.core.formats.scores.score_files",
        reader_name="read_table",
        suffixes=(".csv", ".tsv"),
    ),
    _ReadOnlyFormat(
        id="wmt-scores",
        sign=Sign(
            test=lambda name, text: (
                name.lower().endswith((".csv", ".tsv"))
                and {"RAW.SCR", "Z.SCR"} & {*re.split(r"[\s,;\"]+", first_line(text))} != set()
            ),
            wants="RAW.SCR or Z.SCR in its heading",
        ),
        title="Human scores of WMT evaluations",
        module="awase.core.formats.scores.score_files",
        reader_name="read_wmt",
        suffixes=(".score", ".scores", ".scr"),
        may_need=("part",),
    ),
    _ReadOnlyFormat(
        id="duc-scores",
        title="Human scores of DUC 2004",
        module="awase.core.formats.scores.score_files",
        reader_name="read_duc",
        suffixes=(".table2", ".table5", ".table.r"),
        may_need=("annotator",),
    ),
    _ReadOnlyFormat(
        id="sacrerouge-summaries",
        sign=has_records(
            (".jsonl", ".json"),
            lambda record: (
                "instance_id" in record and "summary" in record and "metrics" not in record
            ),
            "instance_id and summary in its records",
        ),
        title="sacrerouge's JSONL of summaries",
        module="awase.core.formats.tables.data_sets",
        reader_name="read_summaries",
        suffixes=(".jsonl",),
    ),
    _ReadOnlyFormat(
        id="realsumm",
        sign=has_records(
            (".jsonl", ".json"),
            lambda record: (
                (isinstance(record.get("systems"), Mapping) and "topic" in record)
                or isinstance(record.get("system_summaries"), Mapping)
            ),
            "topic and systems in its records",
        ),
        title="REALSumm's outputs with human scores (JSONL, pickle)",
        module="awase.core.formats.tables.data_sets",
        reader_name="read_realsumm",
        suffixes=(".jsonl", ".pkl"),
    ),
    _ReadOnlyFormat(
        id="far",
        sign=Sign(
            test=lambda name, text: (
                (
                    name.lower().endswith(".json")
                    and '"awase"' not in text[:BEGINNING]
                    and '"extracts"' in text
                    and '"alternatives"' in text
                )
                or (
                    name.lower().endswith(".txt")
                    and text.lstrip().startswith("idx: ")
                    and "\nFacet-0:" in text
                )
                or (
                    name.lower().endswith((".pkl.jsonl", ".pickle.jsonl"))
                    and are_places_by_number(first_record(text))
                )
            ),
            wants="topics with alternatives and extracts",
        ),
        title="FAR's facets with extracts (JSON), or as published (text, pickled extracts)",
        module="awase.core.formats.tables.far",
        suffixes=(".json",),  # .txt is plain text without the sign
    ),
    _ReadOnlyFormat(
        id="sacrerouge",
        sign=has_key_in_first_line(".jsonl", '"metrics"'),
        title="Human scores in sacrerouge's JSONL",
        module="awase.core.formats.scores.score_files",
        reader_name="read_sacrerouge",
        suffixes=(".jsonl",),
    ),
    Format(
        id="label-studio",
        sign=has_records(
            (".json",),
            lambda record: (
                isinstance(record.get("data"), Mapping)
                or isinstance(record.get("annotations"), list)
            ),
            "a list of tasks with data",
        ),
        title="Alignments as tasks of Label Studio (JSON)",
        module="awase.core.formats.spans.tools",
        reader_name="read_tasks",
        writer_name="task_pieces",
        suffixes=(".json",),
        may_need=("topic", "abstract", "annotator"),
    ),
    Format(
        id="doccano",
        sign=has_records(
            (".jsonl",),
            lambda record: (
                isinstance(record.get("text"), str)
                and not record.keys().isdisjoint(("label", "labels", "entities"))
            ),
            "a text under “text” and its spans under “label” or “entities” in its records",
            is_weak=True,
        ),
        title="Alignments as texts of doccano (JSONL)",
        module="awase.core.formats.spans.tools",
        reader_name="read_records",
        writer_name="record_pieces",
        suffixes=(".jsonl",),
        may_need=("topic", "abstract", "annotator"),
    ),
    _ReadOnlyFormat(
        id="summeval",
        sign=has_key_in_first_line(".jsonl", '"expert_annotations"'),
        title="SummEval's JSONL (texts and human scores)",
        module="awase.core.formats.tables.data_sets",
        reader_name="read_summeval",
        suffixes=(".jsonl",),
    ),
    _ReadOnlyFormat(
        id="text-table",
        sign=has_columns(
            has_texts,
            "a column such as reference, highlights, summary, prediction or article",
            record_test=holds_texts,
        ),
        title="Texts in a table (JSONL, CSV, TSV, Excel, Parquet)",
        module="awase.core.formats.tables.text_table",
        suffixes=(".jsonl", ".json", ".csv", ".tsv"),
    ),
    Format(
        id="rouge-settings",
        sign=has_word_near_beginning(".xml", "<ROUGE"),
        title="ROUGE-1.5.5 settings with their summaries",
        module="awase.core.formats.tables.rouge_settings",
        suffixes=(".xml",),
        folder_signs=("settings.xml", "*/settings.xml"),
    ),
    _ReadOnlyFormat(
        id="mtme",
        title="Data of mt-metrics-eval (a folder)",
        module="awase.core.formats.tables.data_sets",
        reader_name="read_mtme",
        suffixes=(),
        folder_signs=("system-outputs/*/*.txt", "sources/*.txt"),
    ),
    _ReadOnlyFormat(
        id="hf-dataset",
        title="Data set of the library datasets (a folder)",
        module="awase.core.formats.tables.text_table",
        reader_name="read_hf",
        suffixes=(),
        folder_signs=("*.arrow", "*/*.arrow", "*.parquet", "*/*.parquet"),
    ),
    Format(
        id="parallel-text",
        title="Parallel texts (a folder, one item per line)",
        module="awase.core.formats.tables.parallel_text",
        suffixes=(),
        folder_signs=("out_*.txt", "*/out_*.txt", "ref.txt", "ref[!e]*.txt", "src.txt"),
    ),
    _ReadOnlyFormat(
        id="text-folder",
        title="Plain texts with roles given by their names (a folder)",
        module="awase.core.formats.tables.text_folder",
        suffixes=(),
        folder_signs=(
            *[
                f"{place}{word}{rest}"
                for word in (
                    "document",
                    "documents",
                    "doc",
                    "docs",
                    "article*",
                    "source*",
                    "reference*",
                    "ref",
                    "refs",
                    "abstract*",
                    "system*",
                    "peer*",
                    "models",
                    "output*",
                    "summar*",
                )
                for place, rest in (
                    ("", "/*"),
                    ("", "/*/*"),
                    ("*/", ".txt"),
                    ("*.", ".txt"),
                    ("*.", ".*.txt"),
                    ("", ".txt"),
                    ("", "[-_.]*.txt"),
                    ("*[-_]", ".txt"),
                    ("*/", "[-_.]*.txt"),
                    ("*/*[-_.]", ".txt"),
                )
            ],
            *[
                pattern.format(word)
                for word in JAPANESE_ROLES
                for pattern in ("{}/*", "{}/*/*", "*/{}/*", "*{}*.txt", "*/*{}*.txt")
            ],
        ),
    ),
)


def _complaint_of(name: str, added: Format) -> str:
    if added.id != name:
        return f"its format is called {added.id}"
    return "this program has a format of that name" if name in _OWN else ""


ADDED: Final = Plugins("awase.formats", Format, _complaint_of)  # formats of other packages

FORMATS: Mapping[str, Format] = Extended(_OWN, ADDED)


def format_by_id(format_id: str) -> Format:
    """Returns the format with this id."""
    entry = FORMATS.get(format_id)
    if entry is None:
        problem = ADDED.problem_of(format_id)
        if problem is not None:
            raise InputError([problem])
        raise InputError.of(
            "There is no format “{id}”.",
            "Use one of {known}.",
            id=format_id,
            known=Listing(FORMATS),
        )
    return entry


def format_of_file(name: str, *, for_writing: bool = False) -> Format:
    """Returns the first format by a file's ending."""
    for entry in FORMATS.values():
        able = entry.writes if for_writing else entry.reads
        if able and name.lower().endswith(entry.suffixes):
            return entry
    raise unknown_ending(name, FORMATS)


def unknown_ending(name: str, known: Iterable[str]) -> InputError:
    """Returns the error that a file's name does not tell which of these formats it has."""
    return InputError.of(
        "The extension of “{name}” does not show its format.",
        "Name the format: one of {known}.",
        name=name,
        known=Listing(known),
    )


def format_of_folder(place: str, names: Iterable[str]) -> Format:
    """Returns the first format with a sign among the folder's files, by relative `names`."""
    known = [*names]
    for entry in FORMATS.values():
        for sign in entry.folder_signs:
            depth = sign.count("/")
            if any(name.count("/") == depth and fnmatchcase(name, sign) for name in known):
                return entry
    raise InputError.of(
        "The files of folder “{place}” do not show its format.",
        "Name the files, or the format: one of {known}.",
        place=place,
        known=Listing(entry.id for entry in FORMATS.values() if entry.is_folder),
    )
