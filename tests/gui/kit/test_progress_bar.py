from PySide6.QtCore import QEvent, QObject

from awase.gui.kit.jobs.waiting import ProgressBar


class _Paints(QObject):
    n = 0

    def eventFilter(self, _watched, event) -> bool:
        self.n += event.type() is QEvent.Type.Paint
        return False


def test_that_a_bar_is_drawn_with_the_window_and_not_each_time_that_it_is_told(qtbot):
    bar, paints = ProgressBar(), _Paints()
    qtbot.addWidget(bar)
    bar.installEventFilter(paints)
    bar.show_progress(0, 20)
    bar.show()
    qtbot.waitUntil(lambda: paints.n > 0)
    paints.n = 0
    for done in range(1, 10):
        bar.show_progress(done, 20)
    assert paints.n == 0
    qtbot.waitUntil(lambda: paints.n > 0)
    assert (bar.value(), bar.maximum()) == (9, 20)
