import pytest


def test_that_what_nothing_covers_any_more_is_named(run, json_file):
    result = run("cover", json_file, "--topic", "0310", "--exclude", "980101001", "--json")
    assert result.status == 0
    cover = result.json["covers"][0]
    assert (cover["h"], cover["minimal_covers"], cover["infeasible"]) == (None, None, [2])
    assert (cover["sentences"], cover["in_every"], cover["optimal"]) == ([], [], False)
    table = run("cover", json_file, "--topic", "0310", "--exclude", "980101001").out
    assert "nothing covers sentences 2" in table
    assert "{without: 1}" in table


def test_that_h_of_an_abstract_without_alternatives_is_undefined_and_not_0(
    run, corpus_json, write_json
):
    del corpus_json["topics"][0]["abstracts"][0]["alignments"]
    path = write_json(corpus_json)
    result = run("cover", path, "--json")
    assert result.json["covers"][0]["h"] is None
    assert "no sentence has an alternative" in result.json["warnings"][0]["message"]
    assert "undefined*" in run("cover", path).out


@pytest.mark.slow
def test_that_more_covers_than_are_counted_are_shown_as_a_lower_bound(run, corpus_json, write_json):
    topic = corpus_json["topics"][1]
    topic["documents"][0]["sentences"] = [f"文{n}。" for n in range(1, 1202)]
    topic["abstracts"][0]["alignments"][0]["sentences"][0]["alternatives"] = [
        [f"990101001:{n}"] for n in range(1, 1202)
    ]
    result = run("cover", write_json(corpus_json), "--topic", "0320", "--settle")
    assert "≥1,000" in result.out
    assert "more minimal covers than the 1000 that were counted" in result.err


def test_that_an_unknown_name_is_one_line_that_names_those_there_are(run, json_file):
    result = run("cover", json_file, "--exclude", "980101009")
    assert (result.status, result.out) == (1, "")
    assert result.err == (
        "error: The corpus has no document “980101009”. Did you mean “980101001”?\n"
    )


def test_that_the_table_fits_eighty_columns(run, corpus_json, write_json, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    topic = corpus_json["topics"][0]
    topic["documents"][0]["sentences"] = [f"文{n}。" for n in range(1, 31)]
    abstract = topic["abstracts"][0]
    abstract["sentences"] = [f"要約{n}。" for n in range(1, 31)]
    abstract["alignments"] = [
        {
            "annotator": "1",
            "sentences": [{"n": n, "alternatives": [[f"980101001:{n}"]]} for n in range(1, 31)],
        }
    ]
    topic["outputs"] = []
    result = run("cover", write_json(corpus_json))
    assert result.status == 0
    assert max(map(len, result.out.splitlines())) <= 80
    assert all(f"980101001:{n}" in result.out for n in range(1, 31))


def test_that_json_of_a_search_that_is_stopped_names_what_was_not_looked_at(
    run, json_file, monkeypatch
):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("awase.jobs.covers.cover_problem", interrupted)
    stopped = run("cover", json_file, "--json")
    assert stopped.status == 130
    assert stopped.json["covers"] == []
    assert stopped.json["not_looked_at"] == [
        {"topic": "0310", "abstract": "short"}, {"topic": "0320", "abstract": "short"}
    ]  # fmt: skip
    assert "Stopped; 2 abstracts were not looked at." in stopped.err
