import os

import pytest

from awase.core.errors import EnvironmentProblem, InputError
from awase.jobs.files.reading import DiskFolder
from awase.jobs.files.writing import Target, write_folder


def test_that_files_of_all_depths_are_named_and_hidden_ones_are_not(tmp_path):
    of_a_corpus = ("k.awase-lock", "a/k.awase-wal", "k.awase-backups/1.awase")
    for name in ("b.txt", "a/c.txt", "a/.DS_Store", ".git/x", *of_a_corpus):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    folder = DiskFolder(tmp_path)
    assert folder.names() == ("a/c.txt", "b.txt")
    assert folder.read("a/c.txt") == b"a/c.txt"
    assert folder.read("a") is None
    assert folder.read("none.txt") is None


def test_that_names_are_looked_up_elsewhere_when_they_are_not_in_the_folder(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    for place in (here, there):
        place.mkdir()
        (place / "both").write_text(place.name)
    (there / "one").write_text("there")
    folder = DiskFolder(here, also=there)
    assert (folder.read("both"), folder.read("one")) == (b"here", b"there")
    assert DiskFolder(here).read("one") is None
    assert DiskFolder(here).leads_outside("../there/one")
    assert DiskFolder(here).leads_outside(str(there / "one"))
    assert DiskFolder(here, also=there).leads_outside("one")
    assert not DiskFolder(here).leads_outside("one")
    assert not DiskFolder(here).leads_outside("../none")
    assert DiskFolder(here).read("../there/one") == b"there"
    assert DiskFolder(here).read(str(there / "one")) == b"there"


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="whoever may read everything is refused nothing"
)
def test_that_a_file_that_must_not_be_read_is_told(tmp_path):
    file = tmp_path / "x"
    file.touch(mode=0)
    with pytest.raises(EnvironmentProblem, match="cannot be read"):
        DiskFolder(tmp_path).read("x")


def test_that_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(EnvironmentProblem, match="cannot be read"):
        DiskFolder(tmp_path / "none").names()


def test_that_a_folder_appears_with_all_its_files(tmp_path):
    target = tmp_path / "new"
    write_folder(Target(path=target), {"a.txt": "犬\n", "b/c.txt": ""}.items())
    assert (target / "a.txt").read_bytes() == "犬\n".encode()
    assert DiskFolder(target).names() == ("a.txt", "b/c.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_that_an_empty_folder_is_filled_and_one_with_files_is_not(tmp_path):
    write_folder(Target(path=tmp_path / "x"), {}.items())
    write_folder(Target(path=tmp_path / "x"), {"a": "1"}.items())
    with pytest.raises(InputError, match="is not an empty folder"):
        write_folder(Target(path=tmp_path / "x"), {"b": "2"}.items())
    assert DiskFolder(tmp_path / "x").names() == ("a",)


def test_that_a_failure_leaves_nothing(tmp_path):
    with pytest.raises(EnvironmentProblem, match="cannot be written"):
        write_folder(Target(path=tmp_path / "x"), {"a": "1", "a/b": "2"}.items())
    assert [*tmp_path.iterdir()] == []


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_that_a_link_that_leads_out_of_the_folder_is_told_and_one_within_is_not(tmp_path):
    here, secret = tmp_path / "here", tmp_path / "secret"
    here.mkdir()
    secret.write_text("x", "utf-8")
    (here / "a").write_text("a", "utf-8")
    (here / "out").symlink_to(secret)
    (here / "in").symlink_to(here / "a")
    (tmp_path / "same").symlink_to(here)
    for folder in (DiskFolder(here), DiskFolder(tmp_path / "same")):
        assert folder.names() == ("a", "in", "out")
        assert [name for name in folder.names() if folder.leads_outside(name)] == ["out"]
