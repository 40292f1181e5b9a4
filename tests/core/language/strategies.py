"""Random parses."""

from hypothesis import strategies as st

from awase.core.language.conllu import with_spans
from awase.core.records.parse import (
    EmptyNode,
    EnhancedEdge,
    MultiWordToken,
    NodeId,
    ParsedSentence,
    ParsedWord,
)

FORMS = ("a", "Bo", "nil", "_", "c|d", "1 000", "犬", "走る")
RELATIONS = ("nsubj", "obj", "obl", "case", "conj", "cc", "xcomp", "punct", "nmod:poss")


@st.composite
def heads(draw: st.DrawFn, n_words: int) -> list[int]:
    """Returns heads of a tree: in a drawn order, each word's head stands before it."""
    order = draw(st.permutations(range(1, n_words + 1)))
    found = [0] * n_words
    for place, number in enumerate(order[1:], start=1):
        found[number - 1] = order[draw(st.integers(0, place - 1))]
    return found


@st.composite
def sentences(draw: st.DrawFn, max_words: int = 6) -> ParsedSentence:
    """Returns a sentence with everything that CoNLL-U can hold."""
    found = draw(heads(draw(st.integers(1, max_words))))
    n_words = len(found)
    empty = [NodeId(n, 1) for n in draw(st.lists(st.integers(0, n_words), max_size=2, unique=True))]
    nodes = [NodeId(n) for n in range(n_words + 1)] + sorted(empty)
    edges = st.lists(
        st.builds(EnhancedEdge, st.sampled_from(nodes), st.sampled_from(["conj:and", "obl:to"])),
        max_size=2,
        unique=True,
    ).map(lambda some: tuple(sorted(some)))
    words = tuple(
        ParsedWord(
            form=(form := draw(st.sampled_from(FORMS))),
            # An underscore without a lemma cannot be told from one that is its own.
            lemma="_" if form == "_" else draw(st.sampled_from(["", "be", "犬"])),
            upos=draw(st.sampled_from(["", "NOUN", "VERB", "ADP"])),
            xpos=draw(st.sampled_from(["", "VBG"])),
            feats=draw(st.sampled_from(["", "Number=Sing|Person=3"])),
            head=head,
            deprel="root" if head == 0 else draw(st.sampled_from(RELATIONS)),
            enhanced=draw(edges),
        )
        for head in found
    )
    tokens = ()
    if n_words > 2 and draw(st.booleans()):
        tokens = (MultiWordToken(first=2, last=3, form=words[1].form + words[2].form),)
    written, number = "", 1
    while number <= n_words:
        is_token = bool(tokens) and number == tokens[0].first
        written += tokens[0].form if is_token else words[number - 1].form
        written += draw(st.sampled_from(["", " "]))
        number += 2 if is_token else 1
    return with_spans(
        ParsedSentence(
            words=words,
            text=written.strip(),
            tokens=tokens,
            empty_nodes=tuple(
                EmptyNode(id=node, form=draw(st.sampled_from(["", "it"])), enhanced=draw(edges))
                for node in sorted(empty)
            ),
        )
    )
