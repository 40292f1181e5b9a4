"""F2: the text of the abstract sentence or source sentence that has the keyboard."""

from awase.core.annotation import content
from awase.core.records.edits.edit import Edit
from awase.gui.kit.inline_editor import InlineEditor
from awase.gui.kit.texts.i18n import tr
from awase.gui.pages.annotate.panes.sources_pane import SourcesPane
from awase.gui.pages.annotate.rows.row_view import RowView
from awase.gui.pages.annotate.state.annotation_state import AnnotationState
from awase.gui.session.session import CorpusSession


def edit_in_place(
    session: CorpusSession,
    annotation: AnnotationState,
    abstract_view: RowView,
    centre: SourcesPane,
    *,
    is_abstract: bool,
) -> None:
    """Opens an editor over the current row; what it says is stored as one edit."""
    view = abstract_view if is_abstract and annotation.n else centre.view
    if session.read_only:
        annotation.said.emit(tr("This corpus is open for reading only."))
    elif not (view.currentIndex().isValid() and view.isVisibleTo(view.window())):
        annotation.said.emit(tr("Choose a sentence first."))
    elif view is abstract_view:
        _edit_abstract_sentence(session, annotation, abstract_view)
    else:
        _edit_source_sentence(session, annotation, centre)


def _edit_abstract_sentence(
    session: CorpusSession, annotation: AnnotationState, view: RowView
) -> None:
    topic, abstract, n = annotation.place.topic, annotation.place.abstract, annotation.n
    if topic is None or abstract is None:
        return

    def store(text: str) -> bool:
        return _performed(session, content.abstract_text_edit(topic.id, abstract, n, text))

    InlineEditor(view, view.currentIndex(), annotation.place.text(n), store)


def _edit_source_sentence(
    session: CorpusSession, annotation: AnnotationState, centre: SourcesPane
) -> None:
    topic, ref = annotation.place.topic, centre.current_ref()
    if topic is None or ref is None:
        return
    text = next((part.text for known, part in topic.sentences() if known == ref), "")

    def store(new: str) -> bool:
        is_stored = _performed(session, content.source_text_edit(topic, ref, new))
        if is_stored:
            centre.show_ref(ref)
        return is_stored

    InlineEditor(centre.view, centre.view.currentIndex(), text, store)


def _performed(session: CorpusSession, edit: Edit | None) -> bool:
    return edit is None or session.perform(edit)
