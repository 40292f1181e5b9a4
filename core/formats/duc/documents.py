"""Documents of TSC and NTCIR (`<DOC><DOCNO>…`), and of DUC, with numbered sentences or without.

<DOC><DOCNO>X</DOCNO><HEADLINE><s docid="X" num="1">Dogs</s></HEADLINE>
<TEXT><s docid="X" num="2" wdcount="3">The dog ran.</s></TEXT></DOC>
"""

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from awase.core.errors import CorpusFormatError, in_source
from awase.core.formats.duc.names import folder_name
from awase.core.formats.duc.sgml import FIELDS, TSC, SgmlDialect, SgmlDraft, SgmlParser
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import known_ids, language_of
from awase.core.formats.tables.text_folder import needed_topic
from awase.core.records.addition import Addition


def read_sgml(request: ReadRequest) -> ReadResult:
    """Returns the documents of a file; text without sentence tags is split by our own rules."""
    with in_source(request.source):
        topic_id = needed_topic(request)
    return read_documents(request, topic_id, TSC)


def read_documents(
    request: ReadRequest,
    topic_id: str,
    dialect: SgmlDialect,
    mend: Callable[[SgmlDraft, Findings], None] | None = None,
) -> ReadResult:
    """Returns the documents of a file as a topic's; `mend` edits each first."""
    problems = Findings(request.source)
    drafts = SgmlParser(problems, dialect).drafts(request.text.removeprefix("\ufeff"))
    if not drafts:
        problems.add(
            None, what="The file has no <DOC>.", hint="Choose TSC, NTCIR or DUC documents."
        )
    if mend is not None:
        for draft in drafts:
            mend(draft, problems)
    language = language_of(request, topic_id)
    _check_ids(drafts, problems)
    documents = []
    for draft in drafts:
        try:
            documents.append(draft.document(language, problems))
        except CorpusFormatError as error:
            problems.note(draft.line, error.problems)
    problems.refuse_if_any()
    return ReadResult(
        addition=Addition(documents=tuple((topic_id, document) for document in documents)),
        warnings=tuple(sorted(problems.warnings, key=lambda problem: problem.line or 0)),
    )


def _check_ids(drafts: list[SgmlDraft], problems: Findings) -> None:
    line_of: dict[str, int] = {}
    for draft in drafts:
        docno = draft.field("docno")
        if not docno:
            what = "The document has no DOCNO, so its sentences would have no ids."
            problems.add(draft.line, what=what, hint="Add <DOCNO>…</DOCNO> behind <DOC>.")
        elif docno in line_of:
            problems.add(
                draft.line,
                what="DOCNO “{docno}” stands a second time; the first is in line {first}.",
                hint="Remove one of the two documents, or give it another number.",
                docno=docno,
                first=line_of[docno],
            )
        line_of.setdefault(docno, draft.line)


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


def read_duc(request: ReadRequest) -> ReadResult:
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
