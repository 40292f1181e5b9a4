"""BE from its definition, with one multiset a summary: slow and plain."""

from collections import Counter
from fractions import Fraction

from awase.core.records.parse import ParsedSentence

KEPT = set(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse aux cop "
    "mark nmod appos nummod acl amod det clf case fixed flat compound".split()
)
HEADS = {"NOUN", "PROPN", "PRON", "VERB", "ADJ", "ADV"}
PARTS = {"compound", "flat", "fixed", "goeswith"}


def units(summary: list[ParsedSentence], mode: str) -> Counter:
    """The units of trees with basic labels under one of ROUGE-1.5.5's modes."""
    found: Counter = Counter()
    for sentence in summary:
        for word in sentence.words:
            base = word.deprel.split(":")[0]
            modifier = _spelled(word.form)
            if word.head and base in KEPT:
                head = _spelled(sentence.words[word.head - 1].form)
                if mode in ("hm", "hm1"):
                    found[head, modifier] += 1
                elif mode != "h":
                    found[head, modifier, word.deprel] += 1
            if word.upos in HEADS and base not in PARTS:
                if mode == "h":
                    found[modifier,] += 1
                elif mode == "hm1":
                    found[modifier, None] += 1
                elif mode == "hmr2":
                    found[modifier, None, None] += 1
    return found


def _spelled(form: str) -> str:
    form = form.lower().replace("|", "/")
    return "nil." if form == "nil" else form


def be(
    peer: list[ParsedSentence], models: list[list[ParsedSentence]], mode: str, *, best: bool = False
) -> tuple[float, float, float] | None:
    """Recall, precision and F as ROUGE-1.5.5 rounds them; None = no reference has a unit."""
    of_peer = units(peer, mode)
    of_models = [units(model, mode) for model in models]
    if not any(of_models):
        return None
    if best:
        recalls = [_f5((of_peer & one).total(), one.total()) for one in of_models]
        of_models = [of_models[recalls.index(max(recalls))]]
    hits = sum((of_peer & one).total() for one in of_models)
    recall = _f5(hits, sum(one.total() for one in of_models))
    precision = _f5(hits, of_peer.total() * len(of_models))
    below = 0.5 * precision + 0.5 * recall
    return recall, precision, float(f"{precision * recall / below:.5f}") if below else 0.0


def _f5(above: int, below: int) -> float:
    return float(f"{float(Fraction(above, below)):.5f}") if below else 0.0
