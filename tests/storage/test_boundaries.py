"""What only one database has stays in one place."""

import ast
import re
from pathlib import Path

import awase.storage
from tests.in_part import in_turn

FOLDER = Path(awase.storage.__path__[0])
MODULES = sorted(FOLDER.rglob("*.py"))
SQLITE_MODULES = {
    "opening.py",
    "sqlite_files.py",
    "corpus_file.py",  # error codes
    "readable_rows.py",
    "querying.py",  # which driver is asked
}
POSTGRESQL_MODULES = {"addresses.py", "querying.py"}  # what people write, which database it is
SQLITE_WORDS = ("PRAGMA", "sqlite_master", "BEGIN IMMEDIATE", "WITHOUT ROWID", "rowid")
SQLITE_CALLS = ("exec_driver_sql", "driver_connection", "dbapi_connection")
ANY_TRACE = re.compile("|".join(("sqlite3", "dialects", *SQLITE_CALLS, *SQLITE_WORDS)))
"""Only a module that has one of these is parsed."""


def _modules_but(names: set[str]) -> list[Path]:
    """Returns the modules outside the server's room that have none of these names."""
    modules = [
        path for path in MODULES if path.parent.name != "postgresql" and path.name not in names
    ]
    assert len(modules) > 15
    return modules


def _imported(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return names


def _strings(tree: ast.AST) -> list[str]:
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]


def sqlite_traces(source: str) -> list[str]:
    """Returns what in the source only SQLite has: its driver, its dialect, its SQL."""
    if not re.search(ANY_TRACE, source):
        return []
    tree = ast.parse(source)
    imports = [
        name for name in _imported(tree) if name.startswith(("sqlite3", "sqlalchemy.dialects"))
    ]
    strings = [text for text in _strings(tree) if any(word in text for word in SQLITE_WORDS)]
    calls = [
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in SQLITE_CALLS
    ]
    return imports + strings + calls


# Statements without values are the driver's own on a server.
def test_that_few_modules_know_sqlite():
    for module in _modules_but(SQLITE_MODULES):
        assert sqlite_traces(module.read_text("utf-8")) == [], module


@in_turn(
    "source",
    [
        "import sqlite3",
        "from sqlalchemy.dialects.sqlite import insert",
        "text('PRAGMA user_version')",
        "connection.exec_driver_sql('SELECT 1')",
        "f'BEGIN IMMEDIATE {x}'",
    ],
)
def test_that_a_trace_of_sqlite_would_be_seen(source):
    assert sqlite_traces(source)


def test_that_only_one_room_knows_postgresql():
    for module in _modules_but(POSTGRESQL_MODULES):
        source = module.read_text("utf-8")
        if "psycopg" not in source and "postgresql" not in source:
            continue
        tree = ast.parse(source)
        assert not [name for name in _imported(tree) if "psycopg" in name], module
        assert not [text for text in _strings(tree) if "postgresql" in text], module
