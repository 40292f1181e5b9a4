import pytest


def test_that_a_report_is_written_and_not_replaced_unasked(run, json_file, tmp_path):
    page = tmp_path / "report.html"
    assert run("report", json_file, page).status == 0
    text = page.read_text("utf-8")
    assert "<table" in text
    assert "前置" in text
    refused = run("report", json_file, page)
    assert refused.status != 0
    assert "exists" in refused.err
    assert page.read_text("utf-8") == text
    assert run("report", json_file, page, "--force").status == 0


def test_that_the_findings_follow_the_metrics_asked_for(run, json_file, tmp_path):
    page = tmp_path / "report.html"
    assert run("report", json_file, page, "-m", "coverage:first=all,annotator=花子").status == 0
    assert "coverage:first=all,annotator=花子</p>" in page.read_text("utf-8")


def test_that_a_report_of_nothing_is_refused(run, write_json, tmp_path):
    page = tmp_path / "report.html"
    empty = write_json({"awase": 1, "topics": []}, "empty.json")
    refused = run("report", empty, page)
    assert refused.status != 0
    assert "nothing to score" in refused.err
    assert not page.exists()


@pytest.mark.slow
def test_that_the_agreement_of_two_annotators_is_a_section_of_the_page(run, tmp_path):
    run("demo", "en", tmp_path)
    page = tmp_path / "page.html"
    assert run("report", tmp_path / "demo-en.awase", page, "--interval=none").status == 0
    text = page.read_text("utf-8")
    assert "Agreement of annotators" in text
    assert "A1 – A2" in text
    assert "agreement:distance=alternatives" in text
    assert "<td>Alternatives, matched one to one</td>" in text
    run("people", tmp_path / "demo-en.awase", "--add", "L=lead", "--blind")
    assert run("report", tmp_path / "demo-en.awase", page, "--force").status == 0
    assert "Agreement of annotators" not in page.read_text("utf-8")
