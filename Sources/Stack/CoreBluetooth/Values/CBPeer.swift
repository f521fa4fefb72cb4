import BluetoothCore
public import Foundation

/// A device at the other end of a link, or one that could be.
open class CBPeer: NSObject, NSCopying, @unchecked Sendable {
    private let name: UUID
    let place: DeviceAddress

    init(identifier: UUID, address: DeviceAddress) {
        name = identifier
        place = address
    }

    /// Names the device; the same each time for the same device. The device's address is not in Apple's API.
    open var identifier: UUID { name }

    /// The same object: it stands for the device.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override var description: String { described(("identifier", identifier)) }
    public override var hash: Int { name.hashValue }
    public override func isEqual(_ object: Any?) -> Bool { (object as? CBPeer) === self }
}

extension DeviceAddress {
    /// The order in which devices are gone through: the same in each run.
    static func isInOrder(_ left: DeviceAddress, _ right: DeviceAddress) -> Bool {
        (left.value, left.kind.rawValue) < (right.value, right.kind.rawValue)
    }
}
