"""Basic elements as files: what ROUGE-1.5.5 reads with -3, settings and all."""

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from awase.core.metrics.be.elements import simple_lines
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.kit.texts.cases import Case, cases_of
from awase.core.metrics.kit.texts.parsed import checked_parses
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.rouge.counting import groups_of
from awase.core.parsing.basic_elements import DEFAULT
from awase.core.parsing.conllu import parse_of
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.topic import told_in_turn

SETTINGS = "settings.xml"


def be_files(corpus: Corpus, supplies: Supplies, reporter: Reporter) -> Iterator[tuple[str, str]]:
    """Yields names of files and pieces of their texts: elements of a summary each, and settings.

    The settings compare them, and their pieces come between the others. An evaluation is a topic
    and length class, called `topic` or `topic.length`.
    """
    yield SETTINGS, '<ROUGE-EVAL version="1.5.5">\n'
    files = _Files()
    ids: dict[str, int] = {}
    for topic in told_in_turn(corpus.topics, reporter):
        cases = cases_of((topic,), TextLog())
        parses = checked_parses("be", cases, supplies, corpus.topics)
        for group in groups_of(cases):
            for of_length in _by_length(cases, group):
                case = cases[of_length[0]]
                id_ = case.topic if case.length is None else f"{case.topic}.{case.length}"
                n_same = ids[id_] = ids.get(id_, 0) + 1
                peers = [(cases[idx].system, files.name_of(cases[idx].text)) for idx in of_length]
                models = [*map(files.name_of, case.references)]
                evaluation = _evaluation(id_ if n_same == 1 else f"{id_}.{n_same}", peers, models)
                yield SETTINGS, "".join(f"{line}\n" for line in evaluation)
        for name, text in files.taken():
            yield name, "".join(_lines(text, parses))
    yield SETTINGS, "</ROUGE-EVAL>\n"


class _Files:
    """Gives each text a file's name, equal ones the same."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, ...], int] = {}
        self._new: list[tuple[str, tuple[str, ...]]] = []

    def name_of(self, text: tuple[str, ...]) -> str:
        n_before = len(self._numbers)
        number = self._numbers.setdefault(text, n_before + 1)
        name = f"{number:05}.be"
        if number > n_before:
            self._new.append((name, text))
        return name

    def taken(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yields the names that are new, with their texts, which are forgotten."""
        new, self._new = self._new, []
        yield from new


def _by_length(cases: Sequence[Case], group: Sequence[int]) -> Iterator[list[int]]:
    by_length: dict[str | None, list[int]] = {}
    for case_idx in group:
        by_length.setdefault(cases[case_idx].length, []).append(case_idx)
    yield from by_length.values()


def _lines(text: Sequence[str], parses: Mapping[str, str]) -> Iterator[str]:
    for sentence in text:
        for line in simple_lines(parse_of(parses.get(sentence, "")), DEFAULT):
            yield f"{line}\n"


def _evaluation(id_: str, peers: list[tuple[str, str]], models: list[str]) -> Iterator[str]:
    yield f"<EVAL ID={quoteattr(id_)}>"
    yield "<PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>"
    yield '<INPUT-FORMAT TYPE="SIMPLE"/>'
    yield "<PEERS>"
    yield from (f"<P ID={quoteattr(system)}>{escape(name)}</P>" for system, name in peers)
    yield "</PEERS>"
    yield "<MODELS>"
    yield from (f'<M ID="{number}">{name}</M>' for number, name in enumerate(models, start=1))
    yield "</MODELS>"
    yield "</EVAL>"
