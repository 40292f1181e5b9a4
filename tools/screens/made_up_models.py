"""Word vectors and a language model that are made up, for what shows what they find alike."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from awase.core.language.models import SpannedWords, Step
    from awase.gui.session.session import CorpusSession


_N_DIMENSIONS: Final = 20


def made_up_vectors(session: "CorpusSession", folder: Path) -> tuple[str, str]:
    """Returns a metric that merges words, and a file of vectors for the first topic's words."""
    from awase.core.text.tokenisers import tokeniser_called

    topic = session.topics()[0]
    name = "ja" if topic.language == "ja" else "ascii"
    tokeniser = tokeniser_called(name, stem=False, stop=False)
    texts = [one.text for document in topic.documents for one in document.sentences]
    texts += [one.text for abstract in topic.abstracts for one in abstract.sentences]
    words = sorted({word for text in texts for word in tokeniser.tokens(text)})
    alike = {"vessel": "boat", "stitched": "sewn", "bog": "moss", "old": "ancient",
             "公表": "発表", "木造船": "船", "研究": "調査", "木片": "木"}  # fmt: skip
    file = folder / "vectors.txt"
    with file.open("w", encoding="utf-8") as lines:
        for word in words:
            rng = random.Random(alike.get(word, word))
            print(word, *(f"{rng.gauss(0, 1):.3f}" for _ in range(_N_DIMENSIONS)), file=lines)
    return f"prouge-1:tokens={name}", str(file)


class MadeUpModel:
    """A language model that gives each form numbers of its own, whatever stands around it."""

    name, digest = "model", "0" * 64

    def encode(
        self, sentences: "Sequence[SpannedWords]", step: "Step"
    ) -> "list[NDArray[np.float32]]":
        """Returns a vector for each span of each sentence."""
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
