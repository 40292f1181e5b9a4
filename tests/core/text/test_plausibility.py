import pytest

from awase.core.text.encoding import Candidate, best_of, japanese_plausibility, western_plausibility


def candidate(encoding, log_likelihood):
    return Candidate(encoding=encoding, text=encoding, log_likelihood=log_likelihood)


def test_that_only_a_clear_winner_is_chosen():
    good, close, bad = candidate("a", -50.0), candidate("b", -52.0), candidate("c", -80.0)
    assert best_of([bad, good]) is good
    assert best_of([good]) is good
    assert best_of([bad, close, good]) is None
    assert best_of([]) is None


@pytest.mark.parametrize("measure", [japanese_plausibility, western_plausibility])
def test_that_ascii_text_is_evidence_for_neither(measure):
    assert measure("plain text") is None


def test_that_kanji_without_kana_are_no_japanese_sentence():
    assert japanese_plausibility("中国政府昨天宣布新的経済政策") is None
    assert japanese_plausibility("中国政府は新しい経済政策を発表") is not None
