"""HTML report of a text output's most similar sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from awase.core.analysis.inspection import Marking, Resemblance, Resembled, common_spans
from awase.core.annotation.formula import address_of
from awase.core.records.abstract import Abstract
from awase.core.records.identifiers import SentenceRef
from awase.core.text.script import joined_spans
from awase.gui.kit.look.theme import Theme
from awase.gui.kit.texts.direction import below
from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.markup import marked
from awase.gui.pages.inspect.report import SHOW_SCHEME


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wording:
    """Texts of the report by what the output is compared with."""

    title: str
    sentence: str
    nothing: str
    missed: str


def text_report(
    abstract: Abstract,
    system: str,
    found: Sequence[Resemblance],
    marking: Marking,
    theme: Theme,
    numbers: Mapping[SentenceRef, int],
    *,
    n_own: int = 0,
) -> str:
    """Returns each sentence of the output with its most similar ones, as HTML.

    Marked words are shared with any of them; the share is that of idf-weighted words. `numbers`
    give short names of source sentences. With `n_own`, the number of the text's own references,
    `abstract` is one of these.
    """
    words = _beside_own(system, abstract.id, n_own) if n_own else _beside(system, abstract.id)
    rows = [f"<h3>{escape(words.title)}</h3>"]
    for number, sentence in enumerate(found, start=1):
        rows.append(_sentence(number, sentence, marking, theme, words, numbers))
    missed = _never_resembled(abstract, found)
    if missed:
        rows.append(f"<h4>{escape(words.missed)}</h4>")
        rows += [f'<p style="margin-left:1em">{n}. {escape(text)}</p>' for n, text in missed]
    return "".join(rows)


def _beside(system: str, abstract: str) -> _Wording:
    return _Wording(
        title=tr("{system}, beside “{abstract}” and the sources", system=system, abstract=abstract),
        sentence=tr("abstract {n}"),
        nothing=tr("Resembles no sentence of the abstract or the sources."),
        missed=tr("Sentences of the abstract that nothing resembles"),
    )


def _beside_own(system: str, number: str, n_own: int) -> _Wording:
    title = tr("{system}, beside its own reference and the sources", system=system)
    if n_own > 1:
        title = tr(
            "{system}, beside its own reference {n} of {all} and the sources",
            system=system,
            n=number,
            all=n_own,
        )
    return _Wording(
        title=title,
        sentence=tr("reference {n}"),
        nothing=tr("Resembles no sentence of the reference or the sources."),
        missed=tr("Sentences of the reference that nothing resembles"),
    )


def _sentence(
    number: int,
    sentence: Resemblance,
    marking: Marking,
    theme: Theme,
    words: _Wording,
    numbers: Mapping[SentenceRef, int],
) -> str:
    others = ([sentence.reference] if sentence.reference else []) + list(sentence.sources)
    ours = joined_spans(
        span for other in others for span in common_spans(sentence.text, other.text, marking)[0]
    )
    parts = [f"<p><b>{number}.</b> {marked(sentence.text, ours, theme)}</p>"]
    if sentence.reference is not None:
        label = words.sentence.format(n=sentence.reference.ref)
        parts.append(_row(label, sentence.text, sentence.reference, marking, theme))
    for source in sentence.sources:
        parts.append(_row(_source_link(source, numbers), sentence.text, source, marking, theme))
    if not others:
        muted = theme.colours.muted
        parts.append(f'<p style="margin-left:2em; color:{muted}">{escape(words.nothing)}</p>')
    return "".join(parts)


def _source_link(source: Resembled, numbers: Mapping[SentenceRef, int]) -> str:
    ref = escape(str(source.ref), quote=True)
    shown = ref
    if isinstance(source.ref, SentenceRef):
        shown = escape(address_of(source.ref, numbers))
    return f'<a href="{SHOW_SCHEME}:{ref}">{shown}</a>'


def _row(label: str, text: str, found: Resembled, marking: Marking, theme: Theme) -> str:
    spans = common_spans(text, found.text, marking)[1]
    share = tr("has {share} of its words", share=f"{100 * found.share:.0f} %")
    shown = label if isinstance(found.ref, SentenceRef) else escape(label)
    return (
        f'<p style="margin-left:2em"><span style="color:{theme.colours.muted}">'
        f"{shown} · {escape(share)}</span>"
        + below(found.text, marked(found.text, spans, theme), "margin-right:2em")
    )


def _never_resembled(abstract: Abstract, found: Sequence[Resemblance]) -> list[tuple[str, str]]:
    near = {sentence.reference.ref for sentence in found if sentence.reference is not None}
    return [
        (str(sentence.n), sentence.text)
        for sentence in abstract.sentences
        if sentence.n not in near
    ]
