#!/bin/sh
# st3215 0.4.2, pyserial 3.5, Python 3.11. No servo is needed: the serial port is an object with the registers of one.
#
# ReadCurrent says what current a Feetech ST3215 draws, in mA: the servo keeps it in two bytes, in steps of 6.5 mA. The library reads the lower byte alone. Up to 1.66 A the figure is right; then it starts again at 0, so a servo that stalls
# (2.7 A) shows less than one that holds a cup, and a limit that is set above 1.66 A is never reached. ReadPosition, ReadSpeed and ReadLoad read both bytes.
#
# Guess before: both bytes, times 6.5. Seen, in mA:
#   drawn   650.0   1657.5   1664.0   1950.0   2704.0
#   read    650.0   1657.5      0.0    286.0   1040.0
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q pyserial==3.5 st3215==0.4.2
v/bin/python - <<'PY'
import serial

registers = bytearray(128)


class Port:
    """Stands for serial.Serial: answers an instruction to read (two bytes of head, number, length, instruction, address, count, checksum) when it is written."""

    def __init__(self, **settings):
        self.waiting = b""

    in_waiting = property(lambda self: len(self.waiting))

    def write(self, packet):
        packet = bytes(packet)
        assert packet[:2] == b"\xff\xff" and packet[4] == 2, packet
        data = bytes(registers[packet[5]:packet[5] + packet[6]])
        body = bytes([packet[2], len(data) + 2, 0]) + data
        self.waiting += b"\xff\xff" + body + bytes([~sum(body) & 255])
        return len(packet)

    def read(self, count):
        data, self.waiting = self.waiting[:count], self.waiting[count:]
        return data

    def flush(self):
        pass

    reset_input_buffer = flush


serial.Serial = Port
from st3215 import ST3215

servo = ST3215("none")
for steps in (100, 255, 256, 300, 416):
    registers[56:58] = registers[69:71] = steps.to_bytes(2, "little")  # present position, present current
    read = servo.ReadCurrent(1)
    print("drawn", 6.5 * steps, "read", read, "position", servo.ReadPosition(1))
    assert read == 6.5 * (steps % 256) and servo.ReadPosition(1) == steps
print("as stated")
PY
