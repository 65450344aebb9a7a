"""Wall time, whatever the robot's clock does: its clock, how often is looked, and how long is waited [s].

What only one mechanism knows stands with that mechanism.
"""

from __future__ import annotations

from rclpy.clock import Clock, ClockType

STEADY = Clock(clock_type=ClockType.STEADY_TIME)
POLL = 0.02
"""between two looks at what may be over at any moment; short against a skill's tick at several times real time"""
LOOK = 0.1
"""between two looks whether another process, or a person, has said or done something"""
PERIOD = 0.2
"""between two looks, or words, that cost something: each wakes others"""
AGAIN = 0.5
"""after which what was not answered is said anew, and what is not looked at may be old"""
DISCOVERY = 1.0
"""between two looks at who is there; in which whoever is there is found, with the last that it has said"""
LATE = 3.0
"""that what is late on a busy machine is waited for"""
SILENCE = 5.0
"""after which who says nothing counts as gone, and what was said is no news"""
ANSWER = 10.0
"""that another process has to answer, or to end what it is to end; until what failed is tried, or said, again"""
RESTART = 15.0
"""that a process which is gone is waited for: long enough to be started again"""
