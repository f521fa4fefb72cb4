"""Emits HCI events from a controller of its own on /dev/vhci, at a rate or as fast as the kernel takes them.

    python3 -m recorder.flood --rate 5000 --seconds 2 [--run N] [--length OCTETS]

Each is a vendor's event with a run's number and its own. Prints how many the kernel took. In a program,
`Controller` does the same, and emits any other packet too.
"""

import argparse
import fcntl
import os
import select
import socket
import struct
import threading
import time

HCIDEVUP = 0x400448C9
AF_BLUETOOTH, BTPROTO_HCI = 31, 1  # a Python that was built without Bluetooth has no names for them
COMMAND, EVENT = 1, 4
MAGIC = b"FLOOD"
# What a controller has to return for these beyond its status; others return zeros.
RETURNS = {
    0x1001: bytes([9, 0, 0, 9, 0xFF, 0xFF, 0, 0]),  # version 5.0
    0x1003: bytes([0, 0, 0, 0, 0x60, 0, 0, 0]),  # LE only
    0x1005: struct.pack("<HBHH", 255, 0, 8, 0),  # ACL buffers
    0x1009: bytes.fromhex("010000aa5502"),  # its address
    0x2002: struct.pack("<HB", 255, 8),  # LE buffers
}


def event(run: int, number: int, length: int = 16) -> bytes:
    """A vendor's event packet of `length` octets of parameters."""
    body = MAGIC + struct.pack(">HI", run, number)
    return bytes([EVENT, 0xFF, length]) + body.ljust(length, b"\x5a")


def number_of(data: bytes, run: int) -> int | None:
    """The number of a flood event of this run, without its packet type; None for another packet."""
    if data[:1] != b"\xff" or data[2 : 2 + len(MAGIC)] != MAGIC:
        return None
    found, number = struct.unpack_from(">HI", data, 2 + len(MAGIC))
    return number if found == run else None


class Controller:
    """A controller that answers every command, so that the kernel brings it up and keeps it up."""

    def __init__(self) -> None:
        self.device = os.open("/dev/vhci", os.O_RDWR)
        os.write(self.device, b"\xff\x00")
        # The kernel may ask the new controller something before it says its number.
        while (packet := os.read(self.device, 2048))[0] != 0xFF:
            self.reply(packet)
        self.index = struct.unpack_from("<H", packet, 2)[0]
        self.closed = False
        self.thread = threading.Thread(target=self.answer, daemon=True)
        self.thread.start()
        self.bring_up()

    def answer(self) -> None:
        while not self.closed:
            if not select.select([self.device], [], [], 0.2)[0]:
                continue
            self.reply(os.read(self.device, 2048))

    def reply(self, packet: bytes) -> None:
        if packet[0] != COMMAND:
            return
        opcode = struct.unpack_from("<H", packet, 1)[0]
        returns = b"\x01" + struct.pack("<H", opcode) + b"\x00"
        returns += RETURNS.get(opcode, bytes(68))
        os.write(self.device, bytes([EVENT, 0x0E, len(returns)]) + returns)

    def bring_up(self) -> None:
        with socket.socket(AF_BLUETOOTH, socket.SOCK_RAW, BTPROTO_HCI) as kernel:
            for _ in range(100):
                try:
                    fcntl.ioctl(kernel.fileno(), HCIDEVUP, self.index)
                    return
                except OSError as problem:
                    if problem.errno == 114:  # it is up already
                        return
                    time.sleep(0.1)
        raise RuntimeError(f"hci{self.index} does not come up")

    def send(self, packet: bytes) -> bool:
        """Hands one packet to the kernel; whether it took it."""
        try:
            return os.write(self.device, packet) == len(packet)
        except OSError:
            return False

    def emit(self, run: int, count: int, first: int = 0) -> None:
        """Emits so many events, however long that takes."""
        for number in range(first, first + count):
            if not self.send(event(run, number)):
                raise RuntimeError("the kernel refuses events")

    def flood(self, run: int, seconds: float, rate: int = 0, length: int = 16) -> tuple[int, float]:
        """Emits events for so long, `rate` a second, or as many as go; how many were taken, and the rate."""
        sent = 0
        start = time.monotonic()
        end = start + seconds
        while (now := time.monotonic()) < end:
            due = int((now - start) * rate) + 1 if rate else sent + 64
            while sent < due:
                if not self.send(event(run, sent, length)):
                    raise RuntimeError("the kernel refuses events")
                sent += 1
            if rate:
                time.sleep(0.001)
        return sent, sent / (time.monotonic() - start)

    def close(self) -> None:
        self.closed = True
        self.thread.join()
        os.close(self.device)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--rate", type=int, default=0, help="events a second; 0 as many as go")
    options.add_argument("--seconds", type=float, default=1)
    options.add_argument("--run", type=int, default=1)
    options.add_argument("--length", type=int, default=16)
    given = options.parse_args()
    controller = Controller()
    sent, rate = controller.flood(given.run, given.seconds, given.rate, given.length)
    time.sleep(0.5)
    controller.close()
    print(f"{sent} events, {rate:.0f} a second")


if __name__ == "__main__":
    main()
