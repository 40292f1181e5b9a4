import shutil
import sqlite3
from contextlib import closing


def test_that_a_letter_that_changed_is_told_with_the_backup_to_take(run, awase_file, tmp_path):
    path = tmp_path / "c.awase"
    shutil.copy(awase_file, path)
    assert run("check", path).out == f"{path}: nothing is damaged.\n"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE source_sentence SET text = 'x' WHERE id = 1")
        connection.commit()
    result = run("check", path)
    assert (result.status, result.out) == (1, "")
    assert "Texts of topic “0310” are not as they were written." in result.err
    assert f"awase rescue {path} NEW.awase" in result.err
    content = path.read_bytes()
    rescued = run("rescue", path, tmp_path / "new.awase")
    assert rescued.status == 0
    assert rescued.err.startswith("lost: Texts of topic “0310” are not as they were written.")
    assert path.read_bytes() == content
    backups = tmp_path / "c.awase-backups"
    backups.mkdir()
    good = backups / "20260101T000000Z-1.awase"
    shutil.copy(awase_file, good)
    said = run("check", path).err
    assert f"The newest backup without damage: {good}\nTo take it: awase restore {path}\n" in said
    restored = run("restore", path)
    (aside,) = tmp_path.glob("c-replaced-*.awase")
    assert (restored.status, restored.err) == (0, "")
    assert restored.out == (
        f"“{path}” is now a copy of the backup “{good}”. "
        f"What was there before is kept as “{aside}”.\n"
    )
    assert run("check", path).status == 0
    assert aside.read_bytes() == content


def test_that_a_damaged_file_is_rescued_into_a_new_one(run, awase_file, tmp_path):
    new = tmp_path / "new.awase"
    result = run("rescue", awase_file, new)
    assert (result.status, result.err) == (0, "")
    assert "2 topics" in result.out
    assert run("export", new, "-").json == run("export", awase_file, "-").json
    assert run("rescue", awase_file, new).status == 1
