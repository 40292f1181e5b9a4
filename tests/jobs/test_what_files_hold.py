"""What an import takes files for: one table, a row for each shape of data that people have."""

import gzip
import json
import unicodedata
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests import building
from tests.in_part import in_turn
from tests.written import write_files

from awase.core.errors import EnvironmentProblem, InputError, Missing, Silent
from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.reading.topic_parts import topic_named
from awase.core.records.corpus import Assignment, Corpus, Person
from awase.core.records.topic import Topic
from awase.core.reports.grid import TableRows
from awase.jobs.files.text_lines import TextFileLayout, TextsOfFile
from awase.jobs.files.text_pairs import TextPairs
from awase.jobs.files.writing import BINARY_FORMS, TableForm, Target, text_lines, write_binary
from awase.jobs.importing import FileBeginning, format_of_place, read_all
from awase.jobs.subset import chosen_by_names

Files = dict[str, Any]
DOC, REF, HYP = "The old dog ran home. It slept.", "A dog ran.", "The dog ran."
SOURCES = building.corpus(building.topic("t1", docs=[f"Sentence {n}." for n in (1, 2, 3)]))


def read(folder: Path, files: Files, corpus: Corpus | None = None, **said: Any) -> Corpus:
    """Returns the corpus that an import makes of a file, or of a folder of several."""
    write_files(folder, files)
    names = [*files]
    paths = [folder / names[0]] if len(names) == 1 and "/" not in names[0] else [folder]
    read_files = [
        ReadRequest(path=path, format_id=format_of_place(path).id, source=path.name, **said)
        for path in paths
    ]
    return read_all(corpus or Corpus(), read_files, Silent()).corpus


def shape(corpus: Corpus) -> dict[str, Any]:
    """Returns the sentences of documents, abstracts and outputs, by topic, kind and id; scores."""
    parts: dict[str, Any] = {}
    for topic in corpus.topics:
        for kind, texts in (("document", topic.documents), ("abstract", topic.abstracts)):
            for one in texts:
                parts[f"{topic.id}: {kind} {one.id}"] = [s.text for s in one.sentences]
        for output in topic.outputs:
            parts[f"{topic.id}: output {output.system}"] = [*map(str, output.sentences)]
    scores = {(s.topic, s.system, s.measure): s.value for s in corpus.human_scores}
    return parts | ({"scores": scores} if scores else {})


@in_turn(
    ("files", "expected"),
    [
        (
            {"t.csv": f"id,system,summary\n1,bart,{HYP}\n1,lead,{REF}\n"},
            {"1: output bart": [HYP], "1: output lead": [REF]},
        ),
        (
            {"t.jsonl": [{"id": "1", "model": "bart", "text": HYP, "reference": REF}]},
            {"1: abstract ref": [REF], "1: output bart": [HYP]},
        ),
        (
            {"t.jsonl": [{"text": DOC, "summary": REF, "model_summary": HYP}]},
            {
                "1: document src": ["The old dog ran home.", "It slept."],
                "1: abstract ref": [REF],
                "1: output model_summary": [HYP],
            },
        ),
        (
            {"t.csv": "ID,本文,要約,出力_リード\n1,犬が走った。,犬。,猫が寝た。\n"},
            {
                "1: document src": ["犬が走った。"],
                "1: abstract ref": ["犬。"],
                "1: output リード": ["猫が寝た。"],
            },
        ),
        (
            {
                "t.jsonl": [
                    {
                        "example_id": "e",
                        "id": "1",
                        "reference": REF,
                        "system_outputs": {"bart": HYP, "lead": REF},
                        "annotations": {"bart": {"acu": 0.5, "note": "x"}, "lead": {"acu": 1}},
                    }
                ]
            },
            {
                "1: abstract ref": [REF],
                "1: output bart": [HYP],
                "1: output lead": [REF],
                "scores": {("1", "bart", "acu"): 0.5, ("1", "lead", "acu"): 1.0},
            },
        ),
        (
            {
                "t.json": [
                    {
                        "id": 1,
                        "summaries": {"m": {"summary": HYP, "dimensions": {"relevance": 4.33}}},
                    }
                ]
            },
            {"1: output m": [HYP], "scores": {("1", "m", "relevance"): 4.33}},
        ),
        (
            {
                "t.jsonl": [
                    {"text": ["a b", " ", "c d", "e f"], "summary": ["x y"], "label": [1, 1, 0, 1]}
                ]
            },
            {
                "1: document src": ["a b", "c d", "e f"],
                "1: abstract ref": ["x y"],
                "1: output label": ["src:1", "src:3"],
            },
        ),
        (
            {"t.json": [{"src": [["a", "b"], ["c"]], "tgt": [["x", "y"]], "labels": [1]}]},
            {
                "1: document src": ["a b", "c"],
                "1: abstract ref": ["x y"],
                "1: output labels": ["src:2"],
            },
        ),
        (
            {"t.jsonl": [{"id": 1, "prediction": "a b <q> c d", "reference": "c d\na b"}]},
            {"1: abstract ref": ["c d", "a b"], "1: output prediction": ["a b", "c d"]},
        ),
        (
            {"台風/要約-short.txt": "風が吹いた。", "台風/A社.txt": "風が吹いた。雨が降った。"},
            {
                "台風: document A社": ["風が吹いた。", "雨が降った。"],
                "台風: abstract short": ["風が吹いた。"],
            },
        ),
        (
            {
                unicodedata.normalize("NFD", "がけ崩れ/アブストラクト-short.txt"): "崩れた。",
                unicodedata.normalize("NFD", "がけ崩れ/ガス.txt"): "がけが崩れた。",
            },
            {
                "がけ崩れ: document ガス": ["がけが崩れた。"],
                "がけ崩れ: abstract short": ["崩れた。"],
            },
        ),
        (
            {
                "system/news.001.txt": "a dog ran\nit slept\n",
                "model/news.A.001.txt": "dogs run\n",
                "model/news.B.001.txt": "dogs ran\n",
            },
            {
                "001: abstract A": ["dogs run"],
                "001: abstract B": ["dogs ran"],
                "001: output system": ["a dog ran", "it slept"],
            },
        ),
        (
            {"t/abstract.txt": "dogs run\n", "t/system-lead.txt": "a dog ran\n\nit slept"},
            {"t: abstract ref": ["dogs run"], "t: output lead": ["a dog ran", "it slept"]},
        ),
        (
            {
                f"{role}/00000{n}_{role}.txt": f"{role} {n}."
                for role in ("decoded", "reference")
                for n in (0, 1)
            },
            {
                "000000: abstract ref": ["reference 0."],
                "000000: output system": ["decoded 0."],
                "000001: abstract ref": ["reference 1."],
                "000001: output system": ["decoded 1."],
            },
        ),
    ],
)
def test_that_files_are_taken_for_what_they_hold(tmp_path_factory, files, expected):
    assert shape(read(tmp_path_factory.mktemp("files"), files)) == expected


@pytest.mark.slow
def test_that_long_cells_and_long_first_lines_are_read(tmp_path):
    long = f"The dog ran{' on' * 400_000}."
    for name, files in {
        "csv": {"t.csv": f"id,article,prediction\n1,{long},{HYP}\n"},
        "jsonl": {"t.jsonl": [{"article": long, "prediction": HYP, "id": "1"}]},
        "json": {"t.json": [{"article": long, "prediction": HYP, "id": "1"}]},
    }.items():
        (tmp_path / name).mkdir()
        (topic,) = read(tmp_path / name, files).topics
        assert [one.text for one in topic.documents[0].sentences] == [long], name
        assert [*map(str, topic.outputs[0].sentences)] == [HYP]


@in_turn(
    ("data", "n_had", "is_whole"),
    [
        (b"a\n" * 3, 6, True),
        (b"a,b\n" * 300_000, 1_000_000, False),
        (b"a" * 1_200_000 + b"\nb\n", 1_000_000, False),
        (b" {" + b"a" * 1_200_000 + b"}\n{}\n", 1_200_004, False),
        (b"[" + b"a" * 1_200_000, 1_200_001, True),
    ],
)
def test_that_a_beginning_is_whole_lines_of_a_million_bytes_and_records_are_whole(
    tmp_path, data, n_had, is_whole
):
    (tmp_path / "t").write_bytes(data)
    for found in (FileBeginning.of(data), FileBeginning.of_file(tmp_path / "t")):
        assert (len(found.data), found.is_whole) == (n_had, is_whole)
        assert data.startswith(found.data)


TABLE = TableRows(
    columns=("id", "prediction", "highlights", "quality"),
    rows=(("1", HYP, REF, 0.1 + 0.2), ("2", "=1+1", DOC, None), ("3", "犬。", "猫。", 2.0)),
)


@in_turn(
    "name", ["t.csv", "t.tsv", "t.jsonl", "t.json", "t.csv.gz", "t.jsonl.gz", "t.parquet", "t.xlsx"]
)
def test_that_a_table_that_was_written_is_streamed_in_every_form(tmp_path, name):
    path, packed = tmp_path / name.removesuffix(".gz"), tmp_path / name
    if path.suffix == ".json":
        rows = [dict(zip(TABLE.columns, row, strict=True)) for row in TABLE.rows]
        path.write_text(json.dumps(rows))
    elif (form := TableForm(path.suffix[1:])) in BINARY_FORMS:
        if find_spec({"parquet": "pyarrow", "xlsx": "openpyxl"}[form]) is None:
            return
        write_binary(TABLE, form, Target(path=path, replaces=True))
    else:
        head, _, rest = "".join(text_lines(TABLE, form)).partition("\n")
        blank = {TableForm.JSONL: " ", TableForm.CSV: ",,,"}.get(form, "")
        path.write_text(f"\ufeff{head}\n{blank}\n{rest}", "utf-8")
    if packed != path:
        packed.write_bytes(gzip.compress(path.read_bytes()))
    with ExitStack() as opened:
        texts = TextsOfFile(str(packed), opened, TextFileLayout(has_references=True))
        assert texts.progress()[0] == 0
        found = [*texts]
        assert texts.progress()[1] > 0
    said = [(one.id, one.output, *one.references) for one in found]
    assert [(id, *(" ".join(text.sentences) for text in rest)) for id, *rest in said] == [
        row[:3] for row in TABLE.rows
    ]


def test_that_a_parquet_file_has_all_rows_and_the_kinds_of_its_columns(tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    rows = [(n, n / 2 if n else 0, n % 2 == 0, n if n % 2 else "x", None) for n in range(20_001)]
    path = tmp_path / "t.parquet"
    two = TableRows(columns=("system", "text", "reference"), rows=[(s, HYP, REF) for s in "ab"])
    write_binary(two, TableForm.PARQUET, Target(path=path))
    with ExitStack() as opened, pytest.raises(InputError, match="several systems"):
        [*TextsOfFile(str(path), opened, TextFileLayout(has_references=True))]
    table, path = TableRows(columns=tuple("abcde"), rows=rows), tmp_path / "u.parquet"
    write_binary(table, TableForm.PARQUET, Target(path=path))
    read = pq.read_table(path)
    kinds = ["int64", "double", "bool", "string", "string"]
    assert [str(one.type) for one in read.schema] == kinds
    assert read.num_rows == len(rows)
    assert [*read.slice(19_999).to_pylist()[0].values()] == [19_999, 9999.5, False, "19999", None]


def test_that_a_sheet_has_numbers_to_their_last_digit_and_runs_nothing(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    row, path = (0.1 + 0.2, "=1", 2, None), tmp_path / "t.xlsx"
    write_binary(TableRows(columns=tuple("abcd"), rows=[row]), TableForm.XLSX, Target(path=path))
    _, cells = openpyxl.load_workbook(path).active.iter_rows()
    assert [(one.value, one.data_type) for one in cells] == [*zip(row, "nsnn", strict=True)]


@in_turn(
    ("content", "format_id"),
    [
        (b'\n{"id": "1", "summary": "A."}\n', "text-table"),
        (b'{"name": "x",\n"topics": []}', "awase-json"),
        (b"\xef\xbb\xbf\n<DOC/>", "sgml"),
        (b"1\tA\td:1\n", "alignment-table"),
    ],
)
def test_that_the_beginning_of_what_comes_through_a_pipe_tells_its_format(content, format_id):
    assert format_of_place(Path("pipe"), content).id == format_id


def test_that_each_file_of_texts_is_asked_for_what_it_has():
    declared = {"system": ("s",), "system name": ("n",), "reference": ("r",), "id": ("i",)}
    layout, systems = TextFileLayout(declared=declared), {"x": "x.csv", "y": "y.csv", "z": "-"}
    for references, has in (
        (("one.txt", "two.txt"), ["sn", "sn", "sn", "r", "r"]),
        ((), ["srn", "sn", "sn"]),
    ):
        found = TextPairs(systems=systems, references=references, layout=layout).layouts()
        assert [(one.has_systems, one.has_references) for one in found] == [
            ("s" in each, "r" in each) for each in has
        ]
        assert [{columns[0] for columns in one.declared.values()} - {"i"} for one in found] == [
            {*each} for each in has
        ]


def test_that_a_missing_package_is_told_before_anything_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr("awase.core.packages.find_spec", lambda _name: None)
    for form, package in ((TableForm.PARQUET, "pyarrow"), (TableForm.XLSX, "openpyxl")):
        with pytest.raises(EnvironmentProblem, match=f"{form} needs the package {package}"):
            write_binary(TABLE, form, Target(path=tmp_path / "t"))
    assert not [*tmp_path.iterdir()]


def test_that_names_are_compared_in_one_composition():
    decomposed = unicodedata.normalize("NFD", "がけ")
    for stored, typed in (("がけ", decomposed), (decomposed, "がけ")):
        outputs = [building.extract(system, "s1") for system in (stored, "b")]
        work = tuple(Assignment(topic=name, person="A") for name in ("other", stored))
        topics = (building.topic(stored, outputs=outputs), Topic(id="other"))
        corpus = Corpus(topics=topics, assignments=work, persons=(Person(id="A"),))
        subset = chosen_by_names([typed], [typed])
        subset.check(corpus)
        (left,) = subset.part_of(corpus).topics
        assert topic_named(corpus, typed).id == stored
        assert subset.part_of(corpus).assignments == work[1:]
        assert (left.id, [one.system for one in left.outputs]) == (stored, [stored])


def test_that_a_system_in_two_files_is_the_cause_that_is_told(tmp_path):
    records = [
        {"topic": f"t{n}", "systems": {"bart_out.txt": {"summary": [HYP], "human_acu": 0.5}}}
        for n in range(3)
    ]
    write_files(tmp_path, {"abs.jsonl": records, "ext.jsonl": records})
    files = [
        ReadRequest(path=tmp_path / name, format_id="realsumm", source=name)
        for name in ("abs.jsonl", "ext.jsonl")
    ]
    with pytest.raises(InputError) as caught:
        read_all(Corpus(), files, Silent())
    (problem,) = caught.value.problems
    assert "System “bart_out.txt” already has outputs" in str(problem)
    assert problem.missing is Missing.ALIASES


@in_turn(
    "table",
    [
        "topic,system,sentence\nt1,lead,d:1\nt1,lead,d:3\nt1,mmr,s2\n",
        "system\ttopic\trank\tsentence\nlead\tt1\t2\td:3\nmmr\tt1\t1\td:2\nlead\tt1\t1\td:1\n",
    ],
)
def test_that_a_table_of_sentences_is_one_of_extracts(tmp_path_factory, table):
    name = "t.csv" if "," in table else "t.tsv"
    corpus = read(tmp_path_factory.mktemp("files"), {name: table}, SOURCES)
    assert shape(corpus)["t1: output lead"] == ["d:1", "d:3"]
    assert shape(corpus)["t1: output mmr"] == ["d:2"]
