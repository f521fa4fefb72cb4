import BluetoothCore
import Testing
import WireBytes

/// Octets written as hexadecimal digits; spaces are for the reader.
func octets(_ hex: String) -> [UInt8] {
    var digits: [UInt8] = []
    for character in hex {
        if let digit = character.hexDigitValue { digits.append(UInt8(digit)) }
    }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// SplitMix64: the same octets for the same seed on every machine.
struct SeededOctets: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func next(below bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

    mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}

/// What a strict prefix of a PDU may be: nothing whole, or another PDU that is whole in itself.
func expectPrefixesTruncated(
    _ whole: [UInt8], _ name: String, reencode: ([UInt8]) throws(DecodeError) -> [UInt8]
) {
    for count in 0..<whole.count {
        let prefix = Array(whole.prefix(count))
        do throws(DecodeError) {
            let again = try reencode(prefix)
            #expect(again == prefix, "\(name) cut to \(count) bytes")
        } catch {
            guard case .truncated(let need, let have) = error.reason else {
                Issue.record("\(name) cut to \(count) bytes: \(error)")
                continue
            }
            #expect(need > have, "\(name) cut to \(count) bytes")
            #expect(error.offset + have == count, "\(name) cut to \(count) bytes: \(error)")
        }
    }
}
