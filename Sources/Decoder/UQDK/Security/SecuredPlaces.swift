import PayloadFormat
import WireBytes

/// The numbers of a format that every secured payload needs; a few integers, so they are cheap to pass.
struct SecuringFacts: Sendable {
    let algorithm: DialectAlgorithm
    let counterWidth: Int
    let counterOrder: OctetOrder
    let tagLength: Int
    /// The counter of a direction's first message.
    let firstCounter: UInt64
    /// The largest counter; using it ends the session.
    let lastCounter: UInt64
    /// Fixed number of bytes before each part, not counting the body, and whether the body precedes the part.
    fileprivate let counter: (octets: Int, isBehindBody: Bool)
    fileprivate let tag: (octets: Int, isBehindBody: Bool)
    fileprivate let body: Int

    /// Fails if the format lacks a part or has one twice.
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

/// Positions of the parts of a secured payload.
struct SecuredPlaces {
    /// The counter of the sender's direction.
    let counter: UInt64
    /// Range of the body in the payload.
    let body: Range<Int>
    /// Range of the tag in the payload.
    let tag: Range<Int>

    /// Splits a payload; nil if it is shorter than counter and tag.
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
