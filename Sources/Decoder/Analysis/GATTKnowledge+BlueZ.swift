public import BluetoothCore
import WireBytes

// The file in which BlueZ stores the attributes of a device: /var/lib/bluetooth/ADAPTER/cache/ADDRESS.

/// The reason why a file can't be read as BlueZ's cache.
public enum BlueZCacheError: Error, Hashable, Sendable {
    /// The section `[Attributes]` is missing.
    case noAttributes
    /// A line in that section that BlueZ does not write; lines are numbered from 1.
    case unreadable(line: Int)
    /// There are more attributes than a server can have.
    case tooMany
    /// Neither the file's name nor a database hash in the file identifies the device.
    case noDevice
}

extension BlueZCacheError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noAttributes: "it has no section [Attributes]"
        case .unreadable(let line): "line \(line) is not an attribute"
        case .tooMany: "it lists more attributes than a server has"
        case .noDevice: "neither its name nor a database hash in it tells its device"
        }
    }
}

extension GATTKnowledge {
    /// Adds the attributes in one of BlueZ's cache files to the device with this address; without an address,
    /// to any device that shows the file's database hash.
    ///
    /// The section `[Attributes]` has a line for each attribute: its handle in hexadecimal, then
    /// `2800:end:UUID` or `2801:…` for a service, `2802:start:end:UUID` for an include, `2803:value
    /// handle:properties:UUID` for a characteristic (with the database hash before the UUID if that is its
    /// value), and `UUID` or `properties:UUID` for a descriptor.
    public mutating func add(bluezCache text: [UInt8], of address: DeviceAddress?) throws(BlueZCacheError) {
        var database = AttributeDatabase()
        var isInSection = false
        var hasSection = false
        var number = 0
        for raw in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let line = Self.trimmed(raw)
            guard let first = line.first, first != 0x23 else { continue }
            if first == 0x5B {
                isInSection = line.elementsEqual(Array("[Attributes]".utf8))
                if isInSection { hasSection = true }
                continue
            }
            guard isInSection else { continue }
            guard Self.take(line, into: &database) else { throw .unreadable(line: number) }
            if database.wasFull { throw .tooMany }
        }
        guard hasSection else { throw .noAttributes }
        guard address != nil || database.hash != nil else { throw .noDevice }
        database.confirmAll()
        add(database, of: address)
    }

    /// Returns the address in a cache file's name, which is `AA:BB:CC:DD:EE:FF`; nil for any other name.
    ///
    /// The name does not say whether the address is public or random.
    public static func address(ofCacheFile path: String) -> DeviceAddress? {
        guard let name = path.split(separator: "/").last, name.utf8.count == 17 else { return nil }
        return DeviceAddress(name)
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let last = line.last, last == 0x0D || last == 0x20 || last == 0x09 { line.removeLast() }
        while let first = line.first, first == 0x20 || first == 0x09 { line.removeFirst() }
        return line
    }

    /// Reads one attribute; returns false if the line is invalid.
    private static func take(_ line: ArraySlice<UInt8>, into database: inout AttributeDatabase) -> Bool {
        guard let equals = line.firstIndex(of: 0x3D), let handle = number(line[..<equals]), handle != 0 else {
            return false
        }
        let fields = line[(equals + 1)...].split(separator: 0x3A, omittingEmptySubsequences: false)
        let origin = AttributeDatabase.Origin(source: .file, frame: 0, link: 0)
        guard let first = fields.first, let last = fields.last, let uuid = uuid(last) else { return false }
        switch (number(first), fields.count) {
        case (0x2800, 3), (0x2801, 3):
            guard let end = number(fields[1]), end >= handle else { return false }
            database.add(
                .init(
                    start: handle, end: end, uuid: uuid, isPrimary: number(first) == 0x2800, origin: origin))
        case (0x2802, 4): break
        case (0x2803, 4), (0x2803, 5):
            guard let value = number(fields[1]), value > handle, let properties = number(fields[2]),
                properties <= 0xFF
            else { return false }
            database.add(
                .init(
                    declaration: handle, value: value, properties: UInt8(truncatingIfNeeded: properties),
                    uuid: uuid, origin: origin))
            if fields.count == 5, uuid.assigned16 == 0x2B2A,
                let hash = try? Hex.octets(String(decoding: fields[3], as: UTF8.self)), hash.count == 16
            {
                database.hash = hash
            }
        case (0x2800, _), (0x2801, _), (0x2802, _), (0x2803, _): return false
        case (_, 1), (_, 2): database.add(.init(handle: handle, type: uuid, origin: origin))
        default: return false
        }
        return true
    }

    /// Parses one to four hexadecimal digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(digits.count) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func uuid(_ text: ArraySlice<UInt8>) -> BluetoothUUID? {
        guard text.count <= 36 else { return nil }
        return BluetoothUUID(String(decoding: text, as: UTF8.self))
    }
}
