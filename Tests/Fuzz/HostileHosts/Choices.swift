/// What an input decides, one octet after another; at its end everything is 0.
struct Choices {
    private let octets: [UInt8]
    private var at = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    var areOver: Bool { at >= octets.count }

    mutating func octet() -> UInt8 {
        guard at < octets.count else { return 0 }
        defer { at += 1 }
        return octets[at]
    }

    /// A number from 0 to `count` - 1.
    mutating func pick(_ count: Int) -> Int { count < 2 ? 0 : Int(octet()) % count }

    /// One of several.
    mutating func pick<Element>(from all: [Element], else other: Element) -> Element {
        all.isEmpty ? other : all[pick(all.count)]
    }

    /// Whether something happens that happens once in `count` times.
    mutating func isOne(in count: Int) -> Bool { pick(count) == count - 1 }

    mutating func octets(_ count: Int) -> [UInt8] { (0..<count).map { _ in octet() } }

    mutating func word() -> UInt16 { UInt16(octet()) << 8 | UInt16(octet()) }
}
