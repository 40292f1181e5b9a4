"""Shared by the tests of DUCView's formats: small files, with the offsets that they should have."""

from xml.sax.saxutils import escape, quoteattr

HEADING = r"[-]*\n D[0-9]+\.[A-Z]\n[-]*\n"
DTD = """<?xml version="1.0"?>
<!DOCTYPE pyramid [
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ATTLIST scu uid CDATA #REQUIRED>
]>
"""
A = ["The dog ran. It barked", "at the cat."]
B = ["A cat slept while the dog ran."]
LINES = ["-----", " D1.A", "-----", *A, "", "-----", " D1.B", "-----", *B]
TEXT = "\n".join(LINES)


def part(label, start=None, end=None, shown=None):
    """Returns a part at its first place in `TEXT`, unless offsets are given."""
    start = TEXT.index(label) if start is None else start
    end = start + len(label) if end is None else end
    label = quoteattr((label if shown is None else shown).replace("\n", ""))
    return f'<part label={label} start="{start}" end="{end}"/>'


def contributor(*parts):
    return f'<contributor label="c">{"".join(parts)}</contributor>'


def scu(uid, label, *contributors, tag="scu", comment=""):
    more = f" comment={quoteattr(comment)}" if comment else ""
    inner = "\n".join(contributors)
    return f"<{tag} uid={quoteattr(str(uid))} label={quoteattr(label)}{more}>\n{inner}\n</{tag}>\n"


def text_element(lines):
    return "<text>\n" + "".join(f"<line>{escape(line)}</line>\n" for line in lines) + "</text>\n"


DOG = scu(3, "a dog ran", contributor(part("The dog ran")), contributor(part("the dog ran")))
CAT = scu(7, "a cat slept", contributor(part("A cat"), part("slept")))
BARK = scu(2, "it barked", contributor(part("barked\nat the cat")))
SCUS = (DOG, CAT, BARK)


def pyramid(*scus, heading=HEADING, lines=LINES):
    regex = f"<startDocumentRegEx><![CDATA[{heading}]]></startDocumentRegEx>\n" if heading else ""
    return f"<pyramid>\n{regex}{text_element(lines)}{''.join(scus)}</pyramid>\n"


def peer(uid, *labels):
    inner = [f'<contributor label="{label}"><part label="{label}" start="0" end="1"/></contributor>'
             for label in labels]  # fmt: skip
    return scu(uid, "(1) decorated", *inner, tag="peerscu")


def annotation(*peers, scus=SCUS, lines=("A dog ran.", "And hid."), score="", **more):
    inner = f"<annotation>\n{text_element(lines)}{''.join(peers)}</annotation>\n{score}"
    return f"<peerAnnotation>\n{pyramid(*scus, **more)}{inner}</peerAnnotation>\n"
