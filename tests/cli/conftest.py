"""A small corpus, and the program run as people run it: words in, status and two streams out."""

import io
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.written import write_files

from awase.cli.corpora import open_corpus
from awase.cli.main import main
from awase.core.records.corpus import Corpus

DEMOS = Path(str(files("awase.resources"))) / "demo"
CSV, LATEX, HTML = (f"--output-format={form}" for form in ("csv", "latex", "html"))


@dataclass(frozen=True)
class Finished:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What a command prints as JSON, without what every one says of itself."""
        found = json.loads(self.out)
        if isinstance(found, dict) and "awase" not in found:
            assert next(iter(found)) == "awase_output"
            assert found.pop("awase_output") == 1
            assert self.status != 0 or found["complete"]
            assert self.status != 130 or not found["complete"]
            del found["complete"]
        return found

    @property
    def problems(self) -> list[str]:
        return [line for line in self.err.splitlines() if line.startswith("error: ")]

    @property
    def warnings(self) -> list[str]:
        return [line for line in self.err.splitlines() if line.startswith("warning: ")]


class Terminal(io.StringIO):
    """What people look at."""

    def isatty(self) -> bool:
        return True


Run = Callable[..., Finished]


def stop(*_: object, **__: object) -> None:
    """Stands for Ctrl+C, wherever it is put."""
    raise KeyboardInterrupt


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_program(*arguments: object) -> Finished:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main([str(argument) for argument in arguments])
        streams = capsys.readouterr()
        status = stopped.value.code
        assert status is None or isinstance(status, int)
        return Finished(status=status or 0, out=streams.out, err=streams.err)

    return run_program


def document(document_id: str, *sentences: str) -> dict[str, Any]:
    return {"id": document_id, "sentences": list(sentences)}


def confirmed(n: int, *alternatives: list[str]) -> dict[str, Any]:
    return {"n": n, "state": "confirmed", "alternatives": [list(a) for a in alternatives]}


@pytest.fixture
def corpus_json() -> dict[str, Any]:
    return small_corpus()


def topic(
    topic_id: str,
    documents: list[dict[str, Any]],
    sentences: dict[str, tuple[str, list[list[str]]]],
    extracts: dict[str, list[str]],
) -> dict[str, Any]:
    """A Japanese topic with one short abstract: of each sentence its rank and alternatives."""
    rows = [(n, text, *row) for n, (text, row) in enumerate(sentences.items(), start=1)]
    entries = [confirmed(n, *alternatives) for n, _, _, alternatives in rows]
    abstract = {
        "id": "short",
        "length": "short",
        "sentences": [{"n": n, "text": text, "rank": rank} for n, text, rank, _ in rows],
        "alignments": [{"annotator": "花子", "sentences": entries}],
    }
    outputs = [{"system": system, "length": "short", "extract": refs}
               for system, refs in extracts.items()]  # fmt: skip
    return {"id": topic_id, "language": "ja", "documents": documents,
            "abstracts": [abstract], "outputs": outputs}  # fmt: skip


def small_corpus() -> dict[str, Any]:
    """Two topics, each h = 2; `前置` (lead) gets half of all in 0310, everything in 0320."""
    one = topic(
        "0310",
        [document("980101001", "犬が走った。", "猫は寝た。", "鳥が鳴いた。"),
         document("980102002", "犬は止まった。", "雨が降った。")],
        {"犬が走って止まった。": ("A", [["980101001:1"], ["980102002:1"]]),
         "鳥が鳴いた。": ("B", [["980101001:3"]])},
        {"前置": ["980101001:1", "980101001:2"], "oracle": ["980102002:1", "980101001:3"]},
    )  # fmt: skip
    both = ["990101001:1", "990101001:2"]
    two = topic(
        "0320",
        [document("990101001", "雪が降った。", "道が凍った。", "車が滑る。")],
        {"雪が降り、道が凍った。": ("A", [both])},
        {"前置": [*both], "oracle": [*both]},
    )
    return {"awase": 1, "name": "小さい", "topics": [one, two]}


@pytest.fixture
def write_file(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    def write(name: str, content: str | bytes) -> Path:
        write_files(tmp_path, {name: content})
        return tmp_path / name

    return write


@pytest.fixture
def write_json(write_file: Callable[[str, str | bytes], Path]) -> Callable[..., Path]:
    def write(content: object, name: str = "corpus.json") -> Path:
        return write_file(name, json.dumps(content, ensure_ascii=False))

    return write


@pytest.fixture
def json_file(corpus_json: dict[str, Any], write_json: Callable[..., Path]) -> Path:
    return write_json(corpus_json, "small.json")


@pytest.fixture(scope="session")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small corpus as a file, made once and copied by each test."""
    folder = tmp_path_factory.mktemp("master")
    source = folder / "small.json"
    source.write_text(json.dumps(small_corpus()), encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        main(["import", str(folder / "small.awase"), str(source)])
    assert not stopped.value.code
    return folder / "small.awase"


@pytest.fixture
def awase_file(master: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(master, tmp_path))


@pytest.fixture(scope="session")
def master_demonstration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from awase.jobs.importing import make_demonstration

    return make_demonstration("en", tmp_path_factory.mktemp("demo"), who="")


@pytest.fixture
def demonstration(master_demonstration: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(master_demonstration, tmp_path / "demo.awase"))


@pytest.fixture
def corpus(awase_file: Path, tmp_path: Path) -> Path:
    """The same corpus as “main”; a module may have another one."""
    path = tmp_path / "main.awase"
    shutil.copy(awase_file, path)
    return path


@pytest.fixture
def stored() -> Callable[[Path], Corpus]:
    return lambda path: open_corpus(str(path)).corpus
