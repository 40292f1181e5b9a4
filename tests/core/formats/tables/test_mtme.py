"""The folder of mt-metrics-eval."""

from tests.core.formats.reading import folder_into, imported

from awase.core.formats.scores.score_lines import format_of_scores, metric_scores_of_file

FORMAT = "mtme"
FILES = {
    "sources/en-de.txt": "One. Two.\nThree.\n",
    "documents/en-de.docs": "news\tdoc1\nnews\tdoc1\n",
    "references/en-de.refA.txt": "Eins. Zwei.\nDrei.\n",
    "references/en-de.refB.txt": "Eins, zwei.\nDrei!\n",
    "system-outputs/en-de/online-A.txt": "Ein. Zwei.\nDrei.\n",
    "system-outputs/en-de/refB.txt": "Eins, zwei.\nDrei!\n",
    "human-scores/en-de.mqm.sys.score": "online-A\t-1.5\nrefB\t-0.5\n",
    "human-scores/en-de.mqm.seg.score": "online-A\t-1\nonline-A\tNone\nrefB\t0\nrefB\t-1\n",
    "human-scores/en-de.mqm.doc.score": "online-A\t-1\n",
    "human-scores/en-zh.mqm.sys.score": "other\t1\n",
    "metric-scores/en-de/BLEU-refA.seg.score": "online-A\t0.2\nonline-A\t0.3\n",
}


def test_that_metrics_scores_of_segments_meet_the_topics():
    name = "metric-scores/en-de/BLEU-refA.seg.score"
    table = metric_scores_of_file(FILES[name], name, format_of_scores(name, FILES[name]))
    found = [(one.topic, one.system, one.metric) for one in table.scores]
    assert found == [("1", "online-A", "BLEU-refA"), ("2", "online-A", "BLEU-refA")]
    assert {one.topic for one in table.scores} == {t.id for t in folder_into(FORMAT, FILES).topics}


def test_that_one_of_several_language_pairs_is_imported():
    files = {**FILES, "system-outputs/en-zh/x.txt": "一\n"}
    (topic,) = imported(FORMAT, files, part="en-zh").corpus.topics
    assert [output.system for output in topic.outputs] == ["x"]
