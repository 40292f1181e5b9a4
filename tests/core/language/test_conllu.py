"""CoNLL-U: what is written is read back, and what real files have is read or named."""

from dataclasses import replace

import pytest
from hypothesis import strategies as st
from tests.core.language.strategies import sentences
from tests.in_part import in_turn
from tests.laws import law

from awase.core.errors import CorpusFormatError
from awase.core.language.conllu import ConlluReader, conllu_of, parse_of
from awase.core.language.stored_parses import StoredParses, parses_of
from awase.core.records.parse import EmptyNode, EnhancedEdge, NodeId, ParsedSentence, ParsedWord

DOG = "1\tdog\tdog\tNOUN\tNN\t_\t2\tnsubj\t_\t_\n2\tbarks\tbark\tVERB\tVBZ\t_\t0\troot\t_\t_\n"
STANDARD = """\
# sent_id = 1
# text = Don't sing du.
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVBP\tMood=Imp\t3\taux\t3:aux\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t3:advmod\t_
3\tsing\tsing\tVERB\tVB\t_\t0\troot\t0:root|3.1:conj\t_
3.1\tdance\t_\tVERB\t_\t_\t_\t_\t3:conj:and\t_
4-5\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
4\tde\tde\tADP\t_\t_\t3\tcase\t3:case\t_
5\tle\tle\tDET\t_\t_\t3\tdet\t3:det\t_
6\t.\t.\tPUNCT\t.\t_\t3\tpunct\t3:punct\t_
"""


def read(text, source=None):
    reader = ConlluReader(text.removeprefix("\ufeff").split("\n"), source)
    sentences = [found.sentence for found in reader]
    reader.check()
    return sentences, reader.warnings


def problems(text):
    with pytest.raises(CorpusFormatError) as caught:
        read(text, "f.conllu")
    return [(problem.line, str(problem)) for problem in caught.value.problems]


def warnings(text):
    return [(problem.line, str(problem)) for problem in read(text)[1]]


def forms(text):
    return [[word.form for word in sentence.words] for sentence in read(text)[0]]


@law(50, st.lists(sentences(), max_size=3))
def test_that_what_is_written_is_read_back(parse):
    written = "# model = m\n" + conllu_of(tuple(parse))
    assert parse_of(written) == tuple(parse)
    assert read(written)[1] == []


def test_that_multi_word_tokens_empty_nodes_and_graphs_are_read():
    (sentence,) = parse_of(STANDARD)
    assert [(token.first, token.last, token.form) for token in sentence.tokens] == [
        (1, 2, "Don't"), (4, 5, "du"),
    ]  # fmt: skip
    assert [node.id for node in sentence.empty_nodes] == [NodeId(3, 1)]
    assert sentence.words[2].enhanced == ((NodeId(0), "root"), (NodeId(3, 1), "conj"))
    # Words that spell their token have places of their own, others that of the token.
    assert [word.span for word in sentence.words] == [
        (0, 2), (2, 5), (6, 10), (11, 13), (11, 13), (13, 14),
    ]  # fmt: skip
    (other,) = parse_of(STANDARD.replace("# text = Don't sing", "# text = Don't, sing, sing"))
    assert [word.span for word in other.words] == [(0, 2), (2, 5), None, None, None, None]
    assert conllu_of((sentence,)).splitlines()[1:] == [*STANDARD.splitlines()[2:], ""]


def test_that_the_text_is_put_together_where_no_comment_has_it():
    assert [s.text for s in parse_of(STANDARD.replace("# text", "# words"))] == ["Don't sing du."]


def test_that_windows_lines_a_byte_order_mark_and_a_missing_last_line_do_no_harm():
    found = forms("\ufeff" + (DOG + "\r\n" + DOG.rstrip()).replace("\n", "\r\n"))
    assert found == [["dog", "barks"], ["dog", "barks"]]
    assert forms("# only a comment\n\n\n \n" + DOG) == [["dog", "barks"]]


@in_turn("head", ["", "# text = dog barks\n", "# sent_id = 2\n"])
def test_that_a_missing_empty_line_is_told_and_mended(head):
    text = DOG + head + DOG
    assert forms(text) == [["dog", "barks"]] * 2
    assert warnings(text) == [(3, "line 3: An empty line was missing before this sentence.")]


def test_that_columns_parted_by_blanks_or_too_few_or_too_many_are_told():
    assert warnings(DOG.replace("\t", "  ")) == [
        (1, "line 1: The columns are separated by blanks, not by tabs."),
        (2, "line 2: The columns are separated by blanks, not by tabs."),
    ]
    found = warnings(DOG.replace("\n", "\tmore\n"))[0]
    assert found == (1, "line 1: The line has 11 columns, not ten.")
    assert warnings(DOG.replace("\t_\t_\n", "\n"))[0][1].endswith("8 columns, not ten.")


LENIENT = """\
# newdoc id = d
#sent_id= s1\x20
1\tGo\t\tVERB\tVB\tMood=Imp\t0\tROOT\t0:root|2:x\tGloss=a|SpaceAfter=No
2\t_\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_
2.1\tit\tthey\tPRON\tPRP\t_\t_\t_\t1:nsubj\t_
3\tcome\t_\tVERB\t_\t_\t0\troot\t0:root|2.1:acl\t_
#text=  Now
1-1\tNow\t_\t_\t_\t_\t_\t_\t_\t_
1\tNow\tnow\tADV\t_\t_\t0\t_\t_\t_
"""


def test_that_the_whole_of_a_lenient_file_is_read_and_more_roots_become_one():
    reader = ConlluReader(LENIENT.split("\n"))
    go, now = reader
    assert (go.line, go.id, now.line, now.id) == (1, "s1", 7, "")
    root, side = EnhancedEdge(NodeId(0), "root"), EnhancedEdge(NodeId(1), "parataxis")
    first, second, third = (
        ParsedWord(form="Go", upos="VERB", xpos="VB", feats="Mood=Imp", head=0, deprel="root",
                   enhanced=(root, EnhancedEdge(NodeId(2), "x")), span=(0, 2)),
        ParsedWord(form="_", lemma="_", upos="PUNCT", head=1, deprel="punct", span=(2, 3)),
        ParsedWord(form="come", upos="VERB", head=1, deprel="parataxis",
                   enhanced=(side, EnhancedEdge(NodeId(2, 1), "acl")), span=(4, 8)),
    )  # fmt: skip
    subject = (EnhancedEdge(NodeId(1), "nsubj"),)
    node = EmptyNode(id=NodeId(2, 1), form="it", lemma="they", upos="PRON", enhanced=subject)
    words = (first, second, third)
    assert go.sentence == ParsedSentence(words=words, text="Go_ come", empty_nodes=(node,))
    assert (now.sentence.text, now.sentence.words[0].deprel) == (" Now", "root")
    assert [one.span for one in parse_of(LENIENT, has_spans=False)[0].words] == [None] * 3
    assert [(one.line, str(one)) for one in reader.warnings] == [
        (7, "line 7: An empty line was missing before this sentence."),
        (1, "line 1: The sentence has 2 roots; all but the first were attached to the first."),
        (9, "line 9: Word 1 has no relation; dep is used."),
    ]


FAULTS = {
    "1\tonly\tthree\n": "f.conllu:1: The line has 3 columns. CoNLL-U has ten, separated by tabs.",
    DOG.replace("1\tdog", "one\tdog"): "“one” is not the number",
    DOG.replace("\t0\troot", "\t_\troot"): "has the head “_”",
    DOG.replace("2\tbarks", "3\tbarks"): "Expected word 2, found word 3",
    DOG.replace("0\troot", "1\tconj"): "below itself",
    **{
        DOG.replace("nsubj\t_", f"nsubj\t{edge}"): f"“{edge}” is not an enhanced"
        for edge in ("x:nsubj", "2:", "1-2:nsubj")
    },
}


def test_that_every_faulty_line_is_named():
    found = problems("\n".join(FAULTS))
    assert [line for line, _ in found] == [1, 3, 7, 10, 12, 15, 18, 21]
    for (_, message), part in zip(found, FAULTS.values(), strict=True):
        assert part in message


def test_that_a_text_with_line_breaks_stays_one_comment():
    (sentence,) = parse_of(DOG)
    written = conllu_of((replace(sentence, text="dog\n\tbarks"),))
    assert written.startswith("# text = dog  barks\n1\t")


def test_that_stored_parses_are_those_of_the_texts_that_have_one():
    known = {"a": "1 a", "b": "1 b", "d": "1 d"}
    asked: list[list[str]] = []

    def look_up(texts):
        asked.append([*texts])
        return {one: known[one] for one in texts if one in known}

    parses = StoredParses(lambda: iter(["a", "c", "b", "a"]), look_up)
    assert asked == []
    assert parses == {"a": "1 a", "b": "1 b"}
    assert (len(parses), bool(parses), "c" in parses, parses["d"]) == (2, True, False, "1 d")
    asked.clear()
    assert parses_of(parses, ["c", "b", "c"]) == {"b": "1 b"}
    assert asked == [["c", "b"]]
    assert parses_of(known, ["a"])["a"] == "1 a"
    assert not StoredParses(lambda: iter(["c"]), look_up)
