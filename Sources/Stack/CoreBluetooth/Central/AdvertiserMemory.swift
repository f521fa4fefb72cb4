import BluetoothCore
import LEHost

/// The latest advertising data of each advertiser, so that a scan response is reported together with the
/// advertisement that it answers.
///
/// Limited in number; the oldest entries are evicted.
struct AdvertiserMemory {
    struct Heard {
        var data: [UInt8] = []
        var scanResponse: [UInt8] = []
        var isConnectable = false
        var rssi: Int8 = 127
    }

    private static let limit = 1024
    private var heard: [DeviceAddress: Heard] = [:]
    private var order: [DeviceAddress] = []

    subscript(address: DeviceAddress) -> Heard? { heard[address] }

    /// Adds an advertisement.
    ///
    /// - Returns: everything known of the advertiser now.
    mutating func take(_ advertisement: Advertisement) -> Heard {
        let address = advertisement.address
        var latest = heard[address] ?? Heard()
        if advertisement.isScanResponse {
            latest.scanResponse = advertisement.data
        } else {
            latest.data = advertisement.data
            latest.isConnectable = advertisement.isConnectable
        }
        latest.rssi = advertisement.rssi
        if heard[address] == nil {
            order.append(address)
            if order.count > Self.limit { heard[order.removeFirst()] = nil }
        }
        heard[address] = latest
        return latest
    }

    mutating func removeAll() { self = AdvertiserMemory() }
}
