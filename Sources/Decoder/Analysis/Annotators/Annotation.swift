import PayloadFormat
import Profiles
import UQDK
public import WireBytes

/// What a value, or an advertisement, means in a private protocol above ATT.
public struct Annotation: Sendable {
    // As large as a pointer: it is copied to be asked.
    private enum Content: Sendable {
        case key(UQDKAnnotation)
        /// Of an advertisement.
        case car(UQDKAnnotation)
        indirect case profile(ProfileAnnotation)
    }

    private let content: Content

    init(_ annotation: UQDKAnnotation) { content = .key(annotation) }

    init(advertised annotation: UQDKAnnotation) { content = .car(annotation) }

    init(_ annotation: ProfileAnnotation) { content = .profile(annotation) }

    /// The kind of its protocol.
    public var kind: PrivateProtocol {
        switch content {
        case .key, .car: .uqdk
        case .profile: .profile
        }
    }

    /// The name by which frames of its protocol are chosen, in lower case.
    public var layer: String {
        switch content {
        case .key, .car: "uqdk"
        case .profile(let annotation): annotation.profile.lowercased()
        }
    }

    /// What stands behind and below its summary.
    public struct Details {
        /// Where the session stands after a whole message; nil without sessions.
        public internal(set) var session: String?
        /// The frame of the request that it answers, as ``FramePlace/bits`` has it.
        public internal(set) var requestFrame: UInt64?
        /// The nanoseconds since that request.
        public internal(set) var latency: Int64?
        public internal(set) var fields: [DecodedField]
    }

    /// What stands behind and below its summary: worked out when it is asked for.
    public var details: Details {
        switch content {
        case .key(let annotation), .car(let annotation):
            guard let message = annotation.message else { return Details(fields: annotation.fields) }
            let isWhole = message.isWhole
            // A fragment that completes nothing says all in its summary.
            let hasBody = isWhole || annotation.fragment == nil
            return Details(
                session: isWhole ? annotation.session?.rawValue : nil, requestFrame: message.requestFrame,
                latency: message.latency, fields: hasBody ? message.body : annotation.fields)
        case .profile(let annotation):
            return Details(
                requestFrame: annotation.requestFrame, latency: annotation.latency, fields: annotation.fields)
        }
    }

    /// Appends what it says in one line, with the name of its protocol; names that a file chose are escaped.
    public func put(summary out: inout TextBuffer) {
        switch content {
        case .car: out.put("UQDK  car's advertising")
        case .key(let annotation):
            out.put("UQDK  ")
            let start = out.count
            annotation.put(summary: &out)
            if out.count == start { out.put("no message") }
        case .profile(let annotation): out.escaped(annotation.summary)
        }
    }

    /// Shows everything but the problems, by the names that NDJSON uses.
    public func walk(_ visitor: inout some AnnotationVisitor & ~Copyable) {
        switch content {
        case .key(let annotation), .car(let annotation): annotation.walk(&visitor)
        case .profile(let annotation): annotation.walk(&visitor)
        }
    }
}

extension [Annotation] {
    /// Adds one behind all of its kind: those of a frame stand by kind.
    mutating func add(_ annotation: Annotation) {
        guard let last, last.kind.rawValue > annotation.kind.rawValue else { return append(annotation) }
        insert(annotation, at: firstIndex { $0.kind.rawValue > annotation.kind.rawValue } ?? count)
    }
}
