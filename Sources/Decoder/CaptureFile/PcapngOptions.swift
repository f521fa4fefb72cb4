import WireBytes

/// Iterates over the options of a pcapng block: code, length, value padded to four bytes.
struct PcapngOptions: ~Copyable, ~Escapable {
    private let octets: RawSpan
    private let order: OctetOrder
    private var place = 0

    static let endOfOptions: UInt16 = 0
    static let comment: UInt16 = 1
    static let dropCount: UInt16 = 4

    @_lifetime(copy octets)
    init(_ octets: RawSpan, _ order: OctetOrder) {
        self.octets = octets
        self.order = order
    }

    /// One option, whose value is borrowed from the block.
    struct Option: ~Escapable {
        let code: UInt16
        let value: RawSpan

        @_lifetime(copy value)
        init(_ code: UInt16, _ value: RawSpan) {
            self.code = code
            self.value = value
        }
    }

    /// The next option; nil at the end, or if a length exceeds it.
    @_lifetime(copy self)
    mutating func next() -> Option? {
        guard octets.byteCount &- place >= 4 else { return nil }
        let code = octets.u16(place, order)
        let length = Int(octets.u16(place &+ 2, order))
        guard code != Self.endOfOptions, octets.byteCount &- place &- 4 >= length else { return nil }
        let from = place &+ 4
        place = from &+ Pcapng.padded(length)
        return Option(code, octets.clamped(from..<from &+ length))
    }
}

extension Record {
    /// Calls `body` with the bytes of each comment on the packet, in the order of the file.
    public func forEachComment<E: Error>(_ body: (RawSpan) throws(E) -> Void) throws(E) {
        if options.byteCount == 0 { return }
        var walk = PcapngOptions(options, optionsOrder)
        while let option = walk.next() {
            if option.code == PcapngOptions.comment { try body(option.value) }
        }
    }
}
