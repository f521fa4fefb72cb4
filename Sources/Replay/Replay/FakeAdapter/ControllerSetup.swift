import BluetoothCore

struct ControllerSetup: Sendable {
    var eventMask: UInt64 = 0x1FFF_FFFF_FFFF
    var leEventMask: UInt64 = 0x1F
    var randomAddress: DeviceAddress?
    var acceptList: [DeviceAddress] = []
    var advertising = RecordedConnection.Advertising()
    var isAdvertising = false
    /// Whether centrals may connect, and whether they use the random address.
    var isConnectable = false
    var advertisesRandom = false
    /// Incremented whenever advertising begins or ends.
    var advertisingGeneration = 0
    var suggestedOctets: UInt16 = 27
    var suggestedTime: UInt16 = 328

    /// Whether an event passes the mask. Responses to commands and Number Of Completed Packets always do.
    func lets(_ event: HCIEventCode) -> Bool {
        switch event.rawValue {
        case 0x0E, 0x0F, 0x13: true
        default: eventMask & 1 << (UInt64(event.rawValue) &- 1) != 0
        }
    }

    func lets(_ subevent: LESubeventCode) -> Bool {
        lets(.leMeta) && leEventMask & 1 << (UInt64(subevent.rawValue) &- 1) != 0
    }
}

/// A controller's response to a command.
enum CommandAnswer {
    /// Command Complete with these return parameters.
    case complete([UInt8])
    /// Command Status; other events may follow.
    case status(HCIStatus)

    static func complete(_ status: HCIStatus) -> Self { .complete([status.rawValue]) }
    static func complete(_ returned: some PDUFields) -> Self { .complete(returned.encoded) }
}
