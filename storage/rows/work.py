"""Whose work is what, without the texts."""

from sqlalchemy import Connection, exists, func, or_, select

from awase.core.project.assigning import Job
from awase.core.project.next_free import Pool
from awase.core.project.second_readings import Work
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.differences import Frame
from awase.core.records.encoding.json_values import dumps
from awase.storage.rows.schema import (
    AbstractRow,
    AbstractSentenceRow,
    AlignmentRow,
    EntryVersionRow,
    SentenceAlignmentRow,
    TopicRow,
)

_NOTHING = SentenceAlignment(n=1)


def read_pool(connection: Connection, frame: Frame) -> Pool:
    """Returns the work in the corpus, whose `frame` was read already."""
    entry = SentenceAlignmentRow
    says_something = or_(
        entry.state != _NOTHING.state.value,
        entry.alternatives != dumps(_NOTHING.alternatives),
        *(column.is_not(None) for column in (entry.note, entry.rank, entry.assist)),
    )
    is_begun = exists().where(entry.alignment_id == AlignmentRow.id, says_something)
    has_sentences = exists().where(AbstractSentenceRow.abstract_id == AbstractRow.id)
    query = (
        select(TopicRow.key, AbstractRow.key, AlignmentRow.annotator)
        .join(AbstractRow, AbstractRow.topic_id == TopicRow.id)
        .outerjoin(AlignmentRow, (AlignmentRow.abstract_id == AbstractRow.id) & is_begun)
        .where(has_sentences)
        .order_by(TopicRow.position, AbstractRow.position)
    )
    begun: dict[Job, frozenset[str]] = {}
    for topic, abstract, annotator in connection.execute(query):
        job = Job(topic, abstract)
        begun[job] = begun.get(job, frozenset()) | ({annotator} - {None})
    return Pool(begun=begun, persons=frame.persons, assignments=frame.assignments)


def read_worked_at(connection: Connection) -> dict[Work, str]:
    """Returns when each annotator last changed each abstract's alignment, ISO 8601."""
    row = EntryVersionRow
    place = (row.topic, row.abstract, row.annotator)
    query = select(*place, func.max(row.at)).where(row.annotator.is_not(None)).group_by(*place)
    return {
        Work(topic, abstract, annotator): at
        for topic, abstract, annotator, at in connection.execute(query)
    }
