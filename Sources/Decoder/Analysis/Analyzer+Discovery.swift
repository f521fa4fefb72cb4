import BluetoothCore
import CaptureFile
import WireBytes

// Information in responses that goes to the database of their server and to the link.

extension Analyzer {
    /// Learns from a response that answers `pending`.
    mutating func learn(
        _ payload: RawSpan, _ pending: PendingRequest, server: Side, slot: Int, isCut: Bool
    ) {
        if pending.opcode == .readRequest {
            if !isCut { learnValue(payload.dropping(1), pending, server, slot: slot) }
            return
        }
        guard pending.opcode.isDiscovery else { return }
        links[slot].phases.discoveryEnded = frame.time
        if server == .peer, let hash = AttributeDatabase.hash(in: payload, to: pending) {
            peers.show(hash: hash, peer: links[slot].peer, link: links[slot].number)
        }
        let origin = AttributeDatabase.Origin(
            source: .discovered, file: frame.header.file, frame: frame.number, link: links[slot].number)
        var found = AttributeDatabase.FoundValues()
        withDatabase(of: server, slot: slot) {
            found = $0.learn(payload, to: pending, isCut: isCut, from: origin)
        }
        for (descriptor, state) in found.configurations {
            learnConfiguration(descriptor, state, server: server, slot: slot)
        }
        noteDeviceName(found.deviceName.borrowedOctets, server: server, slot: slot)
    }

    /// Changes the database of the server at one end of a link.
    mutating func withDatabase(of server: Side, slot: Int, _ body: (inout AttributeDatabase) -> Void) {
        switch server {
        case .peer: peers.withDatabase(of: links[slot].peer, body)
        case .host:
            adapters.withDatabase(links[slot].file, links[slot].adapter, body)
            if adapters.databaseWasFull { reportFull(.ownAttributes) }
        }
    }

    /// Learns from a value that was read completely: the database's hash, a configuration, or the device's
    /// name.
    private mutating func learnValue(
        _ value: RawSpan, _ pending: PendingRequest, _ server: Side, slot: Int
    ) {
        guard let label = databaseLabel(of: pending.handle, server: server, slot: slot) else { return }
        if label.isClientConfiguration, value.byteCount == 2, let state = value.u16le(at: 0) {
            learnConfiguration(pending.handle, state, server: server, slot: slot)
        }
        guard label.part == .value else { return }
        switch label.characteristic?.assigned16 {
        case 0x2B2A where value.byteCount == 16 && server == .peer:
            peers.show(hash: value.copied(), peer: links[slot].peer, link: links[slot].number)
        case 0x2A00: noteDeviceName(value, server: server, slot: slot)
        default: break
        }
    }

    /// Keeps the value of the peer's Device Name, or its start if one PDU holds no more. The specification
    /// allows 248 bytes (Vol 3, Part C, 12.1).
    mutating func noteDeviceName(_ value: RawSpan, server: Side, slot: Int) {
        guard server == .peer, value.byteCount > 0 else { return }
        let name = value.clamped(0..<min(248, value.byteCount)).copied()
        peers.name(links[slot].peer, name)
        links[slot].deviceName = name
    }
}
