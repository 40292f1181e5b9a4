"""Another package adds a metric, an extractor and a format; a broken one harms nothing else."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parent / "docs" / "plugin-example"
SMALL = HERE / "goldens" / "inputs" / "small.json"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("packages")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation",
         "--no-index", "--disable-pip-version-check", "--target", target, EXAMPLE],
        check=True, capture_output=True,
    )  # fmt: skip
    return target


def broken(folder: Path) -> Path:
    """Returns a folder with packages as pip leaves them, each broken in its own way."""
    for name, entry, code in (
        ("raises", "raises:METRIC", "raise RuntimeError('no such luck')"),
        ("nothing", "nothing:METRIC", "METRIC = 3"),
        ("coverage", "taken:METRIC", "from awase.core.metrics.registry import Metric\n"
         "METRIC = Metric(name='coverage', what='x', family='taken')"),
        ("fails", "fails:METRIC", "from awase.core.metrics.registry import Metric\n"
         "METRIC = Metric(name='fails', what='x', family='fails')\n"
         "def score(corpus, requests, reporter, supplies):\n    return 1 / 0"),
    ):  # fmt: skip
        module = entry.partition(":")[0]
        (folder / f"{module}.py").write_text(f"{code}\n", "utf-8")
        info = folder / f"{module}-0.1.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 0.1\n")
        (info / "entry_points.txt").write_text(f"[awase.metrics]\n{name} = {entry}\n")
    return folder


def run(packages: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(packages), *(one for one in sys.path if one)])
    return subprocess.run(
        [sys.executable, *map(str, command)],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200"},
        cwd=packages, check=False,
    )  # fmt: skip


def awase(packages: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return run(
        packages, "-c", "import sys; from awase.cli.main import main; main(sys.argv[1:])", *words
    )


@pytest.mark.slow
def test_that_the_example_scores_with_its_name_and_version_in_the_signature(installed):
    done = awase(installed, "score", SMALL, "-m", "length-ratio:unit=characters", "--json")
    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout)["scores"]
    signature = scores[0]["signature"]
    assert signature.startswith(
        "length-ratio:unit=characters,split=given,by=awase-example@1.2,version="
    )
    assert all(score["value"] is None or score["value"] > 0 for score in scores[:3])
    again = awase(installed, "score", SMALL, "-m", signature, "--json")
    assert json.loads(again.stdout)["scores"] == scores
    other = awase(installed, "score", SMALL, "-m", signature.replace("@1.2", "@1.1"))
    assert "The signature of length-ratio is from awase-example@1.1; this is awase-example@1.2" in (
        " ".join(other.stderr.split())
    )


@pytest.mark.slow
def test_that_the_example_is_listed_extracts_and_reads(installed, tmp_path):
    assert "length-ratio" in awase(installed, "metrics").stdout
    assert "one-per-line" in awase(installed, "formats").stdout
    done = awase(installed, "extract", SMALL, "--with", "last", "--size", "2", "--to",
                 tmp_path / "more.json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "last:size=2,annotator=first,by=awase-example@1.2," in done.stdout + done.stderr
    (tmp_path / "d.sentences").write_text("One.\nTwo.\n", "utf-8")
    done = awase(installed, "import", tmp_path / "new.awase", tmp_path / "d.sentences",
                 "--topic", "t", "--who", "me")  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_that_the_example_conforms(installed):
    done = run(
        installed, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "awase.conformance"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no tests ran" not in done.stdout


@pytest.mark.slow
def test_that_broken_packages_are_told_and_harm_nothing_else(tmp_path):
    packages = broken(tmp_path)
    done = awase(packages, "score", SMALL, "-m", "fails", "-m", "coverage", "--json")
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert told["complete"] is False
    values = {score["metric"]: score["value"] for score in told["scores"]}
    assert values["fails"] is None
    assert values["coverage"] is not None
    assert any("The metric fails of fails@0.1 failed: ZeroDivisionError" in one["message"]
               for one in told["warnings"])  # fmt: skip


@pytest.mark.slow
def test_that_broken_packages_are_told_when_they_are_asked_for_and_listed(tmp_path):
    packages = broken(tmp_path)
    asked = awase(packages, "score", SMALL, "-m", "raises")
    assert asked.returncode != 0
    assert "“raises” of the package raises 0.1 cannot be used: RuntimeError: no such luck" in (
        " ".join(asked.stderr.split())
    )
    listed = awase(packages, "metrics")
    assert listed.returncode == 0
    told_of = " ".join(listed.stderr.split())
    for reason in ("no such luck", "it is no Metric", "this program has something of that name"):
        assert told_of.count(reason) == 1


def test_that_every_name_for_packages_can_be_imported_and_the_example_needs_no_other():
    import awase.plugins as surface

    assert all(getattr(surface, name) is not None for name in surface.__all__)
    root = Path(__file__).parents[1]
    for folder in (root / "docs" / "plugin-example", root / "conformance"):
        for path in folder.rglob("*.py"):
            assert "from awase.core" not in path.read_text("utf-8"), path
