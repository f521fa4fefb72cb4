public import BluetoothCore
import PayloadFormat

/// A wire format of the digital-key protocol as data: everything that differs between car makers.
///
/// Nothing outside this module knows the numbers of ``reference1``; a file can state others.
public struct Dialect: Hashable, Sendable {
    /// The dialect's name in every output.
    public var name: String
    /// The GATT service and its characteristics.
    public var gatt: DialectGATT
    /// The format of a car's advertising.
    public var advertising: DialectAdvertising
    /// The header of each fragment; nil if an ATT value is a whole message.
    public var fragments: DialectFragments?
    /// The header of each message.
    public var message: MessageFormat
    /// The checksum at the end of each message; nil for none.
    public var checksum: ChecksumPlacement?
    /// The commands and events.
    public var commands: [DialectCommand]
    /// The first field of a response's body.
    public var status: StatusFormat
    /// Formulas for the proofs and the session key.
    public var proofs: DialectProofs
    /// Protection of payloads; nil if the dialect has none.
    public var securing: SecuringFormat?
    /// Times and limits.
    public var limits: DialectLimits

    /// Returns the command with a code.
    public func command(_ code: UInt64) -> DialectCommand? { commands.first { $0.code == code } }
    /// Returns the command with a name.
    public func command(named name: String) -> DialectCommand? { commands.first { $0.name == name } }
    /// Returns the command that serves a purpose.
    public func command(for purpose: CommandPurpose) -> DialectCommand? {
        commands.first { $0.purpose == purpose }
    }
}

/// UUIDs of the protocol in a GATT database.
public struct DialectGATT: Hashable, Sendable {
    /// The primary service.
    public var service: BluetoothUUID
    /// The characteristic that the phone writes.
    public var command: BluetoothUUID
    /// The characteristic that notifies.
    public var event: BluetoothUUID
    /// The characteristic that is read; nil if absent.
    public var info: BluetoothUUID?
    /// The fields of the info characteristic's value.
    public var infoLayout: Layout
}

/// The format of a car's advertising.
public struct DialectAdvertising: Hashable, Sendable {
    /// The company identifier of its manufacturer specific data.
    public var companyID: UInt16
    /// Layout of the data after the identifier; its field `address` is the car's address.
    public var layout: Layout
    /// The byte order of the field `address`.
    public var addressOrder: OctetOrder
    /// Whether a name that spells an address replaces the field if the data is absent.
    public var nameMayBeAddress: Bool
}

/// The header of a fragment and the id ranges of both sides.
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
    /// Meaning of the length field.
    public enum LengthMeaning: Hashable, Sendable {
        /// The length of the payload in bytes.
        case payload
        /// The length of the whole message in bytes, including header and checksum.
        case message
    }

    /// Its fields.
    public var header: HeaderFormat
    /// Meaning of the length field.
    public var lengthMeaning: LengthMeaning
    /// The value of the kind field of a request.
    public var requestKind: UInt64
    /// The value of the kind field of a response.
    public var responseKind: UInt64
    /// The value of the kind field of an event.
    public var eventKind: UInt64
    /// The bit of the flags field that marks a secured payload; the other bits are 0.
    public var securedFlag: UInt64
}

/// Position and coverage of a message's checksum.
public struct ChecksumPlacement: Hashable, Sendable {
    /// The algorithm.
    public var checksum: Checksum
    /// Its byte order; it is the last field of the message.
    public var order: OctetOrder
    /// Number of bytes at the start of the message that it does not cover.
    public var skipsFirst: Int
}

/// Purpose of a command, if the protocol's own flow needs it.
public enum CommandPurpose: Hashable, Sendable {
    /// Activates a key.
    case activate
    /// Exchanges the nonces and returns the vehicle's proof.
    case authBegin
    /// Carries the phone's proof and creates the session.
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
    /// Its purpose.
    public var purpose: CommandPurpose
    /// Whether it is an event, which has no response.
    public var isEvent: Bool
    /// Whether it is sent secured during a session.
    public var isSecured: Bool
    /// The body of the request or the event.
    public var request: Layout
    /// The body of the response after a status of success.
    public var response: Layout
}

/// The status at the start of a response's body.
public struct StatusFormat: Hashable, Sendable {
    /// Its length in bytes: 1 to 4.
    public var width: Int
    /// Its byte order.
    public var order: OctetOrder
    /// The names of its values.
    public var names: [UInt64: String]

    /// Returns the value with a name.
    public func code(_ name: StatusName) -> UInt64? { names.first { $0.value == name.rawValue }?.key }
    /// Returns the meaning of a value, if the protocol's own flow needs it.
    public func meaning(_ code: UInt64) -> StatusName? { names[code].flatMap { StatusName(rawValue: $0) } }
}

/// The statuses that the protocol's own flow needs, under the names that dialects use.
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

/// Times, in milliseconds, and limits of a dialect.
public struct DialectLimits: Hashable, Sendable {
    public var scan: Int64 = 10_000
    public var connect: Int64 = 10_000
    public var discovery: Int64 = 5_000
    public var authentication: Int64 = 5_000
    public var command: Int64 = 5_000
    /// Time that a message waits for its next fragment, and that a finished one is remembered.
    public var reassembly: Int64 = 2_000
    /// Lockout time of a key.
    public var lockout: Int64 = 60_000
    public var notificationTries: Int = 3
    public var authenticationTries: Int = 3
    /// Number of consecutive bad proofs that lock a key out.
    public var badProofs: Int = 5
    /// Maximum length of a message in bytes.
    public var messageOctets: Int = 4_096
    /// Maximum number of fragments of a message.
    public var fragments: Int = 128
    /// Maximum length of an ATT value in bytes, whatever the MTU.
    public var valueOctets: Int = 512
    /// Maximum number of requests without a response.
    public var outstanding: Int = 128
    /// Length of a digital key in bytes.
    public var keyOctets: Int = 16
    /// Number of digits of a pairing code.
    public var pairingCodeDigits: Int = 6

    /// Creates the limits of reference format 1.
    public init() {}
}
