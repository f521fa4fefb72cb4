import WireBytes

/// Builds advertising or scan response data from AD structures, never longer than its limit.
///
/// Source: Core Specification, Vol 3, Part C, 11; Supplement to the Core Specification, Part A.
public struct ADBuilder: Hashable, Sendable {
    /// Maximum length of legacy advertising data, in bytes.
    public static let legacyLimit = 31

    /// Maximum length of the data, in bytes.
    public let limit: Int
    /// The AD structures so far.
    public private(set) var octets: [UInt8] = []

    /// Creates empty data of at most `limit` bytes (at most 1650, in extended advertising).
    public init(limit: Int = ADBuilder.legacyLimit) { self.limit = min(max(limit, 0), 1650) }

    /// The maximum number of data bytes of one more structure.
    public var room: Int { max(0, min(limit - octets.count - 2, 254)) }

    /// Appends a structure.
    ///
    /// - Returns: false if the structure does not fit; then nothing is appended.
    public mutating func append(_ type: ADType, _ data: [UInt8]) -> Bool {
        guard data.count <= room, limit - octets.count >= 2 else { return false }
        octets.append(UInt8(data.count + 1))
        octets.append(type.rawValue)
        octets.append(contentsOf: data)
        return true
    }

    /// Appends the flags; returns false if they do not fit.
    public mutating func append(_ flags: ADFlags) -> Bool { append(.flags, [flags.rawValue]) }

    /// Appends the name, shortened at a character boundary if necessary; returns false if no character fits.
    public mutating func append(name: String) -> Bool {
        let whole = Array(name.utf8)
        if whole.count <= room { return append(.completeName, whole) }
        var short: [UInt8] = []
        for character in name {
            let next = Array(character.utf8)
            guard short.count + next.count <= room else { break }
            short += next
        }
        return short.isEmpty ? false : append(.shortenedName, short)
    }

    /// Appends a list of services for each width of UUIDs, marked incomplete if not all of them fit.
    ///
    /// - Returns: the services that did not fit.
    public mutating func append(services: [BluetoothUUID]) -> [BluetoothUUID] {
        var left: [BluetoothUUID] = []
        for (width, complete, incomplete) in [
            (2, ADType.complete16, ADType.incomplete16), (4, .complete32, .incomplete32),
            (16, .complete128, .incomplete128),
        ] {
            let all = services.filter { $0.shortestWidth == width }
            guard !all.isEmpty else { continue }
            let fitting = Array(all.prefix(room / width))
            left += all.dropFirst(fitting.count)
            guard !fitting.isEmpty else { continue }
            var writer = ByteWriter()
            for uuid in fitting { uuid.encode(into: &writer, attribute: false) }
            let type = fitting.count == all.count ? complete : incomplete
            if !append(type, writer.octets) { left += fitting }
        }
        return left
    }

    /// Appends data of a company; returns false if it does not fit.
    public mutating func append(company: UInt16, _ data: [UInt8]) -> Bool {
        append(.manufacturerData, [UInt8(company & 0xFF), UInt8(company >> 8)] + data)
    }
}
