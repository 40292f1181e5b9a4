import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests import building
from tests.core.formats.reading import folder_into, folder_refusals, imported, read_folder
from tests.core.formats.tables.test_parallel_text import abstract, document, in_order
from tests.core.metrics.rouge.random_cases import isi, see
from tests.in_part import in_turn
from tests.written import files_written

from awase.cli.scoring.rouge155 import command
from awase.core.errors import InputError, Silent
from awase.core.formats.reading.requests import WriteRequest
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.registry import score_corpus
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic

FORMAT = "rouge-settings"
EVAL = """<EVAL ID="t1">
<MODEL-ROOT>
 models
</MODEL-ROOT><PEER-ROOT> peers </PEER-ROOT><INPUT-FORMAT TYPE="{type}"></INPUT-FORMAT>
<PEERS><P ID="11">t1.11.txt</P></PEERS>
<MODELS><M ID="A">t1.A.txt</M><M ID="B">t1.B.txt</M></MODELS></EVAL>"""
SETTINGS = f'<ROUGE-EVAL version="1.0">\n{EVAL}\n</ROUGE-EVAL>\n'
SPL = {
    "settings.xml": SETTINGS.format(type="SPL"),
    "peers/t1.11.txt": "The dog ran .\n\nThe cat slept .\n",
    "models/t1.A.txt": "A dog ran .\n",
    "models/t1.B.txt": "Cats sleep .\n",
}


def texts(corpus):
    return [
        (
            topic.id,
            {one.id: tuple(s.text for s in one.sentences) for one in topic.abstracts},
            {one.system: one.sentences for one in topic.outputs},
        )
        for topic in corpus.topics
    ]


EXPECTED = [
    (
        "t1",
        {"A": ("A dog ran .",), "B": ("Cats sleep .",)},
        {"11": ("The dog ran .", "The cat slept .")},
    )
]


def warnings(files):
    return [str(problem) for problem in read_folder(FORMAT, files).warnings]


@in_turn("root", ["ROUGE-EVAL", "ROUGE_EVAL"])
@in_turn("before", ["", '<?xml version="1.0" encoding="EUC-JP"?>\n', "\n \n"])
def test_that_an_evaluation_becomes_a_topic(root, before):
    settings = before + SPL["settings.xml"].replace("ROUGE-EVAL", root)
    files = {**SPL, "settings.xml": settings}
    assert texts(folder_into(FORMAT, files)) == EXPECTED
    assert warnings(files) == []


@in_turn(
    ("name", "written"),
    [("SEE", see), ("ISI", isi), ("spl", lambda sentences: "\r\n".join(sentences))],
)
def test_that_each_text_format_is_read(name, written):
    files = {
        "settings.xml": SETTINGS.format(type=name),
        "peers/t1.11.txt": written(["The dog ran .", "The cat slept ."]),
        "models/t1.A.txt": written(["A dog ran ."]),
        "models/t1.B.txt": written(["Cats sleep ."]),
    }
    assert texts(folder_into(FORMAT, files)) == EXPECTED


def test_that_a_settings_file_is_read_from_its_folder():
    read = imported(FORMAT, SPL, data=SPL["settings.xml"].encode())
    assert texts(read.corpus) == EXPECTED


def test_that_files_are_found_from_the_folders_above_and_this_is_told():
    outside = {f"../{name}": text for name, text in SPL.items() if name != "settings.xml"}
    read = imported(FORMAT, outside, data=SPL["settings.xml"].encode(), allow_outside=True)
    assert texts(read.corpus) == EXPECTED
    assert [str(one) for one in read.warnings] == [
        "folder/settings.xml: The paths are relative to ../, not to the settings' folder."
    ]


def test_that_absolute_roots_are_taken_as_they_are():
    settings = (
        SPL["settings.xml"].replace(" peers ", "/x/peers").replace(" models\n", "/x/models\n")
    )
    files = {f"/x/{name}": text for name, text in SPL.items() if name != "settings.xml"}
    files["settings.xml"] = settings
    assert texts(folder_into(FORMAT, files, allow_outside=True)) == EXPECTED


def test_that_files_outside_the_folder_are_listed_and_not_read():
    settings = SPL["settings.xml"].replace(" peers ", "/etc").replace("models\n", "../models\n")
    files = {"settings.xml": settings}
    for name, text in SPL.items():
        files[name.replace("models/", "../models/").replace("peers/", "/etc/")] = text
    files["settings.xml"] = settings
    told = folder_refusals(FORMAT, files)
    assert len(told) == len(SPL) - 1
    assert all("lies outside the folder, so it was not read." in one for one in told)


def test_that_a_file_that_is_not_there_is_a_missing_text():
    files = {name: text for name, text in SPL.items() if name != "peers/t1.11.txt"}
    (topic,) = folder_into(FORMAT, files).topics
    assert topic.outputs == ()
    assert warnings(files) == ["1 file is not there, so its text is missing: peers/t1.11.txt."]


def test_that_settings_that_are_no_xml_are_refused():
    (refusal,) = folder_refusals(FORMAT, {**SPL, "settings.xml": "<ROUGE-EVAL>\n<EVAL ID=1>"})
    assert "folder/settings.xml:2: The settings are not XML" in refusal


def test_that_the_only_settings_of_a_folder_may_have_any_name():
    files = {name.replace("settings", "rouge"): text for name, text in SPL.items()}
    assert texts(folder_into(FORMAT, files)) == EXPECTED
    assert texts(folder_into(FORMAT, {**SPL, "other.xml": "<other/>"})) == EXPECTED


# Writing


def written(*topics, **request):
    return files_written("rouge-settings", WriteRequest(corpus=Corpus(topics=topics), **request))


def test_that_awase_reads_what_it_wrote():
    topic = Topic(
        id='a "b" <c> & d',
        abstracts=(abstract("A", "One two.", "Three."), abstract("a", "Four.")),
        outputs=(building.text("x/y", "One.", "Three."), building.text("犬", "Two.")),
    )
    files = written(topic)
    assert all(name.isascii() for name in files)
    assert in_order(folder_into(FORMAT, files)) == in_order(Corpus(topics=(topic,)))


def test_that_length_classes_are_folders():
    topic = Topic(
        id="t",
        abstracts=(abstract("s", "One.", length="short"), abstract("l", "Two.", length="long")),
        outputs=(
            building.text("x", "One.", length="short"),
            building.text("x", "Two.", length="long"),
        ),
    )
    files = written(topic)
    assert {"short/settings.xml", "long/settings.xml"} <= files.keys()
    assert in_order(folder_into(FORMAT, files)) == in_order(Corpus(topics=(topic,)))
    assert warnings(files) == []
    without = {f"_/{name}": text for name, text in SPL.items()}
    assert {one.length for one in folder_into(FORMAT, without).topics[0].abstracts} == {None}


def test_that_an_output_with_its_own_references_is_an_evaluation_of_its_own():
    topic = Topic(
        id="t",
        abstracts=(abstract("A", "Shared."),),
        outputs=(
            building.text("x", "One.", " "),
            building.text("y", "Two.", references=(("Own.",),)),
        ),
    )
    assert texts(folder_into(FORMAT, written(topic))) == [
        ("t.y", {"1": ("Own.",)}, {"y": ("Two.",)}),
        ("t", {"A": ("Shared.",)}, {"x": ("One.",)}),
    ]


def test_that_own_references_without_a_length_are_in_no_length_s_folder():
    abstracts = tuple(abstract(length, "One.", length=length) for length in ("short", "long"))
    own = building.text("y", "Two.", references=(("Own.",),))
    files = written(Topic(id="t", abstracts=abstracts, outputs=(own,)))
    assert {name.partition("/")[0] for name in files} == {"_"}


def test_that_what_cannot_be_scored_is_not_written():
    with pytest.raises(InputError, match="No topic has both a reference and an output"):
        written(Topic(id="t", outputs=(building.text("x", "One."),)))


def printed_by_rouge155(folder):
    """Returns (system, metric, evaluation) -> (R, P, F) as `-d` prints them."""
    here = Path.cwd()
    os.chdir(folder)
    try:
        result = CliRunner().invoke(command, ["-n", "2", "-d", "-a", "settings.xml"])
    finally:
        os.chdir(here)
    assert result.exit_code == 0
    rows = {}
    for line in result.stdout.splitlines():
        if " Eval " in line:
            title, numbers = line.split(" R:")
            system, metric, _, id_ = title.split(" ", 3)
            recall, rest = numbers.split(" P:")
            precision, f = rest.split(" F:")
            rows[system, metric.lower(), id_] = (recall, precision, f)
    return rows


def test_that_rouge155_prints_of_an_export_what_awase_scores(tmp_path):
    topic = Topic(
        id="t 1",
        documents=(document("The dog ran.", "A bird-like cat slept."),),
        abstracts=(abstract("A", "A dog ran.", "Cats slept."), abstract("B", "The cat slept.")),
        outputs=(
            building.text("x", "The U.S. dog ran."),
            building.text("y", "A dog.", references=(("A dog ran .",),)),
            building.extract("lead", "src:2 src:1"),
        ),
    )
    other = Topic(
        id="2", abstracts=(abstract("A", "Dogs."),), outputs=(building.text("x", "The dogs."),)
    )
    _check_scores(Corpus(topics=(topic, other)), tmp_path)


def _check_scores(corpus, folder):
    for name, content in files_written("rouge-settings", WriteRequest(corpus=corpus)).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    printed = printed_by_rouge155(folder)
    requests = [MetricRequest.parse(name) for name in ("rouge-1", "rouge-2", "rouge-l")]
    table = score_corpus(corpus, requests, Silent())
    scored = {}
    for score in table.scores:
        if score.topic is not None:
            metric, part = score.metric.split(".")
            key = (score.system, metric, score.topic)
            scored.setdefault(key, {})[part] = float(score.value)
    assert len(scored) == len(printed) > 0
    for (system, metric, topic), values in scored.items():
        keys = [
            (system, metric, id_) for id_ in (f"{topic}.{system}", f"{topic}.{system}.{system}")
        ]
        (found,) = [printed[key] for key in keys if key in printed]
        for part, shown in zip("rpf", found, strict=True):
            assert abs(values[part] - float(shown)) < 6e-6
