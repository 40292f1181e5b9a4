"""Numbers that tokens have within their comparison, by the compiled kernel where it is there."""

import numpy as np
from numpy.typing import NDArray

from awase.core.kernel.arrays import passed
from awase.core.kernel.binding import kernel
from awase.core.metrics.rouge.tokens.lexicon import Ids, Offsets, Reading


def compiled_numbers(
    reading: Reading, starts_of_models: Offsets, starts_of_peers: Offsets
) -> tuple[Ids, Offsets, Offsets] | None:
    """Returns the tokens' ids, the sentences' offsets into them, and `Batch.id_starts`.

    Args:
        reading: Of the references of all comparisons, then of the systems' texts.
        starts_of_models: (n_comparisons + 1,) offsets into the texts.
        starts_of_peers: Likewise.

    Returns:
        None where the kernel is not there, or there are too many words for its tables.
    """
    library = kernel()
    if library is None:
        return None
    ids = np.empty(len(reading.kinds), np.int64)
    sentence_starts = np.empty(int(reading.text_starts[-1]) + 1, np.int64)
    id_starts = np.empty(len(starts_of_models), np.int64)
    given: list[NDArray[np.int64]] = [
        reading.kinds, reading.words, reading.text_starts, starts_of_models, starts_of_peers,
        ids, sentence_starts, id_starts,
    ]  # fmt: skip
    if not library.call("awase_numbers", *(passed(array, "int64") for array in given)):
        return None
    return ids[: sentence_starts[-1]], sentence_starts, id_starts
