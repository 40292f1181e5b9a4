"""What the header calls an abstract."""

from tests.in_part import in_turn

from awase.core.records.abstract import Abstract, AbstractSentence
from awase.gui.pages.annotate.header import abstract_text


@in_turn(
    ("name", "length", "author", "shown"),
    [
        ("0710-short", "short", "1", "0710-short"),
        ("a1", "short", "1", "a1 (short, 1)"),
        ("a1", "long", None, "a1 (long)"),
        ("a1", None, "sato", "a1"),
    ],
)
def test_that_an_abstract_is_called_by_what_its_id_does_not_tell(name, length, author, shown):
    sentence = AbstractSentence(n=1, text="One.")
    abstract = Abstract(id=name, sentences=(sentence,), length=length, author=author)
    assert abstract_text(abstract) == shown
