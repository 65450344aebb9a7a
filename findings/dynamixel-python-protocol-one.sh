#!/bin/sh
# dynamixel-python 0.0.8 (its dxl2.v1 and dxl2.v2), pyserial 3.5, tqdm 4.67.1, Python 3.11. No servo is needed: a pair of pseudo terminals with the registers of one behind it.
#
# Numbers of a Dynamixel servo take two or four bytes, the low one first, in both of its protocols. With protocol 1 (AX, MX) the library writes them so and reads them the other way round: what has been written is another number when it is
# read, so a controller that reads the position it has just sent starts from elsewhere. Nothing tells: length and checksum are right, and a number whose two bytes are equal is right as well. With protocol 2 both directions agree.
#
# Guess before: what is written is read back, as with protocol 2. Seen (goal position, register 30 of an AX-12, 0 to 1023 for 300 degrees):
#   written     1   255   257   512   700    1000   1023
#   read v1   256 65280   257     2 48130   59395  65283
#   signed, -100: read v1 -25345, v2 -100
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q pyserial==3.5 tqdm==4.67.1 dynamixel-python==0.0.8
v/bin/python - <<'PY'
import os
import pty
import threading
import tty

from dxl2 import v1, v2


class Servo:
    """A servo at the other end of a pseudo terminal: 256 registers, reads and writes of either protocol."""

    def __init__(self, protocol):
        self.end, other = pty.openpty()
        tty.setraw(self.end), tty.setraw(other)
        self.port, self.protocol, self.registers = os.ttyname(other), protocol, bytearray(256)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        heads = {1: b"\xff\xff", 2: b"\xff\xff\xfd\x00"}
        head, buffer = heads[self.protocol], b""
        while True:
            buffer += os.read(self.end, 256)
            buffer = buffer[max(buffer.find(head), 0):]  # what stands between two instructions is skipped, as a servo does
            size = {1: 4, 2: 7}[self.protocol]
            if len(buffer) < size:
                continue
            length = buffer[3] if self.protocol == 1 else int.from_bytes(buffer[5:7], "little")
            if len(buffer) < size + length:
                continue
            packet, buffer = buffer[:size + length], buffer[size + length:]
            if self.protocol == 1:
                instruction, rest = packet[4], packet[5:-1]
                address, values = rest[0], rest[1:]
                count = values[0] if instruction == 2 else 0
            else:
                instruction, rest = packet[7], packet[8:-2]
                address, values = int.from_bytes(rest[:2], "little"), rest[2:]
                count = int.from_bytes(values, "little") if instruction == 2 else 0
            if instruction == 3:
                self.registers[address:address + len(values)] = values
            data = bytes(self.registers[address:address + count])
            if self.protocol == 1:
                body = bytes([packet[2], len(data) + 2, 0]) + data
                os.write(self.end, head + body + bytes([~sum(body) & 255]))
            else:
                body = head + bytes([packet[4]]) + (len(data) + 4).to_bytes(2, "little") + bytes([0x55, 0]) + data
                os.write(self.end, body + v2.calc_crc_16(list(body)).to_bytes(2, "little"))


def there_and_back(module, servo, value, signed=False):
    bus = module.MotorBus(servo.port, timeout=5.0)
    bus.connect()
    assert bus.write(1, 30, 2, value, signed).ok
    stored = int.from_bytes(servo.registers[30:32], "little", signed=signed)
    read = bus.read(1, 30, 2, signed)
    bus.disconnect()
    assert read.ok and stored == value, "written as the servo expects it"
    return read.data


one, two = Servo(1), Servo(2)
for value in (1, 255, 257, 512, 700, 1000, 1023, -100):
    first, second = (there_and_back(module, servo, value, value < 0) for module, servo in ((v1, one), (v2, two)))
    print("written", value, "read v1", first, "v2", second)
    assert second == value
    assert first == int.from_bytes(value.to_bytes(2, "little", signed=value < 0), "big", signed=value < 0)
print("as stated")
PY
