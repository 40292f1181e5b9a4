"""`awase info`: what a corpus holds, how far its annotators are, and who has it open."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import OpenedCorpus, open_corpus
from awase.cli.arguments.options import CommandOptions, output_options
from awase.cli.output.messages import print_problems, say
from awase.cli.output.progress import ProgressBar
from awase.core.errors import NOTHING
from awase.storage.addresses import is_url

if TYPE_CHECKING:
    from awase.cli.output.forms import Output
    from awase.core.progress import Reporter
    from awase.core.records.abstract import Abstract
    from awase.core.records.output import Output as SystemOutput


@dataclass(frozen=True, slots=True, kw_only=True)
class _StoredFacts:
    """What a store knows besides the corpus: its format's version, and who writes it."""

    format_version: str
    holder: dict[str, str | int] | None = None


_EXAMPLES = """\b
Example:
  awase info tsc3.awase
"""


@click.command("info", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@output_options()
def command(
    corpus: str,
    output: "Output",
) -> None:
    """Tell what CORPUS holds, how far its annotators are, and who has it open for writing."""
    from awase.cli.output.forms import give, of_records

    opened = open_corpus(corpus, with_sources=False)  # counted, not looked at
    print_problems("warning", opened.warnings)
    with ProgressBar("Counting") as bar:
        report = _report(corpus, opened, _stored_facts(corpus, opened.kind), bar)
    records = [*_records(report)]
    give(of_records(lambda: _print(opened, report), report, records), output)


def _records(report: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Yields a record a fact: which part of the report, about whom, what, and the value."""
    for part, value in report.items():
        if isinstance(value, Mapping):
            yield from ({"part": part, "name": "", "fact": k, "value": v} for k, v in value.items())
        elif isinstance(value, list):
            for entry in value:
                name, *facts = entry.items()
                for fact, of_fact in facts:
                    yield {"part": part, "name": name[1], "fact": fact, "value": of_fact}
        else:
            yield {"part": part, "name": "", "fact": "", "value": value}


def _stored_facts(location: str, kind: str) -> _StoredFacts:
    if kind == "awase-json":
        return _StoredFacts(format_version="1")
    from awase.storage.files.opening import locked_by_another
    from awase.storage.store import CorpusStore

    with CorpusStore.open(location, who="", read_only=True) as store:
        version = store.format_version()
    locked = None if is_url(location) else locked_by_another(Path(location))
    if locked is None:
        return _StoredFacts(format_version=version)
    return _StoredFacts(
        format_version=version, holder=asdict(locked.holder) if locked.holder else {}
    )


def _report(
    location: str, opened: OpenedCorpus, facts: _StoredFacts, reporter: "Reporter"
) -> dict[str, object]:
    from awase.core.records.differences import CorpusCounts
    from awase.core.records.topic import told_in_turn

    corpus = opened.corpus
    lengths: Counter[str | None] = Counter()
    languages: Counter[str | None] = Counter()
    annotators, systems = _Annotators(), _Systems()
    counts = CorpusCounts(human_scores=len(corpus.human_scores))
    for topic in told_in_turn(corpus.topics, reporter):  # once: of many each is read anew
        counts += CorpusCounts.of_topics((topic,))
        lengths.update(abstract.length for abstract in topic.abstracts)
        languages[topic.language] += 1
        annotators.add(topic.abstracts)
        systems.add(topic.outputs)
    return {
        "location": location,
        "kind": opened.kind,
        "format_version": facts.format_version,
        "held_by": facts.holder,
        "name": corpus.name,
        "has_guidelines": bool(corpus.guidelines),
        "rank_weights": dict(corpus.rank_weights),
        "counts": counts.as_dict(),
        "languages": [{"language": name, "topics": n} for name, n in languages.items()],
        "lengths": [{"length": name, "abstracts": n} for name, n in lengths.items()],
        "annotators": annotators.records(),
        "systems": systems.records(),
        "measures": [
            {"measure": name, "human_scores": n}
            for name, n in Counter(score.measure for score in corpus.human_scores).items()
        ],
    }


class _Annotators:
    """Each annotator's abstracts and the states of their sentences; none = to do."""

    def __init__(self) -> None:
        self._n_abstracts: Counter[str] = Counter()
        self._states: dict[str, Counter[str]] = {}

    def add(self, abstracts: "Iterable[Abstract]") -> None:
        """Takes note of further abstracts."""
        from awase.core.records.alignment import AlignmentState

        for abstract in abstracts:
            for alignment in abstract.alignments:
                self._n_abstracts[alignment.annotator] += 1
                of_annotator = self._states.setdefault(alignment.annotator, Counter())
                entries = {entry.n: entry.state for entry in alignment.sentences}
                of_annotator.update(
                    entries.get(sentence.n, AlignmentState.TODO).value
                    for sentence in abstract.sentences
                )

    def records(self) -> list[dict[str, object]]:
        """Returns a record an annotator."""
        from awase.core.records.alignment import AlignmentState

        return [
            {
                "annotator": name,
                "abstracts": self._n_abstracts[name],
                "states": {state.value: counted[state.value] for state in AlignmentState},
            }
            for name, counted in self._states.items()
        ]


class _Systems:
    """How many extracts and texts each system has."""

    def __init__(self) -> None:
        self._extracts: Counter[str] = Counter()
        self._texts: Counter[str] = Counter()
        self._names: dict[str, None] = {}

    def add(self, outputs: "Iterable[SystemOutput]") -> None:
        """Takes note of further outputs."""
        from awase.core.records.output import Extract

        for output in outputs:
            self._names[output.system] = None
            (self._extracts if isinstance(output, Extract) else self._texts)[output.system] += 1

    def records(self) -> list[dict[str, object]]:
        """Returns a record a system."""
        return [
            {"system": name, "extracts": self._extracts[name], "texts": self._texts[name]}
            for name in self._names
        ]


# The report is made of JSON values; the keys below are those of `_report`.
def _print(opened: OpenedCorpus, report: dict[str, object]) -> None:
    from awase.cli.arguments.corpora import counts_text

    corpus = opened.corpus
    say(f"{report['name'] or report['location']} ({report['kind']}, format version "
               f"{report['format_version'] or NOTHING})")  # fmt: skip
    counts = report["counts"]
    say(counts_text(counts) if isinstance(counts, dict) else "")
    weights = ", ".join(f"{rank} {weight:.4g}" for rank, weight in corpus.rank_weights)
    say(f"rank weights: {weights or 'none'}")
    say(f"guidelines: {'yes' if corpus.guidelines else 'none'}")
    for title, key in (("languages", "languages"), ("abstracts by length", "lengths"),
                       ("human scores", "measures")):  # fmt: skip
        entries = report[key]
        if isinstance(entries, list) and entries:
            pairs = (tuple(entry.values()) for entry in entries)
            say(f"{title}: {', '.join(f'{n or NOTHING} {count}' for n, count in pairs)}")
    _print_rows(report["annotators"], ["annotator", "abstracts"])
    _print_rows(report["systems"], ["system", "extracts", "texts"])
    if opened.kind == "awase-file":
        say(_holder_text(report["held_by"]))


def _print_rows(entries: object, titles: list[str]) -> None:
    from awase.cli.output.tables import print_table
    from awase.core.reports.grid import columns_of

    if not isinstance(entries, list) or not entries:
        return
    states = [*entries[0].get("states", {})]
    rows = [
        [
            *(str(entry[title]) for title in titles),
            *(str(n) for n in entry.get("states", {}).values()),
        ]
        for entry in entries
    ]
    say()
    print_table(columns_of((*titles, *states)), [rows])


def _holder_text(holder: object) -> str:
    if holder is None:
        return "\nNobody has it open for writing."
    if isinstance(holder, dict) and holder:
        return "\nOpen for writing: {who} on {host} (process {pid}, since {since}).".format(
            **holder
        )
    return "\nAnother process has it open for writing."
