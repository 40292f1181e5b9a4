"""The table of cases: a name, and the command lines that are run one after the other.

The files that a line names are those of `inputs/`, `demo-en.awase`, `demo-ja.awase` and
`vectors.txt` (vectors made up for the words of both). `cd FOLDER && …` runs a line there.
"""
# ruff: noqa: E501

EN, JA, SMALL, TEAM = "demo-en.awase", "demo-ja.awase", "small.json", "team.json"
UNEVEN = "uneven.json"  # two lengths, gold in part, work of every state
VECTORS = "--vectors vectors.txt"
SHORT_EN = "--topic E10 --processes 1"
SHORT_JA = "--topic 0710 --processes 1"
ALL_ROUGE = "-m rouge-1 -m rouge-2 -m rouge-l -m rouge-w -m rouge-s -m rouge-su:gap=4"

COVERAGE_EN = f"correlate {EN} --human coverage --length short"
READABILITY_EN = f"correlate {EN} --human readability --length short"
COVERAGE_JA = f"correlate {JA} --human coverage --length short"
MIXED = "mixed.awase"
"""A corpus of what metrics treat apart: two lengths, several annotators, references of an output's own,
empty, short and repeated texts, two outputs for one abstract, a system under three names."""
_MIXED = (f"import {MIXED} mixed.json", f"parse {MIXED} --from mixed.conllu --name chains")
MIXED_SCORES = (
    "-m tsc3 -m tsc3:annotator=all,first=2 -m tsc3:annotator=gold,strict=yes -m weighted-coverage:weights=1/0.4/0.1,annotator=A3"
    " -m precision:first=all --interval --baseline beta --resamples 40 --seed 3 --confidence 0.8",
    "-m rouge-1 -m rouge-2:stem=yes,limit=6w,refs=b -m rouge-3:limit=5w -m rouge-l:level=sentence,refs=a-jackknife,limit=7w -m rouge-l:stop=yes"
    " -m rouge-w:w=2 -m rouge-w -m rouge-w:refs=a-jackknife -m rouge-w:form=paper,alpha=0.2,refs=b,stop=yes -m rouge-s:gap=2,stop=yes -m rouge-s:gap=0,stop=yes -m rouge-su:refs=b-jackknife,limit=30b"
    " -m rouge-l:limit=30b -m rouge-1:average=perl,tokens=unicode -m rouge-1:tokens=blanks -m rouge-2:tokens=blanks,limit=20c --interval --baseline beta --test bootstrap --resamples 40",
    "-m be -m be:mode=h -m be:mode=hm,refs=b,alpha=0.2 -m be:mode=hm1,labels=basic -m be:mode=hmr1,words=lemma,refs=a-jackknife"
    " -m be:mode=hmr2,stem=yes,average=perl",
    "-m pseudo-pyramid -m pseudo-pyramid:oracle=be,unit=edu-parse,limit=9w"
    " -m pseudo-pyramid:oracle=rouge-1,unit=sentence,stop=yes,stem=yes,ties=all,sim=exact -m pseudo-pyramid:limit=40c,unit=sentence,merge=yes"
    " -m pseudo-pyramid:merge=yes,ties=all,unit=edu-file,oracle=rouge-1,tau=0.9 -m pseudo-pyramid:limit=2s,unit=sentence,oracle=rouge-1,tokens=blanks"
    " --edus mixed.edus",
    "-m prouge-1 -m prouge-1:prune=none,stop=no -m prouge-1:prune=cnt,limit=9w -m prouge-2:prune=cls,vocabulary=topic,ratio=0.7"
    " -m prouge-1:vocabulary=topic,distance=euclidean,ratio=0.6,stop=no -m prouge-1:vocabulary=topic,ratio=0.6,stop=no,tokens=blanks"
    " -m pbe:ratio=0.5 -m pbe:ratio=0.6,lookup=lemma,words=lemma,labels=basic,vocabulary=topic --vectors mixed.vec",
    "-m rouge-we-1 -m rouge-we-2:stop=yes -m rouge-we-su4:limit=9w -m rouge-we-1:tokens=unicode,limit=30c --vectors mixed.vec",
    "-m bleu -m bleu:tokens=intl,case=lc,smooth=floor -m bleu:average=corpus,smooth=add-k,tokens=char -m bleu:smooth=none,tokens=none"
    " -m chrf -m chrf:nc=3,nw=2,beta=1,case=lc -m chrf:space=yes,average=corpus",
    "-m subtree -m subtree:key=lemma,punct=drop,refs=max -m subtree:key=lemma+upos,dedupe=no,vector=head -m subtree:head=no,vector=head"
    " --model made-up",
    "-m prouge-1:vocabulary=topic,ratio=0.6,stop=no -m pseudo-pyramid -m rouge-1 -m be:mode=hm --vectors mixed.vec --topic t2 --topic t1"
    " --system gamma --system delta",
    "-m prouge-1 -m prouge-2 -m rouge-we-1:stop=yes -m rouge-we-2 --vectors mixed-few.vec --topic t1 --topic t3",
    "-m rouge-1 -m rouge-w:form=paper -m be -m bleu:average=corpus -m prouge-1:prune=cnt -m pseudo-pyramid --topic t3 --system none",
)
COVERAGE_MIXED = "correlate mixed.json --human content --length short --resamples 20 --json"
SUBTREE = f"{EN} -m subtree --model made-up --topic E10 --system lead"


def _with(line: str, *endings: str) -> tuple[str, ...]:
    return tuple(f"{line} {ending}" for ending in endings)


SCORE = {
    "tsc3-en": f"score {EN}",
    "tsc3-ja": f"score {JA} --level topic",
    "tsc3-small": f"score {SMALL} --level topic",
    "tsc3-small-json": f"score {SMALL} --json",
    "tsc3-small-csv": f"score {SMALL} --output-format csv --bom",
    "tsc3-small-wide-csv": f"score {SMALL} --output-format csv --wide",
    "tsc3-small-latex": f"score {SMALL} --output-format latex",
    "tsc3-small-html": f"score {SMALL} --output-format html",
    "tsc3-options": f"score {EN} -m precision:first=all -m precision:first=3 -m coverage:strict=yes"
    " -m weighted-coverage:weights=1/0.4/0.1 -m coverage:annotator=A2 --output-format csv",
    "tsc3-other-annotator": f"score {SMALL} -m tsc3:annotator=太郎 --json",
    "tsc3-intervals": _with(
        f"score {TEAM} -m tsc3 --interval --baseline lead --resamples 500 --seed 7",
        "",
        "--level topic",
    ),
    "tsc3-intervals-json": f"score {TEAM} -m coverage:annotator=A2 -m precision --interval"
    " --baseline tail --test bootstrap --resamples 200 --confidence 0.9 --json",
    "tsc3-latex": f"score {TEAM} -m tsc3 -m coverage:annotator=all --output-format latex --interval --resamples 100",
    "tsc3-html": f"score {TEAM} -m coverage:annotator=all -m tsc3 --output-format html --interval --baseline odd --resamples 100",
    "tsc3-wide-csv": f"score {TEAM} -m tsc3 -m coverage:annotator=all --output-format csv --wide --interval --resamples 100",
    "tsc3-tidy-csv": f"score {TEAM} -m tsc3 -m coverage:annotator=all --output-format csv --interval --baseline odd --resamples 100",
    "tsc3-uneven": (
        *_with(
            f"score {UNEVEN} -m tsc3 -m coverage:strict=yes -m weighted-coverage:annotator=gold",
            "--level topic",
            "--system free --system lead --json",
            "-o scores.csv",
        ),
        "scores --import scores.csv",
    ),
    "tsc3-subset": f"score {EN} --system lead --system mmr --topic E20 --output-format csv",
    "rouge-en": f"score {EN} -m rouge --output-format csv {SHORT_EN}",
    "rouge-all-en": f"score {EN} {ALL_ROUGE} --json {SHORT_EN}",
    "rouge-options-en": f"score {EN} -m rouge:stem=yes,stop=yes,limit=50w,refs=b,alpha=0.8"
    f" -m rouge-1:limit=300b,tokens=unicode -m rouge-l:level=sentence -m rouge-w:w=2"
    f" -m rouge-2:average=perl --output-format csv {SHORT_EN}",
    "rouge-jackknife": f"score {SMALL} -m rouge-1:refs=a-jackknife,tokens=unicode"
    " -m rouge-1:refs=b-jackknife,tokens=chars,alpha=0.3 --output-format csv --processes 1",
    "rouge-ja": f"score {JA} -m rouge:tokens=ja -m rouge-1:tokens=chars --output-format csv {SHORT_JA}",
    "rouge-ascii-of-japanese": f"score {JA} -m rouge-1 {SHORT_JA}",
    "be-en": f"score {EN} -m be -m be:mode=hm -m be:mode=h,words=lemma -m be:labels=basic,refs=b"
    f" --output-format csv {SHORT_EN}",
    "be-ja": f"score {JA} -m be -m be:labels=particle -m be:mode=hmr2,stem=yes --output-format csv {SHORT_JA}",
    "be-without-parses": (f"score {SMALL} -m be", f"score {SMALL} -m coverage -m be --json"),
    "pseudo-pyramid-en": f"score {EN} -m pseudo-pyramid --output-format csv {SHORT_EN}",
    "pseudo-pyramid-options-en": f"score {EN} -m pseudo-pyramid:oracle=rouge-1,unit=sentence,"
    f"limit=60w,stem=yes,stop=yes,ties=mean,sim=exact,merge=yes --output-format csv {SHORT_EN}",
    "pseudo-pyramid-be-en": f"score {EN} -m pseudo-pyramid:oracle=be,unit=edu-parse"
    f" --output-format csv {SHORT_EN}",
    "pseudo-pyramid-ja": f"score {JA} -m pseudo-pyramid --output-format csv {SHORT_JA}",
    "pseudo-pyramid-edus": f"score {SMALL} -m pseudo-pyramid:unit=edu-file --edus edus.txt --output-format csv",
    "pruned-en": f"score {EN} -m prouge-1 -m prouge-2 -m pbe {VECTORS} --output-format csv {SHORT_EN}",
    "pruned-options-en": f"score {EN} -m prouge-1:prune=cnt,stop=no"
    " -m prouge-1:prune=cls,ratio=0.8,vocabulary=topic -m prouge-2:ratio=0.7,limit=60w"
    f" -m pbe:ratio=0.9,lookup=lemma,words=lemma {VECTORS} --output-format csv {SHORT_EN}",
    "pruned-ja": f"score {JA} -m prouge-1:tokens=ja,stop=no -m pbe {VECTORS} --output-format csv {SHORT_JA}",
    "pruned-without-vectors": f"score {SMALL} -m prouge-1",
    "rouge-we-en": f"score {EN} -m rouge-we-1 -m rouge-we-2:stop=yes -m rouge-we-su4:limit=30w"
    f" {VECTORS} --output-format csv {SHORT_EN}",
    "rouge-we-ja": f"score {JA} -m rouge-we-1:tokens=ja {VECTORS} --output-format csv {SHORT_JA}",
    "subtree-en": f"score {EN} -m subtree --model made-up --topic E10 --system lead --system mmr"
    " --output-format csv --processes 1",
    "subtree-options-en": f"score {EN} -m subtree:head=no,punct=drop,dedupe=no"
    " -m subtree:key=lemma,refs=max --model made-up --topic E10 --system lead --output-format csv --processes 1",
    "sacrebleu-en": f"score {EN} -m bleu -m chrf -m bleu:case=lc,smooth=floor,average=corpus"
    f" -m chrf:nw=2,beta=1,space=yes --output-format csv {SHORT_EN}",
    "sacrebleu-ja": f"score {JA} -m bleu:tokens=char -m bleu:tokens=ja -m chrf --output-format csv {SHORT_JA}",
    "small-all": f"score {SMALL} -m tsc3 -m rouge:tokens=unicode -m bleu:tokens=char -m chrf"
    f" -m prouge-1:tokens=unicode {VECTORS} --level topic --processes 1",
    "keep": (
        f"import kept.awase {SMALL}",
        "score kept.awase -m tsc3 --keep first --who me",
        "score kept.awase -m rouge-1:tokens=unicode --keep second --who me --topic 0310",
        "scores kept.awase",
        "scores kept.awase --show 1 --level topic",
        "scores kept.awase --show 2 --json",
        "scores kept.awase --show 1 --output-format csv",
        "scores kept.awase --show 1 --output-format csv --wide",
        "scores kept.awase --show 1 --output-format latex",
        "scores kept.awase --show 1 --output-format html",
        "scores kept.awase --import metrics.csv --title brought --who me",
        "scores kept.awase --show 3",
        "scores kept.awase --remove 2 --who me",
        "scores kept.awase --import ./metrics.csv",
        "scores kept.awase",
    ),
    "mixed": (*_MIXED, *(f"score {MIXED} {of} --json --processes 1" for of in MIXED_SCORES)),
}

FIND = {
    "cover-en": f"cover {EN}",
    "cover-ja": f"cover {JA} --annotator A2 --topic 0710",
    "cover-small": f"cover {SMALL} --annotator 花子 --annotator 太郎",
    "cover-small-json": f"cover {SMALL} --json --output-format json --json",
    "cover-excluded": _with(f"cover {SMALL} --topic 0310 --exclude 980101001", "--json", ""),
    "oracle-en": f"oracle {EN} --topic E10",
    "oracle-options": (
        f"oracle {EN} --topic E20 --oracle rouge-1 --unit sentence --limit 100w --stem --stop --texts",
        f"oracle {EN} --topic E10 --oracle be --unit sentence --limit 30w --settle",
    ),
    "oracle-ja": f"oracle {JA} --topic 0710 --limit 5s --unit sentence --json",
    "oracle-engines": (
        f"oracle {SMALL} --topic t/2 --engine auto --texts",
        f"oracle {SMALL} --topic t/2 --engine ilp --texts",
    ),
    "oracle-file": (
        f"oracle {SMALL} --unit edu-file --edus edus.txt -o oracles.json",
        f"score {SMALL} -m pseudo-pyramid:unit=edu-file --edus edus.txt --oracles oracles.json",
    ),
    "explain": f"explain {EN} --topic E10 --system lead",
    "explain-json": f"explain {EN} --topic E10 --system neural"
    " -m pseudo-pyramid:unit=sentence --json",
    "explain-ja": f"explain {JA} --topic 0710 --system lead",
    "explain-subtree": (f"explain {SUBTREE}", f"explain {SUBTREE} --output-format csv"),
    "explain-subtree-json": f"explain {SUBTREE} --json",
    "clusters": (
        f"clusters {EN} --topic E10 --system lead -m prouge-1:ratio=0.8 {VECTORS}",
        f"clusters {EN} --topic E10 --system lead -m prouge-1 {VECTORS} --output-format csv",
        f"clusters {SMALL} -m prouge-2:tokens=unicode {VECTORS} --output-format markdown",
        f"clusters {SMALL} -m prouge-1:tokens=unicode,ratio=1 {VECTORS}",
    ),
    "clusters-be": f"clusters {EN} --topic E10 --system lead -m pbe:ratio=0.8 {VECTORS}",
    "clusters-json": f"clusters {JA} --topic 0710 -m prouge-1:vocabulary=topic,tokens=ja"
    f" {VECTORS} --json",
    "extract-table-en": f"extract {EN} --table",
    "extract-table-ja": f"extract {JA} --table --with lead,random,mmr:lambda=0.7"
    " --tokens ja --seed 3",
    "extract-oracle": f"extract {EN} --table --with oracle --topic E10",
    "extract-output": (
        f"extract {SMALL} --with lead,tfidf,random --size 2 --to more.json",
        f"extract {SMALL} --with lead --name oracle --topic 0310 --to forced.json --force",
        f"extract {SMALL} --with lead,lead:size=1 --annotator 太郎 --table",
        *(f"extract {SMALL} --with lead --table -o table.csv{force}" for force in ("", " --force")),
    ),
    "extract-parsed": (*_MIXED, f"extract {MIXED} --table --with oracle:oracle=be"),
    "extract-into": (
        f"import new.awase {SMALL}",
        "extract new.awase --with cluster,mmr --name ' c ' --name m --who me",
        "extract new.awase --with lead --name c --who me",
        "extract new.awase --with lead --name c --force --who me",
        "export new.awase -",
    ),
    "mixed": (
        *_MIXED,
        f"oracle {MIXED} --edus mixed.edus --unit edu-file --json --processes 1",
        f"oracle {MIXED} --oracle rouge-1 --unit sentence --limit 9w --stop --stem --processes 1 --topic t1 --topic t2 --texts",
        f"oracle {MIXED} --oracle be --unit edu-parse --limit 40c --json --processes 1 --optima 2",
        f"explain {MIXED} -m pseudo-pyramid:merge=yes,ties=all,unit=edu-file,oracle=rouge-1,tau=0.5 --edus mixed.edus --json",
        f"explain {MIXED} -m subtree:key=lemma,head=no --model made-up --topic t1 --topic t3 --system delta --system none --output-format csv",
        f"explain {MIXED} -m subtree:key=lemma,head=no --model made-up --topic t1 --topic t3 --system delta",
        f"clusters {MIXED} -m prouge-2:vocabulary=topic,ratio=0.7 --vectors mixed.vec --json",
        f"clusters {MIXED} -m pbe:ratio=0.6,lookup=lemma --vectors mixed.vec --json",
    ),
}

CORRELATE = {
    "lengths": f"correlate {EN} --human coverage",
    "table": f"{COVERAGE_EN} --resamples 200",
    "json": f"{COVERAGE_EN} --resamples 200 --json",
    "csv": f"correlate {JA} --human readability --length short --resamples 200 --output-format csv",
    "latex": f"{COVERAGE_JA} --resamples 200 --output-format latex -m tsc3 -m rouge-1:tokens=ja --component r",
    "permutation": f"{COVERAGE_EN} -m coverage -m precision --test permutation --interval none --resamples 200 --seed 5",
    "williams": f"{COVERAGE_EN} -m tsc3 --test williams --interval fisher --resamples 50",
    "topic-level": f"{COVERAGE_EN} --level topic --resample topics --resamples 100 -m coverage -m rouge-1",
    "global-level": f"{COVERAGE_EN} --level global --interval none --json",
    "accuracy": f"{COVERAGE_EN} --coefficient accuracy --coefficient r --coefficient accuracy --resamples 100",
    "scores-file": f"{COVERAGE_EN} --scores metrics.csv --resamples 100 --test permutation",
    "who-is-in": f"{COVERAGE_EN} --exclude random --exclude random --not-a-reference hand"
    " --reference-system hand --suggest-outliers --annotators z --resamples 100",
    "remarks": f"correlate {SMALL} --human coverage --length short -m coverage --interval none",
    "one-judge": f"correlate {TEAM} --human quality --annotator J2 --length short -m coverage"
    " -m precision:annotator=A2 --resamples 100 --test permutation",
    "mixed": (
        f"{COVERAGE_MIXED} -m tsc3 -m coverage:annotator=all -m rouge-1 -m rouge-2:refs=b,limit=6w --test permutation --component r --aliases mixed.names",
        "correlate mixed.json --human content --length long --annotator J* --annotators z --level topic --coefficient rho --coefficient accuracy"
        " --resample topics --test permutation -m rouge-1 -m rouge-l -m coverage --not-a-reference ref.A --exclude delta --resamples 20 --component f --json",
        "correlate mixed.json --human style --length short --resamples 20 -m rouge-1 -m precision --suggest-outliers --resample systems --confidence .7 --json",
        "correlate mixed.json --human whole --length short -m rouge-1 -m precision --json --test williams --interval fisher",
        "correlate mixed.json --human style --length short --annotator J2 -m coverage --interval none --json",
        "correlate mixed.json --human flat --length short -m rouge-1 --json --suggest-outliers --interval none",
        f"{COVERAGE_MIXED} --level global --subset extractive --reference-system hand -m coverage -m rouge-1 --component p --test williams --topic t1 --topic t2 --topic t3",
        "correlate mixed.json --human content --length short --subset abstractive --aliases mixed.names --system beta --system gamma --system delta"
        " --system ref.A --reference-system nobody -m rouge-we-1 -m rouge-2 --component r --interval none --vectors mixed.vec --json",
    ),
    "undefined": (
        f"correlate {UNEVEN} --human wit --length long -m coverage -m precision --test williams --interval fisher",
        f"correlate {UNEVEN} --human wit --length long -m coverage --annotator J1 --interval none --system lead",
        f"correlate {UNEVEN} --human wit --length long -m coverage --interval none --exclude tail --exclude-from left-out.txt",
        f"correlate {UNEVEN} --human wit --length long -m coverage -m precision --level topic --coefficient accuracy --coefficient r --interval none",
    ),
    "subset": f"{READABILITY_EN} --subset extractive --annotators majority --resamples 50",
}

TELL = {
    "help": tuple(
        f"{name} --help"
        for name in ("score", "correlate", "oracle", "rouge", "import", "parse", "assign", "cover")
    ),
    "metrics": "metrics",
    "formats": "formats",
    "info-en": f"info {EN}",
    "info-ja-json": f"info {JA} --json",
    "info-small": f"info {SMALL}",
    "time": f"time {EN}",
    "parses": (f"parse {EN} --list", f"parse {EN} --to parses.conllu"),
    "basic-elements": f"parse {JA} --be elements",
    "report-en": f"report {EN} page.html -m tsc3 -m rouge-1:tokens=unicode",
    "report-ja": f"report {JA} page.html --system lead --system mmr",
    "report-small": f"report {SMALL} page.html",
    "report-team": f"report {TEAM} page.html -m coverage -m coverage:annotator=A2",
    "demo": ("demo all made", "info made/demo-ja.awase"),
    "removed": (
        f"import new.awase {TEAM}",
        "remove systems new.awase tail odd --topic t1",
        "remove alignments new.awase A2 --topic t4 --abstract a4",
        "remove topics new.awase t9 t2",
        "remove human-scores new.awase --measure quality --system lead --annotator J1 --topic t3",
        "remove human-scores new.awase --measure beauty",
        "remove human-scores new.awase --all",
        "undo new.awase",
        "undo new.awase",
        "redo new.awase",
        "export new.awase new.json",
    ),
}

ROUGE155 = {
    "simple-to-settings": "rouge155 -n 2 -a rouge/settings.xml",
    "all": "rouge155 -n 2 -w 1.2 -2 4 -U -m -s -r 100 -d -a rouge/settings.xml",
    "one-system": "rouge155 -n 1 -f B -p 0.8 -c 90 -l 3 rouge/settings.xml 11",
    "tokens": (
        "rouge155 -n 1 -t 1 -x -d rouge/settings.xml 11",
        "rouge155 -n 1 -x -e texts -a rouge/settings.xml 11",
        "rouge155 -n 1 -t 2 -d rouge/settings.xml 11",
    ),
    "pairs": tuple(
        f"rouge155 -n 1 -c 100 -r 9 -a {of} rouge/settings.xml" for of in ("-U", "-2 4", "-2 -u")
    ),
    "exported": (
        f"export {SMALL} exported --format rouge-settings",
        "cd exported/short && rouge155 -n 1 -a settings.xml",
    ),
    "unknown-option": "rouge155 -Q rouge/settings.xml",
}

WRITING = ("awase-json", "extract-lines", "score-table", "label-studio", "doccano")
EXPORT = {
    **{f"{id_}-small": f"export {SMALL} - --format {id_}" for id_ in WRITING},
    **{f"{id_}-en": f"export {EN} out --format {id_}" for id_ in WRITING},
    **{f"{id_}-ja": f"export {JA} out --format {id_}" for id_ in WRITING},
    "doccano-one-abstract": f"export {UNEVEN} - --format doccano --abstract u1-long",
    "rouge-settings-mixed": "export mixed.json out --format rouge-settings",
    "alignment-table-small": f"export {SMALL} - --format alignment-table --topic 0310"
    " --abstract short --annotator 花子",
    "alignment-table-en": f"export {EN} x.align --topic E10 --abstract E10-short --annotator A2",
    "one-topic": f"export {SMALL} x.json --topic t/2",
    "rouge-settings-small": f"export {SMALL} out --format rouge-settings",
    "rouge-settings-en": f"export {EN} out --format rouge-settings --topic E30",
    "parallel-text-small": (f"export {SMALL} out --format parallel-text",) * 2,
    "parallel-text-ja": f"export {JA} out --format parallel-text",
}

# What is imported, on what it rests; afterwards the corpus is written as Awase JSON.
_IMPORTS = {
    "awase-json": f"{SMALL}",
    "alignment-table": f"{SMALL} 0310.align --topic 0310 --abstract short --annotator 次郎",
    "extract-lines": f"{SMALL} systems.extracts ranks.extracts",
    "text-ja": "topics.json news.txt --topic 0310",
    "text-en": "topics.json story.txt --topic 0310 --language en",
    "sgml": "topics.json tsc.sgml --topic 0310",
    "duc-documents": "d061j/AP880911-0016.S",
    "duc-extracts": "d061j/AP880911-0016.S d061jb/200e d061jb/100",
    "duc-abstracts": "duc/D30001.M.100.T.A duc/D30001.M.100.T.11 duc/D30001.P.10.T.C.AP1 duc/D30001.M.50.T.22",
    "ducview-pyramid": "D1.pyr",
    "ducview-annotation": "D1.M.100.T.11.pan --annotator n",
    "score-table": "topics.json grades.csv wide.csv",
    "wmt-scores": "topics.json da.score de-en.seg.score en-de.mqm.sys.score",
    "sacrerouge": "topics.json grades.jsonl",
    "summeval": "summeval.jsonl sacre.jsonl realsumm.jsonl facets.txt table.jsonl",
    "rouge-settings": "rouge",
    "mtme": "mtme",
    "parallel-text": "texts --aliases names.tsv",
    "nothing-known": "story.txt --format pdf",
    "no-topic": "story.txt",
    "missing-file": "nowhere.json",
}
IMPORT = {
    name: (f"import new.awase {files} --who me", "export new.awase -")
    if name not in ("nothing-known", "no-topic", "missing-file")
    else f"import new.awase {files} --who me"
    for name, files in _IMPORTS.items()
} | {
    "duc-here": (
        "import new.awase d061j/AP880911-0016.S",
        "cd d061j && import ../other.awase AP880911-0016.S --who me",
    ),
    "duc-scores": (
        "import new.awase topics.json",
        "import new.awase duc/short.results.table2 duc/results.table5 --format duc-scores --annotator J --who me",
        "export new.awase -",
    ),
    "refused": _with(
        "import new.awase", "0310.align", "0310.align --format alignment-table",
        "systems.extracts --topic t", "story.txt --format text",
    ),
    "label-studio": (
        f"export {SMALL} tasks.json --format label-studio --annotator 花子",
        "import new.awase small.json",
        "import new.awase tasks.json --annotator 次郎 --who me",
        "export new.awase -",
    ),
    "doccano": (
        f"export {SMALL} tasks.jsonl --format doccano --annotator 花子",
        "import new.awase small.json",
        "import new.awase tasks.jsonl --annotator 次郎 --who me",
        "export new.awase -",
        f"export {UNEVEN} two.jsonl --format doccano --annotator A2",
        f"import uneven.awase {UNEVEN}",
        "import uneven.awase two.jsonl --annotator B --who me",
    ),
    "twice": (f"import new.awase {SMALL}", f"import new.awase {SMALL}", "validate new.awase"),
}  # fmt: skip


def _in_forms(line: str) -> tuple[str, ...]:
    return (line, *(f"{line} --output-format {form}" for form in ("json", "csv", "markdown")))


_PROJECT = (
    f"import new.awase {UNEVEN} --who me",
    "people new.awase --add L=lead --add A1 --add A3 --add A9 --name L=Lea --name A1=Anna --blind --who L",
    "people new.awase --add A1 --add L --name A3= --remove A9 --open --who L",
    "people new.awase --blind --who L",
    "assign new.awase --calibrate 2 --due 2999-02-03 --who L",
    "assign new.awase --to 'A1, A3' --overlap 40 --seed 3 --due 2999-01-31 --who L",
)
FORMS = {
    "agreement": (
        *_in_forms(f"agreement {UNEVEN} --resamples 19 --compare A1+A2:A1+A3")[:3],
        f"agreement {UNEVEN} --annotators A2,gold,A1 --length long --resamples 9 --seed 4 --confidence .8",
    ),
    "agreement-small": (
        f"agreement {SMALL} --resamples 99",
        f"agreement {SMALL} --resamples 99 --distance alternatives,function,alternatives,support",
    ),
    "agreement-by-topic": _in_forms(f"agreement {UNEVEN} --by topic --annotators A2,gold,A1 --length short --resamples 9")[:3],
    "agreement-by-sentence": _in_forms(f"agreement {UNEVEN} --by sentence --annotators gold,A2 --resamples 9")[:3],
    "cover": (
        *_in_forms(f"cover {UNEVEN} --annotator A2 --annotator A1"),
        *(f"cover {UNEVEN} --annotator gold --output-format {form}" for form in ("jsonl", "tsv", "latex", "html")),
    ),
    "oracle": _in_forms(f"oracle {UNEVEN} --topic u5 --topic u4")[:3],
    "explain": _in_forms(f"explain {UNEVEN} --topic u5 --topic u3 --system lead --system neural"),
    "correlate": _in_forms(f"{COVERAGE_EN} -m coverage -m precision --test williams --resamples 50")[:3],
    "rouge": (
        *_in_forms("rouge texts/out_bart.txt texts/ref.txt --level topic"),
        "rouge texts/out_bart.txt texts/ref.txt --interval --confidence .5 --resamples 9 --seed 3",
    ),
    "extract": _in_forms(f"extract {UNEVEN} --table --with lead,mmr,random --annotator A2"),
    "diff": _in_forms(f"diff {SMALL} topics.json"),
    "validate": _in_forms(f"validate {SMALL} grades.csv nowhere.json"),
    "lists": (*_in_forms("metrics"), *_in_forms("formats"), *_in_forms(f"info {UNEVEN}")),
    "project": (
        *_PROJECT, "assign new.awase --second 40 --to A1 --after 0 --due 2999-05-05 --seed 2 --who L", "export new.awase -", *_in_forms("people new.awase")[1:3], *_in_forms("progress new.awase")[:3],
        "assist new.awase --assist-level 3 --control 20 --decoys 5 --seed 7", "assist new.awase --json", "assist-report new.awase",
        "time new.awase --by topic", "assign new.awase --next --who A1 --json",
        "hand-out new.awase a1.awase --to A1 --who L", "export a1.awase - --with-sync", "export new.awase - --annotator A2 --unassisted",
        "export new.awase w.align --topic u1 --abstract u1-long --annotator A2", "remove alignments a1.awase A1 --topic u1 --topic u3",
        "import a1.awase w.align --topic u1 --abstract u1-long --annotator A1 --who A1",
        "remove alignments new.awase A1 --topic u1 --abstract u1-short --who L",
        "assign new.awase --take-over A1 --who L --json", "merge new.awase a1.awase --preview --as A1=A2 --json",
        "merge new.awase a1.awase --preview", "merge new.awase a1.awase --who L --output-format csv", "rescue new.awase rescued.awase --who R", f"diff {UNEVEN} new.awase --output-format csv",
    ),
    "copies": (
        *_PROJECT, "hand-out new.awase a1.awase --to A1 --who L",
        *_in_forms("merge new.awase a1.awase --preview"), "merge new.awase a1.awase",
        "undo new.awase --who L", "redo new.awase --who L", "check new.awase",
        "rescue a1.awase rescued.awase",
    ),
}  # fmt: skip
"""What people, programs and documents are given of one report."""


REFUSED = {
    "score": _with(
        f"score {SMALL}", "-m rogue", "-m coverge", "-m rouge-1:stemm=yes", "-m rouge-1:stem=perhaps",
        "-m coverage:first=0", "-m tsc3:annotator=nobody", "--topic none", "--topic 0311", "--system xyz",
        "-m rouge-we-1", "-m rouge-we-1 --vectors none.vec", "--vectors none.vec", "--baseline leed",
        "-m rouge-1:stem", "-m rouge-1:stem=", "-m rouge-1:=yes", "-m rouge-1:stem=yes,stem=no", "-m rouge-1:tokens=chars,stem=yes",
        "-m rouge-1:tokens=chars,stop=yes", "-m ROUGE-2", "-m rouge_2:stem=yes", "-m rouge-1,rouge-2", "-m 2rouge", "-m subtree", "--model a",
        "--json --output-format csv", "--output-format latex --output-format csv",
        "--output-format parquet", "--force", "--keep x", "--processes 2 --cluster x",
        "--topic t/2 --system 'a,b \"c\"'", "--wide --interval",
    ),
    "score-alone": (*_with("score topics.json", "", "--json -m rouge-1"), "score mixed.json --system none --topic t3"),
    "clusters-alone": _with(f"clusters topics.json -m prouge-1 {VECTORS}", "", "--json"),
    "cover": _with(
        f"cover {SMALL}", "--exclude 980101009", "--abstract shrt", "--annotator nobody", "--topic 0311",
    ),
    "oracle": _with(f"oracle {SMALL}", "--unit edu-file", "--unit word", "--oracle be", "--topic 0311"),
    "extract": _with(f"extract {SMALL}", "", "--name a", "--with leed --table", "--topic 0311 --table", "--with lead,mmr --name a --name ' a' --table"),
    "time": _with(f"time {SMALL}", ""),
    "team": (
        f"import new.awase {SMALL}",
        *_with(
            "assign new.awase", "--to A --overlap 20", "", "--to A --due soon", "--to A --due 2020-02-29", "--to A --topic nope",
            "--to A --length huge", "--to all", "--to A1#2", "--to A,B --most 1 --overlap 100", "--next --who me",
            "--next --to 次郎,三郎,四郎,五郎", "--second 20 --to 花子", "--second 0 --to 花子", "--second 20 --calibrate 1",
        ),
        *_with("people new.awase", "--remove nobody", "--add X=boss", "--add all"), "undo new.awase", "people new.awase",
    ),
    "correlate-alone": _with("correlate topics.json", "", "-m coverage --human quality"),
    "merge": _with("merge main.awase a.awase", "--as Anna", "--as =A1", "--as A1="),
    "scores": _with("scores", "main.awase --show 1 --remove 1", "main.awase --show 1 --import x.csv", "--import nowhere.csv"),
    "explain": _with(f"explain {SMALL}", "-m coverage", "-m subtree", "--system xyz"),
    "rouge": _with(
        "rouge texts/out_bart.txt", "texts/ref.txt -m coverage", "--column reference=gold", "texts",
        "texts/ref.txt --system out_bart=texts/src.txt",
        "texts/ref.txt --system b=texts/src.txt --system b=texts/ref.txt", "topics.json", "texts/ref.txt --column x=y",
    ),
    "report": _with(f"report {SMALL} page.html", "--model a", "--vectors none.vec", "--topic 0311"),
    "clusters": _with(
        f"clusters {SMALL}", "", f"-m tsc3 {VECTORS}", f"-m rouge-1 {VECTORS}", f"-m prouge-1:prune=cnt {VECTORS}",
    ),
    "agreement": _with(
        f"agreement {UNEVEN}", "--annotators A1,Zoe", "--annotators A1", "--length huge", "--distance kappa",
    ),
    "correlate": _with(
        f"correlate {EN} --scores metrics.csv", "--human beauty", "--human coverge", "--annotators median",
        "--human coverage --length long -m nonsense", "--human coverage --topic E99",
        "--human coverage --scores-format sacrerouge",
        "--human coverage --length short -m coverage -m subtree --interval none --json",
    ) + _with("correlate mixed.json --length short -m coverage", "", "--human style --system nobody", "--human content --topic t2 --system 'Gam ma'"),
    "parse": _with(
        f"parse {EN}", "--engine x", "--engine ginza", "--lang ja", "--remove x", "--to f.conllu --parser x",
        "--be folder --parser x", "--download --engine ginza", "--list --to f",
        "--cluster x --package y",
    ),
    "export": _with(
        f"export {SMALL}", "", "- --format text", "out.xyz", "out.awase", "out.txt --format pdf",
        "out.json --topic 0311", "- --format parallel-text", "- --force", "out --format rouge-settings --force",
    ),
}  # fmt: skip
"""What cannot be done, and what is told of it; nothing is written."""

GROUPS = {
    "score": SCORE,
    "find": FIND,
    "correlate": CORRELATE,
    "tell": TELL,
    "rouge155": ROUGE155,
    "export": EXPORT,
    "import": IMPORT,
    "forms": FORMS,
    "refused": REFUSED,
}
SLOW = frozenset({
    "find/explain-subtree-json", "find/extract-table-ja", "find/oracle-en", "find/clusters-be",
    "find/explain-ja", "find/extract-table-en", "score/be-ja", "score/pruned-en",
    "score/pruned-options-en", "score/pseudo-pyramid-be-en", "score/pseudo-pyramid-en",
    "score/pseudo-pyramid-ja", "score/rouge-we-en", "score/sacrebleu-en", "score/sacrebleu-ja",
    "score/subtree-options-en", "score/tsc3-ja", "tell/basic-elements", "tell/report-en",
    "tell/report-ja", "import/label-studio", "export/awase-json-ja", "export/doccano-en",
    "export/doccano-ja", "export/extract-lines-ja", "export/label-studio-en",
    "export/label-studio-ja", "export/parallel-text-ja", "export/score-table-ja", "forms/copies",
    "correlate/csv", "correlate/latex", "score/rouge-ja", "find/oracle-ja", "import/text-ja",
    "score/be-en", "score/pruned-ja", "score/small-all", "score/subtree-en", "score/rouge-en",
    "score/rouge-we-ja", "find/explain-subtree",
})  # fmt: skip
"""Cases, as `group/name`, that only `-m slow` runs: each has a sister that always runs, of the small
corpus, another language or another form."""


def lines_of(case: str) -> tuple[str, ...]:
    group, _, name = case.partition("/")
    lines = GROUPS[group][name]
    return (lines,) if isinstance(lines, str) else lines


CASES = tuple(f"{group}/{name}" for group, cases in GROUPS.items() for name in cases)
