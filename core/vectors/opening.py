"""Opening word vectors by what a user calls them: a file, a model's folder, or `ja-ginza`."""

import os
from pathlib import Path

from awase.core.progress import Reporter
from awase.core.vectors.source import WordVectors


def open_vectors(
    location: str, *, reporter: Reporter | None = None, cache: Path | None = None
) -> WordVectors:
    """Returns the word vectors that a user names.

    Args:
        location: A file of word2vec, GloVe or fastText; the folder of a language model; or
            `ja-ginza`, where no file of that name is there.
        reporter: Told of the progress when a file has to be gone through.
        cache: Folder for what is found out about large files; None = keep nothing.

    Raises:
        CorpusFormatError: A file holds no word vectors, or is damaged.
        EnvironmentProblem: It is not there, cannot be read, or needs what is not installed.
        Cancelled: The reporter asked to stop.
    """
    path = Path(location)
    if os.path.isdir(path):
        from awase.core.vectors.model_matrix import EmbeddingMatrix

        return EmbeddingMatrix.open_folder(path)
    from awase.core.vectors import ginza_vectors

    if location == ginza_vectors.NAME and not os.path.exists(path):
        return ginza_vectors.GinzaVectors.open_installed()
    from awase.core.vectors.vector_file import VectorFile

    return VectorFile.open_file(path, reporter=reporter, cache=cache)
