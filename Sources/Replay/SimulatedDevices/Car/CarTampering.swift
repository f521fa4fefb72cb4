/// An attack on one of the car's messages to its phone, which the phone has to detect.
public struct CarTampering: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A secured message has another tag, and the checksum that matches it.
        case forged
        /// A secured message is repeated after the next one.
        case again
        /// The car authenticates with another key, and accepts any proof.
        case impostor
        /// All fragments of a message are delayed by two seconds.
        case late
    }

    public var kind: Kind
    /// The index among the messages that can be attacked in this way, from 0.
    public var place: Int

    public init(_ kind: Kind, at place: Int) {
        self.kind = kind
        self.place = place
    }
}

extension CarEngine {
    /// Whether to tamper with the current message.
    mutating func tampers(_ kind: CarTampering.Kind) -> Bool {
        guard tampering?.kind == kind else { return false }
        defer { tampering?.place -= 1 }
        guard tampering?.place == 0 else { return false }
        wasTampered = true
        return true
    }
}
