"""Basic elements against the paper's example and sentences analysed by hand."""

from tests.core.language.trees import tree
from tests.in_part import in_turn

from awase.core.language.basic_elements import (
    BasicElementOptions,
    Labels,
    basic_elements,
    phrase_heads,
)
from awase.core.language.conllu import parse_of

STORE = tree(
    "John/John/PROPN 2 nsubj",
    "went/go/VERB 0 root",
    "to/to/ADP 5 case",
    "the/the/DET 5 det",
    "store/store/NOUN 2 obl",
    "on/on/ADP 7 case",
    "foot/foot/NOUN 2 obl",
)


def elements(sentence, **options):
    return [
        "|".join(one) for one in basic_elements(sentence, options=BasicElementOptions(**options))
    ]


def test_that_the_sentence_of_the_paper_gives_the_papers_elements_under_newer_names():
    # Section 3.1 has nmod:to and nmod:on, as UD v1 did.
    assert elements(STORE) == [
        "went|john|nsubj", "store|to|case", "store|the|det",
        "went|store|obl:to", "foot|on|case", "went|foot|obl:on",
    ]  # fmt: skip


def test_that_labels_and_words_follow_the_options():
    assert elements(STORE, labels=Labels.BASIC)[3] == "went|store|obl"
    assert elements(STORE, lemma=True)[3] == "go|store|obl:to"


@in_turn(
    ("relation", "expected"),
    [
        ("dobj", ["a|b|obj"]),
        ("obj", ["a|b|obj"]),
        ("nsubjpass", ["a|b|nsubj:pass"]),
        ("csubjpass", ["a|b|csubj:pass"]),
        ("auxpass", ["a|b|aux:pass"]),
        ("name", ["a|b|flat"]),
        ("mwe", ["a|b|fixed"]),
        ("neg", ["a|b|advmod"]),
        ("acl:relcl", ["a|b|acl:relcl"]),
        ("nmod:poss", ["a|b|nmod:poss"]),
        ("obl:tmod", ["a|b|obl:tmod"]),
        *((r, []) for r in "conj cc list parataxis orphan goeswith reparandum punct dep".split()),
        *(
            (r, [f"a|b|{r}"])
            for r in "nsubj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod "
            "discourse aux cop mark nmod appos nummod acl amod det clf case fixed flat "
            "compound".split()
        ),
    ],
)
def test_that_the_relations_of_the_paper_and_no_others_are_kept(relation, expected):
    assert elements(tree("A 0 root", f"B 1 {relation}")) == expected


def test_that_markers_join_the_words_fixed_to_them_and_the_last_or_first_one_counts():
    because_of = tree(
        "rain 0 root", "out 1 advmod",
        "because/because/ADP 6 case", "of/of/ADP 3 fixed", "From/from/ADP 6 case", "wind 1 nmod",
    )  # fmt: skip
    assert "rain|wind|nmod:from" in elements(because_of)
    only = tree("rain 0 root", "Because 4 case", "OF 2 fixed", "wind 1 nmod")
    assert "rain|wind|nmod:because_of" in elements(only)
    clause = tree("left 0 root", "so/so 4 mark", "that/that 4 mark", "slept 1 advcl")
    assert "left|slept|advcl:so" in elements(clause)
    subtype = tree("dog 0 root", "of 3 case", "his 1 nmod:poss")
    assert "dog|his|nmod:poss" in elements(subtype)


@in_turn(
    ("lines", "expected"),
    [
        # An open complement: the object above it, the indirect one, the subject, a shared one.
        ("Ann 2 nsubj, wants 0 root, to 4 mark, sing 2 xcomp",
         "wants|ann|nsubj sing|ann|nsubj:xsubj sing|to|mark wants|sing|xcomp"),
        ("Ann 2 nsubj, asks 0 root, Bo 2 obj, sing 2 xcomp",
         "asks|ann|nsubj asks|bo|obj sing|bo|nsubj:xsubj asks|sing|xcomp"),
        ("Ann 2 nsubj, taught 0 root, Bo 2 iobj, sing 2 xcomp",
         "taught|ann|nsubj taught|bo|iobj sing|bo|nsubj:xsubj taught|sing|xcomp"),
        ("tells 0 root, Bo 1 iobj, tale 1 obj, go 1 xcomp",
         "tells|bo|iobj tells|tale|obj go|tale|nsubj:xsubj tells|go|xcomp"),
        ("Ann 2 nsubj, came//VERB 0 root, wants//VERB 2 conj, sing 3 xcomp",
         "came|ann|nsubj wants|ann|nsubj sing|ann|nsubj:xsubj wants|sing|xcomp"),
        ("Singing 2 csubj, helped//VERB 0 root, seemed//VERB 2 conj, easy 3 xcomp",
         "helped|singing|csubj seemed|singing|csubj seemed|easy|xcomp"),
        # A verbal conjunct: what has a subject of its own, what is a gerund and what looks so.
        ("Ann 2 nsubj, sang//VERB 0 root, there 4 expl, came//VERB 2 conj",
         "sang|ann|nsubj came|there|expl"),
        ("Ann 2 nsubj, sang//VERB 0 root, bring//VERB/VB 2 conj", "sang|ann|nsubj bring|ann|nsubj"),
        ("Ann 2 nsubj, sang//VERB 0 root, bring//VERB//VerbForm=Inf 2 conj",
         "sang|ann|nsubj bring|ann|nsubj"),
        ("Ann 2 nsubj, sang//VERB 0 root, corriendo//VERB//Number=Sing|VerbForm=Ger 2 conj",
         "sang|ann|nsubj"),
        ("Ann 2 nsubj, sang//VERB 0 root, danced//VERB/VBD 2 conj, Bo 3 nsubj",
         "sang|ann|nsubj danced|bo|nsubj"),
        *((f"Ann 2 nsubj, sang//VERB 0 root, {one} 2 conj", "sang|ann|nsubj")
          for one in ("dancing//VERB/VBG", "dancing//VERB", "star//NOUN/NN")),
        # Markers by their lemma; a case marks a clause, too, and the last one an oblique.
        ("walk 0 root, Towards/toward 3 case, home 1 obl",
         "home|towards|case walk|home|obl:toward"),
        ("idea 0 root, of 3 case, leaving 1 acl", "leaving|of|case idea|leaving|acl:of"),
        ("go 0 root, to 3 case, Rome 1 obl, up 6 case, from 6 case, Bonn 3 conj",
         "rome|to|case go|rome|obl:to bonn|up|case bonn|from|case go|bonn|obl:from"),
        ("go 0 root, to 3 case, Rome 1 obl, and 5 cc, Bonn 3 conj",
         "rome|to|case go|rome|obl:to go|bonn|obl:to"),
        ("sang//NOUN 0 root, and 3 cc, song//NOUN 1 conj", ""),
        ("saw 0 root, Rome 1 obj, of 4 case, Bonn 2 conj",
         "saw|rome|obj bonn|of|case saw|bonn|obj"),
    ],
)  # fmt: skip
def test_that_complements_conjuncts_and_markers_have_the_edges_of_the_enhanced_graph(
    lines, expected
):
    assert elements(tree(*lines.split(", "))) == expected.split()


CONLLU = """\
# text = Ann sang and danced
1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t2:nsubj|4:nsubj\t_
2\tsang\tsing\tVERB\t_\t_\t0\troot\t0:root\t_
3\tand\tand\tCCONJ\t_\t_\t4\tcc\t4:cc\t_
4\tdanced\tdance\tVERB\t_\t_\t2\tconj\t2:conj:and\t_
4.1\tslowly\tslow\tADV\t_\t_\t_\t_\t4:advmod\t_
4.2\t_\tit\t_\t_\t_\t_\t_\t4:obj|4.3:nsubj\t_
4.3\tWhat\t_\t_\t_\t_\t_\t_\t4:ccomp|4.4:obj\t_
4.4\t_\t_\t_\t_\t_\t_\t_\t4:obj\t_
"""


def test_that_the_parses_own_enhanced_graph_goes_before_our_rules():
    (sentence,) = parse_of(CONLLU)
    # An empty node counts by its word; one without a word is nothing to compare.
    own = "sang|ann|nsubj danced|ann|nsubj danced|{}|advmod danced|it|obj what|it|nsubj"
    assert elements(sentence) == [*own.format("slowly").split(), "danced|what|ccomp"]
    lemmas = own.format("slow").replace("sang", "sing").replace("danced", "dance").split()
    assert elements(sentence, lemma=True) == [*lemmas, "dance|what|ccomp"]
    assert elements(sentence, labels=Labels.BASIC) == ["sang|ann|nsubj"]


SCHOOL = tree("学校/学校/NOUN 3 obl", "で/で/ADP/助詞-格助詞 1 case", "学ぶ/学ぶ/VERB 0 root")


def test_that_japanese_has_basic_labels_unless_the_case_particle_is_asked_for():
    assert elements(SCHOOL) == ["学ぶ|学校|obl", "学校|で|case"]
    assert elements(SCHOOL, labels=Labels.PARTICLE) == ["学ぶ|学校|obl:で", "学校|で|case"]
    assert elements(SCHOOL, labels=Labels.ENHANCED)[0] == "学ぶ|学校|obl:で"


def test_that_only_case_particles_are_appended_where_the_parser_tells_particles_apart():
    topic = tree(
        "学校/学校/NOUN 4 obl",
        "で//ADP/助詞-格助詞 1 case",
        "は//ADP/助詞-係助詞 1 case",
        "学ぶ 0 root",
    )
    assert elements(topic, labels=Labels.PARTICLE)[0] == "学ぶ|学校|obl:で"
    assert elements(topic, labels=Labels.ENHANCED)[0] == "学ぶ|学校|obl:は"
    bare = tree("今日/今日/NOUN 3 obl", "は//ADP/助詞-係助詞 1 case", "学ぶ 0 root")
    assert elements(bare, labels=Labels.PARTICLE)[0] == "学ぶ|今日|obl"
    last = tree(
        "門 4 nmod", "に//ADP/助詞-格助詞 1 case", "の//ADP/助詞-格助詞 1 case", "桜 0 root"
    )
    assert elements(last, labels=Labels.PARTICLE)[0] == "桜|門|nmod:の"
    joined = tree(
        "その 2 det",
        "雨 6 obl",
        "に//ADP 2 case",
        "は 3 discourse",
        "よって 3 fixed",
        "中止 0 root",
    )
    assert elements(joined, labels=Labels.PARTICLE)[:2] == ["雨|その|det", "中止|雨|obl:によって"]
    obj = tree("本 3 obj", "を//ADP/助詞-格助詞 1 case", "読む 0 root")
    assert elements(obj, labels=Labels.PARTICLE)[0] == "読む|本|obj"


def test_that_heads_of_phrases_are_content_words_that_are_no_parts_of_others():
    assert phrase_heads(STORE) == ["john", "went", "store", "foot"]
    parts = "compound flat:name fixed goeswith name mwe".split()
    names = tree(
        "They/they/PRON 3 nsubj", "so//ADV 3 advmod", "Bigger/big/ADJ 0 root", "Lee//PROPN 3 obl",
        "a//DET 4 det", *(f"part//NOUN 4 {relation}" for relation in parts),
    )  # fmt: skip
    assert phrase_heads(names, options=BasicElementOptions(lemma=True)) == "they so big lee".split()
