public import BluetoothCore

/// A service, as discovery found it.
public struct GATTService: Hashable, Sendable {
    /// Which service it is.
    public var uuid: BluetoothUUID
    /// Its first attribute, the declaration.
    public var handle: UInt16
    /// Its last attribute.
    public var endHandle: UInt16

    public init(uuid: BluetoothUUID, handle: UInt16, endHandle: UInt16) {
        self.uuid = uuid
        self.handle = handle
        self.endHandle = endHandle
    }
}

/// A service that another includes.
public struct GATTInclude: Hashable, Sendable {
    /// The attribute that includes it.
    public var declarationHandle: UInt16
    /// The included service.
    public var service: GATTService

    public init(declarationHandle: UInt16, service: GATTService) {
        self.declarationHandle = declarationHandle
        self.service = service
    }
}

/// A characteristic, as discovery found it.
public struct GATTCharacteristic: Hashable, Sendable {
    /// Which characteristic it is.
    public var uuid: BluetoothUUID
    /// What may be done with its value.
    public var properties: GATTCharacteristicProperties
    /// The attribute that declares it.
    public var declarationHandle: UInt16
    /// The attribute that holds its value.
    public var valueHandle: UInt16
    /// Its last attribute: descriptors lie between the value and it.
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

/// A descriptor of a characteristic, as discovery found it.
public struct GATTDescriptor: Hashable, Sendable {
    /// Which descriptor it is.
    public var uuid: BluetoothUUID
    /// The attribute that holds it.
    public var handle: UInt16

    public init(uuid: BluetoothUUID, handle: UInt16) {
        self.uuid = uuid
        self.handle = handle
    }
}

/// Something that the client does with the server's attributes; a procedure of one or more requests.
///
/// Source: Core Specification, Vol 3, Part G, 4.
public enum GATTOperation: Hashable, Sendable {
    /// Agrees on the longest PDU: offers `clientMTU`, at least 23 octets.
    case exchangeMTU(UInt16)
    /// All primary services, or those with one UUID.
    case discoverServices(BluetoothUUID? = nil)
    /// The services that a service includes: those declared in its range.
    case discoverIncludes(ClosedRange<UInt16>)
    /// The characteristics of a service: those declared in its range.
    case discoverCharacteristics(ClosedRange<UInt16>)
    /// The descriptors in a range: the attributes after a characteristic's value.
    case discoverDescriptors(ClosedRange<UInt16>)
    /// A value, however long.
    case read(UInt16)
    /// The values of all attributes of one type in a range, as much as the responses hold of each.
    case readByType(BluetoothUUID, ClosedRange<UInt16>)
    /// Writes a value with response, in parts where it is longer than one request holds.
    case write(UInt16, [UInt8])
    /// A request as it is, from its opcode on, that no operation above makes, such as Read Multiple.
    case request([UInt8])
}

/// What an operation brought.
public enum GATTOutcome: Hashable, Sendable {
    /// The longest PDU from now on, in octets.
    case mtu(Int)
    case services([GATTService])
    case includes([GATTInclude])
    case characteristics([GATTCharacteristic])
    case descriptors([GATTDescriptor])
    case value([UInt8])
    case values([ATTHandleValue])
    case written
    /// The response to a request that was made as it is, from its opcode on.
    case response([UInt8])
}

/// Why an operation brought nothing.
public enum GATTFailure: Error, Hashable, Sendable {
    /// The server refused a request, for an attribute.
    case refused(ATTErrorCode, handle: UInt16)
    /// No response came within 30 s; nothing more is sent on this link.
    case timedOut
    /// The link is gone, or never was.
    case disconnected
    /// The server's response contradicts the request: it names handles outside the range, or not in order.
    case malformedResponse(ATTOpcode)
    /// The server did not repeat the part of a value that it was to keep; all parts were cancelled.
    case echoMismatch(handle: UInt16)
    /// What was asked can't be: a handle 0, a value longer than 512 octets.
    case invalidOperation
}

/// Joins the end of an operation to its beginning; chosen by who began it.
public struct GATTToken: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
}
