"""What packages that add to Awase import: it does not move (docs/plugins.md).

Nothing is imported before it is used.
"""

from importlib import import_module

TYPE_CHECKING = False  # typing itself takes longer to import than all the rest here

if TYPE_CHECKING:
    from awase.core.analysis import extractors as extractors
    from awase.core.analysis.extract_sources import Source as Source
    from awase.core.analysis.extracting import extract as extract
    from awase.core.analysis.extracting import named as named
    from awase.core.analysis.extractors import Extractor as Extractor
    from awase.core.analysis.extractors import extractions_of as extractions_of
    from awase.core.annotation import suggesters as _suggesters
    from awase.core.annotation.suggestion import FAMILY as FAMILY
    from awase.core.annotation.suggestion import Suggester as Suggester
    from awase.core.annotation.suggestion import SuggesterEntry as SuggesterEntry
    from awase.core.annotation.suggestion import Suggestion as Suggestion
    from awase.core.annotation.suggestion import own_view as own_view
    from awase.core.errors import Cancelled as Cancelled
    from awase.core.errors import CorpusFormatError as CorpusFormatError
    from awase.core.errors import InputError as InputError
    from awase.core.errors import Problem as Problem
    from awase.core.formats import registry as _formats
    from awase.core.formats.reading.findings import Findings as Findings
    from awase.core.formats.reading.records import Sign as Sign
    from awase.core.formats.reading.requests import ReadRequest as ReadRequest
    from awase.core.formats.reading.requests import ReadResult as ReadResult
    from awase.core.formats.reading.requests import WriteRequest as WriteRequest
    from awase.core.formats.reading.topic_parts import TopicParts as TopicParts
    from awase.core.formats.registry import Format as Format
    from awase.core.metrics import registry as _metrics
    from awase.core.metrics.kit.cases import Case as Case
    from awase.core.metrics.kit.metric import Choice as Choice
    from awase.core.metrics.kit.metric import Metric as Metric
    from awase.core.metrics.kit.metric import Option as Option
    from awase.core.metrics.kit.metric import decimal as decimal
    from awase.core.metrics.kit.metric import pick as pick
    from awase.core.metrics.kit.metric import share as share
    from awase.core.metrics.kit.metric import switch as switch
    from awase.core.metrics.kit.metric import whole as whole
    from awase.core.metrics.kit.runner import PlainRequest as PlainRequest
    from awase.core.metrics.kit.runner import TextRun as TextRun
    from awase.core.metrics.kit.runner import score_each_text as score_each_text
    from awase.core.metrics.kit.shared_options import ALPHA as ALPHA
    from awase.core.metrics.kit.shared_options import ANNOTATOR as ANNOTATOR
    from awase.core.metrics.kit.shared_options import AVERAGE as AVERAGE
    from awase.core.metrics.kit.shared_options import LABELS as LABELS
    from awase.core.metrics.kit.shared_options import LIMIT as LIMIT
    from awase.core.metrics.kit.shared_options import MODEL as MODEL
    from awase.core.metrics.kit.shared_options import PARSER as PARSER
    from awase.core.metrics.kit.shared_options import REFS as REFS
    from awase.core.metrics.kit.shared_options import STEM as STEM
    from awase.core.metrics.kit.shared_options import STOP as STOP
    from awase.core.metrics.kit.shared_options import TOKENS as TOKENS
    from awase.core.metrics.kit.shared_options import VECTORS as VECTORS
    from awase.core.metrics.kit.shared_options import WORDS as WORDS
    from awase.core.metrics.kit.signature import MetricRequest as MetricRequest
    from awase.core.metrics.kit.supplies import Supplies as Supplies
    from awase.core.metrics.registry import requests_of as requests_of
    from awase.core.metrics.registry import score_corpus as score_corpus
    from awase.core.metrics.registry import signature_of as signature_of
    from awase.core.plugins import Plugins as Plugins
    from awase.core.progress import Reporter as Reporter
    from awase.core.progress import Silent as Silent
    from awase.core.records.abstract import Abstract as Abstract
    from awase.core.records.abstract import AbstractSentence as AbstractSentence
    from awase.core.records.addition import Addition as Addition
    from awase.core.records.addition import merge as merge
    from awase.core.records.alignment import Alignment as Alignment
    from awase.core.records.alignment import AlignmentState as AlignmentState
    from awase.core.records.alignment import Alternative as Alternative
    from awase.core.records.alignment import SentenceAlignment as SentenceAlignment
    from awase.core.records.corpus import Corpus as Corpus
    from awase.core.records.identifiers import SentenceRef as SentenceRef
    from awase.core.records.output import Extract as Extract
    from awase.core.records.output import HumanScore as HumanScore
    from awase.core.records.output import TextOutput as TextOutput
    from awase.core.records.score import Score as Score
    from awase.core.records.score import ScoreTable as ScoreTable
    from awase.core.records.score import without_facts as without_facts
    from awase.core.records.source import Document as Document
    from awase.core.records.source import SourceSentence as SourceSentence
    from awase.core.records.topic import Topic as Topic
    from awase.core.version import VERSION as VERSION

    formats = _formats
    metrics = _metrics
    suggesters = _suggesters


_PLACE = {
    "ALPHA": "awase.core.metrics.kit.shared_options",
    "ANNOTATOR": "awase.core.metrics.kit.shared_options",
    "AVERAGE": "awase.core.metrics.kit.shared_options",
    "Abstract": "awase.core.records.abstract",
    "AbstractSentence": "awase.core.records.abstract",
    "Addition": "awase.core.records.addition",
    "Alignment": "awase.core.records.alignment",
    "AlignmentState": "awase.core.records.alignment",
    "Alternative": "awase.core.records.alignment",
    "Cancelled": "awase.core.errors",
    "Case": "awase.core.metrics.kit.cases",
    "Choice": "awase.core.metrics.kit.metric",
    "Corpus": "awase.core.records.corpus",
    "CorpusFormatError": "awase.core.errors",
    "Document": "awase.core.records.source",
    "Extract": "awase.core.records.output",
    "Extractor": "awase.core.analysis.extractors",
    "FAMILY": "awase.core.annotation.suggestion",
    "Findings": "awase.core.formats.reading.findings",
    "Format": "awase.core.formats.registry",
    "HumanScore": "awase.core.records.output",
    "InputError": "awase.core.errors",
    "LABELS": "awase.core.metrics.kit.shared_options",
    "LIMIT": "awase.core.metrics.kit.shared_options",
    "MODEL": "awase.core.metrics.kit.shared_options",
    "Metric": "awase.core.metrics.kit.metric",
    "MetricRequest": "awase.core.metrics.kit.signature",
    "Option": "awase.core.metrics.kit.metric",
    "PARSER": "awase.core.metrics.kit.shared_options",
    "PlainRequest": "awase.core.metrics.kit.runner",
    "Plugins": "awase.core.plugins",
    "Problem": "awase.core.errors",
    "REFS": "awase.core.metrics.kit.shared_options",
    "ReadRequest": "awase.core.formats.reading.requests",
    "ReadResult": "awase.core.formats.reading.requests",
    "Reporter": "awase.core.progress",
    "STEM": "awase.core.metrics.kit.shared_options",
    "STOP": "awase.core.metrics.kit.shared_options",
    "Score": "awase.core.records.score",
    "ScoreTable": "awase.core.records.score",
    "SentenceAlignment": "awase.core.records.alignment",
    "SentenceRef": "awase.core.records.identifiers",
    "Sign": "awase.core.formats.reading.records",
    "Silent": "awase.core.progress",
    "Source": "awase.core.analysis.extract_sources",
    "SourceSentence": "awase.core.records.source",
    "Suggester": "awase.core.annotation.suggestion",
    "SuggesterEntry": "awase.core.annotation.suggestion",
    "Suggestion": "awase.core.annotation.suggestion",
    "Supplies": "awase.core.metrics.kit.supplies",
    "TOKENS": "awase.core.metrics.kit.shared_options",
    "TextOutput": "awase.core.records.output",
    "TextRun": "awase.core.metrics.kit.runner",
    "Topic": "awase.core.records.topic",
    "TopicParts": "awase.core.formats.reading.topic_parts",
    "VECTORS": "awase.core.metrics.kit.shared_options",
    "VERSION": "awase.core.version",
    "WORDS": "awase.core.metrics.kit.shared_options",
    "WriteRequest": "awase.core.formats.reading.requests",
    "decimal": "awase.core.metrics.kit.metric",
    "extract": "awase.core.analysis.extracting",
    "extractions_of": "awase.core.analysis.extractors",
    "merge": "awase.core.records.addition",
    "named": "awase.core.analysis.extracting",
    "own_view": "awase.core.annotation.suggestion",
    "pick": "awase.core.metrics.kit.metric",
    "requests_of": "awase.core.metrics.registry",
    "score_corpus": "awase.core.metrics.registry",
    "score_each_text": "awase.core.metrics.kit.runner",
    "share": "awase.core.metrics.kit.metric",
    "signature_of": "awase.core.metrics.registry",
    "switch": "awase.core.metrics.kit.metric",
    "whole": "awase.core.metrics.kit.metric",
    "without_facts": "awase.core.records.score",
}
_MODULES = {
    "extractors": "awase.core.analysis.extractors",
    "formats": "awase.core.formats.registry",
    "metrics": "awase.core.metrics.registry",
    "suggesters": "awase.core.annotation.suggesters",
}

__all__ = [*_PLACE, *_MODULES]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name in _PLACE:
        return getattr(import_module(_PLACE[name]), name)
    raise AttributeError(f"module 'awase.plugins' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
