import PayloadFormat
import UQDK

// The fields of requests, to name a byte in a report and to exclude bytes from the comparison.

extension UQDKVisit {
    /// The bytes of the requests that differ between runs: message ids, checksums, sealed payloads, nonces,
    /// proofs and counters.
    var volatileMasks: [VolatileMask] {
        var masks: [VolatileMask] = []
        for request in requests {
            let volatile = Set(request.fields.filter(\.isVolatile).map(\.name))
                .union([
                    "fragment header", "checksum", "secured payload", "secured counter", "ciphertext", "tag",
                ])
            for (frame, value) in zip(request.frames, request.values) {
                for offset in value.indices {
                    guard let name = field(at: offset, ofValueIn: frame), volatile.contains(name) else {
                        continue
                    }
                    if let last = masks.last, last.frame == frame, last.reason == name,
                        last.range.upperBound == offset + 3
                    {
                        masks[masks.count - 1].range = last.range.lowerBound..<offset + 4
                    } else {
                        masks.append(.init(frame: frame, range: offset + 3..<offset + 4, reason: name))
                    }
                }
            }
        }
        return masks
    }

    /// Describes a byte of a value in the report of a difference: its field and message, and whether the
    /// message was already wrong in the log.
    func subject(at offset: Int, ofValueIn frame: Int) -> String? {
        guard let field = field(at: offset, ofValueIn: frame) else { return nil }
        guard let request = request(at: frame) else { return "\(field) of a message" }
        let text = "\(field) of \(request.name)"
        if request.isBroken { return text + ", whose checksum is wrong in the log" }
        if request.tag == .wrong { return text + ", whose tag is wrong in the log" }
        return text
    }

    /// Returns the name of the field that contains a byte of a value.
    func field(at offset: Int, ofValueIn frame: Int) -> String? {
        guard let request = request(at: frame), let place = request.frames.firstIndex(of: frame) else {
            return nil
        }
        let width = dialect.fragments?.format.header.width ?? 0
        guard offset >= width else { return "fragment header" }
        let before = request.values[..<place].reduce(0) { $0 + max(0, $1.count - width) }
        let position = before + offset - width
        let header = dialect.message.header.width
        let tail = dialect.checksum?.checksum.octetCount ?? 0
        if position < header { return "\(dialect.message.header.role(at: position)) in the header" }
        if position >= request.octets.count - tail { return "checksum" }
        guard !request.isSecured else {
            return securedPart(at: position - header, of: request.octets.count - tail - header)
        }
        return request.fields.first { $0.range.contains(position - header) }?.name
    }

    /// Returns the part of a secured payload of `count` bytes that contains a byte.
    private func securedPart(at position: Int, of count: Int) -> String {
        guard let securing = dialect.securing else { return "secured payload" }
        var end = 0
        for part in securing.parts {
            switch part {
            case .counter: end += securing.counterWidth
            case .tag: end += securing.tagLength
            case .body: end += max(0, count - securing.counterWidth - securing.tagLength)
            }
            guard position >= end else { return Self.securedNames[part] ?? "secured payload" }
        }
        return "secured payload"
    }

    private static let securedNames: [SecuringFormat.Part: String] = [
        .counter: "secured counter", .body: "ciphertext", .tag: "tag",
    ]
}

extension HeaderFormat {
    /// Returns the role of the field that contains a byte; of several fields, that of the first.
    fileprivate func role(at position: Int) -> HeaderRole {
        var bits = 0
        for field in fields {
            bits += field.bits
            if position * 8 < bits { return field.role }
        }
        return .reserved
    }
}
