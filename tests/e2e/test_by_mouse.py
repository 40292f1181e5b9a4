"""What stands in the first line of Grade and Review is pressed by a real mouse."""

from tests.e2e.under_x import program, pytestmark, server, until
from tests.gui.conftest import small_topic
from tests.stored import corpus_file

from awase.core.records.corpus import Corpus

__all__ = ["pytestmark"]  # slow, and only where there is an X server

_STATE = """
QTimer.singleShot(1500, lambda: windows()[0].open_location(arguments[0]))
def state():
    workspace = windows()[0].workspace if windows() else None
    if workspace is None:
        return {"page": ""}
    told = {"page": workspace.page_id, "popup": "", "extract": 0}
    popup = QApplication.activePopupWidget()
    if popup is not None and popup.parent() is not None:
        told["popup"] = popup.parent().accessibleName()
    if workspace.page_id == "grade":
        told["extract"] = len(workspace.page("grade").composition.extract)
    return told
"""


def test_that_the_mouse_grades_and_chooses_a_level(tmp_path):
    corpus = corpus_file(tmp_path / "small.awase", Corpus(name="small", topics=(small_topic(),)))
    with server() as display, program(display, tmp_path, "en", _STATE, corpus) as screen:
        until(lambda: screen.now()["page"] == "annotate")
        screen.wait_for("small.*Awase")
        for page, box in (("Grade", "What “best” means"), ("Review", "Level")):
            screen.click(page)
            until(lambda page=page: screen.now()["page"] == page.lower())
            if page == "Grade":
                screen.click("Best next")
                until(lambda: screen.now()["extract"] == 1)
            screen.click(box)
            until(lambda box=box: screen.now()["popup"] == box)
            screen.key("Escape")
            until(lambda: not screen.now()["popup"])
