import codecs
import re
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.core.errors import CorpusFormatError
from awase.core.records.source import is_storable
from awase.core.text.encoding import ENCODINGS, decode, japanese_plausibility, western_plausibility
from awase.core.text.script import cleaned, length_of, on_one_line, usual_unit

# Written for this test in the manner of newspapers; nothing is quoted.
JAPANESE = (
    "東嶺大学は二十一日、湖の底で古代の木造船を見つけたと発表した。",
    "首相は記者団に対し「影響は限定的だ」と述べた。",
    "円相場は一ドル＝一四五円台で取引を終えた。",
    "プロ野球は十二日、各地で六試合が行われた。",
    "コンピューター大手のソフトウエア部門が赤字に転落した。",
    "「どうして逃げなかったのか」と住民は声を詰まらせた。",
    "県警捜査一課は男を殺人未遂の疑いで逮捕した。",
    "気象庁によると、震源の深さは約１０キロと推定される。",
    "原子力発電所の再稼働をめぐり、知事は慎重な姿勢を崩さない。",
    "ワクチンの接種はきょうから全国で始まる。",
    "国会は会期末を迎え、与野党の攻防が激しさを増した。",
    "ロケットは予定の軌道に投入され、打ち上げは成功した。",
    "地元の小学生ら約三百人が田植えを楽しんだ。",
    "１９９８年度の国内総生産（ＧＤＰ）は二年連続のマイナス成長となった。",
    "この日の東京株式市場は朝から売り注文が先行した。",
    "同社は従業員の三割に当たる千二百人を削減する。",
    "祭りの夜、川沿いには提灯の明かりがゆらめいていた。",
    "専門家は「過去に例のない規模の噴火だ」と警告する。",
    "美術館では来月から印象派の展覧会が開かれる。",
    "列車は大雪のため六時間以上立ち往生した。",
)
VENDOR = "①②㈱髙﨑Ⅲ㎡～―－∥"
EUROPEAN = (
    "Le président a déclaré hier que la réforme était nécessaire.",
    "Ça suffit, répondit-elle en français : « il faut être prêt à l’été ».",
    "Où étiez-vous pendant la fête de Noël ?",
    "Die Bundeskanzlerin äußerte sich über die künftige Größe der Straße.",
    "Überall hört man schöne Lieder aus Österreich.",
    "El niño comió una manzana mañana en España.",
    "¿Cuándo llegará el año próximo a la región?",
    "A situação econômica não é tão má como se pensa.",
    "Perché la città è così bella? Sarà l'università.",
    "Det är mycket svårt att förstå vad han säger på svenska.",
    "Regjeringen foreslår å øke støtten til skoleungdom på bygda.",
    "Københavns borgmester sagde, at århundredets sommer var våd.",
    "Hän käveli hitaasti pitkin järven jäätä kohti mökkiä.",
    "De officiële cijfers zijn geënt op een reële schatting.",
    "“We can’t go on like this,” she said – and left.",
    "The naïve café owner paid £5 for a résumé.",
    "Ísland er eyja í Norður-Atlantshafi og þar býr fólk.",
    "La société Citroën coûte 300 € de plus cette année.",
)
JAPANESE_ENCODINGS = ("euc_jp", "cp932")


def windows(texts, width):
    joined = "".join(texts)
    return [joined[start : start + width] for start in range(0, len(joined) - width, 3)]


def outcome(text, codec):
    """Returns how `decode` takes the bytes of `text`: right, refused, guess (a wrong one), wrong.

    The characters that CP932 and EUC-JP map differently are not in these texts.
    """
    try:
        decoded = decode(text.encode(codec))
    except CorpusFormatError:
        return "refused"
    if decoded.text == text:
        return "right"
    return "guess" if decoded.is_guess else "wrong"


@pytest.mark.parametrize("codec", JAPANESE_ENCODINGS)
def test_that_every_japanese_sentence_is_read_without_declaring(codec):
    assert [outcome(text, codec) for text in JAPANESE] == ["right"] * len(JAPANESE)


@pytest.mark.parametrize("codec", ["cp1252", "utf-8"])
def test_that_every_european_sentence_is_read_without_declaring(codec):
    assert [outcome(text, codec) for text in EUROPEAN] == ["right"] * len(EUROPEAN)


@pytest.mark.slow
@in_turn("codec", JAPANESE_ENCODINGS)
@in_turn(("width", "least_right"), [(10, 0.98), (20, 1.0), (40, 1.0)])
def test_that_snippets_are_read_right_or_refused(codec, width, least_right):
    outcomes = [outcome(text, codec) for text in windows(JAPANESE, width)]
    assert outcomes.count("right") >= least_right * len(outcomes)
    assert set(outcomes) <= {"right", "refused"}


@in_turn("width", [10, 20, 40])
def test_that_european_snippets_are_read_right_or_refused(width):
    texts = [text for text in windows(EUROPEAN, width) if not text.isascii()]
    outcomes = [outcome(text, "cp1252") for text in texts]
    assert outcomes.count("right") >= 0.97 * len(outcomes)
    assert "wrong" not in outcomes


@in_turn("codec", [*JAPANESE_ENCODINGS, "cp1252"])
def test_that_what_plausibility_chose_is_called_a_guess(codec):
    text = JAPANESE[0] if codec != "cp1252" else EUROPEAN[0]
    assert decode(text.encode(codec)).is_guess


def test_that_utf8_and_marks_are_no_guess():
    for data in (JAPANESE[0].encode(), JAPANESE[0].encode("utf-8-sig")):
        assert (decode(data).text, decode(data).is_guess) == (JAPANESE[0], False)
        assert decode(data, "utf-8").text == JAPANESE[0]


@pytest.mark.parametrize(
    ("mark", "codec"), [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")]
)
def test_that_utf16_is_known_by_its_mark(mark, codec):
    data = mark + JAPANESE[0].encode(codec)
    for declared in (None, "utf-16", codec):
        found = decode(data, declared)
        assert (found.text, found.encoding) == (JAPANESE[0], codec)


@in_turn("codec", ["euc-jp", "cp932", "iso-2022-jp", "utf-8"])
def test_that_a_declared_encoding_is_used_and_is_no_guess(codec):
    decoded = decode(JAPANESE[0].encode(codec), codec)
    assert (decoded.text, decoded.encoding, decoded.is_guess) == (JAPANESE[0], codec, False)


@in_turn(
    ("alias", "encoding"),
    [("Shift_JIS", "cp932"), ("sjis", "cp932"), ("EUC_JP", "euc-jp"), ("UTF8", "utf-8")],
)
def test_that_encodings_have_their_usual_other_names(alias, encoding):
    data = "要約の評価".encode(encoding)
    assert decode(data, alias).encoding == encoding


def as_euc(text):
    """Returns Microsoft's EUC-JP (CP51932): the places of CP932, moved by arithmetic of our own."""
    out = bytearray()
    for char in text:
        data = char.encode("cp932")
        if len(data) == 1:
            out += data if data[0] < 0x80 else b"\x8e" + data
            continue
        lead, trail = data
        index = (lead - (0x81 if lead < 0xA0 else 0xC1)) * 188 + trail - 0x40 - (trail > 0x7F)
        row, cell = divmod(index, 94)
        out += bytes((row + 0xA1, cell + 0xA1))
    return bytes(out)


def test_that_vendor_characters_are_the_same_from_euc_jp_and_cp932():
    text = f"{JAPANESE[1]}{VENDOR}".replace("髙", "").replace("﨑", "")
    nec_selected = "髙﨑".encode("cp932")
    assert decode(text.encode("cp932")).text == text
    assert decode(as_euc(text)).text == text
    assert decode(JAPANESE[1].encode("cp932") + nec_selected).text.endswith("髙﨑")


def test_that_ibm_kanji_of_euc_jp_are_read_by_their_place_in_the_nec_rows():
    # JIS row 92, cells 94 - 32 …: NEC's selection of IBM kanji; 髙 is at EE E0 in Shift JIS.
    assert b"\xee\xe0".decode("cp932") == "髙"
    data = JAPANESE[0].encode("euc_jp") + b"\xfc\xe2"
    assert decode(data).text == JAPANESE[0] + "髙"


@pytest.mark.slow
def test_that_euc_jp_agrees_with_python_where_python_reads_it_and_beside_what_it_refuses():
    differing = {0xA1C0, 0xA1C1, 0xA1C2, 0xA1DD, 0xA1F1, 0xA1F2, 0xA2CC}
    for lead in range(0xA1, 0xFF):
        for trail in range(0xA1, 0xFF):
            data = bytes((lead, trail))
            try:
                expected = data.decode("euc_jp")
            except UnicodeDecodeError:
                continue
            found = decode(data, "euc-jp").text
            assert found == expected or lead << 8 | trail in differing
            # The character behind is one that Python refuses, so that the slow way is taken.
            assert decode(data + as_euc("①"), "euc-jp").text == found + "①"


def test_that_iso_2022_jp_holds_half_width_katakana_and_vendor_characters():
    data = b"\x1b(I12\x1b(B a \x1b$B" + bytes(byte & 0x7F for byte in as_euc("①犬")) + b"\x1b(B"
    assert (decode(data).text, decode(data).encoding) == ("ｱｲ a ①犬", "iso-2022-jp")


def test_that_a_rare_kanji_does_not_keep_a_sentence_from_being_recognised():
    text = JAPANESE[0] + "丂"
    assert decode(text.encode("euc_jp")).text == text


def test_that_vendor_characters_may_stand_beside_every_other_kind():
    text = "①丂ｱ a 犬"
    data = as_euc("①") + "丂ｱ a 犬".encode("euc_jp")
    assert decode(data, "euc-jp").text == text


_CODES = [
    *(bytes([byte]) for byte in (*range(0x01, 0x80), *range(0xA1, 0xE0))),
    *(
        bytes([lead, trail])
        for lead in (*range(0x81, 0xA0), *range(0xE0, 0xFD))
        for trail in range(0x40, 0xFD)
    ),
]
_CP932 = st.sampled_from(
    sorted(
        {
            character
            for code in _CODES
            for character in code.decode("cp932", "ignore")
            if category(character) != "Co" and character not in "\r\x80"
        }
    )
)


@pytest.mark.slow
@given(st.text(_CP932, max_size=40))
def test_that_declared_cp932_gives_every_text_back(text):
    assert decode(text.encode("cp932"), "cp932").text == text


@given(st.text(_CP932, max_size=40))
def test_that_the_same_text_in_euc_jp_is_the_same(text):
    try:
        data = as_euc(text)
    except ValueError:  # IBM's own rows have no place in the table of 94 rows
        return
    assert decode(data, "euc-jp").text == text


@given(st.binary(max_size=60))
def test_that_any_bytes_are_text_or_one_clear_error(data):
    for declared in (None, *ENCODINGS):
        try:
            text = decode(data, declared).text
        except CorpusFormatError as error:
            hints = [problem.hint for problem in error.problems]
            text = ""
        else:
            hints = ["none needed"]
        assert len(hints) == 1
        assert hints[0]
        assert not set(text) & set("\r\0\ufeff")


@in_turn(("data", "text"), [(b"a\r\nb\rc\n", "a\nb\nc\n"), (b"", "")])
def test_that_line_ends_become_unix_ones(data, text):
    assert decode(data).text == text


def refusal(data, declared=None):
    with pytest.raises(CorpusFormatError) as caught:
        decode(data, declared)
    (problem,) = caught.value.problems
    return problem


BROKEN = b"\nnext \xe9 line\n"


@in_turn(
    ("data", "declared", "offset", "told"),
    [
        (b"a\x1b$B\x7e\x7e\x1b(B", "iso-2022-jp", 4, ""),
        (b"a\xff", "iso-2022-jp", 1, ""),
        (b"a\x1bX", "iso-2022-jp", 1, ""),
        (b"ab\x8f\xa1\xa1", "euc-jp", 2, ""),  # places without a character
        (b"ab\xa9\xa1", "euc-jp", 2, ""),
        (b"ab\xa4", "euc-jp", 2, ""),
        (
            "一行目。\n二行目".encode("euc_jp") + b"\xff\xff",
            "euc-jp",
            15,
            "^line 2: Byte 15 .hex FF FF. is not euc-jp. Declare another encoding, or fix the "
            "file at this position.$",
        ),
        (JAPANESE[0].encode("cp932"), "utf-8", None, "^line 1: "),
        (JAPANESE[0].encode("cp932"), "euc-jp", 0, ""),
        ("外字".encode("cp932") + b"\xf0\x40", "cp932", 4, "gaiji"),
        ("“quote”".encode("cp1252"), "latin-1", None, "Declare cp1252"),
        (b"a", "klingon", None, "“klingon” is not one that can be read.*euc-jp"),
        (b"line\nPK\x03\x04\0\0", None, None, "^line 2: .*binary.*utf-16-le"),
        ("first\n\ufeffsecond".encode(), None, None, "^line 2: .*joined"),
        (
            codecs.BOM_UTF8 + JAPANESE[0].encode(),
            "euc-jp",
            None,
            "begins with the mark of utf-8, but euc-jp was declared",
        ),
        ("あ".encode("utf-32"), None, None, "UTF-32"),
        *(
            (
                text.encode() + BROKEN + text.encode(),
                None,
                None,
                "^line 2: .*is not UTF-8, though most of the file is",
            )
            for text in (EUROPEAN[0], JAPANESE[0])
        ),
        (JAPANESE[0].encode()[:-1], None, None, "ends in the middle of a character"),
        (
            JAPANESE[0].encode()[:4] + b"\xff" + JAPANESE[0].encode()[5:],
            None,
            None,
            "The file is damaged or cut off",
        ),
        (bytes(range(0x80, 0x100)), None, None, "not plausible in any encoding.*cp932"),
        ("ｱｲｳｴｵｶ".encode("cp932"), None, None, "Declare the encoding"),
    ],
)
def test_that_what_cannot_be_read_is_refused_with_its_place_and_a_way_out(
    data, declared, offset, told
):
    problem = refusal(data, declared)
    assert offset is None or problem.fields["offset"] == offset
    assert re.search(told, str(problem), re.DOTALL)


def test_that_utf16_without_a_mark_needs_its_byte_order():
    assert "utf-16-le" in refusal("あ".encode("utf-16-le"), "utf-16").hint
    assert decode("あ".encode("utf-16-le"), "utf-16-le").text == "あ"


@in_turn(
    ("text", "codec", "told"),
    [
        ("年", "euc-jp", "utf-8 or euc-jp"),  # the two bytes of ǯ in UTF-8
        ("要約", "cp932", "it could be cp932 or cp1252"),
    ],
)
def test_that_few_kanji_that_may_be_something_else_have_to_be_declared(text, codec, told):
    assert told in str(refusal(text.encode(codec)))
    assert decode(text.encode(codec), codec).text == text


@in_turn(
    ("codec", "text"),
    [
        ("gb2312", "中国政府昨天宣布了新的经济政策。"),
        ("euc_kr", "정부는 어제 새로운 경제 정책을 발표했다."),
        ("cp1251", "Правительство вчера объявило о новой экономической политике."),
        ("koi8_r", "Правительство вчера объявило о новой экономической политике."),
    ],
)
def test_that_sentences_in_encodings_that_are_not_known_are_refused(codec, text):
    refusal(text.encode(codec))


@in_turn(
    ("pasted", "text", "removed"),
    [
        ("a\x00b\x00c\x07\ufeff", "abc", (("U+0000", 2), ("U+0007", 1), ("U+FEFF", 1))),
        ("a\u202eb\u2066c", "abc", (("U+202E", 1), ("U+2066", 1))),  # would turn other text
        *((one, one, ()) for one in ("👨‍👩‍👧 é が", "שלום (עולם)", "مرحبا\u200f!", "犬\tcat\n")),
        *((f"a{end}b", "a\nb", ()) for end in ("\r\n", *"\r\v\f\x85\u2028\u2029")),
    ],
)
def test_that_control_characters_are_removed_and_counted(pasted, text, removed):
    found = cleaned(pasted)
    assert (found.text, found.removed) == (text, removed)
    assert found.n_removed == sum(n for _, n in removed)


@given(st.text(st.characters(codec=None)))
def test_that_whatever_is_pasted_can_be_stored(text):
    assert is_storable(cleaned(text).text)
    assert cleaned(cleaned(text).text).removed == ()
    assert "\n" not in on_one_line(text)


def test_that_lengths_are_counted_in_each_unit():
    sentences = ["犬が 走る。", "The dog ran."]
    found = [length_of(sentences, unit) for unit in ("characters", "words", "sentences")]
    assert found == [15, 5, 2]
    assert length_of(["犬"], "bytes") == 3
    assert length_of(["  "], "sentences") == 0
    with pytest.raises(ValueError, match="no unit"):
        length_of([], "pages")


def test_that_japanese_is_measured_in_characters_and_english_in_words():
    assert usual_unit("ja") == usual_unit(None, "犬が走る。") == "characters"
    assert usual_unit("en") == usual_unit(None, "The dog ran.") == "words"


@pytest.mark.parametrize("measure", [japanese_plausibility, western_plausibility])
def test_that_ascii_text_is_evidence_for_neither(measure):
    assert measure("plain text") is None


def test_that_kanji_without_kana_are_no_japanese_sentence():
    assert japanese_plausibility("中国政府昨天宣布新的経済政策") is None
    assert japanese_plausibility("中国政府は新しい経済政策を発表") is not None
