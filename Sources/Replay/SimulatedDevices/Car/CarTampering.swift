/// What somebody between a car and its phone does to one of the car's messages: the phone has to notice.
public struct CarTampering: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A secured message has another tag, and the checksum that goes with it.
        case forged
        /// A secured message comes once more, after the next one.
        case again
        /// The car proves itself with another key, and takes any proof.
        case impostor
        /// All fragments of a message are lost, and sent again two seconds later.
        case late
    }

    public var kind: Kind
    /// Which of the messages that it can be done to, from 0.
    public var place: Int

    public init(_ kind: Kind, at place: Int) {
        self.kind = kind
        self.place = place
    }
}

extension CarEngine {
    /// Whether it is to be done now.
    mutating func tampers(_ kind: CarTampering.Kind) -> Bool {
        guard tampering?.kind == kind else { return false }
        defer { tampering?.place -= 1 }
        guard tampering?.place == 0 else { return false }
        wasTampered = true
        return true
    }
}
