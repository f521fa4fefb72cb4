import BluetoothCore
import PayloadFormat
import WireBytes

/// A rule that a client broke with a request although the log shows that it knew better: then the refusal is
/// its fault, not the server's.
public enum RequestBreach: Sendable {
    /// Handle 0x0000 is reserved (Core Specification, Vol 3, Part F, 3.2.2).
    case zeroHandle
    /// The range ends before it starts (Vol 3, Part F, 3.4.3 and 3.4.4).
    case range
    /// The request was malformed.
    case malformed
    /// The characteristic's declaration does not list this use (Vol 3, Part G, 3.3.1.1).
    case notReadable, notWritable
    /// Declarations are read-only (Vol 3, Part G, 3.1 to 3.3.1).
    case declaration

    /// Finds the rule that a refused request broke; nil if the server refused what it promised, or if the log
    /// does not show what it promised.
    ///
    /// - Parameters:
    ///   - handle: the handle that the refusal names.
    ///   - database: the server's attributes, as far as the log has shown them.
    init?(
        _ error: ATTErrorCode, _ request: PendingRequest, at handle: UInt16, database: AttributeDatabase
    ) {
        switch error {
        case .invalidHandle:
            if request.opcode.isDiscovery {
                guard request.handle == 0 || request.endHandle < request.handle else { return nil }
                self = request.handle == 0 ? .zeroHandle : .range
            } else {
                guard request.opcode.namesOneHandle, request.handle == 0 else { return nil }
                self = .zeroHandle
            }
        case .invalidPDU:
            guard request.isMalformed else { return nil }
            self = .malformed
        case .readNotPermitted, .writeNotPermitted, .requestNotSupported:
            guard let breach = Self.use(request.opcode, handle, database) else { return nil }
            self = breach
        default: return nil
        }
    }

    /// Returns the rule that a use of an attribute breaks; nil if its declaration allows it, or was not seen.
    private static func use(
        _ opcode: ATTOpcode, _ handle: UInt16, _ database: AttributeDatabase
    ) -> RequestBreach? {
        let needed: UInt8
        switch opcode {
        case .readRequest, .readBlobRequest, .readByTypeRequest: needed = 0x02
        case .writeRequest: needed = 0x08
        // Reliable writes are an extended property.
        case .prepareWriteRequest: needed = 0x88
        default: return nil
        }
        let isRead = needed == 0x02
        if !isRead, database.service(at: handle)?.start == handle { return .declaration }
        guard let characteristic = database.characteristic(at: handle) else { return nil }
        if handle == characteristic.declaration { return isRead ? nil : .declaration }
        guard handle == characteristic.value, characteristic.properties & needed == 0 else { return nil }
        return isRead ? .notReadable : .notWritable
    }

    /// The rule and a remedy, as half a sentence.
    var hint: StaticText {
        switch self {
        case .zeroHandle: "handle 0x0000 is reserved: usually a handle that was never discovered"
        case .range: "the range ends before it starts"
        case .malformed: "the request's bytes are malformed"
        case .notReadable: "its declaration does not allow reads: ask only for what it lists"
        case .notWritable: "its declaration does not allow this write: use what it lists"
        case .declaration: "declarations can't be written: usually the value's handle is one higher"
        }
    }
}
