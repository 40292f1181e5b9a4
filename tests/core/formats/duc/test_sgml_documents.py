from tests.core.formats.reading import read, refusals, warnings
from tests.in_part import in_turn

from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic

# The example of specs/formats.md, section 1.
SPECIFIED = (
    "<DOC><DOCNO>980101001</DOCNO><HEADLINE>犬の記事</HEADLINE><TEXT><PARAGRAPH>"
    "<SENTENCE>犬が走った。</SENTENCE><SENTENCE>猫は寝た。</SENTENCE></PARAGRAPH></TEXT></DOC>"
)


def documents(text, **request):
    found = read("sgml", text, topic="t", **request).addition.documents
    assert {topic for topic, _ in found} == {"t"}
    return [document for _, document in found]


def document(text, **request):
    (found,) = documents(text, **request)
    return found


def told(text, **request):
    return warnings("sgml", text, topic="t", **request)


def test_that_dates_become_iso_and_ambiguous_ones_are_refused():
    dated = "<DOC><DOCNO>1</DOCNO><DATE>{}</DATE><TEXT>犬。</TEXT></DOC>".format
    assert document(dated("1998年9月30日")).date == "1998-09-30"
    assert document(dated("98/9/30")).date == "1998-09-30"
    centuries = [document(dated(f"{year}/9/30")).date for year in (49, 50)]
    assert centuries == ["2049-09-30", "1950-09-30"]
    assert document(dated("ある日")).date == "ある日"
    assert "is not a recognised date" in told(dated("ある日"))[0]
    (message,) = refusals("sgml", dated("09/08/1998"), topic="t")
    assert "may be any of 1998-09-08, 1998-08-09" in message


def doc(inner, docno="1"):
    return f"<DOC>\n<DOCNO>{docno}</DOCNO>\n<TEXT>\n{inner}\n</TEXT>\n</DOC>\n"


def texts(inner, **request):
    return [part.text for part in document(doc(inner), **request).sentences]


@in_turn(
    ("text", "title", "sentences"),
    [
        (SPECIFIED, "犬の記事", [(1, 1, "犬が走った。"), (2, 1, "猫は寝た。")]),
        (
            "<DOC><DOCNO>980101001</DOCNO><HEADLINE><s num=1>Dogs</s></HEADLINE><TEXT>\n"
            '<s docid="X" num="2" wdcount="3">The dog ran.</s>\n'
            "<s docid='X' num='3' wdcount='2'>It\nslept.</s></TEXT></DOC>",
            "Dogs",
            [(2, None, "The dog ran."), (3, None, "It slept.")],
        ),
        (
            doc("　犬が走った。猫は「寝た。」と鳴いた。\n　次の段落。", "980101001"),
            None,
            [(1, 1, "犬が走った。"), (2, 1, "猫は「寝た。」と鳴いた。"), (3, 2, "次の段落。")],
        ),
        (
            doc("前文。\n<P>一つ目</P><P>二つ目。続き。</P>", "980101001"),
            None,
            [(1, 1, "前文。"), (2, 2, "一つ目"), (3, 3, "二つ目。"), (4, 3, "続き。")],
        ),
    ],
)
def test_that_sentences_are_those_of_tags_and_else_of_our_rules(text, title, sentences):
    found = document(text)
    assert (found.id, found.title) == ("980101001", title)
    assert [(part.n, part.paragraph, part.text) for part in found.sentences] == sentences
    assert told(text) == []


def test_that_tags_may_be_in_any_case_with_attributes_and_line_breaks():
    text = (
        '<doc id="x">\r\n<DocNo> 9801 </DocNo><lang>JA</lang><Date>1998-01-01</Date>\n'
        "<section>社会</section><AE>有</AE><words>12</words>\n"
        '<headline>長い\n見出し</headline><text type="a">\n<p>\n'
        '<sentence num="1" role="x">犬が\n走った。</sentence>\n</p></text></doc>'
    ).replace("\r", "")
    found = document(text)
    assert (found.id, found.date, found.title) == ("9801", "1998-01-01", "長い 見出し")
    assert [part.text for part in found.sentences] == ["犬が走った。"]
    assert told(text) == []


def test_that_lang_chooses_the_rules_unless_the_request_does():
    text = doc("Mr. A met 東京都の人. He left.").replace("<TEXT>", "<LANG>E</LANG><TEXT>")
    assert len(document(text).sentences) == 2
    corpus = Corpus(topics=(Topic(id="t", language="en"),))
    assert len(document(doc("Mr. A left. He ran."), corpus=corpus).sentences) == 2
    corpus = Corpus(topics=(Topic(id="t", language="ja"),))
    assert document(doc("A left."), corpus=corpus).split == "ja-2"
    assert document(doc("A left."), corpus=corpus, language="en").split == "en-2"


@in_turn(
    ("inner", "expected"),
    [
        ("AT&amp;T fell 5 &lt; 6.", "AT&T fell 5 < 6."),
        ("AT&T fell 5 < 6 & more.", "AT&T fell 5 < 6 & more."),
        ("&#29356;と&#x72AC;。", "犬と犬。"),
        ("caf&eacute; &mdash; closed.", "café — closed."),
        ("a <!-- remark --> b.", "a  b."),
        ("if a<b then c.", "if a<b then c."),
        ("a <![CDATA[<b> & c]]>.", "a <b> & c."),
    ],
)
def test_that_entities_are_resolved_and_stray_signs_kept(inner, expected):
    assert texts(inner) == [expected]
    assert told(doc(inner)) == []


@in_turn("entity", ["&foo;", "&#0;", "&#xD800;", "&#128;", "&#9999999;"])
def test_that_an_unknown_entity_is_kept_and_told(entity):
    assert texts(f"犬。\n{entity}。")[1] == f"{entity}。"
    (message,) = told(doc(f"犬。\n{entity}。"))
    assert message.startswith(f"5: The entity {entity} is not known. It was kept as it is")


def test_that_an_unknown_tag_in_a_headline_is_kept_and_told():
    text = doc("犬。").replace("<TEXT>", "<HEADLINE>犬<BR>猫</HEADLINE>\n<TEXT>")
    assert document(text).title == "犬<BR>猫"
    assert told(text)[0].startswith("3: <BR> is not a tag of this format")


@in_turn(
    ("text", "line", "what"),
    [
        (doc("犬。").replace("</DOC>", ""), 5, "The document of line 1 is not closed."),
        (
            doc("犬。").replace("</DOC>", "") + doc("猫。", "2"),
            7,
            "The document of line 1 is not closed before the next begins.",
        ),
        (doc("犬。").replace("</TEXT>", ""), None, None),
        (doc("犬。").replace("</DOCNO>", ""), 3, "<DOCNO> is not closed."),
        (doc("<S>犬。<S>猫。</S>"), 4, "The sentence of line 4 is not closed."),
        (doc("<S>犬。"), 5, "The sentence of line 4 is not closed."),
        (doc("犬。</S>"), 4, "A sentence is closed that was not opened."),
        (doc("犬。") + "</DOC>", 7, "</DOC> closes nothing."),
        (doc("</HEADLINE>犬。"), None, None),
        ("remark\n" + doc("犬。"), 1, "Text outside of any document was left out: “remark”."),
        ("<P>\n" + doc("犬。"), 1, "Tag <p> is outside any document."),
        (doc("<S>犬。</S>\n猫。"), 4, "There is text outside the sentence tags: “猫。”."),
        (doc("<S>犬\ufffd</S>"), 4, "The text has a replacement character"),
    ],
)
def test_that_dirt_is_read_over_and_told_with_its_line(text, line, what):
    assert documents(text)[0].id == "1"
    messages = told(text)
    if what is not None:
        assert any(message.startswith(f"{line}: {what}") for message in messages), messages
