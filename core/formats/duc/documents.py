"""DUC documents with numbered sentences (`.S` of DUC 2001 and 2002), and those without.

<DOC><DOCNO>X</DOCNO><HEADLINE><s docid="X" num="1">Dogs</s></HEADLINE>
<TEXT><s docid="X" num="2" wdcount="3">The dog ran.</s></TEXT></DOC>
"""

from types import MappingProxyType
from typing import Final

from awase.core.errors import CorpusFormatError
from awase.core.formats.duc.names import folder_name
from awase.core.formats.duc.sgml import FIELDS, SgmlDialect, SgmlDraft
from awase.core.formats.duc.sgml_documents import read_documents
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import known_ids

_OF_AGENCIES: Final = {
    **{name: "headline" for name in ("head", "hl", "h3", "ti", "hed")},
    **{name: "date" for name in ("dd", "date1", "date_time")},
    **{name: "text" for name in ("lp", "leadpara")},
    **{
        name: "passed over"
        for name in (
            "fileid", "first", "second", "dateline", "byline", "note", "so", "co", "in", "gv",
            "docid", "length", "graphic", "type", "subject", "pub", "page", "profile", "access",
            "caption", "descript", "country", "correction", "edition", "name", "typekey",
            "doctype", "slug", "trailer", "header", "ht", "au", "st", "an", "us", "re", "ns",
        )
    },
}  # fmt: skip
DUC: Final = SgmlDialect(
    fields=MappingProxyType({**{name: name for name in FIELDS}, **_OF_AGENCIES}),
    has_sentences_anywhere=True,
)


def read(request: ReadRequest) -> ReadResult:
    """Returns the documents of a file; every numbered sentence is one of theirs."""
    folder = folder_name(request.place)
    topic_id = request.topic or (folder.docset if folder is not None else None)
    if topic_id is None:
        raise CorpusFormatError.of(
            "The file does not say which topic its documents belong to, and no folder like d061j "
            "does.",
            "Name the topic.",
            source=request.source,
        )
    return read_documents(request, topic_id, DUC, _mend)


def _mend(draft: SgmlDraft, problems: Findings) -> None:
    _with_docno(draft, problems)
    if any(piece.number for piece in draft.pieces):
        loose = [piece for piece in draft.pieces if not piece.is_sentence and piece.text.strip()]
        draft.pieces = [piece for piece in draft.pieces if piece.is_sentence]
        for piece in loose:
            what = "Text stands outside of the numbered sentences and is left out: “{text}”."
            problems.remark(piece.line, what=what, text=" ".join(piece.text.split())[:30])


def _with_docno(draft: SgmlDraft, problems: Findings) -> None:
    """Sets a missing DOCNO from the sentences' ids, and reports differences."""
    named = [*dict.fromkeys(piece.document for piece in draft.pieces if piece.document)]
    docno = draft.field("docno")
    if len(named) == 1 and not docno:
        draft.fields["docno"] = named
        what = "The document has no DOCNO; its sentences name “{docno}”, which is taken."
        problems.remark(draft.line, what=what, docno=named[0])
    elif others := [name for name in named if name != docno]:
        what = "Sentences of document “{docno}” name another one ({names}); they are kept in it."
        problems.remark(draft.line, what=what, docno=docno, names=known_ids(others))
