public import Foundation
import LEHost

/// A request of a central to read or write a value of ours.
open class CBATTRequest: NSObject, @unchecked Sendable {
    private let asked: (central: CBCentral, characteristic: CBCharacteristic, offset: Int)
    private let kept: Guarded<Data?>
    /// What an answer is given to; nil where none is wanted.
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

    /// Who asks.
    open var central: CBCentral { asked.central }
    /// What it asks for.
    open var characteristic: CBCharacteristic { asked.characteristic }
    /// The first octet of the value that is meant.
    open var offset: Int { asked.offset }

    /// The octets to be written; of a read, what the delegate puts in: the value from the offset on.
    open var value: Data? {
        get { kept.current }
        set { kept.current = newValue }
    }
}
