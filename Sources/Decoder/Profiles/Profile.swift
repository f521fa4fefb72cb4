public import BluetoothCore
import PayloadFormat

/// A private protocol over GATT or L2CAP, or in advertising data, described by data.
public struct Profile: Hashable, Sendable {
    /// The name that outputs and options use.
    public var name: String
    /// The description for a person.
    public var title: String?
    /// Whether a value that does not fit is an error; otherwise it is only unknown.
    public var isStrict = false
    /// The kinds of its values, each with its frame and messages.
    public var channels: [ProfileChannel]
    /// The pairs of requests and responses.
    public var pairs: [ProfilePair]
}

/// Values with the same frame: usually those of one attribute in one direction, of one company's advertising
/// data, or the SDUs of an L2CAP channel.
public struct ProfileChannel: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// The selectors of its values.
    public var attributes: [AttributeSelector]
    /// The selectors of its values in advertising data.
    public var advertising: [AdvertisingSelector]
    /// The selectors of its values among the SDUs of L2CAP channels.
    public var l2cap: [L2CAPSelector]
    /// The frame around the fields.
    public var framing: ProfileFraming
    /// The frame's checksum; nil if absent.
    public var checksum: FrameChecksum?
    /// The field that selects the message; nil if there is only one message.
    public var selector: MessageSelector?
    /// The messages.
    public var messages: [ProfileMessage]

    /// Whether the frame itself proves that it is one: by constant bytes, a checksum or required members.
    public var hasEvidence: Bool {
        !framing.prefix.isEmpty || !framing.trailer.isEmpty || checksum != nil
            || messages.contains { $0.layout.fields.contains(where: \.isDistinctive) }
    }
}

/// The way in which a value is transferred.
public enum ProfileOperation: String, CaseIterable, Hashable, Sendable {
    /// The client writes it, with or without response.
    case write
    /// The server notifies or indicates it.
    case notify
    /// The client reads it.
    case read
}

/// A selector of values that belong to a channel; everything that is given must hold.
public struct AttributeSelector: Hashable, Sendable {
    /// The characteristic's service; nil for any.
    public var service: BluetoothUUID?
    /// The characteristic; nil if the value identifies itself.
    public var characteristic: BluetoothUUID?
    /// The operations that match.
    public var operations = Set(ProfileOperation.allCases)
    /// The attribute handle, for links whose attributes have no label.
    public var handle: UInt16?
    /// The bytes that the value starts with; empty for any.
    public var valuePrefix: [UInt8] = []
}

/// A selector of values in advertising data.
public struct AdvertisingSelector: Hashable, Sendable {
    /// The owner of a value in advertising data.
    public enum Owner: Hashable, Sendable {
        /// The company identifier of manufacturer data.
        case company(UInt16)
        /// The UUID of service data.
        case service(BluetoothUUID)
    }

    /// The owner of its values.
    public var owner: Owner
    /// The bytes that the value starts with, after the owner's number; empty for any.
    public var valuePrefix: [UInt8] = []
}

/// A selector of the SDUs of credit-based L2CAP channels, by the service that the channel was opened to.
public enum L2CAPSelector: Hashable, Sendable {
    /// The SPSM.
    case psm(UInt16)
    /// The field that announces the SPSM on the same link, in a message of the profile that fits.
    case field(String)
}

/// The parts of a frame around its fields.
public struct ProfileFraming: Hashable, Sendable {
    /// The bytes that it starts with.
    public var prefix: [UInt8] = []
    /// The length field; nil if absent.
    public var length: FrameLength?
    /// The bytes that it ends with.
    public var trailer: [UInt8] = []
    /// The offset of the fields; nil right after the prefix and a length that follows it.
    public var bodyOffset: Int?
    /// The header of each fragment; nil if a value is a complete frame.
    public var fragments: FragmentFormat?
    /// The way in which messages run over several values; nil if a value is a complete frame or a fragment.
    public var stream: StreamFormat?
    /// The limits of the fragments that are kept.
    public var limits = ReassemblyLimits()

    /// Creates the framing of a value that is all body.
    public init() {}
}

/// A frame's length field.
public struct FrameLength: Hashable, Sendable {
    /// The part of a frame that a length counts.
    public enum Meaning: Hashable, Sendable {
        /// Every byte of the frame.
        case frame
        /// The bytes of the fields.
        case body
        /// The bytes after the length field.
        case rest
    }

    /// Its offset, in bytes from the start of the frame.
    public var offset: Int
    /// Its width in bytes: 1 to 4.
    public var width: Int
    /// Its byte order.
    public var order: OctetOrder
    /// The part of the frame that it counts.
    public var meaning: Meaning
    /// The number that is added to its value before the comparison.
    public var adjustment: Int
}

/// A frame's checksum. Offsets below 0 count from the end of the frame.
public struct FrameChecksum: Hashable, Sendable {
    /// The algorithm.
    public var checksum: Checksum
    /// Its byte order.
    public var order: OctetOrder
    /// The start of the bytes that it covers.
    public var from: Int
    /// The end of the bytes that it covers; nil at the checksum.
    public var to: Int?
    /// Its offset; nil at the end, before the trailer.
    public var offset: Int?
}

/// The integer that selects the message.
public struct MessageSelector: Hashable, Sendable {
    /// Its offset, in bytes from the start of the fields.
    public var offset: Int
    /// Its width in bytes: 1 to 8.
    public var width: Int
    /// Its byte order.
    public var order: OctetOrder
    /// The bits that count.
    public var mask: UInt64
}

/// One message of a channel.
public struct ProfileMessage: Hashable, Sendable {
    /// Its name, which is unique in a profile.
    public var name: String
    /// The values that select it; empty for a message that any other value selects.
    public var values: [UInt64]
    /// Its fields.
    public var layout: Layout
    /// The values that ciphers of later messages may use.
    public var remembered: [RememberedValue] = []
    /// Whether it asks the receiver to restart, which ends the connection.
    public var restarts = false
}

/// A value of a message that is kept for ciphers of later messages on the same link.
public struct RememberedValue: Hashable, Sendable {
    /// Its name in terms.
    public var name: String
    /// The terms that form it.
    public var value: [FormulaTerm]
    /// The terms that tell it from others of the same name, such as a session's number; empty for one alone.
    public var by: [FormulaTerm]
}

/// A request and its response.
public struct ProfilePair: Hashable, Sendable {
    /// The name of the request.
    public var request: String
    /// The name of the response.
    public var response: String
    /// The fields of the two that must hold the same value; nil if they are matched without them.
    public var fields: MatchingFields?
    /// Whether a response answers the latest of several requests; otherwise the oldest.
    public var isLatest: Bool
    /// Longest time until the response, in milliseconds.
    public var timeout: Int64

    /// The fields of a request and of its response that hold the same value.
    public struct MatchingFields: Hashable, Sendable {
        /// The request's field.
        public var request: String
        /// The response's field.
        public var response: String
    }
}
