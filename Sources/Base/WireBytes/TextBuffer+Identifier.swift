extension TextBuffer {
    /// Appends a literal as an identifier: letters in lower case, brackets left out, all else an underscore.
    @inlinable
    public mutating func identifier(_ name: StaticString) {
        let count = name.utf8CodeUnitCount
        reserve(count)
        // Safe: a literal in UTF-8 has `count` octets at its start.
        let source = unsafe name.utf8Start
        var place = used
        for index in 0..<count {
            // Safe: `index` is below the literal's count, and room for as many octets was reserved.
            let octet = unsafe source[index]
            switch octet {
            case 0x61...0x7A, 0x30...0x39, 0x5F: unsafe base[place] = octet
            case 0x41...0x5A: unsafe base[place] = octet | 0x20
            case 0x28, 0x29, 0x5B, 0x5D: continue
            default: unsafe base[place] = 0x5F
            }
            place &+= 1
        }
        used = place
    }
}
