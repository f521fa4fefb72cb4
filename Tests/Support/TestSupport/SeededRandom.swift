/// Random numbers that come out the same for the same seed (SplitMix64), so that a failure can be repeated.
public struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// The sequence of a seed.
    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// `octets` with a few of them changed, left out, repeated or cut off.
    public mutating func mutated(_ octets: [UInt8]) -> [UInt8] {
        var result = octets
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            guard !result.isEmpty else { return [UInt8.random(in: 0...255, using: &self)] }
            let place = Int.random(in: 0..<result.count, using: &self)
            switch Int.random(in: 0..<7, using: &self) {
            case 0: result[place] = UInt8.random(in: 0...255, using: &self)
            case 1: result[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: result.remove(at: place)
            case 3: result.insert([0, 0x7F, 0x80, 0xFF].randomElement(using: &self) ?? 0, at: place)
            case 4: result.removeSubrange(place...)
            case 5:
                let end = min(result.count, place + Int.random(in: 1...16, using: &self))
                result.insert(contentsOf: result[place..<end], at: place)
            default:
                let other = Int.random(in: 0..<result.count, using: &self)
                result.swapAt(place, other)
            }
        }
        return result
    }

    /// As many random octets.
    public mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
