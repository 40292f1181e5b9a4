"""A small sound file or folder of each format, from which damaged ones are made."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

import pyarrow as pa

from awase.core.errors import InputError, Silent
from awase.core.formats.importing import read_files
from awase.core.formats.reading.requests import ReadRequest, WriteRequest
from awase.core.formats.registry import FORMATS
from awase.core.records.corpus import Corpus

Seed = bytes | Mapping[str, bytes]
"""A file, or the files of a folder by name."""

_PYRAMID = """<?xml version="1.0"?>
<!DOCTYPE pyramid [<!ELEMENT pyramid (text,scu*)>]>
<pyramid><startDocumentRegEx><![CDATA[[-]*\\n D[0-9]+\\.[A-Z]\\n[-]*\\n]]></startDocumentRegEx>
<text><line>-----</line><line> D1.A</line><line>-----</line><line>The dog ran. It barked</line>
<line>-----</line><line> D1.B</line><line>-----</line><line>A dog ran.</line></text>
<scu uid="3" label="a dog ran"><contributor label="c">
<part label="The dog ran" start="18" end="29"/></contributor>
<contributor label="d"><part label="A dog ran" start="59" end="68"/></contributor></scu>
</pyramid>
"""
_SUM = '<SUM DOCSET="d061" TYPE="MULTI" SIZE="100" DOCREF="X Y" SELECTOR="J" SUMMARIZER="B">\n'
_LINE = {
    "id": "dm-test-1",
    "model_id": "M0",
    "decoded": "a dog ran . it slept .",
    "filepath": "x.story",
    "references": ["A dog ran. It slept.", "Dogs run."],
    "expert_annotations": [{"coherence": 5, "fluency": 4, "relevance": 3, "consistency": 4}],
    "turker_annotations": [{"coherence": 2}],
}
_SETTINGS = """<ROUGE-EVAL version="1.0"><EVAL ID="t1"><MODEL-ROOT>m</MODEL-ROOT>
<PEER-ROOT> p </PEER-ROOT><INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
<PEERS><P ID="11">a.txt</P></PEERS><MODELS><M ID="A">b.txt</M></MODELS></EVAL></ROUGE-EVAL>
"""
_CORPUS = """
{"awase": 1, "name": "小さい", "rank_weights": {"A": 1, "B": 0.5}, "topics": [
 {"id": "t", "title": "犬", "language": "ja",
  "documents": [
   {"id": "d", "date": "1998", "sentences": ["犬が走った。", "猫は寝た。", "鳥。"]},
   {"id": "e", "sentences": [{"n": 2, "text": "The dog ran.", "paragraph": 1}]}],
  "abstracts": [
   {"id": "a", "length": "short", "author": "x", "limit": {"unit": "characters", "size": 40},
    "sentences": [{"n": 1, "text": "犬が走った。", "rank": "A"},
                  {"n": 2, "text": "鳥。", "rank": "B"}],
    "alignments": [{"annotator": "1", "sentences": [
     {"n": 1, "state": "confirmed", "alternatives": [["d:1"], ["d:2", "e:2"]], "note": "注"},
     {"n": 2, "state": "no_source", "alternatives": []}]}]}],
  "outputs": [{"system": "lead", "length": "short", "extract": ["d:1", "e:2"]},
              {"system": "gpt", "text": ["犬。", "猫。"]}]}],
 "human_scores": [
  {"topic": "t", "system": "lead", "measure": "m", "value": 3.5, "annotator": "h"}]}
"""

_TEXTS: Mapping[str, tuple[str, ...]] = {
    "awase-json": (json.dumps(json.loads(_CORPUS), ensure_ascii=False, indent=1),),
    "alignment-table": ("# a\n1\tA\td:1 d:2,e:2\n2\tB\td:3\n",),
    "extract-lines": ("lead\tt\tshort\td:1 d:3\nmmr\tt\tshort\ts1 s2\n",),
    "text": (
        "Title\n\nThe dog ran. It barked.\n\nMr. Smith left.\n",
        "題\n\n犬が走った。「猫。」と言った。\n",
    ),
    "sgml": (
        "<DOC><DOCNO>x</DOCNO><LANG>E</LANG><HEADLINE>H</HEADLINE><DATE>1998</DATE><TEXT>\n"
        '<P><SENTENCE NUM="1">A dog &amp; a cat.</SENTENCE></P><!-- c --></TEXT></DOC>\n',
    ),
    "duc-documents": (
        '<DOC><DOCNO> X </DOCNO><TEXT>\n<s docid="X" num="1" wdcount="3"> The dog ran.</s>\n'
        '<s docid="X" num="2" wdcount="2"> It barked.</s>\n</TEXT></DOC>\n',
    ),
    "duc-abstracts": (f"<html><body>{_SUM}Dogs run. Cats\nsleep.\n</SUM></body></html>\n",),
    "duc-extracts": (
        f"<html>{_SUM}"
        '<s docid="d" num="1" wdcount="3"> 犬が走った。</s>\n'
        '<s docid="e" num="2"> The dog ran.</s>\n</html>',
    ),
    "ducview-pyramid": (_PYRAMID,),
    "ducview-annotation": (
        "<peerAnnotation>\n"
        + _PYRAMID.partition("]>\n")[2]
        + "<annotation><text><line>A dog ran.</line></text><peerscu uid='3' label='(1) a'>"
        '<contributor label="A dog"><part label="A dog" start="0" end="5"/></contributor></peerscu>'
        "</annotation></peerAnnotation>",
    ),
    "score-table": (
        "topic,system,measure,value,annotator\nt,lead,m,3.5,h\nt,gpt,m,NA,h\n",
        "system\tfluency\tfaith\nlead\t1\t2\n",
    ),
    "wmt-scores": (
        "sysA\t-1.5\nsysA\tNone\nsysB\t0\n",
        "RAW.SCR Z.SCR SYS\n71.2 0.31 a\n65 -0.1 b\n",
    ),
    "duc-scores": (
        "Peer is the fourth column\nd30001 x x 11 3\nd30001 x x B 4\n",
        "A table\n of 23 columns\n\n"
        "d30001 M x x x x x 11  4 3 2 1 2 3 4 1 2 3 4 5 0.21 0.20 0.05\n",
    ),
    "sacrerouge": (
        json.dumps(
            {
                "instance_id": "t",
                "summarizer_id": "11",
                "summarizer_type": "peer",
                "metrics": {"rouge-1": {"recall": 0.5, "f1": None}, "grade": [2, 3, 3]},
            }
        )
        + "\n",
    ),
    "summeval": (json.dumps(_LINE) + "\n",),
    "text-table": (
        "id,article,highlights,prediction\n1,The dog ran.,Dogs.,A dog.\n2,猫。,猫。,犬。\n",
        json.dumps({"id": "n", "article": "A cat.", "summary": "Cats."}) + "\n",
    ),
    "sacrerouge-summaries": (
        json.dumps(
            {
                "instance_id": "n",
                "summarizer_id": "11",
                "summarizer_type": "peer",
                "documents": [{"text": ["One.", "Two."]}],
                "summary": {"text": ["S.", "T."]},
                "references": [{"summarizer_id": "A", "text": ["R."]}],
            }
        )
        + "\n",
    ),
    "realsumm": (
        json.dumps(
            {
                "topic": "n",
                "source": "<t> The dog ran. </t>",
                "systems": {
                    "bart": {"summary": ["Dogs."], "reference": ["A dog."], "human_score": 0.4}
                },
            }
        )
        + "\n",
    ),
    "far": (
        json.dumps(
            {
                "zero_based": True,
                "topics": [
                    {
                        "topic": "n",
                        "sentences": ["The dog ran.", "It barked."],
                        "abstract": [{"id": 1, "text": "Dogs.", "alternatives": [[0], [0, 1]]}],
                        "extracts": {"lead": [0]},
                    }
                ],
            }
        ),
    ),
}

_FOLDERS: Mapping[str, Mapping[str, str]] = {
    "rouge-settings": {
        "settings.xml": _SETTINGS,
        "p/a.txt": "Dogs ran.\nx\n",
        "m/b.txt": "A dog.\n",
    },
    "mtme": {
        "sources/en-de.txt": "One. Two.\nThree.\n",
        "documents/en-de.docs": "news\td1\nnews\td1\n",
        "references/en-de.refA.txt": "Eins.\nDrei.\n",
        "system-outputs/en-de/o.txt": "Ein.\nDrei.\n",
        "human-scores/en-de.mqm.seg.score": "o\t-1\no\tNone\n",
    },
    "parallel-text": {
        "src.txt": "The dog ran.\nA cat slept.\n",
        "ref.txt": "Dogs.\nCats.\n",
        "out_bart.txt": "A dog.\nA cat.\n",
        "ids.txt": "t1\nt2\n",
    },
    "text-folder": {
        "n/document.txt": "The dog ran. It barked.\n",
        "n/reference.txt": "Dogs.\n",
        "n/lead.system.txt": "A dog.\n",
    },
}


def base() -> Corpus:
    """Returns the corpus that files join: topic `t`, abstract `a`, nothing by systems."""
    topics = tuple(replace(topic, outputs=()) for topic in _whole().topics)
    return replace(_whole(), topics=topics, human_scores=())


@cache
def _whole() -> Corpus:
    (text,) = _TEXTS["awase-json"]
    file = ReadRequest(source="base", data=text.encode(), format_id="awase-json")
    return read_files(Corpus(), [file], Silent(), 1).corpus


@cache
def seeds() -> Mapping[str, tuple[Seed, ...]]:
    found: dict[str, tuple[Seed, ...]] = {}
    for entry in FORMATS.values():
        if entry.reads:
            found[entry.id] = tuple(_seeds_of(entry.id))
    return found


def _arrow() -> bytes:
    table = pa.Table.from_pylist([{"id": "n", "article": "A cat.", "highlights": "Cats."}])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def _seeds_of(format_id: str) -> Iterator[Seed]:
    if format_id == "hf-dataset":
        yield {"data-00000-of-00001.arrow": _arrow()}
    for text in _TEXTS.get(format_id, ()):
        yield text.encode()
    if format_id in _FOLDERS:
        yield {name: text.encode() for name, text in _FOLDERS[format_id].items()}
    entry = FORMATS[format_id]
    if entry.writes and not entry.is_folder:
        request = WriteRequest(corpus=_whole(), topic="t", abstract="a", annotator="1")
        try:
            yield "".join(entry.piecewise_writer()(request)).encode()
        except InputError:
            return  # it cannot hold this corpus
