"""Measures the house: how much code there is, and how far one action walks through it.

`python tools/house.py` prints sizes in a second, `--walks` also follows a digit on the Annotate
page, `awase score` and `awase import` (Linux and macOS; needs the program installed).
"""

import argparse
import ast
import contextlib
import importlib
import inspect
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("api", "cli", "core", "gui", "jobs", "storage", "conformance")
LONG_MODULE = 600
SMALL_MODULE = 45


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """What stands in the product's folders, and beside them."""

    lines: int
    modules: int
    """Without `__init__.py`."""
    folders: int
    long_modules: int
    """Over 600 lines."""
    small_modules: int
    """Under 45 lines."""
    docstring_lines: int
    comment_lines: int
    import_lines: int
    code_lines: int
    """Neither blank, nor comment, nor docstring."""
    code_characters: int
    """Of the code lines, without their indentation."""
    test_lines: int
    rust_lines: int

    @property
    def import_share(self) -> float:
        """Returns how much of the code is imports, 0 to 1."""
        return self.import_lines / self.code_lines

    @property
    def characters_a_line(self) -> float:
        """Returns the mean of a code line, without its indentation."""
        return self.code_characters / self.code_lines


def measure(root: Path = ROOT) -> Sizes:
    """Returns the sizes of a checkout."""
    paths = [path for folder in PRODUCT for path in sorted((root / folder).rglob("*.py"))]
    counts: Counter[str] = Counter()
    for path in paths:
        counts.update(_counts_of(path.read_text("utf-8")))
    modules = [path for path in paths if path.name != "__init__.py"]
    lengths = [len(path.read_text("utf-8").splitlines()) for path in modules]
    return Sizes(
        lines=counts["lines"],
        modules=len(modules),
        folders=len({path.parent for path in modules}),
        long_modules=sum(length > LONG_MODULE for length in lengths),
        small_modules=sum(length < SMALL_MODULE for length in lengths),
        docstring_lines=counts["docstring"],
        comment_lines=counts["comment"],
        import_lines=counts["import"],
        code_lines=counts["code"],
        code_characters=counts["characters"],
        test_lines=lines_below(root / "tests", "*.py"),
        rust_lines=lines_below(root / "kernel", "*.rs"),
    )


def lines_below(folder: Path, pattern: str) -> int:
    """Returns how many lines the files have that match, built ones left out."""
    paths = (path for path in folder.rglob(pattern) if "target" not in path.parts)
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def _counts_of(source: str) -> Counter[str]:
    lines = [line.strip() for line in source.splitlines()]
    docstrings: set[int] = set()
    imports: set[int] = set()
    quoted: set[int] = set()  # a line of a long string may begin like a comment
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imports.update(_line_range(node))
        elif isinstance(node, ast.Expr) and _is_string(node.value):
            docstrings.update(_line_range(node))  # one below a field counts, too
        elif isinstance(node, (ast.Constant, ast.JoinedStr)):
            quoted.update(_line_range(node)[1:])
    comments = {n for n, line in enumerate(lines, start=1) if line.startswith("#")} - quoted
    beside = _comments_beside_code(source)
    not_code = docstrings | (comments - docstrings)
    code = [
        line[: len(line) - beside.get(n, 0)].rstrip()
        for n, line in enumerate(lines, start=1)
        if line and n not in not_code
    ]
    return Counter(
        {
            "lines": len(lines),
            "docstring": len(docstrings),
            "comment": len(comments - docstrings),
            "import": len(imports),
            "code": len(code),
            "characters": sum(map(len, code)),
        }
    )


def _comments_beside_code(source: str) -> dict[int, int]:
    """Returns how long the comment is that ends a line of code, by the line's number."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {
        token.start[0]: len(token.string)
        for token in tokens
        if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip()
    }


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _line_range(node: ast.stmt | ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """Which of the product's code an action ran, without what runs on import."""

    functions: int
    """Without lambdas and comprehensions."""
    modules: int
    storage_modules: int
    calls: int


@contextlib.contextmanager
def walked(report: Callable[[Walk], None]) -> Iterator[None]:
    """Follows every thread of this process until the block ends."""
    calls: Counter[CodeType] = Counter()

    def follow(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            calls[frame.f_code] += 1

    threading.setprofile(follow)  # for threads that start from now on
    sys.setprofile(follow)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    places = {code: _module_of(code) for code in calls if not _runs_on_import(code)}
    ours = {code: place for code, place in places.items() if place}
    modules = set(ours.values())
    report(
        Walk(
            functions=sum(not code.co_name.startswith("<") for code in ours),
            modules=len(modules),
            storage_modules=sum(place.startswith("storage/") for place in modules),
            calls=sum(calls[code] for code in ours),
        )
    )


def _runs_on_import(code: CodeType) -> bool:
    return not code.co_flags & inspect.CO_NEWLOCALS  # bodies of modules and classes


def _module_of(code: CodeType) -> str:
    """Returns the path of a function's module below the root; empty for other people's."""
    path = Path(code.co_filename).resolve()
    if not path.is_relative_to(ROOT):
        return ""
    place = path.relative_to(ROOT)
    return place.as_posix() if place.parts[0] in PRODUCT else ""


def walk_digit() -> Walk:
    """A digit on the Annotate page at the size of a TSC-3 topic, stored and painted."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt, qInstallMessageHandler
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    benchmark = importlib.import_module("tests.benchmarks.annotate")
    qInstallMessageHandler(lambda *_: None)
    application = QApplication.instance() or QApplication(sys.argv[:1])
    walks: list[Walk] = []
    with benchmark.annotate_page(benchmark.topic(random.Random(20040601))) as page:
        view = page.centre.candidates
        for key in (Qt.Key.Key_1, Qt.Key.Key_2):
            with walked(walks.append):
                QTest.keyClick(view, key)
                application.processEvents()
    return walks[-1]  # the first one also opens what is opened once


def walk_command(*words: str) -> Walk:
    """A command of the command line, in this process."""
    from awase.cli.main import main

    walks: list[Walk] = []
    quiet = contextlib.redirect_stdout(io.StringIO())
    with quiet, walked(walks.append), contextlib.suppress(SystemExit):
        main(list(words))
    return walks[0]


def walk_score() -> Walk:
    with tempfile.TemporaryDirectory() as folder:
        corpus = _demonstration(Path(folder))
        return walk_command("score", str(corpus))


def walk_import() -> Walk:
    with tempfile.TemporaryDirectory() as folder:
        corpus, file = _demonstration(Path(folder)), Path(folder, "demo.json")
        subprocess.run([*_awase(), "export", corpus, file], check=True, capture_output=True)
        return walk_command("import", str(Path(folder, "new.awase")), str(file))


def _demonstration(folder: Path) -> Path:
    """Makes the demonstration corpus by another process: what ran once is not followed again."""
    subprocess.run([*_awase(), "demo", "en", folder / "demo"], check=True, capture_output=True)
    return folder / "demo" / "demo-en.awase"


def _awase() -> list[str]:
    return [sys.executable, "-m", "awase.cli"]


WALKS: dict[str, Callable[[], Walk]] = {
    "digit": walk_digit,
    "score": walk_score,
    "import": walk_import,
}


def _walk_alone(name: str) -> Walk:
    """Walks in a process of its own, in which nothing else was done before."""
    command = [sys.executable, __file__, "--one-walk", name]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    return Walk(**json.loads(done.stdout))


def size_rows(sizes: Sizes) -> list[tuple[str, str]]:
    return [
        ("product Python, lines", f"{sizes.lines:,}"),
        (
            "modules without `__init__.py`, in folders",
            f"{sizes.modules} in {sizes.folders}, {sizes.long_modules} over {LONG_MODULE} lines, "
            f"{sizes.small_modules} under {SMALL_MODULE}",
        ),
        ("of it docstrings", f"{sizes.docstring_lines:,}"),
        ("of it comments", f"{sizes.comment_lines:,}"),
        ("import lines / code", f"{sizes.import_share:.1%}"),
        ("characters a code line", f"{sizes.characters_a_line:.1f}"),
        ("tests, lines", f"{sizes.test_lines:,}"),
        ("Rust, lines", f"{sizes.rust_lines:,}"),
    ]


def walk_rows(walks: dict[str, Walk]) -> list[tuple[str, str]]:
    digit, score, imported = walks["digit"], walks["score"], walks["import"]
    return [
        (
            "one digit: functions / modules / storage modules",
            f"{digit.functions} / {digit.modules} / {digit.storage_modules}",
        ),
        (
            "`awase score` of the demonstration: functions / modules",
            f"{score.functions} / {score.modules}",
        ),
        ("import of one JSON file: modules / calls", f"{imported.modules} / {imported.calls:,}"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the house.")
    parser.add_argument("--walks", action="store_true", help="follow a digit, a score, an import")
    parser.add_argument("--one-walk", choices=WALKS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one_walk:
        sys.path[:0] = [str(ROOT / ".links"), str(ROOT)]
        walk = WALKS[options.one_walk]()
        print(json.dumps({name: getattr(walk, name) for name in Walk.__slots__}))
        return
    rows = size_rows(measure())
    if options.walks:
        rows += walk_rows({name: _walk_alone(name) for name in WALKS})
    width = max(len(name) for name, _ in rows)
    print("\n".join(f"| {name:<{width}} | {value} |" for name, value in rows))


if __name__ == "__main__":
    main()
