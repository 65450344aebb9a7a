"""The operator's page in a browser: what a person sees and does."""

import time

import pytest
from browser import Browser
from fake_console import PRIVILEGE_REPORT, STEPS, FakeConsole, served

from dadu.operator.console.state import Notice, TaskView

pytestmark = pytest.mark.needs("browser")
DESK, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844, "phone": True}
RUNNING = TaskView(instruction="bring the milk", status="running", steps=STEPS, activity="approach",
                   coming=["go_to(sofa_0)", "place(on, sofa_0)"])


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture
def fake():
    return FakeConsole()


@pytest.fixture
def page(browser, fake):
    """The page, open, in a browser that finds no fault with its scripts."""
    browser.errors.clear()
    with served(fake) as url:
        browser.size(**DESK)
        browser.open(url)
        browser.until("typeof view === 'object' && view && $('sight').hidden === false")
        yield browser
        assert browser.errors == []


def in_view(page, *selectors):
    """Those that are not wholly on the first screen."""
    return page.run(f"""{list(selectors)}.filter((s) => {{ const b = document.querySelector(s).getBoundingClientRect();
        return !b.width || !b.height || Math.min(b.top, b.left) < 0 || b.bottom > innerHeight + 1
            || b.right > innerWidth + 1; }})""")


def drives(fake):
    return [asked for asked in fake.asked if isinstance(asked, tuple)]


def moving(fake):
    return [asked for asked in drives(fake) if asked[1:] != (0.0, 0.0)]


def wait(condition, seconds=100.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("window", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_first_screen_shows_all_that_matters(page, fake, window, dark):
    page.size(**window, dark=dark)
    fake.task, fake.held = RUNNING, "milk_0"
    page.until("$('held').textContent === 'milk_0' && $('now').textContent === 'pick(milk_0)'")
    assert in_view(page, "#stop", "#operator", "#held", "#ask", "#instruction", "#progress", "#now", "#coming li",
                   "#plan svg", "#robot", "#picture", ".box", "#pad", "#ledger") == []
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    assert page.run("$('ledger').textContent") == PRIVILEGE_REPORT
    assert page.run("document.querySelectorAll('.fp-door').length") == 6
    assert page.run("document.querySelector('.fp-thing.named').dataset.id") == "milk_0"
    assert page.run("$('route').getAttribute('points').split(' ').length") == 2 and in_view(page, "#goal") == []
    assert "2 expected" in page.run("$('progress-text').textContent")
    assert page.run("$('activity').textContent") == "approach · 2 s"


COLOR = """(() => { const c = document.createElement("canvas"); c.width = c.height = 1;
    const d = c.getContext("2d"); d.drawImage($("picture"), 0, 0, 1, 1);
    return d.getImageData(0, 0, 1, 1).data[0] > 150; })()"""
"""the picture is that from outside, which is red"""


@pytest.mark.parametrize("window", [DESK, PHONE], ids=["desk", "phone"])
def test_the_robot_is_seen_from_outside_for_as_long_as_that_is_chosen(page, fake, window):
    page.size(**window)
    page.until("!$('eyes').hidden && document.querySelectorAll('.box').length === 1")
    assert set(fake.looks) == {"robot"} and in_view(page, ".eyes", ".eyes button:last-child") == []
    page.click("[data-eye=outside]")
    page.until(f"!$('sight').hidden && !$('boxes').children.length && {COLOR}")
    assert in_view(page, "#picture", ".eyes") == []
    page.click("[data-eye=robot]")
    page.until(f"!$('sight').hidden && $('boxes').children.length && !{COLOR}")
    del fake.looks[:]
    wait(lambda: len(fake.looks) > 3)
    assert set(fake.looks) == {"robot"}
    page.click("[data-eye=outside]")
    fake.simulated = False
    page.until("$('eyes').hidden && $('boxes').children.length")


def test_why_a_step_failed_is_said_and_words_are_only_words(page, fake):
    fake.task = RUNNING
    page.until("document.querySelector('#steps b')?.textContent === 'EXECUTION_FAILED'")
    assert "path_blocked" in page.run("$('steps').textContent")
    assert page.run("document.querySelectorAll('#steps b').length") == 1, "no tag that came as a message"
    fake.task = RUNNING.model_copy(update={"status": "failed", "outcome": "OBJECT_LOST", "detail": "grasp_slipped",
                                           "message": "milk_0 fell", "coming": []})
    page.until("$('outcome').textContent === 'OBJECT_LOST' && !$('ended').hidden")
    assert page.run("[$('detail').textContent, $('why').textContent]") == ["grasp_slipped", "milk_0 fell"]


def test_saying_cancelling_and_answering(page, fake):
    page.write("#text", "bring the milk")
    page.key("Enter")
    wait(lambda: fake.asked == ["bring the milk"])
    page.until("$('text').value === ''")
    fake.task = RUNNING
    page.until("!$('cancel').disabled")
    page.click("#cancel")
    wait(lambda: fake.asked[-1] == "CANCEL")
    fake.task = TaskView(instruction="bring the cup", status="failed", outcome="UNKNOWN_TARGET", detail="asked_back",
                         message="which cup?", question="which cup?")
    page.until("!$('answer').hidden && $('question').textContent === 'which cup?'")
    assert page.run("$('reply').value") == "bring the cup" and in_view(page, "#answer") == []
    page.run("$('reply').value = 'bring the red cup'")
    page.click("#answer button")
    wait(lambda: fake.asked[-1] == "bring the red cup")
    fake.notice = Notice(number=1, text="Not taken, another task is running", ok=False)
    page.until("!$('notice').hidden && $('notice').textContent.startsWith('Not taken')")


def test_a_robot_that_waits_for_an_answer_gets_it(page, fake):
    fake.task = RUNNING.model_copy(update={"question": "Which one is the cup: cup_0, or cup_1?"})
    page.until("!$('answer').hidden && $('question').textContent.startsWith('Which one')")
    assert page.run("[$('reply').value, $('status').textContent]") == ["", "asks"] and in_view(page, "#answer") == []
    page.write("#reply", "the red one")
    page.click("#answer button")
    wait(lambda: fake.asked[-1:] == ["ANSWER the red one"])
    fake.task = RUNNING
    page.until("$('answer').hidden")


def test_stop_is_a_stop_however_often_it_is_pressed(page, fake):
    page.run("$('text').focus()")
    page.key("Escape")
    page.until("view.operator === 'stopped' && !$('continue').hidden")
    page.click("#stop")
    page.until("!stopWanted")
    assert fake.operator == "stopped" and False not in fake.asked
    assert page.run("[...$('pad').children].every((button) => button.disabled)")
    page.click("#continue")
    page.until("view.operator === 'autonomy' && $('continue').hidden")


def test_driving_lasts_as_long_as_it_is_held(page, fake):
    let_go = page.press("#pad .up")
    wait(lambda: len(moving(fake)) > 5)
    let_go()
    wait(lambda: drives(fake)[-1][1:] == (0.0, 0.0))
    gaps = [b[0] - a[0] for a, b in zip(moving(fake), moving(fake)[1:])]
    assert min(gaps) < 0.45, "where the machine keeps up, often enough for a dead man's switch of half a second"
    fake.asked.clear()
    page.run("document.querySelector('#pad .up').focus()")
    page.key("ArrowLeft", up=False)
    page.key("w", up=False)
    wait(lambda: (1.0, 1.0) in [asked[1:] for asked in moving(fake)])
    page.run("$('text').focus()")  # a key whose end is never heard
    wait(lambda: drives(fake)[-1][1:] == (0.0, 0.0))
    fake.operator = "teleop"
    page.until("$('continue').textContent === 'Give it back'")
    page.click("#continue")
    wait(lambda: fake.asked[-1] == "RELEASE")


def test_memory_is_corrected_by_clicking_a_thing(page, fake):
    page.click('.fp-thing[data-id="vase_0"]')
    page.until("!$('details').hidden && $('details-title').textContent === 'vase_0'")
    page.write("#name", "blue thing")
    page.key("Enter")
    wait(lambda: fake.asked and fake.asked[-1].action == "called" and fake.asked[-1].name == "blue thing")
    page.write("#kind", "snow globe")
    page.click("#is-a button")
    wait(lambda: (fake.asked[-1].action, fake.asked[-1].name) == ("is_a", "snow globe"))
    page.run("$('place').value = 'sofa_0'")
    page.click("#moved button")
    wait(lambda: (fake.asked[-1].action, fake.asked[-1].place, fake.asked[-1].relation) == ("moved", "sofa_0", "on"))
    page.click("#not-there")
    wait(lambda: fake.asked[-1].action == "not_there" and fake.asked[-1].id == "vase_0")
    fake.graph = fake.graph.copy()
    fake.graph.remove("vase_0")
    page.until("$('details-facts').textContent.includes('no longer')")
    page.click("#undo")
    wait(lambda: fake.asked[-1].action == "undo")
    page.key("Escape")
    assert page.run("$('details').hidden") and fake.operator == "autonomy", "it closed what was open"
    page.click(".box")
    page.until("$('details-title').textContent === 'milk_0'")


def test_the_list_is_another_way_there_by_keyboard_alone(page):
    page.write("#filter", "fridge milk")
    page.until("$('things').children.length === 1")
    page.key("Tab")
    page.key("Enter")
    page.until("$('details-title').textContent === 'milk_0' && document.activeElement.id === 'details'")
    page.key("Escape")
    assert page.run("document.activeElement.closest('li').dataset.key") == "milk_0", "the focus is back where it was"


def test_a_lost_connection_is_said_and_ends_driving(page, fake):
    fake.silent = True
    page.until("!$('lost').hidden && document.body.classList.contains('cut')")
    assert "STOP here does not reach it" in page.run("$('lost').textContent")
    let_go = page.press("#pad .up")
    time.sleep(0.3)
    let_go()
    assert moving(fake) == []
    fake.silent = False
    page.until("$('lost').hidden && !document.body.classList.contains('cut')")


@pytest.mark.parametrize("window", [DESK, PHONE], ids=["desk", "phone"])
def test_what_is_told_and_the_way_on_after_a_stop_cover_nothing(page, fake, window):
    page.size(**window)
    fake.task, fake.operator = RUNNING, "stopped"
    fake.notice = Notice(number=1, text="Not taken, another task is running; “stop” ends that: “bring it”", ok=False)
    page.until("!$('notice').hidden && !$('continue').hidden")
    assert in_view(page, "#continue", "#stop", "#notice") == []
    assert page.run("[...document.querySelectorAll('.top button')].every((b) => b.scrollWidth <= b.clientWidth)")
    assert page.run("""[...document.querySelectorAll("h2, #ask, #operator")].every((e) => {
        const a = e.getBoundingClientRect(), b = $('notice').getBoundingClientRect();
        return a.top >= b.bottom || a.bottom <= b.top || a.left >= b.right || a.right <= b.left; })""")
