"""The console's web application: what it shows, what it refuses."""

import asyncio
import base64
import hashlib
import json
import re
import socket
import urllib.error
import urllib.request

import pytest
from fake_console import FakeConsole
from fake_console import served as serve

from dadu.operator.console.access import names_of, new_token
from dadu.operator.console.app import make_app


@pytest.fixture(scope="module")
def served():
    """Base address of a running console, and what is behind it."""
    fake = FakeConsole()
    with serve(fake) as url:
        yield url, fake


def ask(url, body=None, **headers):
    """Status and text."""
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=100) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


OURS = {"X-DaDu-Console": "1"}


def test_the_page_needs_nothing_from_elsewhere(served):
    status, page = ask(served[0])
    assert status == 200 and "http://" not in page.replace("http://www.w3.org", "") and "https://" not in page
    assert "/* styles */" not in page and "/* scripts */" not in page and "refresh();" in page


def test_reading(served):
    assert json.loads(ask(served[0] + "/view")[1])["operator"] == "autonomy"
    assert 'id="robot"' in ask(served[0] + "/plan.svg")[1]
    status, text = ask(served[0] + "/sight")
    seen = json.loads(text)
    assert status == 200 and seen["picture"].startswith("data:image/jpeg;base64,")
    assert seen["boxes"][0]["id"] == "milk_0"
    assert ask(f"{served[0]}/sight?after={seen['stamp']}")[0] == 204, "nothing new"
    assert ask(served[0] + "/sight?after=yesterday")[0] == 422
    assert ask(served[0] + "/picture/milk_0") == (200, "JPEG")
    assert ask(served[0] + "/picture/mug_0")[0] == 204, "there is none"


def test_acting(served):
    url, fake = served
    fake.asked.clear()
    assert ask(url + "/instruction", {"text": " bring the milk "}, **OURS)[0] == 202
    assert ask(url + "/cancel", {}, **OURS)[0] == 202
    assert ask(url + "/e_stop", {"pressed": True}, **OURS)[0] == 202
    assert ask(url + "/release", {}, **OURS)[0] == 202
    assert ask(url + "/drive", {"forward": 1, "turn": -0.5}, **OURS)[0] == 202
    assert ask(url + "/correction", {"action": "called", "id": "mug_0", "name": " gran's "}, **OURS)[0] == 202
    *plain, drive, correction = fake.asked
    assert plain == ["bring the milk", "CANCEL", True, "RELEASE"] and drive[1:] == (1.0, -0.5)
    assert (correction.action, correction.id, correction.name) == ("called", "mug_0", "gran's")


@pytest.mark.parametrize("path, body, headers, status", [
    ("/instruction", {"text": "go"}, {}, 403),
    ("/e_stop", {"pressed": False}, {}, 403),
    ("/instruction", {"text": "   "}, OURS, 422),
    ("/instruction", {"text": "x" * 501}, OURS, 422),
    ("/instruction", {"text": "a\nb"}, OURS, 422),
    ("/instruction", {"text": "go", "more": 1}, OURS, 422),
    ("/e_stop", {"pressed": "yes"}, OURS, 422),
    ("/drive", {"forward": 0, "turn": 0}, {}, 403),
    ("/drive", {"forward": 1.01, "turn": 0}, OURS, 422),
    ("/drive", {"forward": "0.1", "turn": 0}, OURS, 422),
    ("/drive", {"forward": "NaN", "turn": 0}, OURS, 422),
    ("/drive", {"turn": 1}, OURS, 422),
    ("/release", {}, {}, 403),
    ("/correction", {"action": "not_there", "id": "mug_0"}, {}, 403),
    ("/correction", {"action": "not_there"}, OURS, 422),
    ("/correction", {"action": "called", "id": "mug_0", "name": " "}, OURS, 422),
    ("/correction", {"action": "called", "id": "mug_0", "name": "x" * 61}, OURS, 422),
    ("/correction", {"action": "called", "id": "mug_0", "name": "a\nb"}, OURS, 422),
    ("/correction", {"action": "moved", "id": "mug_0"}, OURS, 422),
    ("/correction", {"action": "moved", "id": "mug_0", "place": "sofa_0", "relation": "under"}, OURS, 422),
    ("/correction", {"action": "put", "id": "mug_0"}, OURS, 422),
    ("/instruction", {"text": "go"}, {**OURS, "Host": "evil.example"}, 400),
])
def test_refusals(served, path, body, headers, status):
    url, fake = served
    fake.asked.clear()
    assert ask(url + path, body, **headers)[0] == status
    assert fake.asked == []


BODIES = [
    b'{"text": "\\ud800"}', b'{"\\ud800": 1}', b'{"text": "\xff\xfe"}', b"\xff", b"", b"null", b"[]", b"7",
    b'"go"', b"{", b"[" * 4000, b'{"text": ' * 400, b'{"text": null}', b'{"text": 1e999}', b'{"text": ["go"]}',
    b'{"text": {"text": "go"}}',
    b'{"text": "go\\u0000"}', b'{"text": "", "text": "a\\nb"}', b"NaN", b"\x00" * 50,
]


@pytest.mark.parametrize("path", ["/instruction", "/e_stop", "/drive", "/correction"])
def test_every_bad_body_is_the_sender_s_fault(served, path):
    url, fake = served
    fake.asked.clear()
    for body in BODIES:
        request = urllib.request.Request(url + path, body, {"Content-Type": "application/json", **OURS})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=100)
        assert 400 <= refused.value.code < 500, body[:40]
        json.loads(refused.value.read().decode())
    assert fake.asked == []


@pytest.mark.parametrize("head", ["Content-Length: 200000000", "Transfer-Encoding: chunked", "Content-Length: -1"])
def test_a_body_too_long_is_refused_before_it_is_read(served, head):
    host, port = served[0].removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=100) as connection:
        lines = "POST /instruction HTTP/1.1", "Host: localhost", "X-DaDu-Console: 1", head, "", ""
        connection.sendall("\r\n".join(lines).encode())
        if "chunked" in head:
            for _ in range(5):
                connection.sendall(b"400\r\n" + b"x" * 0x400 + b"\r\n")
        answer = connection.recv(200).decode()
    assert answer.split()[1] in ("413", "400"), "though most of it was never sent"


def test_who_hangs_up_within_a_body_is_no_error():
    """It was one, in the log, for each."""
    fake = FakeConsole()
    headers = {"host": "localhost", "x-dadu-console": "1", "content-length": "99"}
    scope = {"type": "http", "http_version": "1.1", "method": "POST", "scheme": "http", "path": "/instruction",
             "raw_path": b"/instruction", "query_string": b"", "root_path": "", "server": ("localhost", 80),
             "client": ("localhost", 1), "headers": [(k.encode(), v.encode()) for k, v in headers.items()]}
    messages = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]

    async def receive():
        return messages.pop(0) if len(messages) > 1 else messages[0]

    async def send(message):
        pass

    asyncio.run(make_app(fake)(scope, receive, send))
    assert fake.asked == []


def test_no_page_may_frame_this_one_and_no_script_but_its_own_runs(served):
    with urllib.request.urlopen(served[0], timeout=100) as answer:
        headers, page = answer.headers, answer.read().decode()
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert headers["X-Frame-Options"] == "DENY" and policy["frame-ancestors"] == "'none'"
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy["script-src"] == f"'sha256-{digest}'" and policy["default-src"] == "'none'"
    assert not re.search(r"\son\w+=", page), "the policy would stop handlers in attributes"


def test_from_elsewhere_it_asks_for_its_token_and_answers_to_its_own_names(monkeypatch):
    from fastapi.testclient import TestClient

    token, host = "s3cret-Token", "robot.example"
    client = TestClient(make_app(FakeConsole(), names_of("0.0.0.0", host), token), f"http://{host}",
                        follow_redirects=False)
    for path in ("/", "/view", "/?token=wrong", "/view?token=", "/picture/milk_0"):
        answer = client.get(path)
        assert answer.status_code == 401 and "autonomy" not in answer.text, path
    assert client.post("/e_stop", json={"pressed": False}, headers=OURS).status_code == 401
    assert client.get("/view", headers={"Cookie": "dadu_token=wrong; =;"}).status_code == 401
    assert client.get("/view", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    opened = client.get(f"/?token={token}")
    assert (opened.status_code, opened.headers["location"]) == (303, "/") and "HttpOnly" in opened.headers["set-cookie"]
    assert client.get("/view").status_code == 200, "the cookie is enough from here on"
    assert client.get("/view", headers={"Host": "attacker.example"}).status_code == 400
    assert "*" not in names_of("0.0.0.0") and set(names_of("127.0.0.1")) == {"localhost", "127.0.0.1"}
    assert new_token() != new_token() and len(new_token()) >= 20
