import json

from tests.core.formats.reading import refusals

FORMAT = "summeval"


def line(topic="dm-test-1", system="M0", decoded="a dog ran . it slept .", **more):
    record = {"id": topic, "model_id": system, "decoded": decoded, "filepath": "cnn/x.story"}
    references = {"references": ["A dog ran. It slept.", "Dogs run."]}
    return json.dumps({**record, **references, **more}) + "\n"


def test_that_an_output_that_stands_twice_and_differs_is_refused():
    assert refusals(FORMAT, line() + line(decoded="other")) == [
        "2: System “M0” has a second output for “dm-test-1”; the first is in line 1. Do two "
        "systems have one name? Name them apart."
    ]


def test_that_every_bad_line_is_told():
    text = "{\n" + '{"id": "x"}\n[]\n' + line()
    assert [refusal[:2] for refusal in refusals(FORMAT, text)] == ["1:", "2:", "3:"]
    assert "no line" in refusals(FORMAT, "\n")[0]
