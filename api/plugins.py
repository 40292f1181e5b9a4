"""What packages that add to Awase import: it does not move (docs/plugins.md).

Nothing is imported before it is used.
"""

from importlib import import_module

TYPE_CHECKING = False  # typing itself takes longer to import than all the rest here

if TYPE_CHECKING:
    from awase.core.analysis import extractors as extractors
    from awase.core.analysis.extracting import extract as extract
    from awase.core.analysis.extracting import named as named
    from awase.core.analysis.extractors import Extractor as Extractor
    from awase.core.analysis.extractors import Source as Source
    from awase.core.analysis.extractors import extractions_of as extractions_of
    from awase.core.annotation import suggesters as _suggesters
    from awase.core.annotation.suggestion import FAMILY as FAMILY
    from awase.core.annotation.suggestion import Suggester as Suggester
    from awase.core.annotation.suggestion import SuggesterEntry as SuggesterEntry
    from awase.core.annotation.suggestion import Suggestion as Suggestion
    from awase.core.annotation.suggestion import own_view as own_view
    from awase.core.errors import Cancelled as Cancelled
    from awase.core.errors import CorpusFormatError as CorpusFormatError
    from awase.core.errors import Findings as Findings
    from awase.core.errors import InputError as InputError
    from awase.core.errors import Problem as Problem
    from awase.core.errors import Reporter as Reporter
    from awase.core.errors import Silent as Silent
    from awase.core.formats import registry as _formats
    from awase.core.formats.reading.records import Sign as Sign
    from awase.core.formats.reading.requests import ReadRequest as ReadRequest
    from awase.core.formats.reading.requests import ReadResult as ReadResult
    from awase.core.formats.reading.requests import WriteRequest as WriteRequest
    from awase.core.formats.reading.topic_parts import TopicParts as TopicParts
    from awase.core.formats.registry import Format as Format
    from awase.core.metrics import registry as _metrics
    from awase.core.metrics.kit.metric import ALPHA as ALPHA
    from awase.core.metrics.kit.metric import ANNOTATOR as ANNOTATOR
    from awase.core.metrics.kit.metric import AVERAGE as AVERAGE
    from awase.core.metrics.kit.metric import LABELS as LABELS
    from awase.core.metrics.kit.metric import LIMIT as LIMIT
    from awase.core.metrics.kit.metric import MODEL as MODEL
    from awase.core.metrics.kit.metric import PARSER as PARSER
    from awase.core.metrics.kit.metric import REFS as REFS
    from awase.core.metrics.kit.metric import STEM as STEM
    from awase.core.metrics.kit.metric import STOP as STOP
    from awase.core.metrics.kit.metric import TOKENS as TOKENS
    from awase.core.metrics.kit.metric import VECTORS as VECTORS
    from awase.core.metrics.kit.metric import WORDS as WORDS
    from awase.core.metrics.kit.metric import Choice as Choice
    from awase.core.metrics.kit.metric import Metric as Metric
    from awase.core.metrics.kit.metric import Option as Option
    from awase.core.metrics.kit.metric import decimal as decimal
    from awase.core.metrics.kit.metric import pick as pick
    from awase.core.metrics.kit.metric import share as share
    from awase.core.metrics.kit.metric import switch as switch
    from awase.core.metrics.kit.metric import whole as whole
    from awase.core.metrics.kit.outputs import extracts_for as extracts_for
    from awase.core.metrics.kit.runner import Case as Case
    from awase.core.metrics.kit.runner import PlainRequest as PlainRequest
    from awase.core.metrics.kit.runner import score_each_text as score_each_text
    from awase.core.metrics.kit.runner import score_texts as score_texts
    from awase.core.metrics.kit.runner import values_of as values_of
    from awase.core.metrics.kit.signature import MetricRequest as MetricRequest
    from awase.core.metrics.kit.supplies import Supplies as Supplies
    from awase.core.metrics.registry import requests_of as requests_of
    from awase.core.metrics.registry import score_corpus as score_corpus
    from awase.core.metrics.registry import signature_of as signature_of
    from awase.core.packages import VERSION as VERSION
    from awase.core.packages import Plugins as Plugins
    from awase.core.records.abstract import Abstract as Abstract
    from awase.core.records.abstract import AbstractSentence as AbstractSentence
    from awase.core.records.abstract import Alignment as Alignment
    from awase.core.records.abstract import AlignmentState as AlignmentState
    from awase.core.records.abstract import Alternative as Alternative
    from awase.core.records.abstract import SentenceAlignment as SentenceAlignment
    from awase.core.records.addition import Addition as Addition
    from awase.core.records.addition import merge as merge
    from awase.core.records.corpus import Corpus as Corpus
    from awase.core.records.score import Score as Score
    from awase.core.records.score import ScoreTable as ScoreTable
    from awase.core.records.score import without_facts as without_facts
    from awase.core.records.source import Document as Document
    from awase.core.records.source import SentenceRef as SentenceRef
    from awase.core.records.source import SourceSentence as SourceSentence
    from awase.core.records.topic import Extract as Extract
    from awase.core.records.topic import HumanScore as HumanScore
    from awase.core.records.topic import TextOutput as TextOutput
    from awase.core.records.topic import Topic as Topic

    formats = _formats
    metrics = _metrics
    suggesters = _suggesters


# Names by the module below `awase.core` that has them.
_NAMES = {
    "analysis.extracting": "extract named",
    "analysis.extractors": "Extractor Source extractions_of",
    "annotation.suggestion": "FAMILY Suggester SuggesterEntry Suggestion own_view",
    "errors": "Cancelled CorpusFormatError Findings InputError Problem Reporter Silent",
    "formats.reading.records": "Sign",
    "formats.reading.requests": "ReadRequest ReadResult WriteRequest",
    "formats.reading.topic_parts": "TopicParts",
    "formats.registry": "Format",
    "metrics.kit.metric": "ALPHA ANNOTATOR AVERAGE LABELS LIMIT MODEL PARSER REFS STEM STOP TOKENS "
    "VECTORS WORDS Choice Metric Option decimal pick share switch whole",
    "metrics.kit.outputs": "extracts_for",
    "metrics.kit.runner": "Case PlainRequest score_each_text score_texts values_of",
    "metrics.kit.signature": "MetricRequest",
    "metrics.kit.supplies": "Supplies",
    "metrics.registry": "requests_of score_corpus signature_of",
    "packages": "Plugins VERSION",
    "records.abstract": "Abstract AbstractSentence Alignment AlignmentState Alternative "
    "SentenceAlignment",
    "records.addition": "Addition merge",
    "records.corpus": "Corpus",
    "records.score": "Score ScoreTable without_facts",
    "records.source": "Document SentenceRef SourceSentence",
    "records.topic": "Extract HumanScore TextOutput Topic",
}
_PLACE = {name: module for module, names in _NAMES.items() for name in names.split()}
_MODULES = {
    "extractors": "analysis.extractors",
    "formats": "formats.registry",
    "metrics": "metrics.registry",
    "suggesters": "annotation.suggesters",
}

__all__ = [*_PLACE, *_MODULES]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(f"awase.core.{_MODULES[name]}")
    if name in _PLACE:
        return getattr(import_module(f"awase.core.{_PLACE[name]}"), name)
    raise AttributeError(f"module 'awase.plugins' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
