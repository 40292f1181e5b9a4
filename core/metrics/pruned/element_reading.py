"""Texts as basic elements of their parses, with how the words of the elements are written."""

from collections.abc import Mapping
from dataclasses import dataclass

from awase.core.metrics.pruned.counting import Unit
from awase.core.metrics.pruned.readings import Read, Text, UnitText, surfaces_of
from awase.core.parsing.basic_elements import BasicElementOptions, basic_elements
from awase.core.parsing.conllu import parse_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementRules:
    """How text becomes basic elements: the same for equal rules."""

    elements: BasicElementOptions
    tries_lemmas: bool = False


def element_reading(rules: ElementRules, parses: Mapping[str, str]) -> Read:
    """Returns what reads texts as the elements of their parses.

    Args:
        parses: A sentence to its parse in CoNLL-U; sentences that are not in it have no element.
    """
    sentences: dict[str, UnitText] = {}

    def of_sentence(text: str) -> UnitText:
        found = sentences.get(text)
        if found is None:
            found = sentences[text] = _reading(parses.get(text, ""), rules)
        return found

    def read(text: Text) -> UnitText:
        readings = [of_sentence(sentence) for sentence in text]
        written = ((w, s) for one in readings for w, all_ in one.surfaces.items() for s in all_)
        return UnitText(
            units=tuple(unit for one in readings for unit in one.units),
            surfaces=surfaces_of(written),
            lemmas={
                word: lemma for one in reversed(readings) for word, lemma in one.lemmas.items()
            },
        )

    return read


def _reading(conllu: str, rules: ElementRules) -> UnitText:
    units: list[Unit] = []
    written: list[tuple[str, str]] = []
    lemmas: dict[str, str] = {}
    for sentence in parse_of(conllu) if conllu else ():
        units += basic_elements(sentence, options=rules.elements)
        nodes = [(word.form, word.lemma) for word in sentence.words]
        nodes += [(node.form, node.lemma) for node in sentence.empty_nodes]
        for form, lemma in nodes:
            surface = (lemma or form) if rules.elements.lemma else (form or lemma)
            written.append((surface.lower(), surface))
            if rules.tries_lemmas and lemma:
                lemmas.setdefault(surface.lower(), lemma)
    of_elements = {word for unit in units for word in unit[:2]}
    return UnitText(
        units=tuple(units),
        surfaces=surfaces_of(pair for pair in written if pair[0] in of_elements),
        lemmas={word: lemma for word, lemma in lemmas.items() if word in of_elements},
    )
