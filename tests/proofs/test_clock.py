"""The clock goes back and forward while people work: the log keeps the order of the work."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from awase.storage import querying
from awase.storage.files.locks_and_backups import KEPT, backup_folder
from awase.storage.store import CorpusStore
from tests.storage.sample import addition, edit, entry

START = datetime(2026, 11, 22, tzinfo=UTC)


class Clock(datetime):
    at = START

    @classmethod
    def now(cls, tz=None):
        return cls.at


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(9))
def test_that_a_clock_that_jumps_disturbs_nothing(tmp_path, monkeypatch, seed):
    generator = random.Random(seed)
    monkeypatch.setattr(querying, "datetime", Clock)
    path = tmp_path / "c.awase"
    CorpusStore.create(path, name="x", who="ann", addition=addition()).close()
    old, done = None, []
    for number in range(6):
        with CorpusStore.open(path, who="ann") as store:
            newest = max(backup_folder(path).iterdir(), key=lambda copy: copy.stat().st_mtime_ns)
            for part in range(3):
                Clock.at = START + timedelta(hours=generator.randint(-50_000, 50_000))
                new = entry(5, note=f"{number}.{part}")
                store.apply(edit(new, old=old), who="ann", active_ms=100)
                old = new
                done.append(new.note)
            history = store.history("ann")
            assert [step.edit.new.note for step in history.done] == done
            store.undo(who="ann")
            store.redo(who="ann")
            assert all(time.active_ms >= 0 for time in store.logged_times())
            assert store.find_damage() == ()
        with CorpusStore.open(newest, who="", read_only=True) as copy:
            assert [step.edit.new.note for step in copy.history("ann").done] == done[:-3]
    assert len(list(backup_folder(path).glob("*.awase"))) <= KEPT
