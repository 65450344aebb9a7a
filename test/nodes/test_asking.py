"""The planner's node asks, and waits for an answer: through dadu do on a terminal, and from whoever else may answer."""

import os
import pty
import select
import subprocess
import sys
import time

from planner_client import result, send


def read(terminal, until, seconds=60.0):
    """What appears on a terminal, up to and with the words `until`."""
    shown, deadline = "", time.monotonic() + seconds
    while until not in shown:
        assert time.monotonic() < deadline, shown
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 4096).decode(errors="replace")
    return shown


def test_a_question_is_answered_on_the_terminal_or_on_the_topic(graph, start_node, skills, client, processes):
    from std_msgs.msg import String

    skills()
    start_node("planner", ask=True, ask_seconds=30.0)
    answers = graph.node.create_publisher(String, "/task_answer", 10)
    graph.until(client.server_is_ready)
    graph.until(answers.get_subscription_count)

    handle, steps = send(graph, client, "open the zork")
    graph.until(lambda: steps)
    assert steps[0].call.skill == "ask" and steps[0].call.arguments[0].endswith("what do you mean by 'zork'?")
    answers.publish(String(data="the fridge"))
    reply = result(graph, handle).result
    assert reply.success and "taken as 'open the fridge'" in reply.summary
    assert [s.outcome.message for s in steps if s.finished][0] == "the fridge"

    mine, theirs = pty.openpty()
    processes.append(subprocess.Popen([sys.executable, "-m", "dadu.cli", "do", "open the zork"], stdin=theirs,
                                      stdout=theirs, stderr=theirs))
    asked = read(mine, "answer here")
    assert "the robot asks:" in asked
    os.write(mine, b"the fridge\n")
    read(mine, "done")
    graph.until(lambda: processes[-1].poll() is not None)
    assert processes[-1].returncode == 0
