import BluetoothCore
import Crypto

// Comparing two databases.

extension GATTDatabase {
    /// The Database Hash as read by clients: 16 bytes, least significant first.
    ///
    /// Source: Core Specification, Vol 3, Part G, 7.3.1.
    var hash: [UInt8] {
        let message = attributes.flatMap { $0.hashed ?? [] }
        let code = try? MessageAuthentication.cmac(key: [UInt8](repeating: 0, count: 16), message)
        return code?.reversed() ?? []
    }

    /// Returns the range of handles in which discovery of another database differs; nil if it doesn't.
    func changes(to other: GATTDatabase) -> ClosedRange<UInt16>? {
        let own = Set(attributes.map(\.discovered))
        let changed = own.symmetricDifference(other.attributes.map(\.discovered)).map(\.handle)
        guard let first = changed.min(), let last = changed.max() else { return nil }
        return first...last
    }
}

extension ATTAttribute {
    /// The attribute's part of the hashed data; nil for none.
    fileprivate var hashed: [UInt8]? {
        guard let type = type.assigned16 else { return nil }
        let octets = [handle, type].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        switch type {
        // Declarations and Extended Properties include their values, the other descriptors do not.
        case 0x2800...0x2803, 0x2900:
            guard case .fixed(let value) = value else { return octets }
            return octets + value
        case 0x2901...0x2905: return octets
        default: return nil
        }
    }

    /// The attribute without a value that may change.
    fileprivate var discovered: ATTAttribute {
        var attribute = self
        if hashed?.count ?? 0 <= 4 { attribute.value = .dynamic }
        return attribute
    }
}
