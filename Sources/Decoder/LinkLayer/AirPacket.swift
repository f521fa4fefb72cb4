import CaptureFile
import WireBytes

/// One LE link layer packet of a capture: its access address, header and payload (Core Specification, Vol 6,
/// Part B, 2.1).
public struct AirPacket: Sendable {
    /// The check of a packet's CRC.
    public enum Integrity: Sendable {
        case valid
        case invalid
        /// Neither the sniffer nor this program could check it.
        case unchecked
    }

    /// The access address of all advertising channel packets except periodic ones.
    public static let advertisingAccessAddress: UInt32 = 0x8E89_BED6

    public var accessAddress: UInt32 = 0
    /// First byte of the header: type and flags of an advertising PDU; LLID, NESN, SN, MD and CP of a data
    /// PDU.
    public var header: UInt8 = 0
    /// Length of the payload that the header announces, in bytes.
    public var length = 0
    /// The payload in the record's bytes, as far as it was captured.
    public var payload = 0..<0
    public var integrity = Integrity.unchecked
    /// The channel index, 0 to 39; nil if unknown.
    public var channel: UInt8?

    /// Whether it is on an advertising physical channel.
    public var isAdvertising: Bool { accessAddress == Self.advertisingAccessAddress }
    /// Whether the payload is incomplete in the capture.
    public var isCut: Bool { payload.count < length }
    /// Whether it is on one of the 37 general-purpose channels, where auxiliary advertising packets are.
    /// False for a request on channel 0 without extended advertising before it: some writers leave it at 0.
    public internal(set) var isSecondary = false

    /// Whether it is a legacy request, or one on a secondary channel: their types are the same.
    var isRequest: Bool { isAdvertising && (advertisingType == 3 || advertisingType == 5) }

    /// The type of an advertising PDU.
    public var advertisingType: UInt8 { header & 0xF }
    /// The logical link identifier of a data PDU: 1 continues, 2 starts an L2CAP PDU, 3 is a control PDU.
    public var llid: UInt8 { header & 3 }
    /// Whether an equal packet later is no new one: a Security Manager PDU, or the start of an L2CAP PDU of
    /// which more is to come.
    func comesOnce(_ payload: RawSpan) -> Bool {
        guard llid == 2 else { return false }
        guard let length = payload.u16le(at: 0), let channel = payload.u16le(at: 2) else { return true }
        return channel == 0x0006 || Int(length) + 4 > self.length
    }

    var sequenceNumber: UInt8 { header >> 3 & 1 }
    var nextSequenceNumber: UInt8 { header >> 2 & 1 }

    init() {}

    /// Reads a packet; nil if it ends before its header does.
    ///
    /// - Parameters:
    ///   - isWhole: whether the recorder kept all bytes: if it found the check sequence right, that is the
    ///     last three, whatever length the header announces.
    ///   - crcInit: the initial value of the connection's check sequence, if it is known.
    init?(_ octets: RawSpan, _ radio: RadioHeader, isWhole: Bool, crcInit: (UInt32) -> UInt32?) {
        let start = radio.headerOffset
        guard let low = octets.u16le(at: 0), let high = octets.u16le(at: 2),
            let header = octets.octet(at: start), let length = octets.octet(at: start + 1)
        else { return nil }
        accessAddress = UInt32(high) << 16 | UInt32(low)
        self.header = header
        self.length = Int(length)
        var begin = start + 2
        // A byte about a constant tone follows the header of a data PDU that says so.
        if accessAddress != Self.advertisingAccessAddress, header & 0x20 != 0, header & 3 != 0,
            octets.byteCount == begin + 1 + self.length + 3
        {
            begin += 1
        }
        let hasCheck = isWhole && radio.flags.isSuperset(of: [.crcChecked, .crcValid])
        let end = hasCheck && octets.byteCount < begin + self.length ? octets.byteCount - 3 : octets.byteCount
        payload = begin..<min(begin + self.length, max(begin, end))
        if radio.channel < 40 { channel = radio.channel }
        isSecondary = radio.channel < 37
        if radio.flags.contains(.crcChecked) {
            integrity = radio.flags.contains(.crcValid) ? .valid : .invalid
        } else if !isCut, !radio.flags.contains(.decrypted), octets.byteCount >= payload.upperBound + 3,
            let initial = isAdvertising ? 0x55_5555 : crcInit(accessAddress)
        {
            let end = payload.upperBound
            let crc = octets.clamped(end..<end + 3)
            let sent =
                UInt32(crc.octet(at: 0) ?? 0) | UInt32(crc.octet(at: 1) ?? 0) << 8
                | UInt32(crc.octet(at: 2) ?? 0) << 16
            integrity = Self.crc(octets.clamped(start..<end), initial) == sent ? .valid : .invalid
        }
    }

    /// Returns the check sequence over a PDU, header included (Vol 6, Part B, 3.1.1), as a number whose least
    /// significant byte is sent first.
    ///
    /// - Parameter initial: the 24 bits of CRCInit.
    public static func crc(_ pdu: RawSpan, _ initial: UInt32) -> UInt32 {
        // Bits shift to the right because the least significant one is sent first.
        var state: UInt32 = 0
        for bit in 0..<24 where initial >> UInt32(bit) & 1 == 1 { state |= 1 << UInt32(23 - bit) }
        for index in 0..<pdu.byteCount {
            state ^= UInt32(pdu.octet(at: index) ?? 0)
            for _ in 0..<8 { state = state & 1 == 1 ? state >> 1 ^ 0xDA_6000 : state >> 1 }
        }
        return state
    }
}
