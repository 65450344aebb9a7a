"""Steps of the planner between the library and dadu_interfaces."""

from __future__ import annotations

import json
from dataclasses import replace

from dadu_interfaces import msg
from dadu_nodes.support.clock import duration, seconds, stamp
from dadu_nodes.support.convert.outcome import call, call_message, outcome, result
from std_msgs.msg import Header

from dadu.goals.goal import Goal
from dadu.planner.step import Decision, Step


def step_message(step: Step, task_id: str, instruction: str, goal: Goal | None) -> msg.PlanStep:
    """One message a turn when the action is chosen, one when its outcome is known."""
    decision, finished = step.decision, step.result is not None
    message = msg.PlanStep(
        header=Header(stamp=stamp(step.end if finished else step.start), frame_id="map"), task_id=task_id,
        instruction=instruction, step=step.index, policy=decision.policy, reasoning=decision.told,
        call=call_message(step.call), finished=finished, planning_time=duration(step.planning),
        plan=[call_message(c) for c in decision.plan], goal=json.dumps(goal.to_suite()) if goal is not None else "",
        substitutions=list(step.substitutions), tokens_in=decision.tokens_in,
        tokens_out=decision.tokens_out, prompt=decision.prompt, reply=decision.reply, schema=decision.schema,
    )
    if finished:
        message.outcome = outcome(step.outcome)
        message.elapsed = duration(max(0.0, step.end - step.start))
    return message


def step(message: msg.PlanStep) -> Step:
    """As far as the message has it: purpose and cost of the decision stay with the planner."""
    then = seconds(message.header.stamp)
    decision = Decision(call(message.call), message.reasoning, message.policy, plan=tuple(map(call, message.plan)))
    chosen = Step(message.step, decision, then, seconds(message.planning_time),
                  substitutions=tuple(message.substitutions))
    if not message.finished:
        return chosen
    return replace(chosen, start=then - seconds(message.elapsed), result=result(message.outcome), end=then)


def record_message(step: Step, task_id: str) -> msg.SkillRecord:
    """What memory, recorder and console learn of a step that has ended. Errors: ValueError for one that has not."""
    return msg.SkillRecord(start=stamp(step.start), end=stamp(step.end), task_id=task_id, step=step.index,
                           call=call_message(step.call), outcome=outcome(step.outcome))
