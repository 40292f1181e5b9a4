"""What `awase-core` alone does not have is told in one sentence, and nothing else needs it."""

import importlib.util
import sys

import pytest

import awase
from awase.cli import window
from awase.core import extras
from awase.core.errors import EnvironmentProblem
from awase.core.text import japanese
from awase.core.text.tokenisers import tokeniser_called

FIND = importlib.util.find_spec


def without(*absent):
    return lambda name: None if name.partition(".")[0] in absent or name in absent else FIND(name)


@pytest.fixture
def no_dictionary(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", without("sudachidict_core"))
    japanese.japanese_tokeniser_id.cache_clear()
    yield
    japanese.japanese_tokeniser_id.cache_clear()


@pytest.mark.usefixtures("no_dictionary")
def test_that_japanese_words_ask_for_their_extra():
    with pytest.raises(EnvironmentProblem, match=r'pip install "awase-core\[ja\]"'):
        awase.rouge("雪が降る", ["雪が降った"], ["rouge-1:tokens=ja"])


@pytest.mark.usefixtures("no_dictionary")
@pytest.mark.parametrize("name", ["ascii", "unicode", "chars", "blanks", "unicode-2"])
def test_that_other_tokenisers_do_not_ask_for_it(name):
    assert tokeniser_called(name).name == name.partition("-")[0]


@pytest.mark.usefixtures("no_dictionary")
def test_that_japanese_is_scored_by_characters_without_it():
    found = awase.rouge("雪が降る", ["雪が降った"], ["rouge-1:tokens=chars"])
    assert found.exact[None, None, "system", "rouge-1.r"] == pytest.approx(3 / 5)


@pytest.mark.parametrize("absent", ["awase.gui", "PySide6"])
def test_that_a_window_that_is_not_there_is_told_before_anything_is_drawn(monkeypatch, absent):
    monkeypatch.setattr(extras, "find_spec", without(absent))
    with pytest.raises(EnvironmentProblem, match="The window is not installed"):
        window.check_window_is_installed()


def test_that_a_toolkit_that_cannot_be_found_is_one_that_is_not_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "PySide6", None)
    monkeypatch.setattr(extras, "find_spec", lambda name: FIND(f"{name}.QtWidgets"))
    with pytest.raises(EnvironmentProblem, match="pip install awase"):
        window.check_window_is_installed()


def test_that_files_which_the_removal_of_a_clone_took_along_are_told(monkeypatch):
    def torn(_name):
        raise ModuleNotFoundError("No module named 'awase.core'", name="awase.core.records")

    monkeypatch.setattr(awase, "import_module", torn)
    with pytest.raises(ImportError, match="pip install --force-reinstall --no-deps awase-core"):
        _ = awase.rouge
