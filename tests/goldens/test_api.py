"""What `import awase` gives of a corpus, to the last cell, is what was recorded."""

from tests.goldens.conftest import HERE

import awase

TEXTS = {"one": ["The cat sat.\nIt slept.", "A dog ran."], "two": [["The cat.", "It sat."], ""]}


def test_that_frames_agreement_and_scores_of_texts_are_those_recorded(golden):
    corpus = awase.read(HERE / "inputs" / "uneven.json")
    kept = {"topics": ["u1", "u5", "u4"], "systems": ["lead", "free", "neural"]}
    scores = corpus.score(["tsc3", "coverage:strict=yes", "rouge-1"], **kept)
    names = ("sentences", "alignments", "extracts", "texts", "human_scores")
    outputs = {name: getattr(corpus, name)().to_csv(index=False) for name in names}
    table = awase.agreement(corpus, ["A2", "gold"], length="long")
    told = "\n".join((*table.signature, *table.warnings, repr(table)))
    outputs["agreement"] = table.to_frame().to_csv(index=False) + told
    texts = awase.score(
        TEXTS, [["The cat sat.", "A cat slept."], ["A dog."]], ["rouge-l"], ids="pq"
    )
    for one in (scores, texts):
        told = "\n".join((*one.signature, *one.warnings, repr(one), str(one.exact)))
        frames = one.to_frame(), one.means()
        outputs[repr(one)] = "".join(frame.to_csv(index=False) for frame in frames) + told
    cover = awase.cover([[["b"], ["c", "a"]], [["c"], ["a", "d"]], [["e"]]])
    oracle = awase.oracle([["A dog ran.", "It was so."], ["A cat."]], "A dog sat.", limit="4w")
    fields = ((name, getattr(one, name)) for one in (cover, oracle) for name in one.__slots__)
    outputs["found"] = "".join(
        f"{name} {sorted(value) if isinstance(value, frozenset) else value}\n"
        for name, value in fields
    )
    outputs["corpus"] = f"{corpus!r} {corpus.name} {corpus.topics} {corpus.systems}"
    golden("sessions/api", outputs)
