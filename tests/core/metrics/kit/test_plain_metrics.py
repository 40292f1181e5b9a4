"""A metric that looks at one text at a time: its tokens are named and refused as those of ROUGE."""

import pytest
from tests.building import abstract, corpus, text, topic

from awase.core.errors import InputError
from awase.core.metrics.kit.runner import PlainRequest, score_each_text
from awase.core.metrics.kit.shared_options import LIMIT, TOKENS
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.progress import Silent

OPTIONS = (LIMIT, TOKENS)


def asked(spelled):
    return PlainRequest.of(MetricRequest.parse(spelled), OPTIONS)


def test_that_signatures_name_the_version_of_the_tokens():
    assert "tokens=unicode-2" in asked("plain:tokens=unicode").signature
    assert asked("plain:tokens=unicode-2").tokens == "unicode"
    with pytest.raises(InputError, match="tokens=klingon"):
        asked("plain:tokens=klingon")


def test_that_a_limit_in_words_is_of_the_words_of_the_tokens():
    assert asked("plain:limit=3w").limit.words == 3
    assert asked("plain:limit=9c").limit.characters == 9


def test_that_text_whose_letters_would_be_lost_is_refused():
    japanese = abstract(texts=["嵐が来た。"])
    of_one = corpus(topic(docs=["嵐が来た。"], abstracts=[japanese], outputs=[text("s", "嵐。")]))
    with pytest.raises(InputError, match="tokens="):
        score_each_text(of_one, [asked("plain")], Silent(), lambda _case, _request: 1.0)
    made = score_each_text(
        of_one, [asked("plain:tokens=chars")], Silent(), lambda _case, _request: 0.25
    )
    assert {score.value for score in made.scores} == {0.25}
