import PayloadFormat
import WireBytes

/// The result of decoding a frame by the description of its channel.
public struct ProfileDecoding: Hashable, Sendable {
    /// The message; nil if none could be selected.
    public var message: ProfileMessage?
    /// Its fields, up to the first that does not fit.
    public var fields: [DecodedField] = []
    /// The deviations from the description; empty for a frame that fits.
    public var misfits: [Misfit] = []
    /// Whether the checksum is right; nil without one.
    public var isChecksumRight: Bool?
    /// The name of a value that means the refusal of a request; nil if absent.
    public var refusal: String?
    /// The first tag that a key proves wrong; nil if absent.
    public var wrongTag: Misfit?
    /// The range of the bytes with the fields.
    public var body: Range<Int> = 0..<0
}

extension ProfileChannel {
    /// Decodes a complete frame: checksum first, then the parts around the fields, then the fields.
    ///
    /// - Parameter keys: the knowledge that opens encrypted fields; without it they stay bytes.
    public func decode(_ frame: [UInt8], keys: FieldKeys? = nil) -> ProfileDecoding {
        var decoding = ProfileDecoding()
        guard let body = bodyRange(frame.count) else {
            let fixed = minimumOctets
            decoding.misfits.append(
                Misfit(
                    check: "length", field: "", offset: 0, expected: "\(fixed) bytes or more",
                    found: "\(frame.count)"))
            return decoding
        }
        decoding.body = body
        if let checksum {
            let misfit = checksum.misfit(frame, trailer: framing.trailer.count)
            decoding.isChecksumRight = misfit == nil
            if let misfit { decoding.misfits.append(misfit) }
        }
        expect(framing.prefix, at: 0, "prefix", frame, &decoding)
        if let misfit = lengthMisfit(frame, body) { decoding.misfits.append(misfit) }
        expect(framing.trailer, at: frame.count - framing.trailer.count, "trailer", frame, &decoding)
        guard decoding.misfits.isEmpty else { return decoding }
        switch pick(frame[body], offset: body.lowerBound) {
        case .success(let message):
            decoding.message = message
            let result = message.layout.decode(frame[body], keys: keys)
            decoding.fields = result.fields
            decoding.refusal = result.refusal
            decoding.wrongTag = result.wrongTag?.moved(by: body.lowerBound)
            if let misfit = result.misfit { decoding.misfits.append(misfit.moved(by: body.lowerBound)) }
        case .failure(let misfit): decoding.misfits.append(misfit)
        }
        return decoding
    }

    /// Least number of bytes in a frame of the channel.
    var minimumOctets: Int {
        var count = max(bodyStart, framing.prefix.count) + framing.trailer.count
        if let checksum { count += checksum.offset.map { max(0, 0 - $0) } ?? checksum.checksum.octetCount }
        return max(count, framing.length.map { $0.offset + $0.width } ?? 0)
    }

    var octetsAfterBody: Int {
        let isAfter = checksum?.offset.map { $0 < 0 } ?? true
        return framing.trailer.count + (isAfter ? checksum?.checksum.octetCount ?? 0 : 0)
    }

    var bodyStart: Int {
        if let offset = framing.bodyOffset { return offset }
        let start = framing.prefix.count
        if let length = framing.length, length.offset == start { return start + length.width }
        return start
    }

    /// Returns the range of the fields in a frame of `count` bytes; nil if it is too short for the parts
    /// around them.
    private func bodyRange(_ count: Int) -> Range<Int>? {
        guard count >= minimumOctets else { return nil }
        var end = count - framing.trailer.count
        if let checksum {
            let place = checksum.place(count, trailer: framing.trailer.count)
            guard place >= 0, place + checksum.checksum.octetCount <= count else { return nil }
            if checksum.offset.map({ $0 < 0 }) ?? true { end = min(end, place) }
        }
        return end >= bodyStart ? bodyStart..<end : nil
    }

    private func expect(
        _ octets: [UInt8], at offset: Int, _ check: String, _ frame: [UInt8],
        _ decoding: inout ProfileDecoding
    ) {
        let found = frame[offset..<offset + octets.count]
        if found.elementsEqual(octets) { return }
        decoding.misfits.append(
            Misfit(
                check: check, field: "", offset: offset, expected: Hex.text(octets), found: Hex.text(found)))
    }

    private func lengthMisfit(_ frame: [UInt8], _ body: Range<Int>) -> Misfit? {
        guard let length = framing.length else { return nil }
        let end = length.offset + length.width
        let says = Int(Self.integer(frame[length.offset..<end], length.order)) + length.adjustment
        let counted = length.counted(frame: frame.count, body: body.count)
        if says == counted { return nil }
        return Misfit(
            check: "length", field: "", offset: length.offset, expected: "\(counted - length.adjustment)",
            found: "\(says - length.adjustment)")
    }

    private func pick(_ body: ArraySlice<UInt8>, offset: Int) -> Result<ProfileMessage, Misfit> {
        guard let selector else {
            if let message = messages.first { return .success(message) }
            return .failure(
                Misfit(check: "message", field: "", offset: offset, expected: "a message", found: "none"))
        }
        guard selector.offset + selector.width <= body.count else {
            return .failure(
                Misfit(
                    check: "message", field: "", offset: offset + selector.offset,
                    expected: "\(selector.width) bytes that pick the message",
                    found: "\(max(0, body.count - selector.offset)) left"))
        }
        let start = body.startIndex + selector.offset
        let value = Self.integer(body[start..<start + selector.width], selector.order) & selector.mask
        if let message = messages.first(where: { $0.values.contains(value) })
            ?? messages.first(where: \.values.isEmpty)
        {
            return .success(message)
        }
        let values = messages.flatMap(\.values).map { "0x" + String($0, radix: 16) }
        return .failure(
            Misfit(
                check: "message", field: "", offset: offset + selector.offset,
                expected: "one of " + values.joined(separator: ", "), found: "0x" + String(value, radix: 16)))
    }

    /// Encodes the frame of a message from typed values, by the names of their fields; of several values that
    /// select it, the frame has the first, unless a field has another.
    ///
    /// - Throws: ``LayoutError`` as `Layout.encode(typed:)` does.
    public func frame(
        of message: ProfileMessage, typed texts: [String: String]
    ) throws(LayoutError) -> [UInt8] {
        var body = try message.layout.encode(typed: texts)
        if let selector, let value = message.values.first, selector.offset + selector.width <= body.count {
            let range = selector.offset..<selector.offset + selector.width
            let written = Self.integer(body[range], selector.order)
            if !message.values.contains(written & selector.mask) {
                let others = written & ~selector.mask
                body.replaceSubrange(
                    range, with: selector.order.octets(others | value, width: selector.width))
            }
        }
        let count = bodyStart + body.count + octetsAfterBody
        var frame = [UInt8](repeating: 0, count: max(count, minimumOctets))
        func put(_ octets: [UInt8], at place: Int) {
            guard place >= 0, place + octets.count <= frame.count else { return }
            frame.replaceSubrange(place..<place + octets.count, with: octets)
        }
        put(body, at: bodyStart)
        put(framing.prefix, at: 0)
        put(framing.trailer, at: frame.count - framing.trailer.count)
        if let length = framing.length {
            let says = length.counted(frame: frame.count, body: body.count) - length.adjustment
            put(length.order.octets(UInt64(max(0, says)), width: length.width), at: length.offset)
        }
        if let checksum, let right = checksum.right(for: frame, trailer: framing.trailer.count) {
            put(right.octets, at: right.place)
        }
        return frame
    }

    static func integer(_ octets: ArraySlice<UInt8>, _ order: OctetOrder) -> UInt64 {
        order == .big
            ? octets.reduce(0) { $0 << 8 | UInt64($1) } : octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension FrameLength {
    /// Returns what it counts of a frame and its fields.
    func counted(frame: Int, body: Int) -> Int {
        switch meaning {
        case .frame: frame
        case .body: body
        case .rest: frame - offset - width
        }
    }
}

extension OctetOrder {
    func octets(_ value: UInt64, width: Int) -> [UInt8] {
        let little = value.littleOctets(width)
        return self == .little ? little : little.reversed()
    }
}

extension FrameChecksum {
    /// Returns its offset in a frame of `count` bytes.
    func place(_ count: Int, trailer: Int) -> Int {
        guard let offset else { return count - trailer - checksum.octetCount }
        return offset < 0 ? count + offset : offset
    }

    /// Returns the right checksum of a frame and its place; nil if the frame is too short.
    func right(for frame: [UInt8], trailer: Int) -> (place: Int, octets: [UInt8])? {
        let place = place(frame.count, trailer: trailer)
        let start = from < 0 ? frame.count + from : from
        let stop = to.map { $0 < 0 ? frame.count + $0 : $0 } ?? place
        guard place >= 0, place + checksum.octetCount <= frame.count, start >= 0, stop >= start,
            stop <= frame.count
        else { return nil }
        return (
            place, order.octets(UInt64(checksum.value(of: frame[start..<stop])), width: checksum.octetCount)
        )
    }

    func misfit(_ frame: [UInt8], trailer: Int) -> Misfit? {
        guard let (place, right) = right(for: frame, trailer: trailer) else {
            return Misfit(
                check: "checksum", field: "", offset: 0, expected: "bytes for the checksum to cover",
                found: "\(frame.count) bytes")
        }
        let found = frame[place..<place + right.count]
        if found.elementsEqual(right) { return nil }
        return Misfit(
            check: "checksum", field: "", offset: place, expected: Hex.text(right), found: Hex.text(found))
    }
}

extension Misfit {
    /// Returns the misfit with its offset moved by the bytes before it.
    func moved(by octets: Int) -> Misfit {
        Misfit(check: check, field: field, offset: offset + octets, expected: expected, found: found)
    }
}

/// The values of a link's messages that ciphers of later messages may use, of each profile.
struct ProfileMemory: Sendable {
    private var values: [Int: FormulaVariables] = [:]

    /// Returns the values of a profile, by its number in the set.
    subscript(profile: Int) -> FormulaVariables { values[profile] ?? FormulaVariables() }

    /// Keeps the values that a message which fits, with no wrong tag, is to be remembered by.
    mutating func remember(_ decoding: ProfileDecoding, of frame: [UInt8], profile: Int) {
        guard let message = decoding.message, decoding.misfits.isEmpty, decoding.wrongTag == nil else {
            return
        }
        for one in message.remembered {
            var own = FormulaVariables()
            let paths = (one.value + one.by).flatMap(\.names)
            own.add(decoding.fields, of: frame[decoding.body], paths: paths)
            guard let value = try? one.value.concatenation(own), let by = try? one.by.concatenation(own)
            else { continue }
            values[profile, default: FormulaVariables()].remember(value, as: one.name, by: by)
        }
    }
}

extension ProfileChannel {
    /// Whether bytes can be a frame of the channel, or start a fragment of one.
    func fits(_ value: [UInt8]) -> Bool {
        if let format = framing.fragments { return Fragment(value, format) != nil }
        return decode(value).misfits.isEmpty
    }
}
