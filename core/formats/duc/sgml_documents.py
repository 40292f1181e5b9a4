"""TSC and NTCIR documents (`<DOC><DOCNO>…`), and DUC ones with `<s docid= num=>` sentences."""

from collections.abc import Callable

from awase.core.errors import CorpusFormatError, in_source
from awase.core.formats.duc.sgml import TSC, SgmlDialect, SgmlDraft, SgmlParser
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import language_of
from awase.core.formats.tables.plain_text import needed_topic
from awase.core.records.addition import Addition


def read(request: ReadRequest) -> ReadResult:
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
