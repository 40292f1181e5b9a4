"""Random summaries, settings and options that reach into every corner of ROUGE-1.5.5."""

import random
from pathlib import Path

_COMMON = "the of a to and in said was on for he that his with police at it by will not".split()
_CONTENT = (
    "police killed gunman gunmen agreement instruments national relational hoping hopped skies sky"
    " yes yelling ponies caresses feed agreed plastered motoring conflated troubled sized falling"
    " fizzed failing filing happy relate conditional rationalization electricity formative"
    " replacement adjustment dependent adoption homologous effective bowdlerize probate rate"
    " cease controlling roll men geese better best worse wolves abaci abodes went gone taken bought"
    " brought running well-known state-of-the-art U.S. 3.5% $5 1998 1,000 don't"
    " reuters monday mon index a1b2 x"
).split()
_ODD = [
    *"café naïve 東京 -- - ... K İ ﬁ ` &amp; Ünï".split(),
    "\t",
    "\x85",
    "\xa0",
    *"a\u2014b < l'été".split(),
]


def _words(*lines: str) -> tuple[list[str], ...]:
    return tuple(line.split() for line in lines)


_OPTION_SETS = _words(
    "", "-m", "-s", "-m -s", "-l 7", "-l 25 -m", "-b 30", "-b 75 -m", "-b 9 -s", "-l 1", "-b 1",
    "-l 100 -s -m", "-b 200",
)  # fmt: skip
_SCORINGS = _words(
    "", "-f B", "-p 0.2", "-f B -p 1", "-t 1", "-t 1 -f B", "-t 2", "-t 1.0 -c 090", "-c 90",
    "-c 99.5 -p 0", "-f C -t 0",
)  # fmt: skip
_SKIPS = _words(
    "-2 4", "-2 4 -u", "-2 4 -U", "-2 -1 -U", "-2 0", "-2 1 -u", "-2 9 -U", "-2 -1 -u", "-2 04 -U",
    "-2 1.5",
)  # fmt: skip
_WEIGHTS = ("1.2", "1.5", "2", "1", "0.7", "1.20")


def sentence(rng: random.Random, longest: int = 18) -> str:
    words = rng.choices(_COMMON, k=rng.randint(0, longest // 2))
    words += rng.choices(_CONTENT, k=rng.randint(0, longest // 2))
    if rng.random() < 0.3:
        words += rng.choices(_ODD, k=2)
    rng.shuffle(words)
    text = rng.choice((" ", " ", " ", "  ")).join(words)
    if rng.random() < 0.3:
        text = text.upper() if rng.random() < 0.3 else text.capitalize()
    return rng.choice(("", "", "", " ", "\t")) + text + rng.choice(("", ".", " .", " ", "\r"))


def summary(rng: random.Random) -> list[str]:
    kind = rng.random()
    if kind < 0.03:
        return []
    if kind < 0.06:
        return ["...", "--"]
    if kind < 0.1:
        return [" ".join(sentence(rng, 60) for _ in range(4))]
    return [sentence(rng) for _ in range(rng.randint(1, 6))]


def related(rng: random.Random, source: list[str]) -> list[str]:
    result = []
    for text in source:
        words = text.split(" ")
        roll = rng.random()
        if roll < 0.2:
            continue
        if roll < 0.5 and len(words) > 2:
            begin = rng.randrange(len(words) - 1)
            words = words[begin:] + words[:begin] if roll < 0.3 else words[begin:]
        result.append(" ".join(word for word in words if rng.random() < 0.8))
    result += [sentence(rng)] * rng.randint(0, 2)
    rng.shuffle(result)
    return result


def spl(sentences: list[str]) -> bytes:
    return "".join(f"{text}\n" for text in sentences).encode()


def see(sentences: list[str]) -> bytes:
    lines = ["<html>", '<body bgcolor="white">']
    for n, text in enumerate(sentences, start=1):
        size = f'size="{n}" ' if n % 3 == 0 else ""
        end = "" if n % 4 == 0 else "</a>"
        lines.append(f'<a {size}name="{n}">[{n}]</a> <a href="#{n}" id={n}>{text}{end}')
    return ("\n".join([*lines, "</body>", "</html>"]) + "\n").encode()


def isi(sentences: list[str]) -> bytes:
    body = "".join(f'<S SNTNO="{n}a">{text}</S>\n' for n, text in enumerate(sentences))
    return f'<DOC>\n{body}<s sntno="1">not this</s>\n</DOC>\n'.encode()


def elements(rng: random.Random) -> bytes:
    lines = []
    for _ in range(rng.randint(0, 12)):
        head = rng.choice([*_CONTENT, "two men", " the gunmen", "Café"])
        modifier = rng.choice(["NIL", "police", "men", "killed men", "best", "ran"])
        lines.append(f"{head}|{modifier}|{rng.choice(['NIL', 'subj', 'obj', 'MOD'])}\n")
    return "".join(lines).encode()


WRITERS = {"SPL": spl, "SEE": see, "ISI": isi}


def write_case(
    rng: random.Random, folder: Path, n_evals: int, *, has_blank_models: bool
) -> list[str]:
    """Writes random summaries and settings; returns what to type."""
    folder.mkdir()
    if rng.random() < 0.12:
        return _be_case(rng, folder, n_evals)
    format_name = rng.choice(("SPL", "SPL", "SEE", "ISI"))
    write = WRITERS[format_name]
    evals = []
    for number in range(n_evals):
        source = summary(rng)
        models = []
        for name in "ABCD"[: rng.randint(1, 4)]:
            text = related(rng, source) if rng.random() < 0.8 else summary(rng)
            if not has_blank_models:
                text = [*text, "the last word"]
            path = f"m{number}{name}"
            (folder / path).write_bytes(write(text))
            models.append(path)
        peers = {}
        for name in ("1", "10", "2"):
            if rng.random() < 0.9:
                text = related(rng, source) if rng.random() < 0.8 else summary(rng)
                (folder / f"p{number}{name}").write_bytes(write(text))
                peers[name] = f"p{number}{name}"
        evals.append((str(number + 1), peers, models))
    options = [*rng.choice(_OPTION_SETS), *rng.choice(_SCORINGS)]
    options += ["-r", rng.choice(("1", "7", "50", "100"))]
    options += ["-n", str(rng.randint(1, 4))] if rng.random() < 0.9 else []
    options += rng.choice(_SKIPS) if rng.random() < 0.8 else []
    if not has_blank_models and rng.random() < 0.9 and not {"-l", "-b", "-s"} & set(options):
        options += ["-w", rng.choice(_WEIGHTS)]
    options += ["-x"] if rng.random() < 0.1 else []
    options += ["-d"]
    if rng.random() < 0.25:
        return [*options, "-z", format_name, *_list_file(folder, evals)]
    return [*options, "-a", _settings(rng, folder, format_name, evals)]


def _be_case(rng: random.Random, folder: Path, n_evals: int) -> list[str]:
    evals = []
    for number in range(n_evals):
        for name in ("p", "A", "B"):
            (folder / f"{name}{number}").write_bytes(elements(rng))
        evals.append((str(number + 1), {"1": f"p{number}"}, [f"A{number}", f"B{number}"]))
    mode = rng.choice(("H", "HM", "HMR", "HM1", "HMR1", "HMR2"))
    options = ["-3", mode, *rng.choice(([], ["-m"])), *rng.choice(_SCORINGS), "-r", "20", "-d"]
    return [*options, "-a", _settings(rng, folder, "SIMPLE", evals)]


def _list_file(folder: Path, evals: list) -> list[str]:
    lines = ["# a comment", ""]
    for _, peers, models in evals:
        lines += [" ".join([path, *models]) for path in list(peers.values())[:1]]
    (folder / "list").write_text("\n".join(lines) + "\n")
    return ["list"]


def _settings(rng: random.Random, folder: Path, format_name: str, evals: list) -> str:
    root = rng.choice(("ROUGE-EVAL", "ROUGE_EVAL"))
    parts = [f'<{root} version="1.0">']
    for id_, peers, models in evals:
        parts.append(f'<EVAL ID="{id_}">\n<PEER-ROOT>\n.\n</PEER-ROOT>\n<MODEL-ROOT>.</MODEL-ROOT>')
        parts.append(f'<INPUT-FORMAT TYPE="{format_name}">\n</INPUT-FORMAT>\n<PEERS>')
        parts += [f'<P ID="{name}">{path}</P>' for name, path in peers.items()]
        parts.append("</PEERS><MODELS>")
        parts += [f'<M ID="{path[-1]}"> {path}\n</M>' for path in models]
        parts.append("</MODELS></EVAL>")
    (folder / "settings.xml").write_text("\n".join([*parts, f"</{root}>"]))
    return "settings.xml"
