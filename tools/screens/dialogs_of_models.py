"""Dialogs that show what vectors and language models find alike, with made-up ones."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from awase.gui.main_screens import settle, wait
from screens.stage import opened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from awase.core.vectors.contextual import SpannedWords, Step
    from awase.gui.frame.main_window import MainWindow
    from awase.gui.session.services import Services
    from awase.gui.session.session import CorpusSession


_N_DIMENSIONS: Final = 20


def merged_words(
    session: "CorpusSession", services: "Services", window: "MainWindow"
) -> QWidget:  # fmt: skip
    from awase.core.text.tokens.tokenisers import tokeniser_called
    from awase.gui.dialogs.clusters.dialog import ClustersDialog

    topic = session.topics()[0]
    name = "ja" if topic.language == "ja" else "ascii"
    tokeniser = tokeniser_called(name, stem=False, stop=False)
    texts = [one.text for document in topic.documents for one in document.sentences]
    texts += [one.text for abstract in topic.abstracts for one in abstract.sentences]
    words = sorted({word for text in texts for word in tokeniser.tokens(text)})
    alike = {"vessel": "boat", "stitched": "sewn", "bog": "moss", "old": "ancient",
             "公表": "発表", "木造船": "船", "研究": "調査", "木片": "木"}  # fmt: skip
    file = services.data / "vectors.txt"
    with file.open("w", encoding="utf-8") as lines:
        for word in words:
            rng = random.Random(alike.get(word, word))
            print(word, *(f"{rng.gauss(0, 1):.3f}" for _ in range(_N_DIMENSIONS)), file=lines)
    dialog = ClustersDialog(session, services, window)
    dialog.choose(metric=f"prouge-1:tokens={name}", vectors=str(file))
    dialog.confirm()
    wait(lambda: not services.jobs.is_busy)
    return opened(dialog)


class _MadeUpModel:
    """A language model that gives each form numbers of its own, whatever stands around it."""

    name, digest = "model", "0" * 64

    def encode(
        self, sentences: "Sequence[SpannedWords]", step: "Step"
    ) -> "list[NDArray[np.float32]]":
        import numpy as np

        step()
        return [
            np.array(
                [
                    [rng.gauss(0.3, 1) for _ in range(_N_DIMENSIONS)]
                    for start, stop in one.spans
                    for rng in (random.Random(one.text[start:stop].lower()),)
                ],
                np.float32,
            )
            for one in sentences
        ]


def trees(
    session: "CorpusSession", services: "Services", window: "MainWindow", row: int = -1
) -> QWidget:
    from awase.gui.dialogs.trees.dialog import TreesDialog

    dialog = TreesDialog(session, services, window)
    services.opened.models.keep("SpanBERT/spanbert-base-cased", _MadeUpModel())
    dialog.choose(model="SpanBERT/spanbert-base-cased")
    dialog.confirm()
    wait(lambda: not services.jobs.is_busy)
    opened(dialog)
    if row >= 0:
        settle()
        dialog.choose_match(row)
    return dialog
