import pytest
from tests.stored import corpus_file

from awase.gui.pages.review.page import ReviewPage
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore


@pytest.fixture
def open_review(services, qtbot, tmp_path):
    kept, stores = [], []  # a page that only Qt knows of goes at once

    def opened(made, who):
        path = corpus_file(tmp_path / "c.awase", made, who=who)
        store = CorpusStore.open(path, who=who)
        stores.append(store)
        page = ReviewPage(CorpusSession(store, who=who), services, None)
        kept.append(page)
        qtbot.addWidget(page)
        page.resize(1000, 700)
        page.show()
        return page

    yield opened
    services.jobs.stop_all()
    for store in stores:
        store.close()
