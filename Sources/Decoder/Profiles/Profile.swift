public import BluetoothCore
import PayloadFormat

/// A private protocol over GATT, described by data.
public struct Profile: Hashable, Sendable {
    /// The name that outputs and options use.
    public var name: String
    /// What it is, for a person.
    public var title: String?
    /// The kinds of values it has, each with its frame and messages.
    public var channels: [ProfileChannel]
    /// Which messages answer which.
    public var pairs: [ProfilePair]

    /// The names of layers, by which frames are chosen as they are by profiles': no profile has one of them.
    public static let layers = ["hci", "l2cap", "att", "smp", "uqdk"]
}

/// Values of the same frame: those of one attribute in one direction, as a rule.
public struct ProfileChannel: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Which values belong to it.
    public var attributes: [AttributeSelector]
    /// The frame around the fields.
    public var framing: ProfileFraming
    /// The frame's checksum; nil for none.
    public var checksum: FrameChecksum?
    /// The field that picks the message; nil where there is one message only.
    public var selector: MessageSelector?
    /// The messages.
    public var messages: [ProfileMessage]

    /// Whether the frame itself tells that it is one: by fixed octets or a checksum.
    public var hasEvidence: Bool {
        !framing.prefix.isEmpty || !framing.trailer.isEmpty || checksum != nil
            || messages.contains { $0.layout.fields.contains { $0.constant != nil } }
    }
}

/// How a value travels.
public enum ProfileOperation: String, CaseIterable, Hashable, Sendable {
    /// The client writes it, with or without response.
    case write
    /// The server notifies or indicates it.
    case notify
    /// The client reads it.
    case read
}

/// Which values belong to a channel; everything that is given must hold.
public struct AttributeSelector: Hashable, Sendable {
    /// The characteristic's service; nil for any.
    public var service: BluetoothUUID?
    /// The characteristic; nil where the value tells.
    public var characteristic: BluetoothUUID?
    /// The ways that count.
    public var operations: Set<ProfileOperation>
    /// The attribute handle, for links whose attributes have no label.
    public var handle: UInt16?
    /// The octets that the value starts with; none for any.
    public var valuePrefix: [UInt8]
}

/// What stands around the fields of a frame.
public struct ProfileFraming: Hashable, Sendable {
    /// The octets that it starts with.
    public var prefix: [UInt8] = []
    /// The field that says how long it is; nil for none.
    public var length: FrameLength?
    /// The octets that it ends with.
    public var trailer: [UInt8] = []
    /// Where the fields start; nil right after the prefix and a length that follows it.
    public var bodyOffset: Int?
    /// The header of each fragment; nil where a value is a whole frame.
    public var fragments: FragmentFormat?
    /// What is kept of fragments at most.
    public var limits = ReassemblyLimits()

    /// A value that is all body.
    public init() {}
}

/// A frame's length field.
public struct FrameLength: Hashable, Sendable {
    /// What a length counts.
    public enum Meaning: Hashable, Sendable {
        /// Every octet of the frame.
        case frame
        /// The octets of the fields.
        case body
        /// The octets after the length field.
        case rest
    }

    /// Where it stands, in octets from the start of the frame.
    public var offset: Int
    /// Octets that it takes: 1 to 4.
    public var width: Int
    /// Their order.
    public var order: OctetOrder
    /// What it counts.
    public var meaning: Meaning
    /// What is added to its value before it is compared.
    public var adjustment: Int
}

/// A frame's checksum. Offsets below 0 count from the end of the frame.
public struct FrameChecksum: Hashable, Sendable {
    /// Which checksum.
    public var checksum: Checksum
    /// The order of its octets.
    public var order: OctetOrder
    /// Where what it covers starts.
    public var from: Int
    /// Where that ends; nil where the checksum stands.
    public var to: Int?
    /// Where it stands; nil at the end, before the trailer.
    public var offset: Int?
}

/// The integer that picks the message.
public struct MessageSelector: Hashable, Sendable {
    /// Where it stands, in octets from the start of the fields.
    public var offset: Int
    /// Octets that it takes: 1 to 8.
    public var width: Int
    /// Their order.
    public var order: OctetOrder
    /// The bits that count.
    public var mask: UInt64
}

/// One message of a channel.
public struct ProfileMessage: Hashable, Sendable {
    /// Its name, once in a profile.
    public var name: String
    /// The value that picks it; nil for whatever no other message is picked by.
    public var value: UInt64?
    /// Its fields.
    public var layout: Layout
}

/// Which message answers which.
public struct ProfilePair: Hashable, Sendable {
    /// The message that asks.
    public var request: String
    /// The message that answers.
    public var response: String
    /// The fields of the two that must hold the same value; nil where the order tells.
    public var fields: MatchingFields?
    /// How long an answer may take, in milliseconds.
    public var timeout: Int64

    /// The fields of a request and of its response that hold the same value.
    public struct MatchingFields: Hashable, Sendable {
        /// The request's field.
        public var request: String
        /// The response's field.
        public var response: String
    }
}
