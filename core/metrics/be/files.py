"""Basic elements as files: what ROUGE-1.5.5 reads with -3, settings and all."""

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from awase.core.metrics.be.elements import simple_lines
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.kit.texts.cases import Case, cases_of
from awase.core.metrics.kit.texts.parsed import check_parsed
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.rouge.counting import groups_of
from awase.core.parsing.basic_elements import DEFAULT
from awase.core.parsing.conllu import parse_of
from awase.core.records.corpus import Corpus

SETTINGS = "settings.xml"


def be_files(corpus: Corpus, supplies: Supplies) -> dict[str, str]:
    """Returns files by name: one of elements a summary, and settings that compare them.

    An evaluation is a topic and length class, called `topic` or `topic.length`.

    Raises:
        InputError: Parses are missing.
    """
    cases = cases_of(corpus.topics, TextLog())
    check_parsed("be", cases, supplies)
    files: dict[str, str] = {}
    names: dict[tuple[str, ...], str] = {}

    def file_of(text: tuple[str, ...]) -> str:
        if text not in names:
            names[text] = f"{len(names) + 1:05}.be"
            files[names[text]] = "".join(_lines(text, supplies.parses))
        return names[text]

    ids: dict[str, int] = {}
    evaluations: list[str] = []
    for group in groups_of(cases):
        for of_length in _by_length(cases, group):
            case = cases[of_length[0]]
            id_ = case.topic if case.length is None else f"{case.topic}.{case.length}"
            n_same = ids[id_] = ids.get(id_, 0) + 1
            peers = [(cases[idx].system, file_of(cases[idx].text)) for idx in of_length]
            models = [file_of(text) for text in case.references]
            evaluations += _evaluation(id_ if n_same == 1 else f"{id_}.{n_same}", peers, models)
    settings = ['<ROUGE-EVAL version="1.5.5">', *evaluations, "</ROUGE-EVAL>"]
    return {**files, SETTINGS: "".join(f"{line}\n" for line in settings)}


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
