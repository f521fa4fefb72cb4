public import WireBytes

/// Checks a PDU's fields against the bytes without keeping or allocating anything.
struct FieldChecker: ReadingCoder, ~Copyable, ~Escapable {
    var reader: ByteReader
    /// The connection handle in the fields; nil without one, or if there are several different ones.
    ///
    /// Handles of streams don't count: in lists they come with the handle of their connection.
    private(set) var handle: UInt16?
    private var meetsSeveral = false

    @_lifetime(copy octets)
    init(_ octets: RawSpan) { reader = ByteReader(octets) }

    @_lifetime(self: copy self)
    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.unsigned(width: width)
        guard case .link(let kind) = meaning, kind == .acl || kind == .any else { return }
        let met = UInt16(truncatingIfNeeded: value)
        meetsSeveral = meetsSeveral || handle ?? met != met
        handle = meetsSeveral ? nil : met
    }

    /// Returns the reason why `octets` don't fit the fields that `walk` visits; nil if they do.
    static func fault(
        in octets: RawSpan, _ walk: (inout FieldChecker) throws(DecodeError) -> Void
    ) -> DecodeError? {
        var checker = FieldChecker(octets)
        do throws(DecodeError) {
            try walk(&checker)
            return nil
        } catch {
            return error
        }
    }
}

extension PDULayout {
    /// Returns the handle in `octets` of a connection or of a connection's stream.
    ///
    /// Nil without one, or if a list has several different handles.
    public func connectionHandle(in octets: RawSpan) -> UInt16? {
        if let handle { return octets.u16le(at: handle.offset) }
        guard listsHandles else { return nil }
        var checker = FieldChecker(octets)
        do throws(DecodeError) { try code(&checker) } catch { return nil }
        return checker.handle
    }

    /// Returns where the fields end, from their widths, lengths and counts; nil if a walk is necessary.
    private func end(in octets: RawSpan) -> Int? {
        var registers = Registers()
        var end = 0
        for field in fields[top] {
            switch field.shape {
            case .unsigned(let width, _):
                if field.register >= 0 {
                    var value: UInt64 = 0
                    for place in 0..<width {
                        guard let octet = octets.octet(at: end &+ place) else { return nil }
                        value |= UInt64(octet) &<< UInt64(8 &* place)
                    }
                    registers[field.register] = value
                }
                end &+= width
            case .signed(let width, _), .uuid(let width): end &+= width
            case .address: end &+= 6
            case .octets(let count, _):
                end &+= Self.number(count, registers, left: 0).map { min($0, 1 << 16) } ?? 0
            case .list(let count, let element):
                guard let width = self.width(of: element),
                    let count = Self.number(count, registers, left: 0)
                else { return nil }
                end &+= min(count, 1 << 16) &* width
            case .attributeType, .when: return nil
            }
        }
        return endsAfterFailure ? max(end, 1) : end
    }

    /// Returns the length of an element in bytes; nil if it depends on values, or if the element has no
    /// bytes.
    private func width(of element: Range<Int>) -> Int? {
        var sum = 0
        for field in fields[element] {
            guard let width = field.shape.width else { return nil }
            sum &+= width
        }
        return sum > 0 ? sum : nil
    }

    /// Returns the reason why `octets` don't fit the fields; nil if they do.
    ///
    /// Bytes after the last field are not a fault.
    public func fault(in octets: RawSpan) -> DecodeError? {
        if let end = size ?? end(in: octets), octets.byteCount >= end { return nil }
        return FieldChecker.fault(in: octets) { checker throws(DecodeError) in try code(&checker) }
    }

    /// Returns the reason why a PDU with a header of `header` bytes doesn't fit its fields; nil if it does.
    func fault(in pdu: RawSpan, after header: Int) -> DecodeError? {
        fault(in: pdu.dropping(header)).map { DecodeError($0.reason, at: $0.offset &+ header) }
    }
}
