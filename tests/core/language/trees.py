"""Trees written down shortly, for tests."""

from awase.core.records.parse import ParsedSentence, ParsedWord


def tree(*lines: str) -> ParsedSentence:
    """Returns the sentence of lines `form/lemma/UPOS/XPOS/feats head relation`; lemma = form."""
    words = []
    for line in lines:
        token, head, relation = line.split()
        form, lemma, upos, xpos, feats, *_ = [*token.split("/"), "", "", "", ""]
        words.append(
            ParsedWord(
                form=form,
                lemma=lemma or form,
                upos=upos,
                xpos=xpos,
                feats=feats,
                head=int(head),
                deprel=relation,
            )
        )
    return ParsedSentence(words=tuple(words), text=" ".join(word.form for word in words))
