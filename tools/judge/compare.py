"""Packet by packet: tshark, the command, and where they differ the class of the difference.

A difference is explained by a class only where the third vote sides with the command.
"""

from dataclasses import dataclass, field

from judge import ours, tshark

CLASSES = ('handed-over-fragments', 'cut-start', 'vendor-acl')

# The handle that controllers of one maker use for their debug traffic; no connection has it.
VENDOR_HANDLE = 0x0EDC


@dataclass
class Verdict:
    """The result of comparing one capture."""

    packets: int = 0
    att: int = 0
    smp: int = 0
    explained: dict = field(default_factory=dict)
    wrong: list = field(default_factory=list)

    def explain(self, name):
        self.explained[name] = self.explained.get(name, 0) + 1


def _pdus(packet):
    """Opcode, handles and value of each ATT PDU, and the SMP codes."""
    return [(pdu.opcode, tuple(pdu.handles), pdu.value) for pdu in packet.att], list(packet.smp)


def _same_pdus(theirs, mine):
    (their_att, their_smp), (my_att, my_smp) = _pdus(theirs), _pdus(mine)
    if their_smp != my_smp or len(their_att) != len(my_att):
        return False
    for (opcode, handles, value), (my_opcode, my_handles, my_value) in zip(their_att, my_att):
        if opcode != my_opcode or handles != my_handles:
            return False
        if value is not None and opcode in tshark.VALUE_OFFSET and value != (my_value or b''):
            return False
    return True


def explain(theirs, mine, vote):
    """The class of a difference between two readings of a record, or None.

    `vote` is the third reading: (ATT opcodes, SMP codes), where a record cut short gives none.
    """
    my_pdus = ([pdu.opcode for pdu in mine.att], list(mine.smp))
    if theirs.cut and not theirs.att and not theirs.smp and 'record-cut' in mine.problems:
        return 'cut-start'
    if mine.is_vendor and vote == ([], []) and theirs.handle == VENDOR_HANDLE:
        return 'vendor-acl'
    if vote is not None and my_pdus == vote and not mine.att and (theirs.att or theirs.smp) and mine.problems:
        return 'handed-over-fragments'
    return None


def compare(packets, frames, votes=None):
    """The verdict on one capture; `votes` is a list of third readings, one a packet, or None."""
    verdict = Verdict(len(frames))
    if len(packets) != len(frames):
        verdict.wrong.append(f'tshark has {len(packets)} packets, the command {len(frames)}')
    for index, (theirs, mine) in enumerate(zip(packets, frames)):
        verdict.att += len(mine.att)
        verdict.smp += len(mine.smp)
        where = f'frame {theirs.number}'
        if theirs.number != mine.number:
            verdict.wrong.append(f'{where}: numbered {mine.number}')
        their_time, my_time = ours.nanoseconds(theirs.time), ours.nanoseconds(mine.time)
        if their_time != my_time:
            verdict.wrong.append(f'{where}: time {theirs.time}, ours {mine.time} ({my_time - their_time} ns)')
        for name in ('command', 'event', 'subevent'):
            if getattr(theirs, name) != getattr(mine, name):
                verdict.wrong.append(f'{where}: {name} {getattr(theirs, name)}, ours {getattr(mine, name)}')
        if _same_pdus(theirs, mine):
            continue
        name = explain(theirs, mine, votes[index] if votes else None)
        if name:
            verdict.explain(name)
        else:
            verdict.wrong.append(
                f'{where}: {_shown(theirs)}, ours {_shown(mine)}'
                + (f', third vote {votes[index]}' if votes else ''))
    return verdict


def _shown(packet):
    att, smp = _pdus(packet)
    parts = [f'ATT {opcode:#04x} handles {[f"{handle:#06x}" for handle in handles]} value '
             f'{"none" if value is None else value.hex() or "empty"}' for opcode, handles, value in att]
    parts += [f'SMP {code:#04x}' for code in smp]
    return '; '.join(parts) or 'no PDU'
