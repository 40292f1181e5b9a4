"""Questions that an open corpus answers with what a function reads of the database."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")
_Connection = TypeVar("_Connection")
_Given = TypeVar("_Given", covariant=True)


class _Open(Protocol[_Given]):
    """What questions can be asked of."""

    def _reading(self) -> AbstractContextManager[_Given]:
        """Lets one read within one transaction."""
        ...


def read_query(
    read: Callable[Concatenate[_Connection, _Asked], _Answer],
) -> Callable[Concatenate[_Open[_Connection], _Asked], _Answer]:
    """Returns a method that answers as `read` does, within a transaction that only reads."""

    @wraps(read)
    def answer(
        corpus: _Open[_Connection], /, *args: _Asked.args, **keywords: _Asked.kwargs
    ) -> _Answer:
        with corpus._reading() as connection:
            return read(connection, *args, **keywords)

    return answer
