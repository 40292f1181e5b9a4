"""Integrity check, restoring of backups, salvage."""

from dataclasses import dataclass, replace
from pathlib import Path

from awase.core.errors import EnvironmentProblem, FieldValue, InputError, Problem, Reporter
from awase.jobs.files.writing import check_corpus_name
from awase.storage.files.locks_and_backups import foreign_warnings
from awase.storage.salvage import salvage
from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusCheck:
    """Result of checking a corpus."""

    damage: tuple[Problem, ...] = ()  # what is not as it was written; nothing = all is well
    # The newest backup in which nothing is damaged; None where nothing is amiss, or there is none.
    backup: Path | None = None
    remarks: tuple[Problem, ...] = ()


def check_corpus(store: CorpusStore, reporter: Reporter) -> CorpusCheck:
    """Compares what is stored with its digests."""
    known = store.warnings
    store.wait_until_backed_up(reporter)
    remarks = tuple(one for one in store.warnings if one not in known)
    damage = store.find_damage(reporter)
    backup = store.newest_sound_backup(reporter) if damage else None
    return CorpusCheck(damage=damage, backup=backup, remarks=remarks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescue:
    """Result of salvaging a damaged file."""

    n_topics: int
    n_entries: int
    lost: tuple[Problem, ...]  # what could not be had, or was had and is not as it was written


def rescue(damaged: Path, target: Path, *, who: str, reporter: Reporter) -> Rescue:
    """Salvages `damaged` into a new copy of the same corpus, which merges with others."""
    check_corpus_name(target)
    altered = _altered(damaged, who, reporter)  # the new corpus would call it sound
    with salvage(damaged, reporter) as found:
        copy = found.copy
        made = CorpusStore.create(
            target, name=copy.corpus.name, who=who, copy=copy, parses=found.parses,
            source=damaged.name, reporter=reporter,
        )  # fmt: skip
        with made as store:
            store.join_log(found.log, copy.ownership.replica or "rescued")
            n_entries = store.n_entries()
    return Rescue(
        n_topics=len(copy.corpus.topics),
        n_entries=n_entries,
        lost=(*foreign_warnings(damaged), *found.losses.told(), *altered),
    )


def restore(location: Path, backup: Path | None, reporter: Reporter) -> Problem:
    """Restores a backup as `storage.integrity.restore`, and returns a message about it."""
    from awase.storage.integrity import restore as put_back

    done = put_back(location, backup, reporter)
    fields: dict[str, FieldValue] = {
        "path": str(location), "backup": str(done.backup), "aside": str(done.aside or ""),
    }  # fmt: skip
    problem = Problem(
        what="“{path}” is now a copy of the backup “{backup}”.",
        hint="What was there before is kept as “{aside}”.",
        fields=fields,
    )
    return problem if done.aside is not None else replace(problem, hint="")


def _altered(path: Path, who: str, reporter: Reporter) -> tuple[Problem, ...]:
    """Returns digest mismatches, as far as the file can be opened."""
    try:
        with CorpusStore.open(path, who=who, read_only=True) as store:
            return tuple(store.find_damage(reporter))
    except (EnvironmentProblem, InputError):
        return ()
