"""Basic elements of a parse: (head, modifier, relation) triples, and heads alone."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple

from awase.core.records.parse import NodeId, ParsedSentence, ParsedWord
from awase.core.text.tokenisers import has_unspaced_script

_SUBJECTS: Final = ("nsubj", "csubj")
_OWN_SUBJECTS: Final = (*_SUBJECTS, "expl")
_MARKED_BY_CASE: Final = ("nmod", "obl")
_MARKED_BY_MARK: Final = ("acl", "advcl")
_CONTROLLED: Final = "nsubj:xsubj"


class Edge(NamedTuple):
    """An edge between words of a sentence, by their numbers; head 0 is the root."""

    head: int
    dependent: int
    relation: str


def base(relation: str) -> str:
    """Returns the relation without its subtype.

    >>> base("nsubj:pass")
    'nsubj'
    """
    return relation.partition(":")[0]


def enhanced_edges(sentence: ParsedSentence) -> list[Edge]:
    """Returns the edges of the enhanced graph that the tree implies, by dependent.

    1. `nmod` and `obl` are labelled with their last case marker, 2. `acl` and `advcl` with their
    first marker, 3. `conj` with its conjunction; 4. a conjunct depends on its first conjunct's
    head, too; 5. a verbal conjunct shares subjects; 6. an `xcomp` has a subject. Labels with a
    subtype stay.
    """
    graph = _Graph(sentence)
    edges = [
        edge
        for number in range(1, len(sentence.words) + 1)
        for edge in (graph.own_edge(number), *graph.shared_head(number), *graph.subjects_of(number))
    ]
    return sorted(dict.fromkeys(edges), key=lambda edge: edge.dependent)


class _Graph:
    def __init__(self, sentence: ParsedSentence) -> None:
        self._words = sentence.words
        self._dependents = sentence.dependents()

    def own_edge(self, number: int) -> Edge:
        """Returns the edge of the tree with its enhanced label."""
        return Edge(self._word(number).head, number, self._label(number))

    def shared_head(self, number: int) -> Iterator[Edge]:
        """Yields the edge from the first conjunct's head to a conjunct (rule 4)."""
        word = self._word(number)
        if base(word.deprel) != "conj":
            return
        first = self._word(word.head)
        if first.head == 0 or base(first.deprel) == "conj":
            return
        relation = self._label(word.head)
        if first.deprel in _MARKED_BY_CASE:
            own = self._markers(number, ("case",))
            relation = f"{first.deprel}:{own[-1]}" if own else relation
        yield Edge(first.head, number, relation)

    def subjects_of(self, number: int) -> Iterator[Edge]:
        """Yields the edges to subjects that a word has from elsewhere (rules 5 and 6)."""
        for subject, relation in self._shared_subjects(number):
            yield Edge(number, subject, relation)
        word = self._word(number)
        if word.deprel != "xcomp":
            return
        objects = self._of(word.head, ("obj",)) or self._of(word.head, ("iobj",))
        if objects:
            yield Edge(number, objects[0], _CONTROLLED)
            return
        subjects = self._of(word.head, ("nsubj",))
        subjects += [
            subject
            for subject, relation in self._shared_subjects(word.head)
            if base(relation) == "nsubj"
        ]
        if subjects:
            yield Edge(number, subjects[0], _CONTROLLED)

    def _shared_subjects(self, number: int) -> list[tuple[int, str]]:
        word = self._word(number)
        if base(word.deprel) != "conj" or word.upos != "VERB" or _is_gerund(word):
            return []
        if self._of(number, _OWN_SUBJECTS):
            return []
        return [(subject, self._word(subject).deprel) for subject in self._of(word.head, _SUBJECTS)]

    def _label(self, number: int) -> str:
        relation = self._word(number).deprel
        marker = ""
        if relation in _MARKED_BY_CASE:
            marker = ["", *self._markers(number, ("case",))][-1]
        elif relation in _MARKED_BY_MARK:
            marker = [*self._markers(number, ("mark", "case")), ""][0]
        elif relation == "conj":
            marker = self._conjunction(number)
        return f"{relation}:{marker}" if marker else relation

    def _conjunction(self, number: int) -> str:
        siblings = [
            one for one in self._of(self._word(number).head, ("conj",)) if one > number
        ]  # fmt: skip
        for conjunct in (number, *siblings):
            own = self._markers(conjunct, ("cc",))
            if own:
                return own[0]
        return ""

    def _markers(self, number: int, relations: Sequence[str]) -> list[str]:
        return [self._marker(one) for one in self._of(number, relations)]

    def _marker(self, number: int) -> str:
        fixed = [self._word(one).form for one in self._of(number, ("fixed",))]
        word = self._word(number)
        return "_".join(part.lower() for part in (word.lemma or word.form, *fixed))

    def _of(self, number: int, relations: Sequence[str]) -> list[int]:
        return [
            one for one in self._dependents[number] if base(self._word(one).deprel) in relations
        ]

    def _word(self, number: int) -> ParsedWord:
        return self._words[number - 1]


def _is_gerund(word: ParsedWord) -> bool:
    if word.xpos or word.feats:
        return word.xpos == "VBG" or "VerbForm=Ger" in word.feats.split("|")
    return word.form.lower().endswith("ing")


BasicElement = tuple[str, str, str]  # head, modifier and relation

# Those of footnote 4, `dobj` under its name of today.
RELATIONS: Final = frozenset(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse aux cop "
    "mark nmod appos nummod acl amod det clf case fixed flat compound".split()
)

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

    AUTO = "auto"  # `ENHANCED`, but `BASIC` where a sentence has kana or kanji
    # Of the parse's enhanced graph, or of our rules where it has none (obl:to).
    ENHANCED = "enhanced"
    BASIC = "basic"  # of the tree
    # Of the tree, `obl` and `nmod` with their case particle (obl:で); for Japanese.
    PARTICLE = "particle"


@dataclass(frozen=True, slots=True, kw_only=True)
class BasicElementOptions:
    """Options of basic elements."""

    lemma: bool = False
    labels: Labels = Labels.AUTO


DEFAULT: Final = BasicElementOptions()


def basic_elements(
    sentence: ParsedSentence, *, options: BasicElementOptions = DEFAULT
) -> list[BasicElement]:
    """Returns the elements of a sentence in lower case, by modifier; one for each enhanced head."""
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
    """Returns the relation in lower case, with UD v1 names mapped to v2.

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
    """Returns each node's word; none for the root and unknown empty nodes."""
    nodes = {NodeId(0): ""}
    for number, word in enumerate(sentence.words, start=1):
        nodes[NodeId(number)] = _spelled(word, options)
    for node in sentence.empty_nodes:
        spelled = node.lemma or node.form if options.lemma else node.form or node.lemma
        nodes[node.id] = spelled.lower()
    return nodes


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
    """Returns the last case particle of a word, the first marker if the parser tells none."""
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
        {
            Labels.ENHANCED: _enhanced,
            Labels.BASIC: lambda sentence, options: _triples(sentence, _tree(sentence), options),
            Labels.PARTICLE: _with_particles,
        }
    )
)


_PUNCTUATION = "PUNCT"


class Subtree(NamedTuple):
    """Words of a sentence that hang together."""

    words: tuple[int, ...]  # their places in the sentence, from 0, ascending; there may be gaps
    head: int


def subtrees_of(
    heads: Sequence[int], left_out: Collection[int] = (), *, distinct: bool = True
) -> tuple[Subtree, ...]:
    """Returns the subtrees of a sentence: every word, every path from a leaf up, every branch.

    `heads` are numbers of words from 1, 0 = root; the words at `left_out`, from 0, are removed with
    their descendants. Equal word sets count once if `distinct`; else a leaf counts three times.

    >>> [subtree.words for subtree in subtrees_of([2, 0, 2])]
    [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)]
    """
    words = [place for place in range(len(heads)) if place not in left_out]
    below: dict[int, list[int]] = {place: [] for place in words}
    for place in words:
        if heads[place]:
            below[heads[place] - 1].append(place)
    found = [
        *(Subtree((place,), place) for place in words),
        *_paths([place for place in words if not below[place]], heads),
        *_branches(words, heads, below),
    ]
    return tuple(dict.fromkeys(found)) if distinct else tuple(found)


def _paths(leaves: Sequence[int], heads: Sequence[int]) -> Iterator[Subtree]:
    """Yields the paths from each leaf to itself and to every ancestor."""
    for leaf in leaves:
        way = [leaf]
        yield Subtree((leaf,), leaf)
        while heads[way[-1]]:
            way.append(heads[way[-1]] - 1)
            yield Subtree(tuple(sorted(way)), way[-1])


def _branches(
    words: Sequence[int], heads: Sequence[int], below: dict[int, list[int]]
) -> Iterator[Subtree]:
    from_root: list[int] = [place for place in words if not heads[place]]
    for place in from_root:  # grows while it is gone through
        from_root += below[place]
    branches: dict[int, list[int]] = {}
    for place in reversed(from_root):
        branches[place] = [place, *(one for child in below[place] for one in branches[child])]
    for place in words:
        yield Subtree(tuple(sorted(branches[place])), place)


def punctuation_of(sentence: ParsedSentence) -> frozenset[int]:
    """Returns positions from 0 of punctuation without other descendants."""
    kept = {0}
    for number, word in enumerate(sentence.words, start=1):
        if word.upos != _PUNCTUATION:
            while number not in kept:
                kept.add(number)
                number = sentence.words[number - 1].head
    return frozenset(place for place in range(len(sentence.words)) if place + 1 not in kept)
