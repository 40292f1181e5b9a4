"""Dependency parses: words with heads and relations, as Universal Dependencies have them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from awase.core.errors import Listing, Problem, raise_if_any


class NodeId(NamedTuple):
    """The address of a node of an enhanced graph."""

    word: int  # number of the word, from 1; 0 = the root (or, of an empty node, before all words)
    empty: int = 0  # 0 for a word; else the number of the empty node behind that word

    def __str__(self) -> str:
        return f"{self.word}.{self.empty}" if self.empty else str(self.word)


ROOT = NodeId(0)


class EnhancedEdge(NamedTuple):
    """An edge of an enhanced graph, seen from its dependent."""

    head: NodeId
    relation: str


EnhancedEdges = tuple[EnhancedEdge, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedWord:
    """A syntactic word."""

    form: str
    head: int  # number of the head, from 1; 0 = it is the root
    deprel: str
    lemma: str = ""
    upos: str = ""  # universal part of speech; empty when unknown
    xpos: str = ""  # part of speech of the treebank's own set; empty when unknown
    feats: str = ""  # features as CoNLL-U writes them; empty when there are none
    # Edges of the enhanced graph that end here; empty when the parse has none.
    enhanced: EnhancedEdges = ()
    # Offsets of its first character and behind its last one; None when unknown.
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiWordToken:
    """Several words written as one token, such as `don't`."""

    first: int  # number of its first word
    last: int  # number of its last word
    form: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EmptyNode:
    """An empty node of an enhanced graph, in CoNLL-U's sense."""

    id: NodeId
    form: str = ""
    lemma: str = ""
    upos: str = ""
    enhanced: EnhancedEdges = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedSentence:
    """A sentence whose words form one tree."""

    words: tuple[ParsedWord, ...]  # word number `n` is `words[n - 1]`
    text: str = ""  # the sentence; empty when unknown
    tokens: tuple[MultiWordToken, ...] = ()  # multi-word tokens, in order
    empty_nodes: tuple[EmptyNode, ...] = ()  # of the enhanced graph, in order

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    @property
    def has_enhanced_graph(self) -> bool:
        """Whether the parse has an enhanced graph."""
        return any(word.enhanced for word in self.words)

    def dependents(self) -> list[list[int]]:
        """Returns the numbers of each node's dependents, in order; the roots' at 0."""
        dependents: list[list[int]] = [[] for _ in range(len(self.words) + 1)]
        for number, word in enumerate(self.words, start=1):
            dependents[word.head].append(number)
        return dependents

    def _problems(self) -> Iterator[Problem]:
        if not self.words:
            yield Problem(what="A parsed sentence has no word.")
            return
        faults = [*self._word_problems()]
        yield from faults
        if faults:
            return
        roots = [number for number, word in enumerate(self.words, start=1) if word.head == 0]
        if len(roots) > 1:
            yield Problem(
                what="Words {numbers} are all roots.",
                hint="A sentence has one; attach the others.",
                fields={"numbers": Listing(roots)},
            )
        in_circle = word_in_circle([word.head for word in self.words])
        if in_circle is not None:
            yield Problem(
                what="Word {number} “{form}” is below itself.",
                hint="Correct the heads.",
                fields={"number": in_circle, "form": self.words[in_circle - 1].form},
            )
        yield from self._graph_problems()

    def _word_problems(self) -> Iterator[Problem]:
        n_words = len(self.words)
        for number, word in enumerate(self.words, start=1):
            if not 0 <= word.head <= n_words:
                yield Problem(
                    what="Word {number} “{form}” has head {head}, which is not a word.",
                    hint="Heads are 0 to {n_words}.",
                    fields={
                        "number": number, "form": word.form, "head": word.head, "n_words": n_words,
                    },
                )  # fmt: skip
            if not word.form:
                yield Problem(what="Word {number} has no form.", fields={"number": number})
            if not word.deprel:
                yield Problem(what="Word {number} has no relation.", fields={"number": number})

    def _graph_problems(self) -> Iterator[Problem]:
        ids = {node.id for node in self.empty_nodes}
        edges = [edge for word in self.words for edge in word.enhanced]
        edges += [edge for node in self.empty_nodes for edge in node.enhanced]
        for edge in edges:
            head = edge.head
            if head not in ids if head.empty else not 0 <= head.word <= len(self.words):
                yield Problem(
                    what="An enhanced edge “{relation}” comes from {head}, which is not a node.",
                    fields={"relation": edge.relation, "head": str(head)},
                )


Parse = tuple[ParsedSentence, ...]  # what one text of a corpus was parsed into: mostly one sentence


def word_in_circle(heads: Sequence[int]) -> int | None:
    """Returns the number of a word that does not reach the root, None when all do; heads from 0."""
    reaches = [True] + [False] * len(heads)
    for start in range(1, len(heads) + 1):
        way: list[int] = []
        on_way: set[int] = set()
        number = start
        while not reaches[number]:
            if number in on_way:
                return number
            way.append(number)
            on_way.add(number)
            number = heads[number - 1]
        for number in way:
            reaches[number] = True
    return None
