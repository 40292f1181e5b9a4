"""Japanese EDUs by rules on kana before a comma: て, ば, が, ので, …, and verbs in 連用中止.

A comma parts clauses when what stands before it ends a predicate; a comma behind a particle
(東京に、) or between nouns does not. Nothing is cut within brackets, as a quotation is one thing
said. A part of fewer than four characters joins its neighbour.
"""

import re
from collections.abc import Iterator

from awase.core.oracles.units import Span, from_cuts
from awase.core.text.brackets import bracketed, span_around

_COMMA = re.compile(r"[、，,](?=\S)")
_PREDICATE = r"(?:た|だ|る|う|く|す|つ|ぬ|ぶ|む|ぐ|い|です|ます|ない)"
_ENDS = re.compile(
    r"(?:"
    r"て|んで|いで|ずに|ず|ば|ながら|つつ|たら|なら|ても|でも(?<=んでも)|し|り|"
    rf"{_PREDICATE}(?:が|から|ので|のに|ものの|けれども?|けど|と|ため|ために|上で|うえで|一方で?|"
    r"ほか|際(?:に)?|とき(?:に)?|時(?:に)?|後(?:に)?|あと|前に|場合(?:は|に)?|ところ|とともに|以上|"
    r"うち(?:に)?|結果|ように|だけでなく)|"
    r"であり|であるが|だが|なく|"
    r"[一-鿿々][きぎちにびみいえけげせてねべめれ]|[ぁ-ん](?:え|け|げ|せ|ね|べ|め|れ)|"
    r"[」』]と"
    r")$"
)
_NO_ENDS = re.compile(
    r"(?:及び|および|並びに|ならびに|または|又は|特に|次に|先に|後に|新に|共に|同時に|互い|違い|戦い|"
    r"[一-鿿々]に|もし|しかし|ただし|なぜなら|それなら|だから|そして|こうして|やがて|まして|"
    r"初めて|始めて|改めて|極めて|併せて|あわせて|はじめて|によって|にとって|として|に対して|について|"
    r"に関して|に加えて|[ぁ-ん]り(?<=やはり)|つまり|あまり|[つぶか]り(?<=ゆっくり)|これ|それ|あれ|"
    r"誰|だれ|いずれ|われ|とりわけ|全て|すべて|かつて)$"
)
_PAIRS = {
    "」": "「",
    "』": "『",
    "）": "（",
    ")": "(",
    "”": "“",
    "】": "【",
    "〉": "〈",
    "》": "《",
}
_LETTERS = re.compile(r"\w")
_FEWEST_LETTERS = 4


def japanese_edus(text: str) -> list[Span]:
    """Returns where the EDUs of a Japanese sentence are."""
    spans: list[Span] = []
    for start, end in from_cuts(text, _cuts(text)):
        if spans and (_is_short(text, start, end) or _is_short(text, *spans[-1])):
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    return spans


def _cuts(text: str) -> Iterator[int]:
    spans = bracketed(text, _PAIRS)
    for comma in _COMMA.finditer(text):
        before = text[max(0, comma.start() - 12) : comma.start()]
        if span_around(spans, comma.start()) is not None:
            continue
        if _ENDS.search(before) and not _NO_ENDS.search(before):
            yield comma.end()


def _is_short(text: str, start: int, end: int) -> bool:
    return len(_LETTERS.findall(text[start:end])) < _FEWEST_LETTERS
