public import WireBytes

/// One advertisement in a report event; its data is a range of the event's parameters.
@frozen
public struct LEAdvertisement: Hashable, Sendable {
    /// The kind of a legacy PDU, 0 to 4; or the bits of an extended report: 0 connectable, 1 scannable, 2
    /// directed, 3 scan response, 4 legacy PDU, 5 and 6 data status.
    public var eventType: UInt16 = 0
    /// The address type in HCI; 0xFF if the advertisement is anonymous.
    public var addressType: UInt8 = 0
    /// The advertiser's address, with the kind for the address type.
    public var address = DeviceAddress(0)
    /// Range of the advertising data, in bytes from the start of the parameters.
    public var data: Range<Int> = 0..<0
    /// The signal strength in dBm; 127 if not available.
    public var rssi: Int8 = 127
    /// Highest signal strength in dBm; above it, only 127 is not reserved (Core Specification, Vol 4, Part E,
    /// 7.7.65.2).
    public static let highestRSSI: Int8 = 20
    /// The transmit power in dBm; 127 if not available, as in every legacy report.
    public var txPower: Int8 = 127
    /// The PHY of the primary channel (1 LE 1M, 3 LE Coded).
    public var primaryPHY: UInt8 = 1
    /// The PHY of the secondary channel; 0 if there was no packet on it.
    public var secondaryPHY: UInt8 = 0
    /// The advertising set's identifier, 0 to 15; 0xFF if absent.
    public var advertisingSID: UInt8 = 0xFF
    /// The interval of periodic advertising in units of 1.25 ms; 0 if absent.
    public var periodicAdvertisingInterval: UInt16 = 0
    /// Whether it is from an extended report, which determines the form of ``eventType``.
    public var isExtended = false

    @inlinable
    public init() {}

    /// Whether it is the answer to a scan request.
    @inlinable public var isScanResponse: Bool { isExtended ? eventType & 8 != 0 : eventType == 4 }
    /// Whether the advertiser accepts connections.
    @inlinable public var isConnectable: Bool { isExtended ? eventType & 1 != 0 : eventType <= 1 }
    /// Whether a later report continues its data.
    @inlinable public var isIncomplete: Bool { isExtended && eventType & 0x60 == 0x20 }
}

/// Iterates over the advertisements of a report event without copying or allocating.
///
/// Source: Vol 4, Part E, 7.7.65.2 and 7.7.65.13.
@frozen
public struct LEAdvertisingReports: ~Copyable, ~Escapable {
    @usableFromInline var reader: ByteReader
    @usableFromInline let isExtended: Bool
    @usableFromInline var failure: DecodeError?
    @usableFromInline var left: Int

    /// Creates an iteration over the parameters of an LE Advertising Report or LE Extended Advertising Report
    /// event, after the subevent code.
    ///
    /// Throws if even the number of reports is missing.
    @inlinable
    @_lifetime(copy parameters)
    public init(_ parameters: RawSpan, extended: Bool) throws(DecodeError) {
        reader = ByteReader(parameters)
        isExtended = extended
        failure = nil
        left = Int(try reader.u8())
    }

    /// Returns the next advertisement; nil after the last one, or after an error.
    ///
    /// If the bytes end within an advertisement's data, that advertisement is returned with the data there
    /// is, and the next call throws. If they end before the data, this call throws.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func next() throws(DecodeError) -> LEAdvertisement? {
        if let failure {
            self.failure = nil
            throw failure
        }
        guard left > 0 else { return nil }
        left &-= 1
        do throws(DecodeError) {
            return isExtended ? try nextExtended() : try nextLegacy()
        } catch {
            left = 0
            throw error
        }
    }

    @inlinable
    @_lifetime(self: copy self)
    mutating func nextLegacy() throws(DecodeError) -> LEAdvertisement {
        var report = LEAdvertisement()
        report.eventType = UInt16(try reader.u8())
        report.addressType = try reader.u8()
        report.address = try DeviceAddress(decoding: &reader, kind: .init(hciType: report.addressType))
        report.data = takeData(Int(try reader.u8()))
        if failure == nil {
            do throws(DecodeError) { report.rssi = try reader.i8() } catch { fail(error) }
        }
        return report
    }

    @inlinable
    @_lifetime(self: copy self)
    mutating func nextExtended() throws(DecodeError) -> LEAdvertisement {
        var report = LEAdvertisement()
        report.isExtended = true
        report.eventType = try reader.u16le()
        report.addressType = try reader.u8()
        report.address = try DeviceAddress(decoding: &reader, kind: .init(hciType: report.addressType))
        report.primaryPHY = try reader.u8()
        report.secondaryPHY = try reader.u8()
        report.advertisingSID = try reader.u8()
        report.txPower = try reader.i8()
        report.rssi = try reader.i8()
        report.periodicAdvertisingInterval = try reader.u16le()
        // Skip the direct address and its type.
        try reader.skip(7)
        report.data = takeData(Int(try reader.u8()))
        return report
    }

    @inlinable
    @_lifetime(self: copy self)
    mutating func takeData(_ length: Int) -> Range<Int> {
        let start = reader.offset
        let count = min(length, reader.remaining)
        // There are `count` bytes, so the skip can't fail.
        try? reader.skip(count)
        if count < length { fail(DecodeError(.truncated(need: length, have: count), at: start)) }
        return start..<start &+ count
    }

    @inlinable
    @_lifetime(self: copy self)
    mutating func fail(_ error: DecodeError) {
        failure = error
        left = 0
    }
}
