"""Data sets as people have them become topics, and the same ones in whatever form they come."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_part
from tests.shared_data import SHARED_DATA

from awase.api.corpora import read
from awase.core.errors import InputError, Silent
from awase.core.formats.importing import format_of_text
from awase.core.formats.reading.records import NOT_JSON, json_records
from awase.core.formats.reading.requests import LEFT_OUT, ReadRequest
from awase.core.formats.reading.roles import column_roles, record_roles, scores_in
from awase.core.formats.tables import text_table
from awase.core.formats.tables.text_folder import files_of
from awase.core.records.abstract import AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.topic import TextOutput
from awase.jobs.importing import format_of_place, read_all

ROWS = [
    {"id": "t1", "article": "The cat sat. It slept.", "highlights": "A cat slept.",
     "prediction": "The cat sat."},
    {"id": "t2", "article": "A dog ran.", "highlights": "Dogs run.", "prediction": "A dog."},
]  # fmt: skip


def test_that_a_name_of_systems_is_of_one_column_of_outputs_and_scores_are_numbers():
    assert column_roles(["system", "summary"], {}).system_name == "system"
    assert column_roles(["system", "output_a", "output_b"], {}).system_name is None
    assert scores_in({"x": 1, "y": True, "z": 0.5, "w": "3"}) == {"x": "1", "z": "0.5"}
    later = record_roles([{"id": "1", "outputs": None}, {"id": "2", "outputs": {"s": "x"}}], {})
    assert (later.id, later.keyed) == ("id", ("outputs",))


def imported(path: Path, part: str | None = None, **columns: str) -> Corpus:
    file = ReadRequest(
        path=path, format_id=format_of_place(path).id, source=path.name, part=part, columns=columns
    )
    return read_all(Corpus(), [file], Silent()).corpus


def shape(corpus: Corpus) -> list[Any]:
    return [
        (
            topic.id,
            [(one.id, [s.text for s in one.sentences]) for one in topic.documents],
            [(one.id, [s.text for s in one.sentences]) for one in topic.abstracts],
            [
                (one.system, one.sentences, one.references)
                for one in topic.outputs
                if isinstance(one, TextOutput)
            ],
        )
        for topic in corpus.topics
    ]


EXPECTED = [
    ("t1", [("src", ["The cat sat.", "It slept."])], [("ref", ["A cat slept."])],
     [("prediction", ("The cat sat.",), None)]),
    ("t2", [("src", ["A dog ran."])], [("ref", ["Dogs run."])],
     [("prediction", ("A dog.",), None)]),
]  # fmt: skip


def frame() -> Any:
    import pandas  # half a second in each process that collects

    return pandas.DataFrame(ROWS)


WRITERS: dict[str, Callable[[Path], object]] = {
    "t.csv": lambda path: frame().to_csv(path, index=False),
    "t.tsv": lambda path: frame().to_csv(path, index=False, sep="\t"),
    "t.jsonl": lambda path: frame().to_json(path, orient="records", lines=True),
    "t.json": lambda path: frame().to_json(path, orient="records", indent=2),
    "t.xlsx": lambda path: frame().to_excel(path, index=False),
    "t.ods": lambda path: frame().to_excel(path, index=False, engine="odf"),
    "t.parquet": lambda path: frame().to_parquet(path),
    "t.csv.gz": lambda path: path.write_bytes(gzip.compress(frame().to_csv(index=False).encode())),
    "pretty.jsonl": lambda path: path.write_text(
        "\n".join(json.dumps(row, indent=2) for row in ROWS), "utf-8"
    ),
}


@pytest.mark.parametrize("name", in_part(WRITERS, first=3))
def test_that_a_table_of_texts_is_the_same_in_every_form(tmp_path: Path, name: str) -> None:
    WRITERS[name](tmp_path / name)
    assert shape(imported(tmp_path / name)) == EXPECTED


@pytest.mark.parametrize("is_of_splits", [False, True])
def test_that_a_saved_data_set_is_read_from_its_folder(tmp_path: Path, is_of_splits: bool) -> None:
    import pyarrow as pa

    table = pa.Table.from_pandas(frame())
    for split in ("train", "test"):
        folder = tmp_path / split if is_of_splits else tmp_path
        folder.mkdir(exist_ok=True)
        with (
            pa.OSFile(str(folder / "data-00000-of-00001.arrow"), "wb") as sink,
            pa.ipc.new_stream(sink, table.schema) as writer,
        ):
            writer.write_table(table if split == "test" else table.slice(0, 1))
    part = "test" if is_of_splits else None
    assert shape(imported(tmp_path, part)) == EXPECTED
    if is_of_splits:
        with pytest.raises(InputError, match="the splits test, train"):
            imported(tmp_path)


@pytest.mark.parametrize(
    "names",
    [
        ("documents/{t}.txt", "references/{t}.txt", "systems/prediction/{t}.txt"),
        ("{t}/document.txt", "{t}/reference.txt", "{t}/prediction.system.txt"),
        ("{t}.doc.txt", "{t}.ref.txt", "{t}.sys.prediction.txt"),
    ],
)
def test_that_names_tell_the_roles_of_plain_texts(tmp_path: Path, names: tuple[str, ...]) -> None:
    for row in ROWS:
        for name, column in zip(names, ("article", "highlights", "prediction"), strict=True):
            path = tmp_path / name.format(t=row["id"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(row[column], "utf-8")
    assert shape(imported(tmp_path)) == EXPECTED


def test_that_a_name_without_a_role_is_no_text_of_ours() -> None:
    notes, found = files_of(["notes/README", "peers/lead/t1.TXT", "a.png", ".git"], "set")
    assert (notes.role, notes.is_told) == (LEFT_OUT, False)
    assert (found.role, found.topic, found.label) == ("system", "t1", "lead")


def test_that_columns_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    frame().rename(columns={"article": "x", "highlights": "summary", "prediction": "y"}).to_csv(
        path, index=False
    )
    named = imported(path, document="x", system="y")
    found = shape(named)[0]
    assert found == ("t1", EXPECTED[0][1], EXPECTED[0][2], [("y", ("The cat sat.",), None)])
    with pytest.raises(InputError, match="There is no column “z”"):
        imported(path, document="z")


def test_that_rows_of_several_systems_share_a_topic(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    rows = [{"id": 1, "system": name, "output": f"By {name}.", "reference": "The end."}
            for name in "ab"]  # fmt: skip
    path.write_text(
        "\n".join(map(json.dumps, [*rows, {**rows[0], "system": "c", "reference": "No."}]))
    )
    (topic,) = imported(path).topics
    outputs = [one for one in topic.outputs if isinstance(one, TextOutput)]
    assert [(one.system, one.references) for one in outputs] == [
        ("a", None), ("b", None), ("c", (("No.",),)),
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, [*rows, rows[0]])))
    with pytest.raises(InputError, match="“a” has a second output for “1”"):
        imported(path)
    (tmp_path / "t.csv").write_text("id,reference\n1,The end.\n1,It ended.\n1,The end.\n")
    (topic,) = imported(tmp_path / "t.csv").topics
    assert [(one.id, one.sentences[0].text) for one in topic.abstracts] == [
        ("ref", "The end."), ("ref-2", "It ended."),
    ]  # fmt: skip


def test_that_sacrerouge_summaries_become_topics(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(
        json.dumps({
            "instance_id": "t1", "summarizer_id": "11", "summarizer_type": "peer",
            "documents": [{"text": ["One.", "Two."]}], "summary": {"text": ["S.", "T."]},
            "references": [{"summarizer_id": "A", "text": ["R."]}],
        })
    )  # fmt: skip
    assert format_of_place(path).id == "sacrerouge-summaries"
    found = [("11", ("S.", "T."), None)]
    sources = [("src", ["One.", "Two."])]
    assert shape(imported(path)) == [("t1", sources, [("A", ["R."])], found)]
    # References may have lines of their own, of which a known one says nothing new.
    with path.open("a") as file:
        for name, kind, text, n_references in (
            ("B", "reference", "Q.", 0), ("A", "reference", "R.", 0), ("12", "peer", "U.", 1),
            ("B", "reference", "Other.", 0), ("13", "peer", "V.", 3), ("14", "peer", "W.", 2),
        ):  # fmt: skip
            listed = [{"text": [one]} for one in ("R.", "Q.", "Other.")][:n_references]
            line = {"summarizer_type": kind, "summarizer_id": name, "references": listed}
            file.write(
                "\n" + json.dumps({"instance_id": "t1", "summary": {"text": [text]}, **line})
            )
    found += [("12", ("U.",), None), ("13", ("V.",), None), ("14", ("W.",), (("R.",), ("Q.",)))]
    abstracts = [("A", ["R."]), ("B", ["Q."]), ("B-2", ["Other."])]
    assert shape(imported(path)) == [("t1", sources, abstracts, found)]
    two = {"summarizer_id": "B-3", "references": [{"summarizer_id": "B", "text": ["Y."]}]}
    with path.open("a") as file:  # the first of them takes the other's name
        more = {"instance_id": "t1", "summarizer_type": "reference", "summary": {"text": ["Z."]}}
        file.write("\n" + json.dumps(more | two))
    abstracts += [("B-3", ["Y."]), ("B-3-2", ["Z."])]
    assert shape(imported(path)) == [("t1", sources, abstracts, found)]


def test_that_no_json_list_is_taken_for_another_tools(tmp_path: Path) -> None:
    assert format_of_text("a.json", '[{"data": {"text": "x"}}]').id == "label-studio"
    assert format_of_text("a.json", '[{"article": "x", "summary": "y"}]').id == "text-table"
    with pytest.raises(InputError, match=r"Its first record has: a\. Tried: .*label-studio"):
        format_of_text("a.json", '[{"a": 1}]')
    with pytest.raises(InputError, match=r"has: foo\. Tried: .*doccano"):
        format_of_text("a.jsonl", '{"foo": 1}')


def test_that_records_are_read_however_they_are_laid_out() -> None:
    rows = [{"a": 1}, {"b": [2, {"c": 3}]}]
    lines = "\n".join(map(json.dumps, rows))
    pretty = "\n".join(json.dumps(row, indent=1) for row in rows)
    for text in (lines, pretty, json.dumps(rows), json.dumps(rows, indent=2), f"\ufeff{lines}\n\n"):
        assert [value for _, value in json_records(text)] == rows
    assert [line for line, _ in json_records(pretty)] == [1, 4]
    assert [*json_records('{"a": 1}\n{"b"')][-1][1] is NOT_JSON
    assert [*json_records('{\n"a": 1}\n{"b"')][-1] == (3, NOT_JSON)


def test_that_damaged_tables_are_told_and_not_raised(tmp_path: Path) -> None:
    for name in ("a.parquet", "a.xlsx", "a.ods"):
        (tmp_path / name).write_bytes(b"PK\x03\x04 no table")
        with pytest.raises(InputError, match="The table cannot be read"):
            imported(tmp_path / name)
    (tmp_path / "a.csv.gz").write_bytes(b"\x1f\x8b damaged")
    with pytest.raises(InputError, match="The file is damaged"):
        imported(tmp_path / "a.csv.gz")


def test_that_wmt_files_are_read_as_distributed(tmp_path: Path) -> None:
    da = tmp_path / "ad-seg.csv"
    da.write_text('"SYS" "SID" "RAW.SCR" "Z.SCR" "N"\n"a.1" "7" 80.5 0.3 2\n')
    scores = imported_scores(da)
    assert {(one.measure, float(one.value)) for one in scores} == {("da-raw", 80.5), ("da-z", 0.3)}
    lines = "".join(
        f"M\t{pair}\tnt\tref\tsys\t{n}\t0.{n}\n" for pair in ("de-en", "en-de") for n in (1, 2)
    )
    packed = tmp_path / "m.seg.score.gz"
    packed.write_bytes(gzip.compress(lines.encode()))
    assert format_of_place(packed).id == "wmt-scores"
    with pytest.raises(InputError, match="several language pairs: de-en, en-de"):
        imported(packed)


def imported_scores(path: Path) -> Any:
    from awase.core.formats.scores.score_files import rows_of_wmt
    from awase.core.formats.scores.score_rows import human_scores

    assert format_of_place(path).id == "wmt-scores"
    return human_scores(rows_of_wmt(path.read_text(), path.name))


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="the corpora are not here")
def test_that_far_is_read_whole() -> None:
    raw = json.loads((SHARED_DATA / "far.json").read_text("utf-8"))["topics"]
    topics = imported(SHARED_DATA / "far.json").topics
    assert [topic.id for topic in topics] == [told["topic"] for told in raw]
    behind_the_end = []
    for topic, told in zip(topics, raw, strict=True):
        texts = told["sentences"]
        assert [one.text for one in topic.documents[0].sentences] == texts
        (alignment,) = topic.abstracts[0].alignments
        assert {one.state for one in alignment.sentences} == {AlignmentState.CONFIRMED}
        for entry, facet in zip(alignment.sentences, told["abstract"], strict=True):
            members = [[ref.n - 1 for ref in one.members] for one in entry.alternatives]
            assert (entry.n, members) == (facet["id"], facet["alternatives"])
        for output in topic.outputs:
            places = told["extracts"][output.system]
            assert [ref.n - 1 for ref in output.sentences] == [n for n in places if n < len(texts)]
            behind_the_end += [
                (topic.id, output.system, at) for at, n in enumerate(places, 1) if n >= len(texts)
            ]
    # Published figures take the first three sentences, ours at most h = 6.
    assert behind_the_end == [("7494", "unified_extract", 9), ("10681", "unified_extract", 10)]


def test_that_the_library_reads_folders_and_tables_too(tmp_path: Path) -> None:
    frame().to_parquet(tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").topics == ("t1", "t2")


_SENTENCES = st.text(st.sampled_from(" \t\u3000\na犬"), max_size=3)
_LISTS = st.lists(_SENTENCES, min_size=2, max_size=4)


@pytest.mark.slow
@given(st.lists(st.lists(_LISTS | st.none(), min_size=3, max_size=3), min_size=1, max_size=3))
def test_that_sentences_lose_their_blanks_and_empty_ones_are_none(rows: list[list[list[str]]]):
    names = [f"prediction_s{number}" for number in range(3)]
    items = [
        {"id": f"t{number}", "reference": "r", **dict(zip(names, row, strict=True))}
        for number, row in enumerate(rows)
    ]
    text = "".join(json.dumps(item) + "\n" for item in items)
    topics = text_table.read(ReadRequest(text=text, source="f")).addition.topics
    found = [{one.system: one.sentences for one in topic.outputs} for topic in topics]
    assert found == [
        {
            f"s{number}": tuple(filter(None, map(str.strip, value)))
            for number, value in enumerate(row)
            if value is not None and "".join(value).strip()
        }
        for row in rows
    ]
