"""The dialog that chooses columns: all of the registry, and the signature as it forms."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit
from tests.gui.conftest import small_topic
from tests.gui.seeing import button, press

from awase.core.metrics.registry import GROUPS, METRICS, defaults_of
from awase.core.packages import version_of_code
from awase.core.records.corpus import Corpus
from awase.gui.kit.i18n import set_language
from awase.gui.session.metric_drafts import Draft
from awase.gui.session.scoring_choices import MetricsDialog, named
from awase.jobs.supplies.gathering import Places


@pytest.fixture
def dialog(qtbot):
    return qtbot.shown(MetricsDialog(Corpus(topics=(small_topic(),)), ("coverage", "gone:x=1")))


def is_ready(dialog: MetricsDialog) -> bool:
    return button(dialog, "OK").isEnabled()


def add(dialog: MetricsDialog, name: str) -> None:
    dialog.offer.setCurrentRow([*GROUPS, *METRICS].index(name))
    dialog.fields.button("add").click()


@pytest.mark.slow
def test_that_every_metric_and_group_shows_all_its_options_and_a_signature(dialog):
    for name in (*GROUPS, *METRICS):
        add(dialog, name)
        assert [*dialog.options.values()] == [*defaults_of(name)]
        assert dialog.message.text() == ""
        assert len(dialog.fields["signature"].text().splitlines()) == len(GROUPS.get(name, (name,)))
    assert is_ready(dialog)


def test_that_known_values_and_annotators_are_choices_and_others_are_typed(dialog):
    annotator = dialog.options.panel["annotator"]
    values = [annotator.itemData(at) for at in range(annotator.count())]
    assert values == ["first", "gold", "all", "1"]
    add(dialog, "rouge-w")
    fields = dialog.options.panel
    assert isinstance(fields["stem"], QComboBox)
    assert not fields["stem"].isEditable()
    assert isinstance(fields["limit"], QComboBox)
    assert fields["limit"].isEditable()
    assert isinstance(fields["alpha"], QLineEdit)


def test_that_every_metric_is_offered_and_the_signature_forms_as_options_change(dialog):
    assert dialog.offer.count() == len(GROUPS) + len(METRICS)
    assert dialog.texts() == ("coverage",)  # what is gone is left out
    strict = dialog.options.panel["strict"]
    strict.setCurrentIndex(strict.findData("yes"))
    assert dialog.fields["signature"].text() == (
        f"coverage:first=h,strict=yes,annotator=first,version={version_of_code()}"
    )
    assert dialog.texts() == ("coverage:strict=yes",)
    assert dialog.columns.item(0).text() == "coverage:strict=yes"


def test_that_a_wrong_value_brings_the_registrys_message_at_once(dialog):
    first = dialog.options.panel["first"]
    first.setEditText("0")
    assert dialog.message.text().startswith("first=0 is not a part of an extract. Use first=h")
    assert dialog.fields["signature"].text() == ""
    assert dialog.columns.item(0).text().startswith("⚠")
    assert not is_ready(dialog)
    first.setEditText("03")
    assert "first=3," in dialog.fields["signature"].text()
    assert is_ready(dialog)
    first.setEditText("")
    assert not is_ready(dialog)


def test_that_one_metric_can_stand_twice_with_different_options(dialog, qtbot):
    dialog.offer.setCurrentRow([*GROUPS, *METRICS].index("coverage"))
    dialog.offer.setFocus()
    qtbot.keyClick(dialog.offer, Qt.Key.Key_Return)  # which adds it, and accepts nothing
    strict = dialog.options.panel["strict"]
    strict.setCurrentIndex(strict.findData("yes"))
    with qtbot.waitSignal(dialog.chosen) as heard:
        press(dialog, "OK")
    assert heard.args == [("coverage", "coverage:strict=yes"), Places()]


def test_that_no_column_is_no_choice(dialog):
    add(dialog, "rouge-1")
    assert dialog.has_unsaved()
    add(dialog, "rouge-2")
    dialog.columns.setCurrentRow(1)
    dialog.fields.button("remove").click()  # the next one comes into its place
    assert (dialog.columns.currentRow(), dialog.texts()) == (1, ("coverage", "rouge-2"))
    dialog.fields.button("remove").click()  # the last one, so the one before is chosen
    assert (dialog.columns.currentRow(), dialog.texts()) == (0, ("coverage",))
    assert [*dialog.options.values()] == [*defaults_of("coverage")]
    dialog.fields.button("remove").click()
    assert not is_ready(dialog)
    assert dialog.message.text() == "Add at least one metric."
    dialog.fields.button("usual").click()
    assert dialog.texts() == ("tsc3",)
    assert is_ready(dialog)


@pytest.mark.parametrize(
    ("metric", "supply", "place"),
    [("rouge-we-1", "vectors", "ja-ginza"), ("subtree", "model", "models/bert")],
)
def test_that_a_metric_of_vectors_or_a_language_model_asks_where_they_are(
    dialog, qtbot, metric, supply, place
):
    assert not dialog.fields[supply].isVisible()
    add(dialog, metric)
    assert dialog.fields[supply].isVisible()
    assert f"{supply}=any" in dialog.fields["signature"].text()
    dialog.fields.set(supply, f" {place} ")
    with qtbot.waitSignal(dialog.chosen) as heard:
        press(dialog, "OK")
    assert heard.args[1] == Places(**{supply: place})


def test_that_models_that_parsed_the_corpus_are_offered(qtbot):
    dialog = MetricsDialog(Corpus(topics=(small_topic(),)), ("be",), parsers=("stanza-en",))
    qtbot.addWidget(dialog)
    parser = dialog.options.panel["parser"]
    assert [parser.itemData(at) for at in range(parser.count())] == ["any", "stanza-en"]
    parser.setEditText("stanza-en")
    assert dialog.texts() == ("be:parser=stanza-en",)


def test_that_a_value_with_a_comma_survives_settings():
    draft = Draft(name="coverage").with_values({"annotator": "a,b%"})
    assert draft.text() == "coverage:annotator=a%2Cb%25"
    assert Draft.of_text(draft.text()) == draft


def test_that_text_without_ascii_letters_gets_fitting_tokens(qtbot):
    topic = small_topic()
    sentence = replace(topic.abstracts[0].sentences[0], text="犬が走った。")
    abstract = replace(topic.abstracts[0], sentences=(sentence, *topic.abstracts[0].sentences[1:]))
    dialog = qtbot.added(MetricsDialog(Corpus(topics=(replace(topic, abstracts=(abstract,)),)), ()))
    add(dialog, "rouge-1")
    assert dialog.texts() == ("rouge-1:tokens=ja",)
    add(dialog, "coverage")
    add(dialog, "pseudo-pyramid")
    assert dialog.texts()[1:] == ("coverage", "pseudo-pyramid")


def test_that_one_metric_of_a_few_is_chosen_with_its_files(qtbot):
    offers = ("pseudo-pyramid", "subtree")
    corpus = Corpus(topics=(small_topic(),))
    dialog = qtbot.shown(MetricsDialog(corpus, ("pseudo-pyramid:unit=sentence",), offers=offers))
    assert [dialog.offer.item(at).text() for at in range(dialog.offer.count())] == [*offers]
    assert dialog.texts() == ("pseudo-pyramid:unit=sentence",)
    assert dialog.fields["oracles"].isVisible()
    assert not dialog.fields["model"].isVisible()
    dialog.fields.set("edus", "edus.jsonl")
    dialog.offer.setCurrentRow(1)
    assert dialog.texts() == ("subtree",)
    assert not dialog.fields["oracles"].isVisible()
    assert dialog.fields["model"].isVisible()
    with qtbot.waitSignal(dialog.chosen) as heard:
        dialog.confirm()
    assert heard.args == [("subtree",), Places(edus="edus.jsonl")]


@pytest.mark.slow
def test_that_an_open_choice_shows_words_and_holds_codes(dialog):
    set_language("ja")
    add(dialog, "rouge-w")
    limit = dialog.options.panel.box("limit")
    assert limit.currentText() == "全体"
    assert dialog.options.values()["limit"] == "none"
    for typed, held in (("100w", "100w"), ("none", "none"), ("全体", "none"), ("長い", "長い")):
        limit.setEditText(typed)
        assert dialog.options.values()["limit"] == held
    limit.setEditText("100w")
    set_language("en")
    QApplication.processEvents()
    assert dialog.options.panel.box("limit").currentText() == "100w"
    dialog.options.panel.set("limit", "none")
    assert dialog.options.panel.box("limit").currentText() == "none  –  all of it"


def test_that_columns_and_the_button_tell_options_in_words(dialog):
    metric = "coverage:strict=yes"
    dialog.options.panel.set("strict", "yes")
    assert (dialog.columns.item(0).text(), named(metric)) == (metric, "coverage (strict = yes)")
    set_language("ja")
    QApplication.processEvents()
    option = "一部だけ抽出された対応文集合の得点 = まったくない"
    assert dialog.columns.item(0).text() == f"coverage\n  {option}"
    assert dialog.columns.item(0).toolTip() == metric
    assert named(metric) == f"coverage（{option}）"
    assert named("prouge-1:tokens=ascii") == "prouge-1"  # as usual: nothing is to be spelled


@pytest.mark.slow
def test_that_a_name_for_several_metrics_is_whole_in_the_list(dialog):
    dialog.offer.setFixedWidth(dialog.offer.fontMetrics().height() * 10)
    QApplication.processEvents()
    several, one = (dialog.offer.visualItemRect(dialog.offer.item(at)) for at in (0, 2))
    assert several.height() > one.height() + dialog.offer.fontMetrics().height()
