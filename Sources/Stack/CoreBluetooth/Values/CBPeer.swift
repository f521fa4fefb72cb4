public import BluetoothCore
public import Foundation

/// A device at the other end of a possible link.
open class CBPeer: NSObject, NSCopying, @unchecked Sendable {
    private let name: UUID
    let place: DeviceAddress

    init(identifier: UUID, address: DeviceAddress) {
        name = identifier
        place = address
    }

    /// Identifies the device; the same each time for the same device.
    ///
    /// The device's address is not in Apple's API.
    open var identifier: UUID { name }

    /// Returns the same object, which represents the device.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override var description: String { described(("identifier", identifier)) }
    public override var hash: Int { name.hashValue }
    public override func isEqual(_ object: Any?) -> Bool { (object as? CBPeer) === self }
}

extension DeviceAddress {
    /// Order in which devices are processed: the same in each run.
    static func isInOrder(_ left: DeviceAddress, _ right: DeviceAddress) -> Bool {
        (left.value, left.kind.rawValue) < (right.value, right.kind.rawValue)
    }
}

/// A central with a link to this device.
open class CBCentral: CBPeer, @unchecked Sendable {
    let mtu = Guarded(23)

    /// The device's address.
    ///
    /// Not part of Apple's API.
    @_spi(Host) public var address: DeviceAddress { place }

    /// Maximum length of one update in bytes: ATT_MTU − 3.
    open var maximumUpdateValueLength: Int { min(mtu.current - 3, 512) }
}
