/// Facts that a sniffer keeps about an air packet beside its bytes.
@frozen
public struct RadioHeader: Hashable, Sendable {
    /// Facts that hold or not.
    @frozen
    public struct Flags: OptionSet, Hashable, Sendable {
        public var rawValue: UInt16

        @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The sniffer checked the check sequence (CRC).
        public static let crcChecked = Flags(rawValue: 1)
        /// The check sequence was right.
        public static let crcValid = Flags(rawValue: 2)
        /// The bytes were decrypted by the recorder; the message integrity code (MIC) is not there.
        public static let decrypted = Flags(rawValue: 4)
        /// The central sent it.
        public static let fromCentral = Flags(rawValue: 8)
        /// The peripheral sent it.
        public static let fromPeripheral = Flags(rawValue: 0x10)
        /// It was sent on LE Coded; the coding indicator follows the access address.
        public static let coded = Flags(rawValue: 0x20)
        /// Its bits are still whitened, so that they can't be read.
        public static let whitened = Flags(rawValue: 0x40)
        /// It was sent on LE 2M.
        public static let fast = Flags(rawValue: 0x80)
        /// The signal's strength is known.
        public static let hasSignal = Flags(rawValue: 0x100)
        /// It belongs to a stream (CIS or BIS), whose header differs from that of a connection.
        public static let isochronous = Flags(rawValue: 0x200)
    }

    /// Channel index, 0 to 39; 0xFF if unknown.
    public var channel: UInt8 = 0xFF
    /// Strength of the signal in dBm, if ``Flags/hasSignal`` is set.
    public var signal: Int8 = 0
    public var flags: Flags = []

    @inlinable public init() {}

    /// - Parameter signal: the signal's strength in dBm; nil if unknown. Recorders write 0 for packets that
    ///   they did not measure, such as their own.
    @inlinable
    public init(channel: UInt8, signal: Int8?, _ flags: Flags) {
        self.channel = channel
        self.signal = signal ?? 0
        self.flags = self.signal == 0 ? flags : flags.union(.hasSignal)
    }

    /// Place of the link layer header in the packet, behind the access address and LE Coded's indicator.
    @inlinable public var headerOffset: Int { flags.contains(.coded) ? 5 : 4 }

    /// Strength of the signal in dBm; nil if unknown.
    @inlinable public var knownSignal: Int8? { flags.contains(.hasSignal) ? signal : nil }

    /// Returns the index of the RF channel that is counted by frequency: 0 is 2402 MHz, 39 is 2480 MHz.
    ///
    /// Source: Core Specification, Vol 6, Part B, 1.4.1.
    static func channel(ofFrequency rf: UInt8) -> UInt8 {
        switch rf {
        case 0: 37
        case 1...11: rf - 1
        case 12: 38
        case 13...38: rf - 2
        case 39: 39
        default: 0xFF
        }
    }

    /// The index of the channel's frequency, 0 is 2402 MHz; 0xFF if the channel is unknown.
    var frequencyIndex: UInt8 {
        switch channel {
        case 37: 0
        case 0...10: channel + 1
        case 38: 12
        case 11...36: channel + 2
        case 39: 39
        default: 0xFF
        }
    }
}
