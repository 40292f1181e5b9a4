"""Language models and parsers that need no model."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np
import pytest

from awase.core import packages
from awase.core.language import engines


class WordByWord:
    """An encoder for which a function of its form says what the vector of a word is."""

    digest = "0" * 64

    def __init__(self, vector_of: Callable[[str], Sequence[float]], name: str = "made-up") -> None:
        self.name, self._vector_of = name, vector_of

    def encode(self, sentences, step):
        step()
        return [
            np.array([self._vector_of(one.text[start:stop]) for start, stop in one.spans], "f4")
            for one in sentences
        ]


def put_parser(monkeypatch: pytest.MonkeyPatch, parser: object) -> SimpleNamespace:
    """Has a parser for every language; returns its module, which may lack something, too."""
    module = SimpleNamespace(parser=parser, problem=None, requests=[])
    module.missing = lambda _request: module.problem
    module.load = lambda request: module.requests.append(request) or module.parser
    monkeypatch.setattr(packages, "find_spec", lambda _name: object())
    monkeypatch.setattr(engines, "import_module", lambda _name: module)
    return module
