"""Matched subtrees of two texts, their words, and their picture."""

import numpy as np
import pytest
from tests.core.metrics.subtree.test_similarity import VECTORS, X, Y

from awase.core.metrics.subtree import PictureTexts, comparison_picture
from awase.core.metrics.subtree_similarity import DEFAULT, ReadSentence, compared, words_of
from awase.core.plots.picture import BACK, MUTED, Box, Label, Line

TEXTS = PictureTexts(title="t", system="system", reference="reference")


def read(sentence):
    return ReadSentence(
        sentence, np.array([VECTORS[word.form] for word in sentence.words], np.float32)
    )


@pytest.fixture
def comparison():
    return compared((read(X),), (read(Y),), DEFAULT)


def spelled(match, own, other):
    partner = words_of(match.partner, other) if match.partner is not None else None
    return words_of(match.subtree, own), partner, round(match.similarity, 4), match.length


def test_that_each_subtree_has_its_best_partner(comparison):
    found = [spelled(match, (X,), (Y,)) for match in comparison.of_system]
    assert found[3:] == [
        ("cats chased", "cats chased", 1.0, 2),
        ("chased mice", "cats chased", 0.9487, 2),
        ("cats chased mice", "chased small mice", 0.9487, 3),
    ]
    found = [spelled(match, (Y,), (X,)) for match in comparison.of_reference]
    assert ("small mice", None, 0.0, 2) in found
    assert ("chased small mice", "cats chased mice", 0.9487, 3) in found
    assert round(comparison.score.f, 4) == 0.7048


def test_that_gaps_are_shown_and_subtrees_know_their_sentence():
    both = compared((read(X), read(Y)), (read(Y),), DEFAULT)
    of_second = [match for match in both.of_system if match.subtree.sentence_idx == 1]
    assert len(of_second) == 8
    longest = [words_of(match.subtree, (X, Y)) for match in of_second][-2:]
    assert longest == ["chased small mice", "cats chased small mice"]
    without_small = next(m for m in both.of_system if m.subtree.subtree.words == (1, 2))
    assert words_of(without_small.subtree, (X, Y)) == "chased mice"
    gap = without_small.subtree.subtree._replace(words=(0, 3))
    found = words_of(without_small.subtree._replace(sentence_idx=1, subtree=gap), (X, Y))
    assert found == "cats … mice"


def test_that_two_texts_without_words_have_no_score():
    assert compared((), (), DEFAULT).score is None


def bold(picture, anchor):
    labels = [shape for shape in picture.shapes if isinstance(shape, Label)]
    return [one.text for one in labels if one.is_bold and one.anchor == anchor][1:]


def test_that_the_picture_links_words_until_a_match_is_chosen(comparison):
    picture = comparison_picture(comparison, None, TEXTS, 400)
    lines = [shape for shape in picture.shapes if isinstance(shape, Line)]
    between = [one for one in lines if one.colour != MUTED]
    assert len(between) == 3 * 3, "a link has a part along each word's row, and one between them"
    turned = comparison_picture(compared((read(Y),), (read(X),), DEFAULT), None, TEXTS, 400)
    lines_of_turned = [one for one in turned.shapes if isinstance(one, Line)]
    assert len([one for one in lines_of_turned if one.colour != MUTED]) == 3 * 3  # not of “small”
    assert len([one for one in lines if one.colour == MUTED and one.x1 != one.x2]) == 3 + 2
    assert {shape.colour for shape in picture.shapes if isinstance(shape, Box)} == {BACK}
    chosen = comparison.of_system[-1]
    picture = comparison_picture(comparison, chosen, TEXTS, 400)
    assert bold(picture, "start") == ["cats", "chased", "mice"]
    assert bold(picture, "end") == ["chased", "small", "mice"]


def test_that_a_match_of_the_reference_is_drawn_the_same_way_round(comparison):
    chosen = next(match for match in comparison.of_reference if match.length == 3)
    picture = comparison_picture(comparison, chosen, TEXTS, 400)
    assert bold(picture, "start") == ["cats", "chased", "mice"]
    assert bold(picture, "end") == ["chased", "small", "mice"]


def test_that_a_subtree_without_partner_stands_alone(comparison):
    chosen = next(match for match in comparison.of_reference if match.partner is None)
    picture = comparison_picture(comparison, chosen, TEXTS, 400)
    assert bold(picture, "start") == []
    assert bold(picture, "end") == [Y.words[place].form for place in chosen.subtree.subtree.words]
