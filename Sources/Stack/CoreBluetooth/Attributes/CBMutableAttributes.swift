public import Foundation

/// A local service.
open class CBMutableService: CBService, @unchecked Sendable {
    /// Creates a service without characteristics.
    public init(type uuid: CBUUID, primary isPrimary: Bool) { super.init(uuid: uuid, isPrimary: isPrimary) }

    /// The services that it includes, which must have been added before it.
    open override var includedServices: [CBService]? {
        get { super.includedServices }
        set { contents.change { $0.includedServices = newValue } }
    }

    /// Its characteristics.
    open override var characteristics: [CBCharacteristic]? {
        get { super.characteristics }
        set {
            contents.change { $0.characteristics = newValue }
            for characteristic in newValue ?? [] {
                characteristic.contents.change { $0.service = Weak(self) }
            }
        }
    }
}

/// A local characteristic.
open class CBMutableCharacteristic: CBCharacteristic, @unchecked Sendable {
    private let allowed: Guarded<CBAttributePermissions>
    let subscribers = Guarded<[CBCentral]>([])

    /// Creates a characteristic.
    ///
    /// With a value it is read-only and the value never changes; with nil the delegate is asked each time.
    public init(
        type uuid: CBUUID, properties: CBCharacteristicProperties, value: Data?,
        permissions: CBAttributePermissions
    ) {
        allowed = Guarded(permissions)
        super.init(uuid: uuid, properties: properties, value: value)
    }

    /// Requirements for a central to read or write it.
    open var permissions: CBAttributePermissions {
        get { allowed.current }
        set { allowed.current = newValue }
    }

    /// The subscribed centrals.
    open var subscribedCentrals: [CBCentral]? { subscribers.current }

    open override var properties: CBCharacteristicProperties {
        get { super.properties }
        set { contents.change { $0.properties = newValue } }
    }

    /// A value for the program's own use; centrals get theirs from the delegate.
    open override var value: Data? {
        get { super.value }
        set { contents.change { $0.value = newValue } }
    }

    open override var descriptors: [CBDescriptor]? {
        get { super.descriptors }
        set {
            contents.change { $0.descriptors = newValue }
            for descriptor in newValue ?? [] {
                descriptor.contents.change { $0.characteristic = Weak(self) }
            }
        }
    }
}

/// A local descriptor: a user description (a `String` value) or a presentation format (`Data`), as with
/// Apple.
open class CBMutableDescriptor: CBDescriptor, @unchecked Sendable {
    public init(type uuid: CBUUID, value: Any?) { super.init(uuid: uuid, value: value) }
}
