"""The vehicle behind the protocol: what the commands do, and when it refuses them."""

from dataclasses import dataclass, field

from .messages import DOORS_ALL, MASK_ALL, Command, Status, VehicleState

DOORS = 0x0F
TRUNK = 0x10
FAULT_DOOR_AJAR = b"\x01\x01\x01"  # code 0x0101, severity 1


class Refused(Exception):
    """A request that is answered with a status other than success."""

    def __init__(self, status: Status):
        super().__init__(status.name)
        self.status = status


def _mask(octet: int) -> int:
    if octet == MASK_ALL:
        return DOORS_ALL
    if octet == 0 or octet & ~DOORS_ALL:
        raise Refused(Status.BAD_MESSAGE)
    return octet


@dataclass
class Vehicle:
    state: VehicleState = field(default_factory=VehicleState)
    windows_percent_open: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    window_seconds: float = 1.0  # how long windows move; until then they are busy
    windows_busy_until: float = 0.0
    has_changed: bool = False
    fault: bytes = b""

    BODY_LENGTHS = {
        Command.DOOR_LOCK: 1,
        Command.DOOR_UNLOCK: 1,
        Command.TRUNK_OPEN: 0,
        Command.FIND_VEHICLE: 2,
        Command.ENGINE_START: 1,
        Command.ENGINE_STOP: 0,
        Command.WINDOW_SET: 2,
        Command.STATUS_QUERY: 0,
    }

    def perform(self, command: int, body: bytes, now: float) -> bytes:
        """The body of the response after its status. Raises Refused."""
        if command not in self.BODY_LENGTHS:
            raise Refused(Status.UNSUPPORTED_COMMAND)
        if len(body) != self.BODY_LENGTHS[command]:
            raise Refused(Status.BAD_MESSAGE)
        before = self.state.encode()
        match command:
            case Command.STATUS_QUERY:
                return before
            case Command.DOOR_LOCK:
                self._lock(_mask(body[0]))
            case Command.DOOR_UNLOCK:
                self.state.doors_locked &= ~_mask(body[0])
            case Command.TRUNK_OPEN:
                self.state.doors_locked &= ~TRUNK
                self.state.doors_open |= TRUNK
            case Command.FIND_VEHICLE:
                if body[1] & ~0x03 or body[1] == 0:
                    raise Refused(Status.BAD_MESSAGE)
            case Command.ENGINE_START:
                self._start_engine(body[0])
            case Command.ENGINE_STOP:
                self.state.engine = 0
            case Command.WINDOW_SET:
                self._set_windows(_mask(body[0]), body[1], now)
        self.has_changed |= self.state.encode() != before
        return b""

    def take_changed(self) -> bool:
        """Whether the state has changed since the last call."""
        changed, self.has_changed = self.has_changed, False
        return changed

    def take_fault(self) -> bytes:
        """The body of a FAULT_EVENT if there is a new fault, else nothing."""
        fault, self.fault = self.fault, b""
        return fault

    def _lock(self, mask: int) -> None:
        if self.state.doors_open & mask:
            self.fault = FAULT_DOOR_AJAR
            raise Refused(Status.REFUSED_IN_THIS_STATE)
        self.state.doors_locked |= mask

    def _start_engine(self, minutes: int) -> None:
        if minutes == 0:
            raise Refused(Status.BAD_MESSAGE)
        if self.state.engine or self.state.doors_open:
            raise Refused(Status.REFUSED_IN_THIS_STATE)
        self.state.engine = 1

    def _set_windows(self, mask: int, percent: int, now: float) -> None:
        if percent > 100:
            raise Refused(Status.BAD_MESSAGE)
        if now < self.windows_busy_until:
            raise Refused(Status.BUSY)
        self.windows_busy_until = now + self.window_seconds
        for window in range(len(self.windows_percent_open)):
            if mask >> window & 1:
                self.windows_percent_open[window] = percent
