"""The page on which people play, in a browser: somebody alone finishes an episode by clicking."""

import json
import threading

import pytest
from browser import Browser
from played_run import milk_run, page_of

from dadu.eval.results import read_results

pytestmark = pytest.mark.needs("browser")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


def choose(page, where: str, skill: str, *arguments: str) -> None:
    """Points at something, chooses from its menu, and waits until that is done."""
    page.click(where)
    page.click(f"#offers [data-call='{' '.join((skill, *arguments))}']")
    call = f"{skill}({', '.join(arguments)})"
    page.until(f"view.doing === '' && view.steps.at(-1)?.ok && view.steps.at(-1).call === '{call}'")


def test_somebody_alone_finishes_an_episode_by_clicking(browser, tmp_path):
    run = milk_run(tmp_path)
    with page_of(run.people) as url:
        playing = threading.Thread(target=run.execute, daemon=True)
        playing.start()
        browser.size(1400, 900)
        browser.open(url)
        browser.click("[data-agent=person]")
        browser.click("#start")
        browser.until("view.stage === 'running' && things.length && !!document.querySelector('.fp-agent.you')")
        assert browser.run("things.every((thing) => thing.id !== 'milk_0')"), "it is in the fridge, unseen"
        choose(browser, "#plan [data-id=fridge_0]", "open", "fridge_0")
        choose(browser, "#things [data-key=milk_0] button", "pick", "milk_0")
        browser.until("$('held').textContent === 'milk_0'")
        choose(browser, "#things [data-key=dining_table_0] button", "place", "on", "dining_table_0")
        browser.click("#done")
        browser.until("view.stage === 'ended' && $('verdict-word').textContent.startsWith('Done')")
        playing.join(100)
        assert browser.errors == []
    result, = read_results(tmp_path)
    assert result.success and result.team.partner == "human" and result.turns == {"symbolic": 0, "a person": 5}
    assert [call[0] for call in result.plan] == ["go_to", "open", "pick", "go_to", "place"]
    assert json.loads((tmp_path / "summary.json").read_text())["success"]["mean"] == 1.0
