"""This program's version, the optional packages of extras, and plug-ins: entry points of others.

    [project.entry-points."awase.metrics"]
    length-ratio = "somebodys_package.length_ratio:METRIC"

A plug-in that fails to load is reported once and skipped; listing names loads nothing.
`metrics.registry` puts a metric's package and version into its signature.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from awase.core.errors import EnvironmentProblem, Listing, Problem

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

# Of the running code, not from package metadata: they differ as soon as somebody runs a changed
# tree. It is in every signature.
VERSION: Final = "0.2.0.dev0"
_DIGITS: Final = 10


@cache
def version_of_code() -> str:
    """Returns the version, with the commit for development versions: `0.2.0.dev0+g0123456789`."""
    commit = _commit(Path(__file__).resolve().parents[1]) if ".dev" in VERSION else ""
    return f"{VERSION}+g{commit[:_DIGITS]}" if commit else VERSION


def _commit(tree: Path) -> str:
    """Returns the checked-out commit; empty without a repository."""
    try:
        git = tree / ".git"
        if git.is_file():  # of a worktree
            git = tree / git.read_text("utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text("utf-8").strip()
        if head.startswith("ref: "):
            head = _of_reference(git, head.removeprefix("ref: "))
    except (OSError, UnicodeDecodeError):
        return ""
    return head if re.fullmatch("[0-9a-f]{40,64}", head) else ""


def _of_reference(git: Path, name: str) -> str:
    common = git / "commondir"
    shared = git / common.read_text("utf-8").strip() if common.is_file() else git
    for folder in (git, shared):
        if (folder / name).is_file():
            return (folder / name).read_text("utf-8").strip()
    packed = (shared / "packed-refs").read_text("utf-8")
    found = re.search(rf"^([0-9a-f]+) {re.escape(name)}$", packed, re.MULTILINE)
    return found[1] if found else ""


_HINT = 'Install it: pip install "{project}[{extra}]".'
_OF_CORE_ALONE: Final = ("ja",)  # included in the whole program


def is_installed(*packages: str) -> bool:
    """Returns whether all of the packages are there, by the names to import; imports none."""
    return all(map(_is_there, packages))


def check_installed(*packages: str, extra: str, needed_for: str, hint: str = _HINT) -> None:
    """Raises `missing_package` unless all are installed."""
    for package in packages:
        if not _is_there(package):
            raise missing_package(package, extra=extra, needed_for=needed_for, hint=hint)


def missing_package(
    package: str, *, extra: str, needed_for: str, hint: str = _HINT
) -> EnvironmentProblem:
    """Returns the error that a package is missing, with the extra to install.

    `hint` is a template of alternatives, which may name `{project}` and `{extra}`.
    """
    return EnvironmentProblem(
        "{needed_for} needs the package {package}, which is not installed.",
        hint,
        needed_for=needed_for,
        package=package.replace("_", "-"),
        project="awase-core" if extra in _OF_CORE_ALONE else project_installed(),
        extra=extra,
    )


@cache
def project_installed() -> str:
    """Returns the name of the installed distribution, which hints depend on."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        version("awase")
    except PackageNotFoundError:
        return "awase-core"
    return "awase"


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # what it would lie in is not there either
        return False


Added = TypeVar("Added")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin(Generic[Added]):
    """Something that another package adds."""

    name: str  # its name in requests
    added: Added  # what it is
    package: str  # that adds it
    version: str  # of the package

    @property
    def label(self) -> str:
        """Returns the package and its version as signatures spell them."""
        return f"{self.package}@{self.version}"


class Plugins(Generic[Added]):
    """Plug-ins of one registry, by name."""

    def __init__(
        self, group: str, kind: type[Added], complaint_of: Callable[[str, Added], str]
    ) -> None:
        """Finds nothing yet.

        Args:
            group: Of the entry points, such as `awase.metrics`.
            kind: Of what each adds.
            complaint_of: Returns what is wrong with an object under a name, in English; empty =
                nothing.
        """
        self.group = group
        self._kind = kind
        self._complaint_of = complaint_of
        self._loaded: dict[str, Plugin[Added] | Problem] = {}

    @cached_property
    def _entries(self) -> dict[str, list["EntryPoint"]]:
        from importlib.metadata import entry_points

        found: dict[str, list[EntryPoint]] = {}
        for entry in sorted(entry_points(group=self.group), key=lambda one: (one.name, one.value)):
            same = found.setdefault(entry.name, [])
            if all(_package_of(entry) != _package_of(other) for other in same):
                same.append(entry)  # an installation may be listed twice
        return found

    def names(self) -> tuple[str, ...]:
        """Returns all names, including those that fail to load; loads nothing."""
        return tuple(self._entries)

    def get(self, name: str) -> Plugin[Added] | None:
        """Returns the object under a name; None = unknown or failed to load."""
        found = self._found(name)
        return found if isinstance(found, Plugin) else None

    def problem_of(self, name: str) -> Problem | None:
        """Returns why a plug-in cannot be used; None = it can, or is unknown."""
        found = self._found(name)
        return found if isinstance(found, Problem) else None

    def all(self) -> Iterator[Plugin[Added]]:
        """Yields all loadable plug-ins by name."""
        for name in self._entries:
            found = self.get(name)
            if found is not None:
                yield found

    def problems(self) -> tuple[Problem, ...]:
        """Returns one message for all that cannot be used."""
        found = map(self.problem_of, self._entries)
        return tuple(problem for problem in found if problem is not None)

    def _found(self, name: str) -> Plugin[Added] | Problem | None:
        entries = self._entries.get(name)
        if entries is None:
            return None
        if name not in self._loaded:
            self._loaded[name] = self._load(entries)
        return self._loaded[name]

    def _load(self, entries: "list[EntryPoint]") -> Plugin[Added] | Problem:
        entry = entries[0]
        package, version = _package_of(entry)
        if len(entries) > 1:
            others = Listing(sorted(_package_of(one)[0] for one in entries))
            return _unusable(entry, f"several packages add it: {others}")
        try:
            added = entry.load()
        except (Exception, SystemExit) as error:  # whatever a stranger's module does on import
            return _unusable(entry, f"{type(error).__name__}: {error}")
        if not isinstance(added, self._kind):
            return _unusable(entry, f"it is no {self._kind.__name__}")
        complaint = self._complaint_of(entry.name, added)
        if complaint:
            return _unusable(entry, complaint)
        return Plugin(name=entry.name, added=added, package=package, version=version)


def table_of(name_of: Callable[[Added], str], *entries: Added) -> Mapping[str, Added]:
    """Returns the built-in entries by name; `ValueError` if two have one name."""
    table: dict[str, Added] = {}
    for entry in entries:
        name = name_of(entry)
        if name in table:
            raise ValueError(f"two are called {name}")
        table[name] = entry
    return MappingProxyType(table)


class Extended(Mapping[str, Added]):
    """A registry with plug-ins, built-in entries first."""

    def __init__(
        self,
        own: Mapping[str, Added],
        plugins: Plugins[Added],
        taken: Callable[[Plugin[Added]], Added] = lambda plugin: plugin.added,
    ) -> None:
        """`taken` maps a plug-in's object to the table's entry."""
        self._own = own
        self._plugins = plugins
        self._taken = taken

    def __getitem__(self, name: str) -> Added:
        if name in self._own:
            return self._own[name]
        plugin = self._plugins.get(name)
        if plugin is None:
            raise KeyError(name)
        return self._taken(plugin)

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from (plugin.name for plugin in self._plugins.all() if plugin.name not in self._own)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _package_of(entry: "EntryPoint") -> tuple[str, str]:
    return (entry.dist.name, entry.dist.version) if entry.dist is not None else ("?", "?")


def _unusable(entry: "EntryPoint", reason: str) -> Problem:
    package, version = _package_of(entry)
    return Problem(
        what="“{name}” of the package {package} {version} cannot be used: {reason}",
        hint="Update or remove the package, or report this to its authors.",
        fields={
            "name": entry.name,
            "package": package,
            "version": version,
            "reason": " ".join(reason.split()),
        },
    )
