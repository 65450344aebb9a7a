#!/bin/sh
# CyberGearDriver 0.2.0 (package cybergeardriver), Python 3.11. No motor is needed: the frames are handed in.
#
# A CyberGear motor reports its state after each command; the identifier of that frame carries the motor's number, six bits of faults (too hot, too much current, too little voltage, three of the encoders) and two of the mode. The driver has a
# place for each of them, and takes the 16 bits in the middle of the identifier for 16 bytes: whatever the motor says, no fault is set and the mode is 0. Moreover each state frame then takes back what the motor's separate fault frame
# (type 21) had reported, so "Over temperature" is gone with the next state. `fault_cleared` is never raised: faults before and after are counted in one and the same dictionary.
#
# Guess before: bit 18 of the identifier (over temperature) sets faults["Over temperature"] and raises `has_fault`, mode 2 (running) is mode_status 2. Seen:
#   state frame with one fault bit of six, or with all      no fault, no event `has_fault`, mode_status 0; position, velocity, torque and temperature right
#   fault frame, over temperature                           Over temperature, has_fault
#   a state frame with that fault bit after it              no fault
#   a fault frame without faults after it                   no fault, no event `fault_cleared`
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q cybergeardriver==0.2.0
v/bin/python - <<'PY'
import struct

from CyberGearDriver import CyberGearMotor, CyberMotorMessage

MOTOR, STATE, FAULT = 127, 2, 21
NAMES = ("Under voltage", "Over current", "Over temperature", "Magnetic encoder failure", "Hall encoder failure", "Encoder not calibrated")


def motor():
    made, events = CyberGearMotor(MOTOR, lambda message: None), []
    for name in ("has_fault", "fault_cleared"):
        made.on(name, lambda name=name: events.append(name))
    return made, events


def state(bits, mode=2):
    """A state frame: 1 rad, 27.5 degrees Celsius; faults in bits 16 to 21 of the identifier, the mode in 22 and 23."""
    return CyberMotorMessage(STATE << 24 | mode << 22 | bits << 16 | MOTOR << 8, bytearray(struct.pack(">HHHH", round(13.5 / 25 * 65535), 32768, 32768, 275)))


def active(made):
    return [name for name, value in made.faults.items() if value]


for bits in [1 << place for place in range(6)] + [63]:
    made, events = motor()
    made.message_received(state(bits))
    print(f"fault bits {bits:06b}", active(made), events, "mode", made.state["mode_status"], "position", round(made.state["position"], 3), "temperature", made.state["temperature"])
    assert set(NAMES) == set(made.faults), "the names are as in the motor's manual"
    assert active(made) == [] and events == [] and made.state["mode_status"] == 0
    assert abs(made.state["position"] - 1) < 1e-3 and made.state["temperature"] == 27.5

made, events = motor()
made.message_received(CyberMotorMessage(FAULT << 24 | MOTOR << 8, bytearray(struct.pack("<Q", 1))))
print("fault frame", active(made), events)
assert active(made) == ["Over temperature"] and events == ["has_fault"]
made.message_received(state(1 << 2))
print("then a state frame that says so too", active(made))
assert active(made) == []

made, events = motor()
for bits in (1, 0):
    made.message_received(CyberMotorMessage(FAULT << 24 | MOTOR << 8, bytearray(struct.pack("<Q", bits))))
print("fault frame, then one without faults", active(made), events)
assert active(made) == [] and events == ["has_fault"]
print("as stated")
PY
