public import BluetoothCore
public import Foundation

/// A device at the other end of a link, or one that could be.
open class CBPeer: NSObject, NSCopying, @unchecked Sendable {
    /// Names the device; the same each time for the same device. The device's address is not in Apple's API.
    public let identifier: UUID

    /// The address that the identifier stands for. Not part of Apple's API: code that uses it does not run
    /// on a phone.
    public let address: DeviceAddress

    init(identifier: UUID, address: DeviceAddress) {
        self.identifier = identifier
        self.address = address
    }

    /// The same object: it stands for the device.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    public override var hash: Int { identifier.hashValue }
    public override func isEqual(_ object: Any?) -> Bool { (object as? CBPeer) === self }
}

extension DeviceAddress {
    /// The order in which devices are gone through: the same in each run.
    static func isInOrder(_ left: DeviceAddress, _ right: DeviceAddress) -> Bool {
        (left.value, left.kind.rawValue) < (right.value, right.kind.rawValue)
    }
}
