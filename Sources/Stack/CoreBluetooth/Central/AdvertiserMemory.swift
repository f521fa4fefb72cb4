import BluetoothCore
import LEHost

/// The latest advertising data of each advertiser: a scan response is reported together with what it
/// answers. It keeps so many, and forgets those first that were heard of first.
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

    /// Takes what was heard.
    ///
    /// - Returns: all that is known of the advertiser now.
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
