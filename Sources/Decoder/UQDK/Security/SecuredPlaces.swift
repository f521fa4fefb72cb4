import PayloadFormat
import WireBytes

/// What every secured payload asks of its format: a few numbers, which cost nothing to pass on.
struct SecuringFacts: Sendable {
    let algorithm: DialectAlgorithm
    let counterWidth: Int
    let counterOrder: OctetOrder
    let tagLength: Int
    /// The counter of a direction's first message.
    let firstCounter: UInt64
    /// The largest counter: at it the session ends.
    let lastCounter: UInt64
    /// Octets in front of each part that are not the body's, and whether the body is in front of it too.
    fileprivate let counter: (octets: Int, isBehindBody: Bool)
    fileprivate let tag: (octets: Int, isBehindBody: Bool)
    fileprivate let body: Int

    /// Nil where the format lacks a part or has one twice.
    init?(_ format: borrowing SecuringFormat) {
        guard format.parts.count == 3, let counterPlace = format.parts.firstIndex(of: .counter),
            let bodyPlace = format.parts.firstIndex(of: .body),
            let tagPlace = format.parts.firstIndex(of: .tag)
        else { return nil }
        algorithm = format.algorithm
        counterWidth = format.counterWidth
        counterOrder = format.counterOrder
        tagLength = format.tagLength
        firstCounter = format.firstCounter
        lastCounter = format.lastCounter
        counter = (counterPlace > tagPlace ? format.tagLength : 0, counterPlace > bodyPlace)
        tag = (tagPlace > counterPlace ? format.counterWidth : 0, tagPlace > bodyPlace)
        body =
            (bodyPlace > counterPlace ? format.counterWidth : 0)
            + (bodyPlace > tagPlace ? format.tagLength : 0)
    }
}

/// Where the parts of a secured payload lie.
struct SecuredPlaces {
    /// The counter of the sender's direction.
    let counter: UInt64
    /// Where the body lies in the payload.
    let body: Range<Int>
    /// Where what proves it lies.
    let tag: Range<Int>

    /// Cuts a payload; nil where it is shorter than counter and tag.
    init?(_ payload: RawSpan, _ facts: SecuringFacts) {
        let bodyLength = payload.byteCount - facts.counterWidth - facts.tagLength
        guard bodyLength >= 0 else { return nil }
        let counterStart = facts.counter.octets + (facts.counter.isBehindBody ? bodyLength : 0)
        var counter: UInt64 = 0
        for place in 0..<facts.counterWidth {
            let fromStart = facts.counterOrder == .big ? place : facts.counterWidth - 1 - place
            counter = counter &<< 8 | UInt64(payload.octet(at: counterStart + fromStart) ?? 0)
        }
        self.counter = counter
        body = facts.body..<facts.body + bodyLength
        let tagStart = facts.tag.octets + (facts.tag.isBehindBody ? bodyLength : 0)
        tag = tagStart..<tagStart + facts.tagLength
    }
}
