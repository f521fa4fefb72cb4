import BluetoothCore

/// The content of a peripheral manager's advertising.
struct AdvertisingPayload: Hashable, Sendable {
    var data: [UInt8]
    var scanResponse: [UInt8]
    /// Time between two advertising events.
    var interval = Duration.milliseconds(100)
    /// The new name of the device; nil to keep the current one.
    var name: String?

    init(data: [UInt8], scanResponse: [UInt8], interval: Duration) {
        self.data = data
        self.scanResponse = scanResponse
        self.interval = interval
    }

    /// Puts flags and services into the advertising data as far as they fit, and the rest and the name into
    /// the scan response.
    ///
    /// Parts that fit nowhere are left out, and a name may be shortened.
    ///
    /// Source: Supplement to the Core Specification, Part A, 1.1, 1.2 and 1.3.
    init(name: String?, services: [BluetoothUUID]) {
        self.name = name
        data = [2, 0x01, 0x06]
        scanResponse = []
        for width in [2, 4, 16] {
            let all = services.filter { $0.shortestWidth == width }
            guard !all.isEmpty else { continue }
            let type: UInt8 = width == 2 ? 0x03 : width == 4 ? 0x05 : 0x07
            for rest in place(all, type, width, in: \.data) { scanResponse += rest }
        }
        guard let name, !name.isEmpty else { return }
        let octets = Array(name.utf8)
        let inData = 31 - data.count - 2
        if octets.count <= inData {
            data += [UInt8(octets.count + 1), 0x09] + octets
            return
        }
        let room = max(0, 31 - scanResponse.count - 2)
        guard room > 0 else { return }
        // Cut at a character boundary.
        var kept = octets.prefix(room)
        while kept.count < octets.count, let next = octets[safe: kept.count], next & 0xC0 == 0x80 {
            kept = kept.dropLast()
        }
        scanResponse += [UInt8(kept.count + 1), kept.count == octets.count ? 0x09 : 0x08] + kept
    }

    // Adds services; those without room are returned as one structure for the scan response, as far as it has
    // room.
    private mutating func place(
        _ uuids: [BluetoothUUID], _ type: UInt8, _ width: Int,
        in place: WritableKeyPath<AdvertisingPayload, [UInt8]>
    ) -> [[UInt8]] {
        let fitting = max(0, (31 - self[keyPath: place].count - 2) / width)
        let here = uuids.prefix(fitting)
        let isAll = here.count == uuids.count
        if !here.isEmpty {
            self[keyPath: place] +=
                [UInt8(here.count * width + 1), isAll ? type : type - 1]
                + here.flatMap { $0.octets(width: width) }
        }
        guard !isAll else { return [] }
        let rest = uuids.dropFirst(here.count).prefix(max(0, (31 - scanResponse.count - 2) / width))
        guard !rest.isEmpty else { return [] }
        return [
            [UInt8(rest.count * width + 1), here.isEmpty && rest.count == uuids.count ? type : type - 1]
                + rest.flatMap { $0.octets(width: width) }
        ]
    }
}

extension BluetoothUUID {
    /// Encodes the UUID in 2, 4 or 16 bytes, least significant first.
    fileprivate func octets(width: Int) -> [UInt8] {
        let words = [low, high]
        let all = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
        }
        return width == 16 ? all : Array(all[12..<(12 + width)])
    }
}

extension [UInt8] {
    fileprivate subscript(safe index: Int) -> UInt8? { indices.contains(index) ? self[index] : nil }
}
