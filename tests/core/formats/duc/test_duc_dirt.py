"""Damaged files of DUC and DUCView are read or refused; nothing else happens."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.formats.duc.ducview_files import SCUS, annotation, peer, pyramid
from tests.core.formats.reading import read
from tests.laws import tries

from awase.core.errors import InputError
from awase.core.records.addition import merge
from awase.core.records.corpus import Corpus
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic

SENTENCE = '<s docid="X" num="1" wdcount="3">The dog ran.</s>\n'
FILES = {
    "ducview-pyramid": pyramid(*SCUS),
    "ducview-annotation": annotation(peer(3, "A dog ran"), peer(0, "And hid")),
    "duc-documents": f"<DOC><DOCNO>Y</DOCNO><HEAD>Dogs</HEAD><TEXT>{SENTENCE}</TEXT></DOC>\n",
    "duc-abstracts": '<SUM DOCSET="d1" SIZE="100" SUMMARIZER="B">Dogs. Cats.</SUM>\n',
    "duc-extracts": SENTENCE * 2,
}
DIRT = ("<", ">", "&", "</s>", "<s>", "\n", '"', "<SUM>", "</SUM>", "<DOC>", "犬", "\x07", "0", "-")
CORPUS = Corpus(
    topics=(
        Topic(
            id="t",
            documents=(Document(id="X", sentences=(SourceSentence(n=1, text="The dog ran."),)),),
        ),
    )
)


@pytest.mark.parametrize("format_id", FILES)
@settings(max_examples=tries(25), deadline=None)
@given(data=st.data())
def test_that_damage_is_read_over_or_refused(format_id, data):
    text = FILES[format_id]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        end = at + data.draw(st.integers(0, 9))
        text = text[:at] + data.draw(st.sampled_from(("", *DIRT))) + text[end:]
    told = []
    try:
        found = read(format_id, text, corpus=CORPUS, topic="t", annotator="b")
        merge(CORPUS, found.addition)
        told += found.warnings
    except InputError as error:
        told += error.problems
        told.append(error)
    assert all(str(problem) for problem in told)
