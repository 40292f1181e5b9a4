"""Metrics while they are chosen: their options, titles, and which suit a corpus."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QScrollArea, QVBoxLayout, QWidget

from awase.core.errors import InputError, Problem
from awase.core.metrics.kit.metric import ANNOTATORS, PARSERS, Option
from awase.core.metrics.kit.outputs import (
    FIRST_ANNOTATOR,
    OPTION,
    AnnotatorChoice,
    annotator_values,
)
from awase.core.metrics.kit.signature import MetricRequest, option_text
from awase.core.metrics.registry import METRICS, defaults_of, options_of, requests_of, signature_of
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score
from awase.core.records.topic import annotators_of
from awase.core.team.parts import Part
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import ChoiceField, Field, Line
from awase.gui.kit.i18n import (
    aside,
    follow,
    labelled,
    listed,
    mark,
    problem_text,
    shows_codes,
    tr,
    what_of,
)
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Settings
from awase.jobs.scoring import DEFAULT_METRICS


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A metric or group with possibly invalid options."""

    name: str
    values: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_text(cls, text: str) -> "Draft | None":
        """Parses a metric from settings; None when it no longer exists."""
        try:
            requests_of([text])
        except InputError:
            return None
        request = MetricRequest.parse(text)
        return cls(name=request.name).with_values(dict(request.options))

    def with_values(self, values: Mapping[str, str]) -> "Draft":
        """Returns the draft with these options, without defaults."""
        defaults = defaults_of(self.name)
        merged = {**self.values, **values}
        kept = {o: v for o, v in merged.items() if o in defaults and v != defaults[o]}
        return Draft(name=self.name, values=kept)

    def value(self, option: str) -> str:
        """Returns the value of an option, explicit or default."""
        return self.values.get(option, defaults_of(self.name)[option])

    def text(self) -> str:
        """Returns the metric as the command line spells it."""
        options = ",".join(f"{o}={option_text(v.strip())}" for o, v in self.values.items())
        return f"{self.name}:{options}" if options else self.name

    def spelled(self) -> tuple[tuple[str, str], ...]:
        """Returns the options that are not at their defaults, and their values, for people."""
        return tuple(self.values.items() if shows_codes() else _in_words(self.name, self.values))

    def check(self, corpus: Corpus) -> tuple[tuple[str, ...], str]:
        """Returns the resulting signatures, and the error or nothing."""
        try:
            requests = requests_of([self.text()])
            return tuple(signature_of(corpus, request) for request in requests), ""
        except InputError as error:
            return (), "\n".join(map(problem_text, error.problems))


def names_for(option: Option[Any], corpus: Corpus, parsers: Sequence[str] = ()) -> tuple[str, ...]:
    """Returns the values that the corpus offers for an option."""
    if option.of_corpus == PARSERS:
        return tuple(parsers)
    if option.of_corpus == ANNOTATORS:
        return tuple(value for _, value in annotator_values(annotators_of(corpus.topics)))
    return ()


_TITLES: Final = {
    "precision": mark("Precision"),
    "coverage": mark("Coverage"),
    "weighted-coverage": mark("Weighted coverage"),
}


_NAMES: Final = {
    **_TITLES,
    "be": "BE",
    "bertscore": "BERTScore",
    "bleu": "BLEU",
    "chrf": "chrF",
    "pbe": mark("Pruned BE"),
    "prouge": mark("Pruned ROUGE"),
    "pseudo-pyramid": mark("Pseudo-pyramid"),
    "rouge": "ROUGE",
    "subtree": mark("Subtree similarity"),
}


def metric_name(name: str) -> str:
    """Returns what a metric is called in the field, not on the command line: ROUGE-WE-1."""
    family, hyphen, rest = name.partition("-")
    if name in _NAMES or family not in _NAMES:
        return tr(_NAMES.get(name, name))
    return f"{tr(_NAMES[family])}{hyphen}{rest.upper()}"


def with_metric_name(problem: Problem) -> Problem:
    """Returns a problem that calls the metric as the field does."""
    fields = problem.fields
    if "metric" not in fields:
        return problem
    return replace(problem, fields={**fields, "metric": metric_name(str(fields["metric"]))})


def reason_of(score: Score) -> str:
    """Returns why a score is undefined."""
    return tr("Undefined") if score.reason is None else what_of(with_metric_name(score.reason))


def why_failed(score: Score) -> str:
    """Returns why a metric could not be computed, with its name."""
    is_named = score.reason is not None and "metric" in score.reason.fields
    return reason_of(score) if is_named else labelled(metric_name(score.metric), reason_of(score))


def metric_title(title: str) -> str:
    """Returns a score column's display name."""
    name = title.partition(":")[0]
    known = _TITLES.get(name)
    shown = tr(known) if known is not None else name
    options = options_in_words(title)
    if not options:
        return title.replace(name, shown, 1)
    return aside(shown, listed(f"{option} = {value}" for option, value in options))


def options_in_words(title: str) -> list[tuple[str, str]]:
    """Returns the options of a title as the fields of the window call them; none in English."""
    name, _, told = title.partition(":")
    metric = name.partition(".")[0]
    if not told or metric not in METRICS or shows_codes():
        return []
    return _in_words(metric, _values(f"{metric}:{told}"))


def _in_words(name: str, values: Mapping[str, str]) -> list[tuple[str, str]]:
    # It brings the extractors, which English does without.
    from awase.gui.kit.spelled_options import words_of

    options = {one.name: one for one in options_of(name)}
    return [words_of(options[one], values[one], tr) for one in values if one in options]


def measure_title(measure: str) -> str:
    """Returns a human measure's display name beside metrics, which may have the same name."""
    return tr("{measure} (people)", measure=measure)


def _values(text: str) -> Mapping[str, str]:
    try:
        return dict(MetricRequest.parse(text).options)
    except InputError:
        return {}


def score_metrics(session: CorpusSession, settings: Settings) -> tuple[str, ...]:
    """Returns the Scores page's metrics; by default, of texts with their own references, ROUGE."""
    is_of_texts = session.has(Part.OUTPUTS) and not session.has(Part.ABSTRACTS)
    usual = (_rouge(session),) if is_of_texts else DEFAULT_METRICS
    return settings.score_metrics.get(session.location) or usual


def by_gold(metrics: Sequence[str]) -> tuple[str, ...]:
    """Returns metrics with the gold instead of the first annotator."""
    return tuple(_by_gold(text) for text in metrics)


def _by_gold(text: str) -> str:
    draft = Draft.of_text(text)
    takes_first = draft is not None and dict(defaults_of(draft.name)).get(OPTION) is not None
    if draft is None or not takes_first or draft.value(OPTION) != FIRST_ANNOTATOR:
        return text
    return draft.with_values({OPTION: AnnotatorChoice.GOLD.value}).text()


def correlated_metrics(session: CorpusSession) -> tuple[str, ...]:
    """Returns the default metrics of correlations."""
    rouge = _rouge(session)
    return (*DEFAULT_METRICS, rouge) if session.has_alignments() else (rouge,)


def _rouge(session: CorpusSession) -> str:
    """Returns ROUGE with tokens for the topics' languages, by default English."""
    is_english = {*session.languages()} <= {None, "en"}
    return "rouge:stem=yes,tokens=unicode" if is_english else "rouge:tokens=chars"


_CHARACTERS = 24


@dataclass(frozen=True, slots=True)
class _OptionNames:
    """An option, and the names that the corpus offers for it."""

    option: Option[Any]
    names: Sequence[str]

    @property
    def name(self) -> str:
        return self.option.name


class OptionFields(QWidget):
    """Fields of one draft's options."""

    changed = Signal(object)  # mapping of option to value

    def __init__(self) -> None:
        super().__init__()
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._asked: tuple[_OptionNames, ...] = ()
        self.panel = FormPanel(())
        # Not by Tab, but Qt inserts later widgets behind such a one only.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._rows.addWidget(self.panel)
        follow(self, lambda: self._show(self.values()))

    def show_options(
        self,
        options: Sequence[Option[Any]],
        values: Mapping[str, str],
        corpus: Corpus,
        parsers: Sequence[str] = (),
    ) -> None:
        """Replaces the fields; `parsers` are the models that parsed the corpus."""
        self._asked = tuple(_OptionNames(one, names_for(one, corpus, parsers)) for one in options)
        self._show(values)

    def values(self) -> Mapping[str, str]:
        return {asked.name: self.panel.text(asked.name) for asked in self._asked}

    def reveal(self, option: str) -> None:
        """Scrolls to an option's field, once shown."""
        QTimer.singleShot(0, self, lambda: self._reveal(option))

    def _reveal(self, option: str) -> None:
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None and option in self.values():
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            area.ensureWidgetVisible(self.panel[option])

    def _show(self, values: Mapping[str, str]) -> None:
        fields = [
            Field(one.name, partial(_label, one), _kind(one, values[one.name]), is_above=True)
            for one in self._asked
        ]
        old, self.panel = self.panel, FormPanel(fields)
        self._rows.removeWidget(old)
        self._rows.addWidget(self.panel)
        old.hide()
        old.deleteLater()
        for label in self.panel.findChildren(QLabel):
            label.setProperty("look", "muted")
        for one in self._asked:
            widget = self.panel[one.name]
            widget.setToolTip(one.name)
            if isinstance(widget, QComboBox):
                widget.setMinimumContentsLength(_CHARACTERS)
                for at, choice in enumerate(one.option.choices):
                    tip = aside(tr(choice.what), f"{one.name}={choice.value}")
                    widget.setItemData(at, tip, Qt.ItemDataRole.ToolTipRole)
                if widget.isEditable():  # Qt writes the item's text over what was typed
                    self.panel.set(one.name, values[one.name])
        self.panel.tab_after(self)
        self.panel.changed.connect(lambda _: self.changed.emit(self.values()))


def _label(asked: _OptionNames) -> str:
    option = asked.option
    what = tr(option.what)
    text = labelled(asked.name, what) if shows_codes() else what  # codes are English words
    return aside(text, tr(option.form_what)) if option.form_what else text


def _kind(asked: _OptionNames, value: str) -> Line | ChoiceField:
    option = asked.option
    if not (option.choices or option.of_corpus):
        return Line(value, hint=listed(option.examples))
    before = "{}  –  " if shows_codes() else ""
    texts = {
        choice.value: before.format(choice.value) + tr(choice.what) for choice in option.choices
    }
    for name in (*(option.examples if option.form_what else ()), *asked.names):
        texts.setdefault(name, name)
    if not option.form_what:
        texts.setdefault(value, value)  # a name that the corpus no longer has
    return ChoiceField([*texts.items()], value, is_open=bool(option.form_what))
