import PayloadFormat

/// Length requirements that the digital keys of a file must meet to verify anything.
public struct KeyFit: Hashable, Sendable {
    /// Allowed lengths of a key in bytes; empty for any.
    public var keyOctets: Set<Int>
    /// Allowed lengths of a key id in bytes; empty for any.
    public var keyIDOctets: Set<Int>
    /// Allowed digit counts of a pairing code; empty for 1 to 16.
    public var pairingCodeDigits: Set<Int>

    /// Creates requirements; by default only the key length, that of reference format 1.
    public init(
        keyOctets: Set<Int> = [KeyStore.keyOctets], keyIDOctets: Set<Int> = [],
        pairingCodeDigits: Set<Int> = []
    ) {
        self.keyOctets = keyOctets
        self.keyIDOctets = keyIDOctets
        self.pairingCodeDigits = pairingCodeDigits
    }

    /// Creates the requirements that keys meet if they fit any of the dialects.
    public init(_ dialects: [Dialect]) {
        self.init(keyOctets: Set(dialects.map(\.limits.keyOctets)))
        // One dialect whose ids have no fixed length allows any length.
        let widths = dialects.map(\.keyIDWidth)
        if !widths.contains(nil) { keyIDOctets = Set(widths.compactMap { $0 }) }
        pairingCodeDigits = Set(dialects.map(\.limits.pairingCodeDigits))
    }

    func takes(pairingCode text: String) -> Bool {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        return pairingCodeDigits.isEmpty
            ? (1...16).contains(text.utf8.count) : pairingCodeDigits.contains(text.utf8.count)
    }

    var pairingCodeRule: String {
        guard !pairingCodeDigits.isEmpty else { return "1 to 16 digits" }
        return pairingCodeDigits.sorted().map(String.init).joined(separator: " or ") + " digits"
    }
}

extension Dialect {
    /// Length of a key id in bytes if all requests that name one agree; nil if it depends on the message.
    fileprivate var keyIDWidth: Int? {
        let fields = [CommandPurpose.authBegin, .activate].compactMap { purpose in
            command(for: purpose)?.request.fields.first { $0.name == FormulaVariable.keyID }
        }
        let widths = Set(fields.map(\.fixedWidth))
        return widths.count == 1 ? widths.first ?? nil : nil
    }
}
