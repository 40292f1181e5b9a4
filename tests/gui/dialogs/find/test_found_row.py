"""Which part of a sentence that was found is shown on its line."""

from PySide6.QtGui import QFont, QFontMetricsF

from awase.gui.dialogs.find import around_match

TEXT = " ".join(f"word{n:02}" for n in range(40))


def shown(match: str, letters: int) -> tuple[str, str, bool]:
    """Returns the part shown in room for so many letters, the match in it, and whether it fits."""
    metrics = QFontMetricsF(QFont())
    width = metrics.horizontalAdvance("0" * letters)
    at = TEXT.index(match)
    part, ((start, end), *_) = around_match(TEXT, ((at, at + len(match)),), width, metrics)
    return part, part[start:end], metrics.horizontalAdvance(part) <= width


def test_that_a_sentence_begins_with_its_first_word_where_the_match_has_room(qapp):
    part, match, _ = shown("word03", 80)
    assert part == TEXT
    assert match == "word03"


def test_that_a_sentence_is_cut_before_a_match_that_has_no_room(qapp):
    part, match, fits = shown("word20", 60)
    assert part.startswith("…")
    assert match == "word20"
    assert not fits, "what follows is cut where the line ends"


def test_that_nothing_is_left_out_before_a_match_near_the_end_beside_empty_room(qapp):
    part, match, fits = shown("word39", 60)
    assert part.startswith("…")
    assert match == "word39"
    assert fits
    longer = TEXT[TEXT.index(part.removeprefix("…")) - 1] + part
    metrics = QFontMetricsF(QFont())
    assert metrics.horizontalAdvance(longer) > metrics.horizontalAdvance("0" * 60)
