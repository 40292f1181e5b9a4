"""Every job is asked for through both faces, or there is a reason why not."""

from pathlib import Path

import pytest

pytest.importorskip("PySide6")

from tests.jobs import test_both_faces, test_both_faces_of_covers, test_both_faces_of_teams

import awase.jobs

SAME, OF_COVERS, OF_TEAMS = test_both_faces, test_both_faces_of_covers, test_both_faces_of_teams
CASES = {
    "checking": OF_TEAMS.test_that_damage_is_told_alike,
    "correlating": SAME.test_that_correlations_are_the_same,
    "covers": OF_COVERS.test_that_minimal_covers_are_the_same_while_one_annotates,
    "exporting": SAME.test_that_exports_are_the_same,
    "extracting": SAME.test_that_extracts_are_the_same,
    "files/reading": SAME.test_that_imports_are_the_same,
    "files/writing": SAME.test_that_reports_are_the_same,
    "importing": SAME.test_that_imports_are_the_same,
    "oracles": OF_COVERS.test_that_explanations_rest_on_the_oracles_that_are_found_alone,
    "supplies/parsing": SAME.test_that_parses_are_the_same,
    "scoring": SAME.test_that_scores_are_those_of_the_command_line,
    "subset": SAME.test_that_scores_are_those_of_the_command_line,
    "supplies/gathering": SAME.test_that_words_that_count_as_one_are_the_same,
    "team/copies": OF_TEAMS.test_that_work_is_taken_back_alike,
    "team/project_reports": OF_TEAMS.test_that_progress_is_the_same,
}
"""A module of jobs/, and a test that holds its two faces to the same."""
OF_ONE_FACE = {
    "team/assisting": "the lead compares and fits at the command line; the window suggests",
    "team/asking_models": "asked for at the command line; the window only looks its answers up",
    "comparing": "two corpora beside each other are a matter of the command line, `awase diff`",
    "files/text_lines": "`awase rouge` reads texts that belong to no corpus; the window has none",
    "files/text_pairs": "`awase rouge` reads texts that belong to no corpus; the window has none",
    "supplies/downloads": "no test may use the network; its own tests have a server in the process",
}


def modules() -> set[str]:
    (root,) = map(Path, awase.jobs.__path__)
    found = (path.relative_to(root).with_suffix("") for path in root.rglob("*.py"))
    return {one.as_posix() for one in found if one.name != "__init__"}


def test_that_every_job_has_its_two_faces_compared():
    assert {*CASES, *OF_ONE_FACE} == modules()
    assert not {*CASES} & {*OF_ONE_FACE}
    assert all(map(callable, CASES.values()))
