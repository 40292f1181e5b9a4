"""Optional packages of extras: checks, and messages when missing."""

from functools import cache
from importlib.util import find_spec
from typing import Final

from awase.core.errors import EnvironmentProblem

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

    Args:
        hint: A template of alternatives; it may name `{project}` and `{extra}`.
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
