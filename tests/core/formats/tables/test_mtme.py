"""The folder of mt-metrics-eval."""

from tests.core.formats.reading import folder_into, folder_refusals, imported
from tests.in_part import in_turn

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


def test_that_one_of_several_language_pairs_has_to_be_named():
    files = {**FILES, "system-outputs/en-zh/x.txt": "一\n"}
    assert folder_refusals(FORMAT, files) == [
        "folder: The folder has several language pairs, and a corpus is about one: en-de, en-zh. "
        "Name one, or make a folder with its files only."
    ]
    assert "no language pair “en-ja”" in folder_refusals(FORMAT, files, part="en-ja")[0]
    (topic,) = imported(FORMAT, files, part="en-zh").corpus.topics
    assert [output.system for output in topic.outputs] == ["x"]


SYSTEMS, SEGMENTS = (f"human-scores/en-de.mqm.{level}.score" for level in ("sys", "seg"))


@in_turn(
    ("files", "message"),
    [
        ({"x/en-de.txt": "a"}, "folder: The folder has neither sources/PAIR.txt"),
        (
            {**FILES, "documents/en-de.docs": "news doc1\n"},
            "folder/system-outputs/en-de/online-A.txt 2, folder/documents/en-de.docs 1. Line i of",
        ),
        (
            {**FILES, "documents/en-de.docs": "news\tdoc1\nnews\t \n"},
            "folder/documents/en-de.docs:2: The line does not have a domain and a document. Write "
            "both, separated by a tab.",
        ),
        (
            {**FILES, SEGMENTS: "online-A\t-1\nrefB\t0\nrefB\t-1\n"},
            f"folder/{SEGMENTS}: Systems do not have one score for each of the 2 segments: "
            "online-A 1. A missing score is None.",
        ),
        ({**FILES, SYSTEMS: "a\t1\na\t2\n"}, f"folder/{SYSTEMS}:2: System “a” has a second mqm"),
    ],
)
def test_that_what_is_wrong_in_a_folder_is_refused_with_its_place(files, message):
    (refusal,) = folder_refusals(FORMAT, files)
    assert message in refusal
