"""Where the word vectors are, and the language model, that some metrics need."""

from awase.gui.kit.forms.parts import Asks, Field, PathField
from awase.gui.kit.texts.i18n import mark


def vectors_field(location: str) -> Field:
    """Returns the field for word vectors, filled with `location`."""
    hint = mark("a word2vec, GloVe or fastText file, the folder of a language model, or ja-ginza")
    return Field("vectors", mark("Word vectors"), PathField(location, hint=hint))


def model_field(location: str) -> Field:
    """Returns the field for a language model, filled with `location`."""
    hint = mark("the folder of a model for transformers, or the name of one downloaded")
    return Field("model", mark("Language model"), PathField(location, asks=Asks.FOLDER, hint=hint))
