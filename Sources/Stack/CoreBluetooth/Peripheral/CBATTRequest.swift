public import Foundation
import LEHost

/// A central's request to read or write a local value.
open class CBATTRequest: NSObject, @unchecked Sendable {
    private let asked: (central: CBCentral, characteristic: CBCharacteristic, offset: Int)
    private let kept: Guarded<Data?>
    /// The request to answer; nil if no answer is expected.
    let request: (id: ServerRequestID, link: LinkID)?
    let isRead: Bool

    init(
        central: CBCentral, characteristic: CBCharacteristic, offset: Int, value: Data?,
        request: (id: ServerRequestID, link: LinkID)?, isRead: Bool
    ) {
        self.isRead = isRead
        asked = (central, characteristic, offset)
        self.request = request
        kept = Guarded(value)
    }

    /// The requesting central.
    open var central: CBCentral { asked.central }
    /// The requested characteristic.
    open var characteristic: CBCharacteristic { asked.characteristic }
    /// Offset of the first requested byte in the value.
    open var offset: Int { asked.offset }

    /// The bytes to write; for a read, the value from the offset, set by the delegate.
    open var value: Data? {
        get { kept.current }
        set { kept.current = newValue }
    }
}
