public import BluetoothCore

/// A service found by discovery.
public struct GATTService: Hashable, Codable, Sendable {
    /// The service's UUID.
    public var uuid: BluetoothUUID
    /// The service's first attribute, its declaration.
    public var handle: UInt16
    /// The service's last attribute.
    public var endHandle: UInt16

    public init(uuid: BluetoothUUID, handle: UInt16, endHandle: UInt16) {
        self.uuid = uuid
        self.handle = handle
        self.endHandle = endHandle
    }
}

/// A service that another service includes.
public struct GATTInclude: Hashable, Codable, Sendable {
    /// The attribute that declares the inclusion.
    public var declarationHandle: UInt16
    /// The included service.
    public var service: GATTService

    public init(declarationHandle: UInt16, service: GATTService) {
        self.declarationHandle = declarationHandle
        self.service = service
    }
}

/// A characteristic found by discovery.
public struct GATTCharacteristic: Hashable, Codable, Sendable {
    /// The characteristic's UUID.
    public var uuid: BluetoothUUID
    /// Operations permitted on its value.
    public var properties: GATTCharacteristicProperties
    /// The attribute that declares the characteristic.
    public var declarationHandle: UInt16
    /// The attribute that holds the characteristic's value.
    public var valueHandle: UInt16
    /// The characteristic's last attribute: its descriptors are between the value and this handle.
    public var endHandle: UInt16

    public init(
        uuid: BluetoothUUID, properties: GATTCharacteristicProperties, declarationHandle: UInt16,
        valueHandle: UInt16, endHandle: UInt16
    ) {
        self.uuid = uuid
        self.properties = properties
        self.declarationHandle = declarationHandle
        self.valueHandle = valueHandle
        self.endHandle = endHandle
    }
}

/// A descriptor of a characteristic, found by discovery.
public struct GATTDescriptor: Hashable, Codable, Sendable {
    /// The descriptor's UUID.
    public var uuid: BluetoothUUID
    /// The attribute that holds the descriptor.
    public var handle: UInt16

    public init(uuid: BluetoothUUID, handle: UInt16) {
        self.uuid = uuid
        self.handle = handle
    }
}

/// A client's operation on the server's attributes: a procedure of one or more requests.
///
/// Source: Core Specification, Vol 3, Part G, 4.
public enum GATTOperation: Hashable, Codable, Sendable {
    /// Negotiates the ATT_MTU, offering `clientMTU`, at least 23 bytes.
    case exchangeMTU(UInt16)
    /// Discovers all primary services, or only those with this UUID.
    case discoverServices(BluetoothUUID? = nil)
    /// Discovers the services that a service includes, declared in its range.
    case discoverIncludes(ClosedRange<UInt16>)
    /// Discovers the characteristics of a service, declared in its range.
    case discoverCharacteristics(ClosedRange<UInt16>)
    /// Discovers the descriptors in a range: the attributes after a characteristic's value.
    case discoverDescriptors(ClosedRange<UInt16>)
    /// Reads a value of any length.
    case read(UInt16)
    /// Reads the values of all attributes of a type in a range, as far as they fit in the responses.
    case readByType(BluetoothUUID, ClosedRange<UInt16>)
    /// Writes a value with response, in parts if it is too long for one request.
    case write(UInt16, [UInt8])
    /// Sends this request as it is, from its opcode: for requests such as Read Multiple that no other
    /// operation sends.
    case request([UInt8])
}

/// The result of an operation.
public enum GATTOutcome: Hashable, Codable, Sendable {
    /// The new maximum length of a PDU, in bytes.
    case mtu(Int)
    case services([GATTService])
    case includes([GATTInclude])
    case characteristics([GATTCharacteristic])
    case descriptors([GATTDescriptor])
    case value([UInt8])
    case values([ATTHandleValue])
    case written
    /// The response to a request sent as it is, from its opcode.
    case response([UInt8])
}

/// Reason why an operation failed.
public enum GATTFailure: Error, Hashable, Sendable {
    /// The server refused a request for an attribute.
    case refused(ATTErrorCode, handle: UInt16)
    /// No response came within 30 s; nothing more is sent on this link.
    case timedOut
    /// The link is gone, or never existed.
    case disconnected
    /// The response contradicts the request: its handles are not in the range, or not in order.
    case malformedResponse(ATTOpcode)
    /// The server's echo of a queued part differs from the part, so all parts were cancelled.
    case echoMismatch(handle: UInt16)
    /// The operation is impossible: a handle 0, or a value longer than 512 bytes.
    case invalidOperation
}

/// The connection between the start and the end of an operation; chosen by the caller.
public struct GATTToken: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
}
