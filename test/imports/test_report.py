"""What an import says it did."""

import json

from dadu.imports.report import REPORT_FILE, ImportReport, write_reports


def filled(source: str) -> ImportReport:
    report = ImportReport(source)
    report.take("objects", 3)
    report.change("cup", "objects moved", 0.1)
    report.change("jug", "objects moved", -0.3)
    report.leave_out("ghost", "objects", "has no shape")
    return report


def test_sentences_count_measure_and_give_reasons():
    first, *rest = filled("theirs").sentences()
    assert first == "theirs: took over 3 objects"
    assert "2 objects moved, by 0.2 m in the middle, 0.3 m at most" in rest[0]
    assert "1 objects: has no shape" in rest[1]


def test_the_share_that_is_lost_counts_what_was_there():
    assert filled("theirs").lost == {"objects": 0.25}


def test_several_reports_as_one_lose_nothing():
    whole = ImportReport.of_all([filled("a"), filled("b")], "both")
    assert whole.taken == {"objects": 6} and len(whole.changes) == 4 and len(whole.left_out) == 2


def test_every_item_is_written(tmp_path):
    (record,) = json.loads(write_reports([filled("theirs")], tmp_path).read_text())
    assert (tmp_path / REPORT_FILE).exists() and record["taken"] == {"objects": 3}
    assert [change["item"] for change in record["changes"]] == ["cup", "jug"]
    assert record["left_out"][0]["item"] == "ghost"
