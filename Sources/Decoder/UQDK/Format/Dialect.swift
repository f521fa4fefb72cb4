public import BluetoothCore
import PayloadFormat

/// A wire format of the digital-key protocol as data: everything that tells one car maker's from another's.
///
/// Nothing outside this module knows the numbers of ``reference1``; a file can state others.
public struct Dialect: Hashable, Sendable {
    /// What it is called in every output.
    public var name: String
    /// The GATT service and its characteristics.
    public var gatt: DialectGATT
    /// How a car advertises.
    public var advertising: DialectAdvertising
    /// The header of each fragment; nil where an ATT value is a whole message.
    public var fragments: DialectFragments?
    /// The header of each message.
    public var message: MessageFormat
    /// The checksum at the end of each message; nil for none.
    public var checksum: ChecksumPlacement?
    /// The commands and events.
    public var commands: [DialectCommand]
    /// The first field of a response's body.
    public var status: StatusFormat
    /// How proofs and the session's key are made.
    public var proofs: DialectProofs
    /// How payloads are secured; nil where none are.
    public var securing: SecuringFormat?
    /// Times and bounds.
    public var limits: DialectLimits

    /// The command of a code.
    public func command(_ code: UInt64) -> DialectCommand? { commands.first { $0.code == code } }
    /// The command of a name.
    public func command(named name: String) -> DialectCommand? { commands.first { $0.name == name } }
    /// The command that serves a purpose.
    public func command(for purpose: CommandPurpose) -> DialectCommand? {
        commands.first { $0.purpose == purpose }
    }
}

/// Where the protocol lies in a GATT database.
public struct DialectGATT: Hashable, Sendable {
    /// The primary service.
    public var service: BluetoothUUID
    /// The characteristic that the phone writes.
    public var command: BluetoothUUID
    /// The characteristic that notifies.
    public var event: BluetoothUUID
    /// The characteristic that is read; nil if absent.
    public var info: BluetoothUUID?
    /// The fields of the last one's value.
    public var infoLayout: Layout
}

/// How a car advertises.
public struct DialectAdvertising: Hashable, Sendable {
    /// The company identifier of its manufacturer specific data.
    public var companyID: UInt16
    /// What follows the identifier; the field `address` is the car's.
    public var layout: Layout
    /// The order of the octets of the field `address`.
    public var addressOrder: OctetOrder
    /// Whether a name that spells an address stands for the field where the data is absent.
    public var nameMayBeAddress: Bool
}

/// The header of a fragment and the ids of the two sides.
public struct DialectFragments: Hashable, Sendable {
    /// Its fields.
    public var format: FragmentFormat
    /// The ids that the phone gives its requests.
    public var requestIDs: ClosedRange<UInt64>
    /// The ids that the car gives its events.
    public var eventIDs: ClosedRange<UInt64>
}

/// The header of a message.
public struct MessageFormat: Hashable, Sendable {
    /// What the length field counts.
    public enum LengthMeaning: Hashable, Sendable {
        /// The octets of the payload.
        case payload
        /// All octets of the message, header and checksum among them.
        case message
    }

    /// Its fields.
    public var header: HeaderFormat
    /// What the length field counts.
    public var lengthMeaning: LengthMeaning
    /// The value of the kind field of a request.
    public var requestKind: UInt64
    /// The value of the kind field of a response.
    public var responseKind: UInt64
    /// The value of the kind field of an event.
    public var eventKind: UInt64
    /// The bit of the flags field that says that the payload is secured; the others are 0.
    public var securedFlag: UInt64
}

/// Where a message's checksum lies and what it covers.
public struct ChecksumPlacement: Hashable, Sendable {
    /// Which checksum.
    public var checksum: Checksum
    /// Its octet order; it is the last field of the message.
    public var order: OctetOrder
    /// Octets at the start of the message that it does not cover.
    public var skipsFirst: Int
}

/// What a command is for, where the protocol's own flow needs it.
public enum CommandPurpose: Hashable, Sendable {
    /// Takes a key into use.
    case activate
    /// Gives the nonces and the vehicle's proof.
    case authBegin
    /// Gives the phone's proof and makes the session.
    case authFinish
    /// Anything else.
    case ordinary
}

/// A command or an event with the fields of its bodies.
public struct DialectCommand: Hashable, Sendable {
    /// The code on the wire.
    public var code: UInt64
    /// Its name.
    public var name: String
    /// What it is for.
    public var purpose: CommandPurpose
    /// Whether it is an event, which has no response.
    public var isEvent: Bool
    /// Whether it travels secured once a session stands.
    public var isSecured: Bool
    /// The body of the request or the event.
    public var request: Layout
    /// The body of the response after a status of success.
    public var response: Layout
}

/// The status at the start of a response's body.
public struct StatusFormat: Hashable, Sendable {
    /// Octets that it takes: 1 to 4.
    public var width: Int
    /// Their order.
    public var order: OctetOrder
    /// The names of its values.
    public var names: [UInt64: String]

    /// The value of a name.
    public func code(_ name: StatusName) -> UInt64? { names.first { $0.value == name.rawValue }?.key }
    /// What a value stands for, where the protocol's own flow needs it.
    public func meaning(_ code: UInt64) -> StatusName? { names[code].flatMap { StatusName(rawValue: $0) } }
}

/// The statuses that the protocol's own flow needs, by the names that dialects use.
public enum StatusName: String, CaseIterable, Hashable, Sendable {
    case success
    case busy
    case authenticationRequired
    case badProof
    case counterReplayed
    case unsupportedCommand
    case refusedInState
    case badMessage
    case timedOut
    case keyRevoked
    case keyLockedOut
}

/// Times and bounds of a dialect; the times in milliseconds.
public struct DialectLimits: Hashable, Sendable {
    public var scan: Int64 = 10_000
    public var connect: Int64 = 10_000
    public var discovery: Int64 = 5_000
    public var authentication: Int64 = 5_000
    public var command: Int64 = 5_000
    /// How long a message waits for its next fragment, and a finished one is remembered.
    public var reassembly: Int64 = 2_000
    /// How long a key is locked out.
    public var lockout: Int64 = 60_000
    public var notificationTries: Int = 3
    public var authenticationTries: Int = 3
    /// Bad proofs in a row that lock a key out.
    public var badProofs: Int = 5
    /// Octets of a message at most.
    public var messageOctets: Int = 4_096
    /// Fragments of a message at most.
    public var fragments: Int = 128
    /// Octets of an ATT value at most, whatever the MTU.
    public var valueOctets: Int = 512
    /// Requests without a response at most.
    public var outstanding: Int = 128
    /// Octets of a digital key.
    public var keyOctets: Int = 16
    /// Digits of a pairing code.
    public var pairingCodeDigits: Int = 6

    /// Those of reference format 1.
    public init() {}
}
