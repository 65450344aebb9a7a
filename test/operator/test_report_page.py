"""The report of a run on a phone."""

import re

import pytest
from browser import Browser
from fake_run import make_run

from dadu.operator.report import write_report
from dadu.operator.tables import labelled


def test_a_cell_says_what_it_is():
    table = labelled('<table><thead><tr><th>a <small>b</small></th><th class="num">c</th></tr></thead><tbody>'
                     '<tr><td>1</td><td class="num">2</td></tr><tr><td colspan="2">none</td></tr></tbody></table>')
    assert re.findall(r'data-th="([^"]*)"', table) == ["a b", "c", ""]


@pytest.mark.needs("browser")
def test_nothing_is_wider_than_a_phone(tmp_path):
    make_run(tmp_path)
    path, _, _ = write_report(tmp_path)
    browser = Browser(tmp_path / "profile")
    browser.size(390, 844)
    browser.open(f"file://{path}")
    browser.until("document.readyState === 'complete' && Boolean(document.querySelector('.scroll'))")
    assert browser.run("document.documentElement.scrollWidth") == 390
    assert browser.run("[...document.querySelectorAll('.scroll')].every((s) => s.scrollWidth <= s.clientWidth)")
    browser.close()
