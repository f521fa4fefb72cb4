public import WireBytes

/// No return parameters: the controller answers with Command Status.
public struct HCINoReturn: PDUFields, Equatable {
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {}
}

/// Return parameters with only a status.
public struct HCIStatusReturn: PDUFields, Equatable {
    public var status: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
    }
}

/// Return parameters with a status and the connection's handle.
public struct HCIConnectionStatusReturn: PDUFields, Equatable {
    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        if coder.ends(after: status) { return }
        try coder.u16("connection_handle", &connectionHandle)
    }
}

extension FieldCoder where Self: ~Copyable & ~Escapable {
    /// Whether return parameters end here: a controller that refuses a command may return only its status.
    @inlinable
    public func ends(after status: HCIStatus) -> Bool { status != .success && remaining == 0 }
}
