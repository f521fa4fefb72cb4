/// AES-128 from the ciphertext to the text, which pairing itself never needs.
///
/// Source: FIPS 197, 5.2 and 5.3.
enum AESBackwards {
    /// The text of one block of 16 octets under a key of 16.
    static func block(_ block: [UInt8], _ key: [UInt8]) -> [UInt8] {
        let keys = expanded(key)
        var state = added(block, keys[10])
        for round in (0..<10).reversed() {
            // Rows are shifted to the right, and substituted.
            state = (0..<16).map { inverse[Int(state[($0 + 16 - 4 * ($0 % 4)) % 16])] }
            state = added(state, keys[round])
            guard round > 0 else { continue }
            state = stride(from: 0, to: 16, by: 4).flatMap { unmixed(Array(state[$0..<$0 + 4])) }
        }
        return state
    }

    private static func added(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        zip(left, right).map { $0 ^ $1 }
    }

    /// The product in the field of AES.
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (left, right, sum) = (left, right, UInt8(0))
        while right != 0 {
            if right & 1 != 0 { sum ^= left }
            left = left << 1 ^ (left & 0x80 != 0 ? 0x1B : 0)
            right >>= 1
        }
        return sum
    }

    private static func unmixed(_ column: [UInt8]) -> [UInt8] {
        (0..<4).map { row in
            zip([0x0E, 0x0B, 0x0D, 0x09] as [UInt8], 0..<4)
                .reduce(0) { $0 ^ product($1.0, column[(row + $1.1) % 4]) }
        }
    }

    private static let substitution: [UInt8] = (0...255).map { (value: UInt8) in
        let other = (1...255).first { product(value, $0) == 1 } ?? 0
        return (0..<5).reduce(0x63) { $0 ^ (other << UInt8($1) | (other >> UInt8(8 - $1))) }
    }

    private static let inverse: [UInt8] = (0...255).map { (value: UInt8) in
        UInt8(substitution.firstIndex(of: value) ?? 0)
    }

    private static func expanded(_ key: [UInt8]) -> [[UInt8]] {
        var words = (0..<4).map { Array(key[4 * $0..<4 * $0 + 4]) }
        var constant: UInt8 = 1
        for index in 4..<44 {
            var word = words[index - 1]
            if index % 4 == 0 {
                word = (word[1...] + word[..<1]).map { substitution[Int($0)] }
                word[0] ^= constant
                constant = product(constant, 2)
            }
            words.append(added(word, words[index - 4]))
        }
        return (0..<11).map { Array(words[4 * $0..<4 * $0 + 4].joined()) }
    }
}
