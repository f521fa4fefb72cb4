import BluetoothCore
import Runtime
import WireBytes

/// The packets of a virtual air, for ``AirSniffer``: advertising with legacy PDUs, and the links.
///
/// Connection events without an entry hold an empty PDU of each side.
public struct AirTrace: Sendable {
    /// A data PDU. Values that depend on the event or the encryption are zeros, which the sniffer replaces.
    struct PDU: Hashable, Sendable {
        static let control: UInt8 = 3
        static let empty = PDU(fromCentral: true, llid: 1, payload: [])

        var fromCentral: Bool
        var llid: UInt8
        /// The payload without a MIC.
        var payload: [UInt8]
    }

    enum Event: Sendable {
        /// An advertising PDU with its header. PDUs with equal times are sent in turn.
        case advertising([UInt8])
        /// CONNECT_IND.
        case request(central: DeviceAddress, peripheral: DeviceAddress, LinkParameters, anchor: Instant)
        case sent(PDU)
        /// A connection event in which the peripheral does not hear the central's PDU.
        case unanswered(PDU)
        /// The sides that send from now on. A peripheral answers what it hears.
        case senders(central: Bool, peripheral: Bool)
        /// A connection event from which the interval holds, in units of 1.25 ms.
        case interval(UInt16)
        /// PHYs of the central and the peripheral from now on.
        case phys([LEPHY])
        /// The keys with which the sides will encrypt, least significant byte first.
        case keys(central: [UInt8], peripheral: [UInt8])
        case end

        /// The bytes that it keeps beside its own.
        var octetCount: Int {
            switch self {
            case .advertising(let pdu): pdu.count
            case .sent(let pdu), .unanswered(let pdu): pdu.payload.count
            default: 0
            }
        }
    }

    struct Entry: Sendable {
        var time: Instant
        /// The link; 0 for advertising.
        var link: UInt32
        var event: Event
    }

    /// The room that entries may take, in bytes.
    private let limit: Int
    private var room = 0
    private(set) var entries: [Entry] = []
    /// Time of the first entry that had no room, with which the trace ends; nil while there is room.
    public private(set) var end: Instant?

    /// Creates an empty trace, which takes `limit` bytes at most.
    public init(limit: Int = 64 << 20) { self.limit = limit }

    mutating func note(_ event: Event, of link: UInt32, at time: Instant) {
        guard end == nil else { return }
        room += MemoryLayout<Entry>.stride + event.octetCount
        if room <= limit { entries.append(Entry(time: time, link: link, event: event)) } else { end = time }
    }
}

extension AirMedium {
    /// Adds an event of a link to the trace, if there is one.
    mutating func note(_ event: AirTrace.Event, of link: UInt32) { trace?.note(event, of: link, at: now) }

    /// Adds the PDUs of a procedure's part to the trace.
    mutating func note(_ control: AirLink.Control, from side: Int, of link: AirLink) {
        guard trace != nil else { return }
        if case .encryptionStart(let key) = control {
            note(.keys(central: link.encrypting ?? key, peripheral: key), of: link.id)
        }
        let configurations = link.ends.map { controllers[$0.controller].configuration }
        for pdu in control.pdus(from: side, of: link, configurations) { note(.sent(pdu), of: link.id) }
    }

    /// Adds a connection event that the peripheral does not hear.
    mutating func noteUnanswered(_ link: AirLink) {
        guard trace != nil else { return }
        let configurations = link.ends.map { controllers[$0.controller].configuration }
        var pdu = link.encrypting == nil ? link.ends[0].data.first?.traced(from: 0) : nil
        switch link.ends[0].control.first {
        case nil: break
        // The instant counts from the event that is heard.
        case .update: pdu = nil
        case let control?: pdu = control.pdus(from: 0, of: link, configurations).first
        }
        note(.unanswered(pdu ?? .empty), of: link.id)
    }

    /// Adds the answers to LL_PHY_REQ.
    ///
    /// - Parameters:
    ///   - phys: the PHYs of the central and the peripheral that the central chooses.
    ///   - side: the side that asked.
    mutating func notePHYs(_ phys: [LEPHY], from side: Int, of link: AirLink) {
        guard trace != nil else { return }
        let wish = link.ends[1].phys
        let masks = phys == link.ends.map(\.txPHY) ? [0, 0] : phys.map(\.mask.rawValue)
        var answers: [(Int, [UInt8])] = [(0, [0x18] + masks + [0, 0])]
        if side == 0 { answers.insert((1, [0x17, wish.tx.rawValue, wish.rx.rawValue]), at: 0) }
        for (side, payload) in answers {
            note(
                .sent(AirTrace.PDU(fromCentral: side == 0, llid: AirTrace.PDU.control, payload: payload)),
                of: link.id)
        }
    }

    /// Adds an advertising PDU.
    ///
    /// - Parameter other: the address after the sender's.
    mutating func noteAdvertising(
        _ type: UInt8, _ sender: DeviceAddress, to other: DeviceAddress? = nil, _ data: [UInt8] = []
    ) {
        guard trace != nil else { return }
        let payload = sender.onAir + (other?.onAir ?? []) + data
        let bits = sender.randomBit << 6 | (other?.randomBit ?? 0) << 7
        note(.advertising([type | bits, UInt8(clamping: payload.count)] + payload), of: 0)
    }
}

extension DeviceAddress {
    /// The six bytes, least significant first.
    var onAir: [UInt8] { octets.reversed() }
    /// The TxAdd or RxAdd bit of a header.
    var randomBit: UInt8 { withPlainKind.kind == .random ? 1 : 0 }
}

extension AdvertisingSet {
    /// The type of its legacy PDU.
    var pduType: UInt8 { [0, 1, 6, 2][Int(reportType)] }
}

extension AirLink.DataPDU {
    func traced(from side: Int) -> AirTrace.PDU {
        AirTrace.PDU(fromCentral: side == 0, llid: isStart ? 2 : 1, payload: octets)
    }
}

extension AirLink.Control {
    /// The PDUs with which it is sent.
    ///
    /// Source: Core Specification, Vol 6, Part B, 2.4.2.
    func pdus(
        from side: Int, of link: AirLink, _ configurations: [ControllerConfiguration]
    ) -> [AirTrace.PDU] {
        payloads(from: side, of: link, configurations).map { sender, payload in
            AirTrace.PDU(fromCentral: sender == 0, llid: AirTrace.PDU.control, payload: payload)
        }
    }

    private func payloads(
        from side: Int, of link: AirLink, _ configurations: [ControllerConfiguration]
    ) -> [(Int, [UInt8])] {
        func pdu(_ opcode: LLControlOpcode, _ octets: UInt8...) -> [UInt8] { [opcode.rawValue] + octets }
        func words(_ values: UInt16...) -> [UInt8] { values.flatMap { $0.littleOctets(2) } }
        func lengths(_ opcode: LLControlOpcode, _ tx: UInt16, from side: Int) -> [UInt8] {
            let rx = configurations[side].maxDataOctets
            return pdu(opcode) + words(rx, (rx + 14) * 8, tx, (tx + 14) * 8)
        }
        let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
        let own = configurations[side]
        let other = configurations[1 - side]
        switch self {
        case .terminate(let reason): return [(side, pdu(.terminateIndication, reason.rawValue))]
        case .update(let new):
            let window = pdu(.connectionUpdateIndication, 1, 0, 0)
            return [(side, window + words(new.interval, new.latency, new.timeout, 0))]
        case .parameterRequest(let wish):
            let wish = words(wish.intervalMin, wish.intervalMax, wish.maxLatency, wish.timeout)
            return [(side, pdu(.connectionParameterRequest) + wish + zeros(15))]
        case .parameterReject(.unsupportedRemoteFeature):
            return [(side, pdu(.unknownResponse, LLControlOpcode.connectionParameterRequest.rawValue))]
        case .parameterReject(let reason):
            let rejected = LLControlOpcode.connectionParameterRequest.rawValue
            return [(side, pdu(.extendedRejectIndication, rejected, reason.rawValue))]
        case .featureRequest:
            let request = pdu(side == 0 ? .featureRequest : .peripheralFeatureRequest)
            return [(side, request + own.supported.rawValue.littleOctets(8))]
        case .featureResponse: return [(side, pdu(.featureResponse) + own.supported.rawValue.littleOctets(8))]
        case .versionRequest, .versionResponse:
            return [(side, pdu(.versionIndication, own.version) + words(own.company, 0))]
        case .length(let count):
            let request = (side, lengths(.lengthRequest, count, from: side))
            guard other.features.contains(.leDataPacketLengthExtension) else {
                return [request, (1 - side, pdu(.unknownResponse, LLControlOpcode.lengthRequest.rawValue))]
            }
            return [
                request, (1 - side, lengths(.lengthResponse, link.ends[1 - side].txOctets, from: 1 - side)),
            ]
        case .phyRequest(let wish): return [(side, pdu(.phyRequest, wish.tx.rawValue, wish.rx.rawValue))]
        case .phyReject: return [(side, pdu(.unknownResponse, LLControlOpcode.phyRequest.rawValue))]
        case .encryptionRequest(let wish):
            // A new key takes effect after a pause.
            let pause: [(Int, [UInt8])] =
                link.isEncrypted
                ? [
                    (0, pdu(.pauseEncryptionRequest)), (1, pdu(.pauseEncryptionResponse)),
                    (0, pdu(.pauseEncryptionResponse)),
                ] : []
            let diversifier = wish.randomNumber.littleOctets(8) + words(wish.encryptedDiversifier)
            return pause + [(0, pdu(.encryptionRequest) + diversifier + zeros(12))]
        case .encryptionStart(let key):
            // The peripheral answers only what it can decrypt.
            let answer: [(Int, [UInt8])] = key == link.encrypting ? [(1, pdu(.startEncryptionResponse))] : []
            return [
                (1, pdu(.encryptionResponse) + zeros(12)), (1, pdu(.startEncryptionRequest)),
                (0, pdu(.startEncryptionResponse)),
            ] + answer
        case .encryptionReject(let reason): return [(side, pdu(.rejectIndication, reason.rawValue))]
        }
    }
}
