"""The virtual air: Bumble controllers on one link, one of them the adapter of another host.

Bumble 0.0.236's link and controller leave out what a recording should hold. Here
- data goes by the connection's own address (Bumble takes the sender's random address always, so
  that a host with a public address gets no answer);
- a scan response holds the scan response data, and only an active scan gets one;
- a scan that filters duplicates reports each advertisement once;
- data to the host is cut into fragments of the announced buffer length, and those of several links
  take turns;
- a cancelled connection attempt ends with its event, and the end of a link has its own reason on
  each side;
- features whose events Bumble does not send are not announced: Linux waits for an Enhanced Connection
  Complete of a controller with link layer privacy, and cancels the connection that it has.
"""

import asyncio
import collections
import dataclasses

from bumble import hci, ll
from bumble.controller import Controller
from bumble.core import PhysicalTransport
from bumble.device import Device, DeviceConfiguration
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport import open_transport
from bumble.transport.common import AsyncPipeSink

NOT_KEPT = (
    hci.LeFeatureMask.LE_EXTENDED_ADVERTISING
    | hci.LeFeatureMask.LE_PERIODIC_ADVERTISING
    | hci.LeFeatureMask.LL_PRIVACY
)
PRIVACY_COMMANDS = {
    hci.HCI_LE_ADD_DEVICE_TO_RESOLVING_LIST_COMMAND,
    hci.HCI_LE_REMOVE_DEVICE_FROM_RESOLVING_LIST_COMMAND,
    hci.HCI_LE_CLEAR_RESOLVING_LIST_COMMAND,
    hci.HCI_LE_READ_RESOLVING_LIST_SIZE_COMMAND,
    hci.HCI_LE_READ_PEER_RESOLVABLE_ADDRESS_COMMAND,
    hci.HCI_LE_READ_LOCAL_RESOLVABLE_ADDRESS_COMMAND,
    hci.HCI_LE_SET_ADDRESS_RESOLUTION_ENABLE_COMMAND,
    hci.HCI_LE_SET_RESOLVABLE_PRIVATE_ADDRESS_TIMEOUT_COMMAND,
    hci.HCI_LE_SET_PRIVACY_MODE_COMMAND,
}
FIRST_FRAGMENT = 2  # packet boundary flag: first, automatically flushable
NEXT_FRAGMENT = 1
RSSI = -50
Report = hci.HCI_LE_Advertising_Report_Event.Report
EventType = hci.HCI_LE_Advertising_Report_Event.EventType


@dataclasses.dataclass
class Advertisement(ll.AdvInd):
    """An ADV_IND together with the scan response that would follow it."""

    scan_response: bytes = b""


class AirLink(LocalLink):
    def send_acl_data(self, sender_controller, destination_address, transport, data):
        if transport != PhysicalTransport.LE:
            super().send_acl_data(sender_controller, destination_address, transport, data)
            return
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection and receiver:
            source = connection.self_address
            loop = asyncio.get_running_loop()
            loop.call_soon(receiver.on_link_acl_data, source, transport, data)


class AirController(Controller):
    """A controller of Bluetooth 5.0 without extended advertising and link layer privacy."""

    le_features = Controller.le_features & ~NOT_KEPT
    supported_commands = Controller.supported_commands - PRIVACY_COMMANDS

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self._reported = set()
        self._fragments = {}  # by connection handle: what the host has still to get

    def send_advertising_pdu(self, packet):
        if isinstance(packet, ll.AdvInd):
            response = bytes(self.le_legacy_advertiser.scan_response_data)
            packet = Advertisement(packet.advertiser_address, bytes(packet.data), response)
        super().send_advertising_pdu(packet)

    def on_advertising_pdu(self, pdu):
        if self.le_scan_enable:
            self._report(EventType.ADV_IND, pdu.advertiser_address, pdu.data)
            if self.le_scan_type == 1:  # active
                self._report(EventType.SCAN_RSP, pdu.advertiser_address, pdu.scan_response)
        pending = self.pending_le_connection
        if pending and pending.peer_address == pdu.advertiser_address:
            self.create_le_connection(pdu.advertiser_address)

    def _report(self, event_type, address, data):
        identity = (event_type, address, data)
        if self.filter_duplicates and identity in self._reported:
            return
        self._reported.add(identity)
        report = Report(
            event_type=event_type,
            address_type=address.address_type,
            address=address,
            data=data,
            rssi=RSSI,
        )
        self.send_hci_packet(hci.HCI_LE_Advertising_Report_Event([report]))

    def on_hci_le_set_scan_enable_command(self, command):
        self._reported.clear()
        return super().on_hci_le_set_scan_enable_command(command)

    def on_hci_disconnect_command(self, command):
        connection = self.find_le_connection_by_handle(command.connection_handle)
        if connection is None:
            return super().on_hci_disconnect_command(command)
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        connection.send_ll_control_pdu(ll.TerminateInd(command.reason))
        reason = hci.HCI_ErrorCode.CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR
        self.on_le_disconnected(connection, reason)
        return None

    def on_hci_le_create_connection_cancel_command(self, _command):
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        asyncio.get_running_loop().call_soon(
            self.send_hci_packet,
            hci.HCI_LE_Connection_Complete_Event(
                status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                connection_handle=0,
                role=hci.Role.CENTRAL,
                peer_address_type=pending.peer_address.address_type,
                peer_address=pending.peer_address,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            ),
        )
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def on_link_acl_data(self, sender_address, transport, data):
        connection = self.le_connections.get(sender_address)
        if transport != PhysicalTransport.LE or connection is None:
            super().on_link_acl_data(sender_address, transport, data)
            return
        handle, length = connection.handle, self.le_acl_data_packet_length
        fragments = self._fragments.setdefault(handle, collections.deque())
        is_waiting = bool(fragments)
        for start in range(0, len(data), length):
            part = data[start : start + length]
            flag = NEXT_FRAGMENT if start else FIRST_FRAGMENT
            fragments.append(hci.HCI_AclDataPacket(handle, flag, 0, len(part), part))
        if not is_waiting:
            self._send_fragment(handle)

    def _send_fragment(self, handle):
        """One fragment now, the next one when the other links had their turn."""
        fragments = self._fragments.get(handle)
        if fragments:
            self.send_hci_packet(fragments[0])
            asyncio.get_running_loop().call_soon(self._sent_fragment, handle)

    def _sent_fragment(self, handle):
        if handle in self._fragments:
            self._fragments[handle].popleft()
            self._send_fragment(handle)

    def on_le_disconnected(self, connection, reason):
        self._fragments.pop(connection.handle, None)
        super().on_le_disconnected(connection, reason)


class Air:
    """One link with the controllers on it."""

    def __init__(self):
        self.link = AirLink()
        self._transports = []

    async def add_host(self, transport: str, address: str) -> None:
        """The adapter of a host outside: 'vhci' (the kernel's), 'tcp-server:_:PORT' (H4) …"""
        opened = await open_transport(transport)
        self._transports.append(opened)
        AirController(
            "host",
            host_source=opened.source,
            host_sink=opened.sink,
            link=self.link,
            public_address=public(address),
        )

    async def add_device(self, config: DeviceConfiguration, public_address: str) -> Device:
        """A device with a controller of its own, powered on."""
        controller = AirController(config.name, link=self.link, public_address=public(public_address))
        device = Device(config=config, host=Host(controller, AsyncPipeSink(controller)))
        await device.power_on()
        return device


def public(address: str) -> hci.Address:
    return hci.Address(address, hci.Address.PUBLIC_DEVICE_ADDRESS)
