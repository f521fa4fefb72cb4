import BluetoothCore
import LEHost
import Replay
import Runtime
import Synchronization
import WireBytes

/// A host that is told every PDU: what a stack would never send can be sent, too.
final class RawHost: Sendable {
    private struct State {
        var packets: [HCIPacket] = []
        var handle: UInt16?
        var reassembler = L2CAPReassembler()
        var pdus: [(channel: L2CAPChannelID, octets: [UInt8])] = []
        var completed = 0
    }

    let time = VirtualTime()
    let adapter: FakeAdapter
    private let state = Mutex(State())

    init(_ model: SessionModel, options: ReplayOptions = ReplayOptions()) throws {
        adapter = FakeAdapter(model, scheduler: time, options: options)
        try adapter.open { [weak self] in self?.take($0) }
        // A controller tells nothing of LE before it is asked to.
        try command(HCISetEventMask { $0.eventMask = .max })
        time.run(for: .zero)
        _ = packets()
    }

    /// A host that is connected to the peer of a synthetic session.
    convenience init(connected model: SessionModel, options: ReplayOptions = ReplayOptions()) throws {
        try self.init(model, options: options)
        try command(Self.createConnection(Synthetic.peer))
        time.run(for: .milliseconds(100))
    }

    static func createConnection(_ peer: DeviceAddress) -> LECreateConnection {
        LECreateConnection {
            $0.leScanInterval = 0x60
            $0.leScanWindow = 0x30
            $0.peerAddressType = peer.kind == .public ? 0 : 1
            $0.peerAddress = peer
            $0.connectionIntervalMin = 24
            $0.connectionIntervalMax = 40
            $0.supervisionTimeout = 420
        }
    }

    var handle: UInt16? { state.withLock { $0.handle } }
    var completed: Int { state.withLock { $0.completed } }

    /// The packets that came since this was asked last.
    func packets() -> [HCIPacket] {
        state.withLock { state in
            defer { state.packets = [] }
            return state.packets
        }
    }

    /// The PDUs of ATT that came since this was asked last, in hexadecimal.
    func received(on channel: L2CAPChannelID = .attribute) -> [String] {
        state.withLock { state in
            defer { state.pdus = [] }
            return state.pdus.filter { $0.channel == channel }.map { Hex.text($0.octets) }
        }
    }

    func command<Command: HCICommand>(_ command: Command) throws {
        try adapter.send(HCIPacket(.command, command.packet))
    }

    /// Sends a PDU, and lets what follows happen.
    ///
    /// - Returns: what came on the same channel within 50 ms.
    @discardableResult
    func send(
        _ hex: String, on channel: L2CAPChannelID = .attribute, wait: Duration = .milliseconds(50)
    ) throws -> [String] {
        for fragment in L2CAPFragmenter.fragments(try Hex.octets(hex), channel: channel, limit: 27) {
            let header = HCIACLHeader(
                handle: handle ?? 0, boundary: fragment.isContinuation ? 1 : 0,
                dataLength: UInt16(clamping: fragment.octets.count))
            try adapter.send(HCIPacket(.acl, header.encoded + fragment.octets))
        }
        time.run(for: wait)
        return received(on: channel)
    }

    /// Ends the connection, and runs the session to its verdict.
    func finish(_ reason: HCIStatus? = .remoteUserTerminatedConnection) throws -> ReplayReport {
        if let reason {
            let handle = handle ?? 0
            try command(
                HCIDisconnect {
                    $0.connectionHandle = handle
                    $0.reason = reason
                })
        }
        return adapter.run(in: time)
    }

    private func take(_ packet: HCIPacket) {
        state.withLock { state in
            state.packets.append(packet)
            switch packet.type {
            case .event where packet.octets.count > 6 && packet.octets[0] == 0x3E && packet.octets[2] == 1:
                guard packet.octets[3] == 0 else { return }
                state.handle = UInt16(packet.octets[4]) | UInt16(packet.octets[5]) << 8
            case .event where packet.octets.first == 0x13: state.completed += 1
            case .acl: takeData(packet.octets, &state)
            default: break
            }
        }
    }

    private func takeData(_ octets: [UInt8], _ state: inout State) {
        let isContinuation = octets.count > 1 && octets[1] & 0x30 == 0x10
        let outcome = octets.withReader { (reader: inout ByteReader) in
            state.reassembler.receive(reader.wholeSpan.dropping(4), isContinuation: isContinuation)
        }
        switch outcome {
        case .whole(let header): state.pdus.append((header.channel, Array(octets.dropFirst(8))))
        case .completed(let header, _):
            state.pdus.append((header.channel, Array(state.reassembler.information)))
        default: break
        }
    }
}
