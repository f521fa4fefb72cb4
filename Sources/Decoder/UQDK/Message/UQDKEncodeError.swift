import PayloadFormat

/// Reason why a message can't be sent.
public enum UQDKEncodeError: Error, Hashable, Sendable {
    /// The message has more bytes than the dialect or the fragment index allows.
    case messageTooLong(Int)
    /// An ATT value of this many bytes has no room for a fragment.
    case noRoom(Int)
    /// The dialect has no such command.
    case unknownCommand(String)
    /// The body lacks a field, or a value does not fit its field.
    case body(LayoutError)
    /// The dialect's formula needs an unknown value.
    case missingVariable(String)
    /// The counter of this direction is used up, so the session has ended.
    case counterUsedUp
    /// The dialect secures nothing.
    case notSecured
    /// The cryptographic library refused.
    case cryptography
}

extension UQDKEncodeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .messageTooLong(let length): "a message of \(length) bytes is too long"
        case .noRoom(let length): "a value of \(length) bytes has no room for a fragment"
        case .unknownCommand(let name): "no command \(name)"
        case .body(let problem): "in the body, \(problem)"
        case .missingVariable(let name): "\(name) is not known"
        case .counterUsedUp: "the counter is used up"
        case .notSecured: "it secures nothing"
        case .cryptography: "the cryptographic library refused"
        }
    }
}
