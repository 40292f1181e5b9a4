from pathlib import Path


def test_that_a_report_is_written_and_not_replaced_unasked(run, json_file, tmp_path: Path):
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
