import PayloadFormat
import Profiles
import UQDK
public import WireBytes

/// The meaning of a value, or of an advertisement, in a private protocol above ATT.
public struct Annotation: Sendable {
    // As large as a pointer, since it is copied for each access.
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

    /// The name by which frames of its protocol are selected, in lower case.
    public var layer: String {
        switch content {
        case .key, .car: "uqdk"
        case .profile(let annotation): annotation.profile.lowercased()
        }
    }

    /// The information behind and below its summary line.
    public struct Details {
        /// The session's state after a complete message; nil without sessions.
        public internal(set) var session: String?
        /// The frame of the request that it answers, in the form of ``FramePlace/bits``.
        public internal(set) var requestFrame: UInt64?
        /// Nanoseconds since that request.
        public internal(set) var latency: Int64?
        public internal(set) var fields: [DecodedField]
    }

    /// The information behind and below its summary line, computed on demand.
    public var details: Details {
        switch content {
        case .key(let annotation), .car(let annotation):
            guard let message = annotation.message else { return Details(fields: annotation.fields) }
            let isWhole = message.isWhole
            // The summary of a fragment that completes nothing says everything.
            let hasBody = isWhole || annotation.fragment == nil
            return Details(
                session: isWhole ? annotation.session?.rawValue : nil, requestFrame: message.requestFrame,
                latency: message.latency, fields: hasBody ? message.body : annotation.fields)
        case .profile(let annotation):
            return Details(
                requestFrame: annotation.requestFrame, latency: annotation.latency, fields: annotation.fields)
        }
    }

    /// Appends its summary line, with the name of its protocol; names from a file are escaped.
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

    /// Passes everything but the problems to a visitor, by the names that NDJSON uses.
    public func walk(_ visitor: inout some AnnotationVisitor & ~Copyable) {
        switch content {
        case .key(let annotation), .car(let annotation): annotation.walk(&visitor)
        case .profile(let annotation): annotation.walk(&visitor)
        }
    }
}

extension [Annotation] {
    /// Inserts an annotation after all others of its kind: a frame's annotations are sorted by kind.
    mutating func add(_ annotation: Annotation) {
        guard let last, last.kind.rawValue > annotation.kind.rawValue else { return append(annotation) }
        insert(annotation, at: firstIndex { $0.kind.rawValue > annotation.kind.rawValue } ?? count)
    }
}
