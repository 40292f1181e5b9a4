"""Basic elements of a parse: (head, modifier, relation) triples, and heads alone.

Source: Honda, Hirao and Nagata, "pruned ROUGE and pruned BE", section 3.1 and footnotes 3 and 4.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from awase.core.parsing.enhanced import Edge, base, enhanced_edges
from awase.core.records.parse import NodeId, ParsedSentence, ParsedWord
from awase.core.text.tokens.words import has_unspaced_script

BasicElement = tuple[str, str, str]
"""Head, modifier and relation."""

RELATIONS: Final = frozenset(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse aux cop "
    "mark nmod appos nummod acl amod det clf case fixed flat compound".split()
)
"""Those of footnote 4, `dobj` under its name of today."""

_NEWER_NAMES: Final = MappingProxyType(
    {
        "dobj": "obj",
        "nsubjpass": "nsubj:pass",
        "csubjpass": "csubj:pass",
        "auxpass": "aux:pass",
        "name": "flat",
        "mwe": "fixed",
        "neg": "advmod",
    }
)
_HEADS_OF_PHRASES: Final = frozenset(["NOUN", "PROPN", "PRON", "VERB", "ADJ", "ADV"])
_PARTS_OF_WORDS: Final = frozenset(["compound", "flat", "fixed", "goeswith", "name", "mwe"])
_TAKES_PARTICLE: Final = ("nmod", "obl")
_CASE_PARTICLE: Final = "格助詞"


class Labels(Enum):
    """Which relations the elements have."""

    AUTO = "auto"
    """`ENHANCED`, but `BASIC` where a sentence has kana or kanji."""
    ENHANCED = "enhanced"
    """Of the parse's enhanced graph, or of our rules where it has none (obl:to)."""
    BASIC = "basic"
    """Of the tree."""
    PARTICLE = "particle"
    """Of the tree, `obl` and `nmod` with their case particle (obl:で); for Japanese."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BasicElementOptions:
    """How elements are made.

    Attributes:
        lemma: Take lemmas (the form where there is none) instead of forms.
        labels: Which relations.
    """

    lemma: bool = False
    labels: Labels = Labels.AUTO


DEFAULT: Final = BasicElementOptions()


def basic_elements(
    sentence: ParsedSentence, *, options: BasicElementOptions = DEFAULT
) -> list[BasicElement]:
    """Returns the elements of a sentence in lower case, in the order of their modifiers.

    A word with several heads in the enhanced graph gives several.
    """
    found = []
    for head, modifier, relation in _EDGES[_labels_of(sentence, options)](sentence, options):
        label = normal_relation(relation)
        if head and modifier and base(label) in RELATIONS:
            found.append((head, modifier, label))
    return found


def phrase_heads(sentence: ParsedSentence, *, options: BasicElementOptions = DEFAULT) -> list[str]:
    """Returns the heads of noun, verb, adjective and adverb phrases: elements of one word.

    Source: Hovy, Lin, Zhou and Fukumoto 2006: an element is "the head of a major syntactic
        constituent, expressed as a single item", or a triple. Ours: words of the parts of speech
        noun, proper noun, pronoun, verb, adjective and adverb that are no parts of other words.
    """
    return [
        _spelled(word, options)
        for word in sentence.words
        if word.upos in _HEADS_OF_PHRASES and base(word.deprel) not in _PARTS_OF_WORDS
    ]


def normal_relation(relation: str) -> str:
    """Returns the relation in lower case, under the name that UD v2 gives it.

    >>> normal_relation("dobj"), normal_relation("nsubjpass:xsubj")
    ('obj', 'nsubj:pass:xsubj')
    """
    first, colon, rest = relation.lower().partition(":")
    return f"{_NEWER_NAMES.get(first, first)}{colon}{rest}"


def _labels_of(sentence: ParsedSentence, options: BasicElementOptions) -> Labels:
    if options.labels is not Labels.AUTO:
        return options.labels
    is_unspaced = any(has_unspaced_script(word.form) for word in sentence.words)
    return Labels.BASIC if is_unspaced else Labels.ENHANCED


_Triples = Iterator[tuple[str, str, str]]


def _enhanced(sentence: ParsedSentence, options: BasicElementOptions) -> _Triples:
    if not sentence.has_enhanced_graph:
        yield from _triples(sentence, enhanced_edges(sentence), options)
        return
    nodes = _spelled_nodes(sentence, options)
    for number, word in enumerate(sentence.words, start=1):
        for edge in word.enhanced:
            yield nodes[edge.head], nodes[NodeId(number)], edge.relation
    for node in sentence.empty_nodes:
        for edge in node.enhanced:
            yield nodes[edge.head], nodes[node.id], edge.relation


def _spelled_nodes(sentence: ParsedSentence, options: BasicElementOptions) -> Mapping[NodeId, str]:
    """Returns each node's word; the root, and an empty node that no word is known for, have none.

    Their edges are no elements.
    """
    nodes = {NodeId(0): ""}
    for number, word in enumerate(sentence.words, start=1):
        nodes[NodeId(number)] = _spelled(word, options)
    for node in sentence.empty_nodes:
        spelled = node.lemma or node.form if options.lemma else node.form or node.lemma
        nodes[node.id] = spelled.lower()
    return nodes


def _basic(sentence: ParsedSentence, options: BasicElementOptions) -> _Triples:
    yield from _triples(sentence, _tree(sentence), options)


def _with_particles(sentence: ParsedSentence, options: BasicElementOptions) -> _Triples:
    dependents = sentence.dependents()
    edges = []
    for edge in _tree(sentence):
        particle = ""
        if edge.relation in _TAKES_PARTICLE:
            particle = _particle(sentence, dependents, edge.dependent)
        edges.append(edge._replace(relation=f"{edge.relation}:{particle}") if particle else edge)
    yield from _triples(sentence, edges, options)


def _particle(sentence: ParsedSentence, dependents: list[list[int]], number: int) -> str:
    """Returns the last case particle of a word; the first marker where no parser tells which."""
    cases = [one for one in dependents[number] if base(sentence.words[one - 1].deprel) == "case"]
    if any(sentence.words[one - 1].xpos for one in cases):
        cases = [one for one in cases if _CASE_PARTICLE in sentence.words[one - 1].xpos][-1:]
    if not cases:
        return ""
    fixed = [
        one for one in dependents[cases[0]] if base(sentence.words[one - 1].deprel) == "fixed"
    ]  # fmt: skip
    return "".join(sentence.words[one - 1].form for one in (cases[0], *fixed))


def _tree(sentence: ParsedSentence) -> list[Edge]:
    return [
        Edge(word.head, number, word.deprel) for number, word in enumerate(sentence.words, start=1)
    ]


def _triples(sentence: ParsedSentence, edges: list[Edge], options: BasicElementOptions) -> _Triples:
    spelled = ["", *(_spelled(word, options) for word in sentence.words)]
    for head, dependent, relation in edges:
        yield spelled[head], spelled[dependent], relation


def _spelled(word: ParsedWord, options: BasicElementOptions) -> str:
    return (word.lemma or word.form if options.lemma else word.form).lower()


_EDGES: Mapping[Labels, Callable[[ParsedSentence, BasicElementOptions], _Triples]] = (
    MappingProxyType(
        {Labels.ENHANCED: _enhanced, Labels.BASIC: _basic, Labels.PARTICLE: _with_particles}
    )
)
