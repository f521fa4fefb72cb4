"""The third vote: Bumble's parsers over the same HCI octets, state kept by connection epoch.

Run by the Python of tools/venv. Gives for each record the ATT and SMP PDUs that it completes, and for
each ATT PDU with a handle the (service, characteristic) that discovery on that same link gave it.
"""

import logging

from bumble import att, core, hci, l2cap, smp

logging.disable(logging.CRITICAL)

LE_META, DISCONNECTION_COMPLETE = 0x3E, 0x05
CONNECTION_COMPLETES = {0x01, 0x0A, 0x29}
RESET = 0x0C03
# Debug traffic of one maker's controllers: no connection, unless one was opened with that handle.
VENDOR_HANDLE = 0x0EDC
ATT_CID, LE_SMP_CID, BR_SMP_CID = 0x0004, 0x0006, 0x0007


class Link:
    """One connection, from its Connection Complete to its end: its fragments and its database."""

    def __init__(self):
        self.done = []
        self.assemblers = {
            direction: hci.HCI_AclDataPacketAssembler(self.done.append) for direction in ('tx', 'rx')
        }
        self.services = {'tx': {}, 'rx': {}}
        self.characteristics = {'tx': {}, 'rx': {}}
        self.asked = {'tx': None, 'rx': None}

    def feed(self, packet, direction):
        self.done.clear()
        self.assemblers[direction].feed_packet(packet)
        return list(self.done)


class Vote:
    """Bumble's reading of a sequence of records."""

    def __init__(self):
        self.links = {}
        self.opened = set()

    def record(self, adapter, direction, octets):
        """The PDUs that this record completes: (att, smp), ATT as (opcode, handle, value, label)."""
        if not octets:
            return [], []
        if octets[0] == hci.HCI_EVENT_PACKET:
            self._event(adapter, octets)
        elif octets[0] == hci.HCI_COMMAND_PACKET and octets[1:3] == RESET.to_bytes(2, 'little'):
            self._forget(adapter)
        elif octets[0] == hci.HCI_ACL_DATA_PACKET:
            return self._acl(adapter, direction or 'rx', octets)
        return [], []

    def _forget(self, adapter):
        for key in [key for key in self.links if key[0] == adapter]:
            del self.links[key]

    def _event(self, adapter, octets):
        code, body = octets[1], octets[3:]
        if code == DISCONNECTION_COMPLETE and len(body) >= 3 and body[0] == 0:
            self.links.pop((adapter, int.from_bytes(body[1:3], 'little') & 0xFFF), None)
        elif code == LE_META and len(body) >= 4 and body[0] in CONNECTION_COMPLETES and body[1] == 0:
            key = adapter, int.from_bytes(body[2:4], 'little') & 0xFFF
            self.links.pop(key, None)
            self.opened.add(key)

    def _acl(self, adapter, direction, octets):
        try:
            packet = hci.HCI_AclDataPacket.from_bytes(octets)
        except Exception:
            return [], []
        if packet.connection_handle == VENDOR_HANDLE and (adapter, VENDOR_HANDLE) not in self.opened:
            return [], []
        link = self.links.setdefault((adapter, packet.connection_handle), Link())
        att_pdus, smp_pdus = [], []
        try:
            frames = link.feed(packet, direction)
        except Exception:
            return [], []
        for frame in frames:
            try:
                pdu = l2cap.L2CAP_PDU.from_bytes(frame)
            except Exception:
                continue
            if pdu.cid == ATT_CID and pdu.payload:
                att_pdus.append(self._att(link, direction, bytes(pdu.payload)))
            elif pdu.cid in (LE_SMP_CID, BR_SMP_CID) and pdu.payload:
                smp_pdus.append(self._smp(bytes(pdu.payload)))
        return att_pdus, smp_pdus

    @staticmethod
    def _smp(octets):
        try:
            return int(smp.SMP_Command.from_bytes(octets).code)
        except Exception:
            return octets[0]

    def _att(self, link, direction, octets):
        try:
            pdu = att.ATT_PDU.from_bytes(octets)
        except Exception:
            return octets[0], None, None, None
        other = 'rx' if direction == 'tx' else 'tx'
        opcode = int(pdu.op_code)
        # A request is answered from the database of the other side: keyed by who asks.
        if opcode & 1 == 0 and not opcode & 0x40 and opcode != 0x1E:
            link.asked[direction] = pdu
        client = direction if opcode & 1 == 0 and opcode != 0x1E else other
        if opcode in (0x1B, 0x1D, 0x23):
            client = other
        self._learn(link, client, opcode, pdu)
        handle = getattr(pdu, 'attribute_handle', getattr(pdu, 'attribute_handle_in_error', None))
        value = next((bytes(found) for found in (
            getattr(pdu, name, None) for name in ('attribute_value', 'part_attribute_value'))
            if isinstance(found, (bytes, bytearray))), None)
        return opcode, handle, value, self._label(link, client, handle)

    @staticmethod
    def _learn(link, client, opcode, pdu):
        try:
            if opcode == 0x11:
                for start, end, value in pdu.attributes:
                    link.services[client][start] = (end, core.UUID.from_bytes(value).to_hex_str())
            elif opcode == 0x09:
                asked = link.asked[client]
                kind = getattr(asked, 'attribute_type', None)
                if kind is not None and kind == core.UUID.from_16_bits(0x2803):
                    for _, value in pdu.attributes:
                        uuid = core.UUID.from_bytes(bytes(value[3:])).to_hex_str()
                        link.characteristics[client][int.from_bytes(value[1:3], 'little')] = uuid
        except Exception:
            return

    @staticmethod
    def _label(link, client, handle):
        if handle is None:
            return None
        service = next((uuid for start, (end, uuid) in link.services[client].items()
                        if start <= handle <= end), None)
        return service, link.characteristics[client].get(handle)
