"""Awase: build TSC-3-style extract corpora, find the minimal cover, score systems.

    >>> import awase
    >>> awase.cover([[["s1"], ["s10", "s11"]], [["s11"], ["s12"]]]).h
    2

Everything in `__all__` is under semantic versioning; what lies in `awase.core`, `awase.jobs` and so
on is not. Nothing slow is imported before it is used.
"""

from importlib import import_module

TYPE_CHECKING = False  # typing itself takes longer to import than all the rest here

if TYPE_CHECKING:
    __version__: str
    from awase.api.corpora import Corpus, Scores, create, demo, open, read
    from awase.api.covers import Cover, cover
    from awase.api.studies import Table, agreement, correlate
    from awase.api.texts import oracle, pseudo_pyramid, rouge, score

__all__ = [
    "Corpus",
    "Cover",
    "Scores",
    "Table",
    "__version__",
    "agreement",
    "correlate",
    "cover",
    "create",
    "demo",
    "open",
    "oracle",
    "pseudo_pyramid",
    "read",
    "rouge",
    "score",
]

_NAMES = {
    "corpora": "Corpus Scores create demo open read",
    "covers": "Cover cover",
    "studies": "Table agreement correlate",
    "texts": "oracle pseudo_pyramid rouge score",
}
_PLACE = {name: module for module, names in _NAMES.items() for name in names.split()}

_TORN = (
    "Parts of Awase are missing, as the removal of one from a clone took them along. "
    "Type: pip install --force-reinstall --no-deps awase-core"
)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from awase.core.packages import VERSION

        return VERSION
    if name in _PLACE:
        try:
            return getattr(import_module(f"awase.api.{_PLACE[name]}"), name)
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith("awase."):
                raise
            raise ImportError(_TORN) from error
    raise AttributeError(f"module 'awase' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
