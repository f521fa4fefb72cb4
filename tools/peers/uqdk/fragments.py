"""Fragments: one ATT value each, cut from a message and put together again."""

from collections.abc import Callable
from dataclasses import dataclass, field

HEADER_LENGTH = 2
LAST = 0x80
FRAGMENTS_MAX = 128
MESSAGE_MAX = 4096
TIME_LIMIT = 2.0  # seconds without the next fragment; also how long a finished message is remembered


class FragmentError(Exception):
    """A message that can't be put together. `head` is what of it had come."""

    def __init__(self, message_id: int, reason: str, head: bytes = b"", timed_out: bool = False):
        super().__init__(f"message {message_id:#04x}: {reason}")
        self.message_id = message_id
        self.head = head
        self.timed_out = timed_out


Outcome = tuple[int, bytes] | FragmentError  # a message id with its message, or what went wrong


def split(message_id: int, message: bytes, value_length: int) -> list[bytes]:
    """Cuts a message for ATT values of at most `value_length` octets (ATT_MTU - 3, at most 512)."""
    slice_length = min(value_length, 512) - HEADER_LENGTH
    if slice_length < 1:
        raise FragmentError(message_id, f"no room in values of {value_length} octets")
    slices = [message[i : i + slice_length] for i in range(0, len(message), slice_length)] or [b""]
    if len(slices) > FRAGMENTS_MAX or len(message) > MESSAGE_MAX:
        raise FragmentError(message_id, f"{len(message)} octets are too many")
    last = len(slices) - 1
    return [
        bytes([message_id, index | (LAST if index == last else 0)]) + part
        for index, part in enumerate(slices)
    ]


@dataclass
class _Partial:
    data: bytearray = field(default_factory=bytearray)
    last_fragment: bytes = b""
    next_index: int = 0
    deadline: float = 0.0
    is_closed: bool = False  # finished, or ended by an error: what follows of it is dropped

    def close(self) -> bytes:
        data, self.data = bytes(self.data), bytearray()
        self.is_closed = True
        return data


class Reassembler:
    """Puts the messages of one direction of one link together."""

    def __init__(self, clock: Callable[[], float]):
        self._clock = clock
        self._partials: dict[int, _Partial] = {}

    def expired(self) -> list[FragmentError]:
        """Ends the messages whose next fragment is overdue; each gives one error."""
        now = self._clock()
        errors = []
        for message_id, partial in list(self._partials.items()):
            if now < partial.deadline:
                continue
            del self._partials[message_id]
            if not partial.is_closed:
                head = bytes(partial.data)
                errors.append(FragmentError(message_id, "no next fragment for 2 s", head, True))
        return errors

    def receive(self, fragment: bytes) -> list[Outcome]:
        """Takes one fragment; gives the message that it completes and the errors that it causes."""
        if len(fragment) < HEADER_LENGTH:
            return [FragmentError(fragment[0] if fragment else 0, "a fragment without a header")]
        message_id, index = fragment[0], fragment[1] & 0x7F
        outcomes: list[Outcome] = list(self.expired())
        partial = self._partials.get(message_id)
        if partial and fragment == partial.last_fragment:
            return outcomes  # a repeat
        if index == 0 and partial:
            if not partial.is_closed:
                head = bytes(partial.data)
                outcomes.append(FragmentError(message_id, "a new message in the old one", head))
            partial = None
        if partial is None:
            partial = self._partials[message_id] = _Partial()
        elif partial.is_closed:
            return outcomes
        partial.last_fragment = fragment
        partial.deadline = self._clock() + TIME_LIMIT
        try:
            if self._append(message_id, partial, fragment):
                outcomes.append((message_id, partial.close()))
        except FragmentError as error:
            partial.close()
            outcomes.append(error)
        return outcomes

    def clear(self) -> None:
        self._partials.clear()

    def _append(self, message_id: int, partial: _Partial, fragment: bytes) -> bool:
        """Whether the message is complete."""
        index, data = fragment[1] & 0x7F, fragment[HEADER_LENGTH:]
        if index != partial.next_index:
            reason = f"fragment {index} where {partial.next_index} was due"
            raise FragmentError(message_id, reason, bytes(partial.data))
        if len(partial.data) + len(data) > MESSAGE_MAX:
            raise FragmentError(message_id, "more than 4096 octets", bytes(partial.data))
        partial.data += data
        partial.next_index += 1
        if fragment[1] & LAST:
            return True
        if partial.next_index == FRAGMENTS_MAX:
            raise FragmentError(message_id, "more than 128 fragments", bytes(partial.data))
        return False
