"""How faults are told: what, where, how to mend it."""

import pytest
from tests.in_part import in_turn

from awase.core.errors import (
    AwaseError,
    Cancelled,
    CorpusFormatError,
    EnvironmentProblem,
    InputError,
    Listing,
    Problem,
    ScoringUndefinedError,
    filled,
    raise_if_any,
)


@in_turn(
    ("problem", "text"),
    [
        (Problem(what="Bad."), "Bad."),
        (
            Problem(what="{a} is bad.", hint="Use {b}.", fields={"a": "{x}", "b": 1}),
            "{x} is bad. Use 1.",
        ),
        (Problem(what="Bad.", source="f.json", line=3, path="a[0].id"), "f.json:3: a[0].id: Bad."),
        (Problem(what="Bad.", source="f.json"), "f.json: Bad."),
        (Problem(what="Bad.", line=3), "line 3: Bad."),
        (Problem(what="Bad.", path="id"), "id: Bad."),
    ],
)
def test_that_a_problem_says_where_what_and_how_to_mend_it(problem, text):
    assert str(problem) == text


@in_turn(
    ("prefix", "path", "joined"),
    [("a", "b", "a.b"), ("a", "[0]", "a[0]"), ("", "b", "b"), ("a", "", "a"), ("", "", "")],
)
def test_that_a_problem_can_be_set_below_a_path(prefix, path, joined):
    assert Problem(what="", path=path).below(prefix).path == joined


def test_that_a_problem_keeps_the_source_it_names():
    problem = Problem(what="").in_source("a")
    assert problem.source == "a"
    assert problem.in_source("b").source == "a"


def test_that_an_input_error_tells_all_problems():
    error = InputError(Problem(what=text) for text in ("One.", "Two."))
    assert str(error) == "One.\nTwo."
    single = CorpusFormatError.of("{a}.", "Do {a}.", source="f", line=1, path="p", a="x")
    assert str(single) == "f:1: p: x. Do x."
    assert type(single) is CorpusFormatError
    raise_if_any([])
    with pytest.raises(CorpusFormatError) as error:
        raise_if_any(iter([Problem(what="One."), Problem(what="Two.")]))
    assert len(error.value.problems) == 2


def test_that_the_tree_of_errors_has_one_root():
    for kind in (CorpusFormatError, ScoringUndefinedError):
        assert issubclass(kind, InputError)
    for kind in (InputError, EnvironmentProblem, Cancelled):
        assert issubclass(kind, AwaseError)
    full = EnvironmentProblem("{path} is full.", "Empty it.", path="/x")
    assert str(full) == "/x is full. Empty it."


def test_that_the_words_of_a_message_fit_a_number():
    template = "{n} {n:file of {all} is|files of {all} are} missing: {names}."
    fields = {"n": 1, "all": 3, "names": "a"}
    assert filled(template, fields) == "1 file of 3 is missing: a."
    problem = Problem(what=template, hint="Look at {n:it|them}.", fields={**fields, "n": 2})
    assert str(problem) == "2 files of 3 are missing: a. Look at them."
    verbs = [filled("{who} {who:has|have}", {"who": Listing(one)}) for one in ("a", "ab")]
    assert verbs == ["a has", "a, b have"]
