public import BluetoothCore
import PayloadFormat
import WireBytes

/// The meaning of a value according to a profile.
public struct ProfileAnnotation: Hashable, Sendable {
    /// The evidence that the value belongs to the profile.
    public enum Recognition: String, Hashable, Sendable {
        /// Its characteristic's UUID.
        case label
        /// The handle that the profile states.
        case handle
        /// The bytes that the value starts with.
        case content
        /// The company identifier of manufacturer data.
        case company
        /// The UUID of service data.
        case serviceData = "service-data"
        /// The SPSM of the L2CAP channel.
        case psm
    }

    /// Whether it is the value of a characteristic that the Bluetooth SIG has assigned.
    public var isAssigned = false
    /// The profile's name.
    public var profile: String
    /// The channel's name.
    public var channel: String
    /// The evidence by which it was recognized.
    public var recognition: Recognition
    /// The result of the fragment; nil in channels without fragments.
    public var fragment: FragmentFate?
    /// The frames of the fragments that were completed here.
    public var frames: [UInt64] = []
    /// The message's name; nil if none could be selected.
    public var message: String?
    /// Whether the message asks the receiver to restart.
    public var asksToRestart = false
    /// The message's fields.
    public var fields: [DecodedField] = []
    /// Number of bytes from the place that the ranges of `fields` count from to the end of the value; nil if
    /// the value does not hold the whole message and nothing else.
    public var fieldsFromEnd: Int?
    /// The frame's bytes, if they do not fit.
    public var opaque: [UInt8]?
    /// Whether the checksum is right; nil without one.
    public var isChecksumRight: Bool?
    /// The name of the value that means the refusal of a request; nil if absent.
    public var refusal: String?
    /// The deviations from the profile.
    public var misfits: [Misfit] = []
    /// The frame of the request that this answers.
    public var requestFrame: UInt64?
    /// Nanoseconds from that request to this answer.
    public var latency: Int64?
    /// The problems of the value.
    public var problems: [AnnotationProblem] = []

    /// Decodes a complete frame by the description of its channel; what does not fit is kept as it is.
    @discardableResult
    mutating func describe(
        _ frame: [UInt8], _ channel: ProfileChannel, _ keys: FieldKeys
    ) -> ProfileDecoding {
        let decoding = channel.decode(frame, keys: keys)
        message = decoding.message?.name
        asksToRestart = decoding.misfits.isEmpty && decoding.message?.restarts == true
        fields = decoding.fields
        isChecksumRight = decoding.isChecksumRight
        refusal = decoding.refusal
        misfits = decoding.misfits
        if !misfits.isEmpty { opaque = frame }
        return decoding
    }

    mutating func addProblems(of decoding: ProfileDecoding, isStrict: Bool) {
        problems += misfits.map { AnnotationProblem(.misfit($0, isStrict), "\(profile): \($0)") }
        if let tag = decoding.wrongTag {
            problems.append(AnnotationProblem(.wrongTag(isStrict), "\(profile): \(tag)"))
        }
        guard let refusal, let message else { return }
        problems.append(
            AnnotationProblem(.refused, "\(profile): \(message) refuses the request: \(refusal)"))
    }

    /// Passes everything but the problems to a visitor, by the names that NDJSON uses.
    public func walk(_ visitor: inout some AnnotationVisitor & ~Copyable) {
        visitor.value("profile", .text(profile), unit: nil)
        visitor.value("channel", .text(channel), unit: nil)
        visitor.value("recognized_by", .text(recognition.rawValue), unit: nil)
        if let fragment { visitor.value("fragment", .text(fragment.rawValue), unit: nil) }
        if frames.count > 1 { visitor.frames("frames", FrameNumbers(frames)) }
        if let message { visitor.value("message", .text(message), unit: nil) }
        if let isChecksumRight {
            visitor.value("checksum", .text(isChecksumRight ? "right" : "wrong"), unit: nil)
        }
        if !fields.isEmpty { DecodedField("fields", .group(fields)).walk(&visitor) }
        if let opaque { visitor.value("opaque", .octets(opaque), unit: nil) }
        if !misfits.isEmpty {
            visitor.openList("misfits")
            for misfit in misfits {
                visitor.openElement()
                visitor.value("check", .text(misfit.check), unit: nil)
                if !misfit.field.isEmpty { visitor.value("field", .text(misfit.field), unit: nil) }
                visitor.value("offset", .unsigned(UInt64(max(0, misfit.offset))), unit: nil)
                visitor.value("expected", .text(misfit.expected), unit: nil)
                visitor.value("found", .text(misfit.found), unit: nil)
                visitor.closeElement()
            }
            visitor.closeList()
        }
        if let requestFrame { visitor.frame("request_frame", FramePlace(bits: requestFrame)) }
        if let latency { visitor.value("latency_us", .signed(latency / 1000), unit: nil) }
    }

    /// The frame in one line.
    public var summary: String {
        if let fragment, fragment != .complete { return "\(profile): fragment \(fragment.rawValue)" }
        let name = message.map { " \($0)" } ?? " \(channel)"
        return misfits.isEmpty ? "\(profile)\(name)" : "\(profile)\(name), does not fit: \(misfits[0])"
    }
}

// The kinds of problems of profiles.
extension AnnotationProblem.Kind {
    static let cut = Self("profile.cut", .warning)
    static let fragmentHeader = Self("profile.fragment.header", .warning)
    static let fragmentLimit = Self("profile.fragment.limit", .warning)
    static let fragmentFailed = Self("profile.fragment.failed", .warning)
    static let requestTimeout = Self("profile.request.timeout")
    static let requestUnanswered = Self("profile.request.unanswered")

    static let refused = Self("profile.refused", .error, [.retried, .refusal])

    /// Returns the kind for a tag that a key proves wrong: an error only of a strict profile.
    static func wrongTag(_ isStrict: Bool) -> Self { Self("profile.tag", isStrict ? .error : .warning) }

    /// Whether it is about the content of a value that fits.
    var isOfContent: Bool { traits.contains(.refusal) || self == .wrongTag(false) }

    /// Returns the kind for a value that does not match its profile: an error only of a strict one.
    static func misfit(_ misfit: Misfit, _ isStrict: Bool) -> Self {
        Self("profile.misfit.\(misfit.check)", isStrict ? .error : .warning)
    }
}

/// The circumstances of a value.
public struct ProfileValue: Sendable {
    /// The attribute handle; for an SDU, the number of its channel on the link.
    public var handle: UInt16
    /// The channels found by the attribute's label; nil if the attribute has no label.
    public var matches: [ProfileMatch]?
    /// The SPSM of the L2CAP channel, for one of its SDUs; nil for the value of an attribute.
    public var psm: UInt16?
    /// The way in which it was transferred.
    public var operation: ProfileOperation
    /// Its time, in nanoseconds of the log's clock.
    public var time: Int64
    /// The frame that completes it, in the form of ``FramePlace/bits``.
    public var frame: UInt64
    /// Its length on the air, in bytes: more than there are if the recorder truncated it.
    public var originalLength: Int

    /// Creates the circumstances of a value.
    public init(
        handle: UInt16, matches: [ProfileMatch]?, psm: UInt16? = nil, operation: ProfileOperation,
        time: Int64, frame: UInt64, originalLength: Int
    ) {
        self.handle = handle
        self.matches = matches
        self.psm = psm
        self.operation = operation
        self.time = time
        self.frame = frame
        self.originalLength = originalLength
    }
}

extension BluetoothUUID {
    /// Whether the Bluetooth SIG has assigned it to a characteristic, so that its values have one form.
    public var isAssignedValue: Bool {
        assigned16.map { (0x2A00...0x2FFF).contains($0) } ?? false
    }
}

extension [DecodedField] {
    /// Returns a field's value without its presentation, so that two fields can be compared.
    func value(_ name: String) -> AnnotationValue? {
        for field in self {
            if field.name == name {
                switch field.value {
                case .hex(let raw, _), .named(let raw, _), .flags(let raw, _): return .unsigned(raw)
                default: return field.value
                }
            }
            if case .group(let fields) = field.value, let value = fields.value(name) { return value }
        }
        return nil
    }
}

extension ProfileAnnotation {
    /// Whether it is a message that fits, or a part of one.
    var explains: Bool { (message != nil || fragment != nil) && misfits.isEmpty }

    /// Whether a message that fits ends in it.
    var fits: Bool { message != nil && misfits.isEmpty }
}

extension [ProfileAnnotation] {
    /// Whether nothing in the value contradicts the profile.
    var fit: Bool { allSatisfy(\.misfits.isEmpty) }

    var holdMessage: Bool { contains(where: \.fits) }
}
