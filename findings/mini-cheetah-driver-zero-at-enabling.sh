#!/bin/sh
# mini-cheetah-motor-driver-socketcan 0.4.3, bitstring 4.3.1, Python 3.11. No motor is needed: the socket is an object that behaves as one.
#
# Actuators of the MIT Mini Cheetah kind (CubeMars AK and others) have three special frames: FC enables, FD disables, FE takes where the motor stands for its new zero. The driver's enable_motor() sends FE before FC, against a jerk at the start as a comment
# in it says, but neither its name nor its docstring: every enabling moves the zero. A joint that is enabled at 1 rad reports 0, and its target 0 is where it stands; an arm that is disabled, sags and is enabled anew is off by what it sagged, and so are its
# limits. disable_motor() and set_zero_position() do what they say.
#
# Guess before: FC alone; the position that was read before is read after. Seen (AK80-6, version 2, standing at 1 rad):
#   enable_motor()                              frames FE, FC; position 0.000
#   send_rad_command(0.5, ...), then moved      stands at 1.5 rad as it was counted before
#   disable_motor(), sagged by 0.4, enable      position 0.000 again, now 1.9 rad as it was counted at first
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q bitstring==4.3.1 && v/bin/pip install -q --no-deps mini-cheetah-motor-driver-socketcan==0.4.3
v/bin/python - <<'PY'
import struct

from motor_driver.canmotorlib import CanMotorController

RANGE, BITS = 12.5, 65535  # rad to both sides, of version 2


class Motor:
    """The other end of the socket: a motor that stands somewhere, counts from its zero and goes at once where it is told to if it is enabled and has a gain."""

    def __init__(self, stands):
        self.stands, self.zero, self.enabled, self.special = stands, 0.0, False, []

    def send(self, frame):
        _, length, data = struct.unpack("=IB3x8s", frame)
        if data[:7] == b"\xff" * 7:
            self.special.append(f"{data[7]:X}")
            self.enabled = {0xFC: True, 0xFD: False}.get(data[7], self.enabled)
            if data[7] == 0xFE:
                self.zero = self.stands
        elif self.enabled and ((data[3] & 15) << 8 | data[4]):
            self.stands = self.zero + int.from_bytes(data[:2], "big") / BITS * 2 * RANGE - RANGE

    def recvfrom(self, size):
        raw = round((self.stands - self.zero + RANGE) / (2 * RANGE) * BITS)
        return struct.pack("=IB3x6s", 0, 6, bytes([1]) + raw.to_bytes(2, "big") + b"\x80\x08\x00"), None


motor = CanMotorController.motor_socket = Motor(1.0)
CanMotorController.can_socket_declared = True
driver = CanMotorController("none", motor_id=1, motor_type="AK80_6_V2")

position, _, _ = driver.enable_motor()
print("enabled at 1 rad: frames", motor.special, "position", round(position, 3))
assert motor.special == ["FE", "FC"] and abs(position) < 1e-3
driver.send_rad_command(0.5, 0.0, 20.0, 0.5, 0.0)
print("told to go to 0.5, stands at", round(motor.stands, 3))
assert abs(motor.stands - 1.5) < 1e-3

motor.special.clear()
driver.disable_motor()
assert motor.special == ["FD"] and abs(motor.stands - 1.5) < 1e-3
motor.stands += 0.4
position, _, _ = driver.enable_motor()
print("disabled, sagged by 0.4, enabled: position", round(position, 3), "at", round(motor.stands, 3), "as counted at first")
assert abs(position) < 1e-3 and abs(motor.stands - 1.9) < 1e-3
print("as stated")
PY
