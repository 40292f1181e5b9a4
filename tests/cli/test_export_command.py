import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from awase.core.records.corpus import Corpus
from awase.core.records.edits.ownership import Versions
from awase.storage.databases.querying import Readable
from awase.storage.rows import versions

Stored = Callable[[Path], Corpus]


def test_that_an_exported_corpus_is_the_same_when_it_is_read_again(
    run: Run, awase_file: Path, tmp_path: Path, stored: Stored
) -> None:
    target = tmp_path / "out.json"
    result = run("export", awase_file, target)
    assert (result.status, result.out) == (0, "")
    assert stored(target) == stored(awase_file)


def test_that_a_dash_is_standard_output_as_json(run: Run, awase_file: Path) -> None:
    assert run("export", awase_file, "-").json["name"] == "小さい"


def test_that_one_topic_and_another_format_can_be_chosen(run: Run, awase_file: Path) -> None:
    result = run("export", awase_file, "-", "--format", "extract-lines", "--topic", "0310")
    assert sorted(result.out.splitlines()) == [
        "oracle\t0310\tshort\t980102002:1 980101001:3",
        "前置\t0310\tshort\t980101001:1 980101001:2",
    ]


def test_that_an_alignment_comes_out_as_table_1_of_the_paper_prints_it(
    run: Run, awase_file: Path, tmp_path: Path
) -> None:
    target = tmp_path / "0310.align"
    options = ["--topic", "0310", "--abstract", "short", "--annotator", "花子"]
    assert run("export", awase_file, target, *options).status == 0
    lines = target.read_text("utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        "1\tA\t980101001:1 980102002:1",
        "2\tB\t980101001:3",
    ]


def test_that_a_failed_write_leaves_the_old_file_and_nothing_else(
    run: Run, awase_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    folder = tmp_path / "folder"
    folder.mkdir()
    target = folder / "out.json"
    target.write_text("mine", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", refuse)
    result = run("export", awase_file, target, "--force")
    assert result.status == 1
    assert result.err == (
        f"error: “{target}” cannot be written (No space left on device). Choose another place, or "
        "make room on the disk.\n"
    )
    assert [path.name for path in folder.iterdir()] == ["out.json"]
    assert target.read_text("utf-8") == "mine"


def test_that_a_device_is_written_and_not_replaced(run: Run, awase_file: Path) -> None:
    assert run("export", awase_file, os.devnull, "--format", "awase-json").status == 0
    assert not Path(os.devnull).is_file()


def test_that_a_symbolic_link_stays_one(run: Run, awase_file: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "real.json", tmp_path / "link.json"
    target.write_text("", encoding="utf-8")
    link.symlink_to(target)
    assert run("export", awase_file, link, "--force").status == 0
    assert link.is_symlink()
    assert target.stat().st_size > 0


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["out.xyz"], 1, "The ending of “out.xyz” does not tell its format."),
        (["out.awase"], 1, "An .awase file is made by importing."),
        (["out.txt", "--format", "text"], 1, "Format “text” can be read, not written."),
        (["out.txt", "--format", "pdf"], 1, "There is no format “pdf”."),
        (["out.json", "--topic", "0311"], 1, "Did you mean “0310”?"),
        ([], 2, "Missing argument 'FILE'"),
    ],
)
def test_that_a_wrong_request_writes_nothing(
    run: Run,
    awase_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    status: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    result = run("export", awase_file, *arguments)
    assert result.status == status
    assert message in result.err
    assert sorted(tmp_path.iterdir()) == before


def test_that_a_file_that_cannot_be_replaced_is_named_as_it_was_asked_for(
    run: Run, awase_file: Path, tmp_path: Path
) -> None:
    target = tmp_path / "no" / "such" / "folder.json"
    result = run("export", awase_file, target)
    assert result.status == 1
    assert ".part" not in result.err
    assert str(target) in result.err


def test_that_a_folder_is_written_once(run: Run, json_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "texts"
    result = run("export", json_file, target, "--format", "parallel-text")
    assert result.status == 0
    assert "written as parallel-text" in result.err
    again = run("export", json_file, target, "--format", "parallel-text", "--force")
    assert again.status == 1
    assert "is not an empty folder" in again.err
    to_output = run("export", json_file, "-", "--format", "parallel-text")
    assert (to_output.status, to_output.out) == (1, "")


def test_that_what_copies_need_is_written_only_when_it_is_asked_for(
    run: Run, awase_file: Path, tmp_path: Path
) -> None:
    plain = run("export", awase_file, "-").json
    synced = run("export", awase_file, "-", "--with-sync").json
    assert {key: value for key, value in synced.items() if key != "sync"} == plain
    sync = synced["sync"]
    assert set(sync["texts"]) == {topic["id"] for topic in plain["topics"]}
    assert all(len(entry["versions"]) == 1 for entry in sync["entries"])
    target = tmp_path / "c.json"
    run("export", awase_file, target)
    result = run("export", target, "-", "--with-sync")
    assert (result.status, result.out) == (1, "")


def test_that_what_copies_need_is_not_read_at_once(
    run: Run, awase_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_versions = versions.read_versions

    def of_some(connection: Readable, only: Sequence[str] | None = None) -> Versions:
        assert only is not None, "all versions are read at once"
        return read_versions(connection, only)

    whole = run("export", awase_file, "-", "--with-sync").out
    monkeypatch.setattr(versions, "read_versions", of_some)
    monkeypatch.setattr(versions, "ENTRIES_AT_ONCE", 1)
    assert run("export", awase_file, "-", "--with-sync").out == whole
