public import WireBytes

extension ADStructures {
    /// Returns the fault of advertising data: a length past the end, or a structure shorter than its type
    /// requires.
    ///
    /// Nil if absent. The offset is that of the structure's length byte. This is called for every
    /// report, so it examines only lengths and types. Source: Core Specification, Vol 3, Part C, 11.
    public static func fault(in octets: RawSpan) -> DecodeError? {
        let count = octets.byteCount
        var at = 0
        while let length = octets.octet(at: at), length > 0 {
            let stop = at &+ 1 &+ Int(length)
            guard stop <= count, let type = octets.octet(at: at &+ 1) else {
                return DecodeError(.truncated(need: Int(length), have: count &- at &- 1), at: at)
            }
            if !ADType(rawValue: type).mayHold(Int(length) &- 1) {
                return DecodeError(.invalidLength, at: at)
            }
            at = stop
        }
        return nil
    }
}
