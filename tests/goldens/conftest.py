"""Runs command lines in a folder of small inputs, and compares what comes with what was recorded.

pytest tests/goldens                      compare
pytest tests/goldens --record             record anew; review the change as a diff
pytest tests/goldens --whole FOLDER       write every output, whole, to compare two versions
"""

import hashlib
import json
import platform
import shlex
import shutil
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import pytest
from tests.goldens.recording import files_in, first_difference, joined, text_of, transcript

from awase.cli.main import main
from awase.jobs.importing import make_demonstration

HERE = Path(__file__).parent
RECORDED = HERE / "recorded"
MADE_WITH = RECORDED / "made-with.txt"
DECIDING = (
    "click", "numpy", "PuLP", "python-sat", "rich", "sacrebleu", "scipy", "SudachiPy",
    "SudachiDict-core",
)  # fmt: skip
"""Packages whose version may change an output."""

Outputs = dict[str, str]


@cache
def surroundings() -> str:
    """Returns on what the last digits and the choice among equals may depend."""
    versions = "".join(f"{package} {version(package)}\n" for package in DECIDING)
    return f"{platform.system()} {platform.machine()}\n{versions}"


def _see_to_the_surroundings(config: pytest.Config) -> None:
    if config.getoption("--record"):
        RECORDED.mkdir(exist_ok=True)
        MADE_WITH.write_text(surroundings(), "utf-8")
    elif surroundings() != MADE_WITH.read_text("utf-8"):
        pytest.skip(f"goldens hold for {MADE_WITH.read_text('utf-8')}here is {surroundings()}")


@pytest.fixture(scope="session")
def supply(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with the demonstrations, and with word vectors for them."""
    folder = tmp_path_factory.mktemp("supply")
    for language in ("en", "ja"):
        make_demonstration(language, folder, who="maker")
    words = set[str]()
    for name in ("en", "ja"):
        text = files("awase.resources").joinpath("demo", f"{name}.conllu").read_text("utf-8")
        rows = (line.split("\t") for line in text.splitlines() if line[:1].isdigit())
        words |= {form.lower() for row in rows for form in row[1:3]}
    lines = (
        f"{word} {_numbers(word)}\n" for word in sorted(words) if not set(word) & {" ", "\xa0"}
    )
    (folder / "vectors.txt").write_text("".join(lines), "utf-8")
    return folder


def _numbers(word: str) -> str:
    """Returns a vector that words with the same beginning nearly share."""
    kin, own = (hashlib.sha256(part.encode()).digest() for part in (word[:4], word))
    return " ".join(f"{a - 127.5 + b / 20:.2f}" for a, b in zip(kin[:12], own[:12], strict=True))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    for name in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, "somebody")
    monkeypatch.setenv("COLUMNS", "120")
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    return here


@pytest.fixture
def run(
    folder: Path, supply: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Outputs]:
    """Returns what runs a command line: its outputs, and each file that it wrote."""

    def run_line(line: str) -> Outputs:
        place, _, command = line.rpartition(" && ")
        words = shlex.split(command)
        for name in {Path(word.partition("=")[2] or word).parts[0] for word in words}:
            for source in (HERE / "inputs" / name, supply / name):
                if source.exists() and not (folder / name).exists():
                    (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
        before = files_in(folder)
        capsys.readouterr()
        monkeypatch.chdir(folder / place.removeprefix("cd "))
        with pytest.raises(SystemExit) as stopped:
            main(words)
        out, err = capsys.readouterr()
        status = f" -> {stopped.value.code}" if stopped.value.code else ""
        written = {
            f"file {name}": text_of(folder / name)
            for name, state in files_in(folder).items()
            if before.get(name) != state
        }
        command_line = f"{place} && awase {command}" if place else f"awase {command}"
        first = {f"{command_line}{status}": out}
        return first | ({"errors and warnings": err} if err else {}) | joined(written)

    return run_line


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, Outputs], None]:
    """Returns what compares outputs with what was recorded under a name, or records them."""
    _see_to_the_surroundings(request.config)
    return _comparing(request.config)


@pytest.fixture
def golden_everywhere(request: pytest.FixtureRequest) -> Callable[[str, Outputs], None]:
    """Returns the same for what depends on no package and no machine."""
    return _comparing(request.config)


def _comparing(config: pytest.Config) -> Callable[[str, Outputs], None]:
    def compare(name: str, outputs: Outputs) -> None:
        path = RECORDED / f"{name}.txt"
        whole: Path | None = config.getoption("--whole")
        if whole is not None:
            _write_whole(whole / name, outputs)
        if config.getoption("--record"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(transcript(outputs).encode("utf-8", "surrogateescape"))
        recorded = text_of(path)
        if transcript(outputs) != recorded:
            pytest.fail(f"{path.name}: {first_difference(recorded, outputs)}", pytrace=False)

    return compare


def _write_whole(folder: Path, outputs: Outputs) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(outputs.values(), start=1):
        (folder / f"{number}.txt").write_bytes(text.encode("utf-8", "surrogateescape"))
    headings = json.dumps([*outputs], ensure_ascii=False, indent=1)
    (folder / "headings.json").write_text(headings, "utf-8")
