"""Opening a stored corpus and scoring all of it, against `json.load` of the same corpus.

It is opened for scoring as `awase score` does it: what no metric looks at is not read. All run in
this process, in turn, after one warm-up; CPU time of the process is counted.
"""

import json
import statistics
import tempfile
from pathlib import Path

from awase.core.errors import Silent
from awase.core.formats.reading.requests import WriteRequest
from awase.core.metrics.registry import read_sources, requests_of, score_corpus
from awase.core.records.addition import addition_of
from awase.storage.rows.reading import FileReader
from awase.storage.store import CorpusStore
from tests.benchmarks import in_turns, print_table
from tests.benchmarks.corpora import made_corpus
from tests.written import as_json

N_RUNS = 7


def main() -> None:
    """Prints a Markdown table."""
    corpus = made_corpus(n_topics=100, n_sentences=120, n_systems=20)
    with tempfile.TemporaryDirectory() as name:
        json_path, store_path = Path(name, "corpus.json"), Path(name, "corpus.awase")
        json_path.write_text(as_json(WriteRequest(corpus=corpus)), encoding="utf-8")
        addition = addition_of(corpus)
        CorpusStore.create(store_path, name="made", who="benchmark", addition=addition).close()
        rows = {
            "json.load of the corpus": lambda: json.loads(json_path.read_text(encoding="utf-8")),
            "open it and score it with the TSC-3 metrics": lambda: _scored(store_path),
        }
        times = in_turns(rows, N_RUNS)
        n_bytes = json_path.stat().st_size
    baseline = statistics.median(times["json.load of the corpus"])
    print(f"100 topics x 120 sentences, 20 systems; {n_bytes / 1e6:.1f} MB of JSON\n")
    medians = {name: statistics.median(values) for name, values in times.items()}
    print_table(
        "work | CPU ms, median | max | ratio",
        (
            (name, f"{ms:.0f}", f"{max(times[name]):.0f}", f"{ms / baseline:.1f}")
            for name, ms in medians.items()
        ),
    )


def _scored(path: Path) -> object:
    requests = requests_of(["tsc3"])
    with FileReader(path).snapshot(with_sources=read_sources(requests)) as corpus:
        return score_corpus(corpus, requests, Silent())
