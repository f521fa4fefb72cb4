import Analysis
import BluetoothCore
import CaptureFile
import WireBytes

/// A capture under construction: records made of PDUs, in memory.
struct Trace {
    /// Who sends: the host (`tx`) or the controller (`rx`).
    enum Way {
        case tx, rx

        var direction: Direction { self == .tx ? .hostToController : .controllerToHost }
        var other: Way { self == .tx ? .rx : .tx }
    }

    struct Made {
        var header: RecordHeader
        var octets: [UInt8]
        var file = 0
    }

    private(set) var made: [Made] = []
    /// The time of the next record, in nanoseconds.
    var now: Int64 = 1_700_000_000_000_000_000
    var step: Int64 = 1_000_000
    var adapter: UInt16 = 0
    var file = 0
    /// Whether records keep the direction of ACL data, as all formats but link type 187 do.
    var keepsDirection = true
    /// The most octets of an ACL packet that are kept, with its HCI header.
    var keptACL: Int?
    var drops: UInt32 = 0
    /// What can't be of the records' headers.
    var faults: RecordFaults = []

    /// The number of the record added last.
    var last: Int { made.last { $0.file == file }?.header.number ?? 0 }

    mutating func wait(seconds: Double) { now += Int64(seconds * 1_000_000_000) }

    @discardableResult
    mutating func add(
        _ kind: RecordKind, _ direction: Direction, _ octets: [UInt8], original: Int? = nil,
        foreignType: UInt16 = 0
    ) -> Int {
        now += step
        let number = last + 1
        made.append(
            Made(
                header: RecordHeader(
                    number: number, fileOffset: 0, time: CaptureTime(nanoseconds: now), adapter: adapter,
                    kind: kind, direction: direction, foreignType: foreignType, faults: faults,
                    originalLength: original ?? octets.count, capturedLength: octets.count,
                    cumulativeDrops: drops),
                octets: octets, file: file))
        return number
    }

    // MARK: HCI

    @discardableResult
    mutating func command(_ command: some HCICommand) -> Int {
        add(.command, .hostToController, command.packet)
    }

    @discardableResult
    mutating func event(_ packet: [UInt8]) -> Int { add(.event, .controllerToHost, packet) }

    @discardableResult
    mutating func connect(
        _ handle: UInt16, _ text: String, _ kind: DeviceAddress.Kind = .public, role: UInt8 = 0
    ) -> Int {
        event(
            LEConnectionComplete {
                $0.connectionHandle = handle
                $0.role = role
                $0.peerAddressType = kind.rawValue
                $0.peerAddress = address(text, kind)
                $0.connectionInterval = 24
            }.packet)
    }

    @discardableResult
    mutating func enhancedConnect(_ handle: UInt16, _ text: String, _ kind: DeviceAddress.Kind) -> Int {
        event(
            LEEnhancedConnectionComplete {
                $0.connectionHandle = handle
                $0.peerAddressType = kind.rawValue
                $0.peerAddress = address(text, kind)
            }.packet)
    }

    @discardableResult
    mutating func connectClassic(_ handle: UInt16, _ text: String) -> Int {
        event(
            HCIConnectionComplete {
                $0.connectionHandle = handle
                $0.bdAddr = address(text, .public)
                $0.linkType = 1
            }.packet)
    }

    @discardableResult
    mutating func disconnect(_ handle: UInt16, reason: UInt8 = 0x13) -> Int {
        event(
            HCIDisconnectionComplete {
                $0.connectionHandle = handle
                $0.reason = HCIStatus(rawValue: reason)
            }.packet)
    }

    @discardableResult
    mutating func encrypted(_ handle: UInt16) -> Int {
        event(
            HCIEncryptionChange {
                $0.connectionHandle = handle
                $0.encryptionEnabled = 1
            }.packet)
    }

    // MARK: Data

    /// One ACL packet, cut to what the recorder keeps.
    @discardableResult
    mutating func acl(_ handle: UInt16, _ way: Way, boundary: UInt8, _ data: [UInt8], kept: Int? = nil) -> Int
    {
        var writer = ByteWriter()
        HCIACLHeader(handle: handle, boundary: boundary, dataLength: UInt16(data.count)).encode(into: &writer)
        let packet = writer.octets + data
        let direction = keepsDirection ? way.direction : .unknown
        return add(
            .acl, direction, Array(packet.prefix(kept ?? keptACL ?? .max)), original: packet.count)
    }

    /// One L2CAP PDU as the ACL packets it is sent in: fragments of `sizes` octets and one with the rest.
    /// `between` adds records in the gaps.
    @discardableResult
    mutating func l2cap(
        _ handle: UInt16, _ way: Way, _ cid: UInt16, _ payload: [UInt8], sizes: [Int] = [],
        between: (inout Trace) -> Void = { _ in }
    ) -> Int {
        let pdu =
            [UInt8(payload.count & 0xFF), UInt8(payload.count >> 8), UInt8(cid & 0xFF), UInt8(cid >> 8)]
            + payload
        var at = 0
        var boundary: UInt8 = way == .tx ? 0 : 2
        for size in sizes where at + size < pdu.count {
            acl(handle, way, boundary: boundary, Array(pdu[at..<(at + size)]))
            between(&self)
            boundary = 1
            at += size
        }
        return acl(handle, way, boundary: boundary, Array(pdu[at...]))
    }

    @discardableResult
    mutating func att(
        _ handle: UInt16, _ way: Way, _ pdu: any ATTPDU, sizes: [Int] = [],
        between: (inout Trace) -> Void = { _ in }
    ) -> Int {
        l2cap(handle, way, 4, pdu.pdu, sizes: sizes, between: between)
    }

    /// A Security Manager PDU; without `parameters` all its fields are 0.
    @discardableResult
    mutating func smp(_ handle: UInt16, _ way: Way, _ code: SMPCode, _ parameters: [UInt8]? = nil) -> Int {
        l2cap(handle, way, 6, [code.rawValue] + (parameters ?? code.validParameters))
    }

    /// A signalling command whose parameters are integers of two bytes.
    @discardableResult
    mutating func signal(
        _ handle: UInt16, _ way: Way, _ code: L2CAPSignallingCode, _ words: [UInt16], identifier: UInt8 = 1,
        cid: UInt16 = 5
    ) -> Int {
        l2cap(handle, way, cid, signalling(code, words, identifier: identifier))
    }
}

/// A signalling command whose parameters are integers of two bytes.
func signalling(_ code: L2CAPSignallingCode, _ words: [UInt16], identifier: UInt8 = 1) -> [UInt8] {
    [code.rawValue, identifier] + little(UInt16(2 * words.count)) + words.flatMap(little)
}

/// An address from its text.
func address(_ text: String, _ kind: DeviceAddress.Kind = .public) -> DeviceAddress {
    DeviceAddress(text, kind: kind) ?? DeviceAddress(0, kind)
}

/// Octets written as hexadecimal digits; spaces are for the reader.
func octets(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue).map { UInt8($0) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

extension SMPCode {
    /// Zeros of the PDU's length, and the features of a side without input and output.
    var validParameters: [UInt8] {
        if self == .pairingRequest || self == .pairingResponse { return [3, 0, 0, 16, 0, 0] }
        return [UInt8](repeating: 0, count: SMPTable.layout(self)?.size ?? 0)
    }
}
