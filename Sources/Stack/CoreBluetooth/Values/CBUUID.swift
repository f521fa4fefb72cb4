public import BluetoothCore
public import Foundation
import WireBytes

/// A UUID of a service, a characteristic or a descriptor: 16, 32 or 128 bits.
///
/// Short ones equal their long form on the Bluetooth base.
open class CBUUID: NSObject, NSCopying, @unchecked Sendable {
    /// The UUID in the form that the rest of this project uses.
    public let value: BluetoothUUID

    public init(_ value: BluetoothUUID) { self.value = value }

    /// Creates the UUID whose 128 bits are all 0, which means none.
    public override convenience init() { self.init(BluetoothUUID(high: 0, low: 0)) }

    /// Creates a UUID from its text: 4, 8 or 32 hexadecimal digits, with optional hyphens.
    ///
    /// Any other text is a programmer error and traps, as with Apple; for untrusted input use
    /// `BluetoothUUID(_:)`.
    public convenience init(string: String) {
        let value = BluetoothUUID(string)
        precondition(value != nil, "\(string) is not a UUID of 16, 32 or 128 bits")
        self.init(value ?? BluetoothUUID(UInt16(0)))
    }

    /// Creates a UUID from 2, 4 or 16 bytes, most significant first.
    ///
    /// Any other length is a programmer error and traps, as with Apple.
    public convenience init(data: Data) {
        precondition([2, 4, 16].contains(data.count), "a UUID has 2, 4 or 16 bytes, not \(data.count)")
        self.init(string: Hex.text(Array(data)))
    }

    /// Creates a UUID of 128 bits.
    public convenience init(nsuuid: UUID) { self.init(string: nsuuid.uuidString) }

    /// The UUID in its shortest form, most significant byte first.
    open var data: Data {
        let high = (0..<8).map { UInt8(truncatingIfNeeded: value.high >> (56 - 8 * UInt64($0))) }
        switch value.shortestWidth {
        case 2: return Data(high[2..<4])
        case 4: return Data(high[0..<4])
        default:
            return Data(high + (0..<8).map { UInt8(truncatingIfNeeded: value.low >> (56 - 8 * UInt64($0))) })
        }
    }

    /// The UUID in its shortest form, in upper case.
    open var uuidString: String { value.description }

    /// Returns the same object, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    public override var description: String { uuidString }
    public override var hash: Int { value.hashValue }
    public override func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.value == value }
}

/// A device at the other end of a possible link.
open class CBPeer: NSObject, NSCopying, @unchecked Sendable {
    private let name: UUID
    let place: DeviceAddress

    init(identifier: UUID, address: DeviceAddress) {
        name = identifier
        place = address
    }

    /// Identifies the device; the same each time for the same device.
    ///
    /// The device's address is not in Apple's API.
    open var identifier: UUID { name }

    /// Returns the same object, which represents the device.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override var description: String { described(("identifier", identifier)) }
    public override var hash: Int { name.hashValue }
    public override func isEqual(_ object: Any?) -> Bool { (object as? CBPeer) === self }
}

extension DeviceAddress {
    /// Order in which devices are processed: the same in each run.
    static func isInOrder(_ left: DeviceAddress, _ right: DeviceAddress) -> Bool {
        (left.value, left.kind.rawValue) < (right.value, right.kind.rawValue)
    }
}

/// A central with a link to this device.
open class CBCentral: CBPeer, @unchecked Sendable {
    let mtu = Guarded(23)

    /// The device's address.
    ///
    /// Not part of Apple's API.
    @_spi(Host) public var address: DeviceAddress { place }

    /// Maximum length of one update in bytes: ATT_MTU − 3.
    open var maximumUpdateValueLength: Int { min(mtu.current - 3, 512) }
}

extension NSObject {
    /// Formats an object like Apple's, without its memory address: the same in each run.
    func described(_ parts: (String, Any?)...) -> String {
        let name = String(describing: type(of: self))
        return "<\(name): "
            + parts.map { "\($0.0) = \($0.1.map { "\($0)" } ?? "(null)")" }.joined(separator: ", ") + ">"
    }
}

extension Bool {
    /// The value as Objective-C prints it.
    var yesOrNo: String { self ? "YES" : "NO" }
}

extension _CVarArgObject where Self: NSObject {
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
    public var _cVarArgEncoding: [Int] { NSString(string: description)._cVarArgEncoding }
}

// For `NSLog("%@", peripheral)` and `String(format:)`.
extension CBPeer: _CVarArgObject {}
extension CBManager: _CVarArgObject {}
extension CBAttribute: _CVarArgObject {}
extension CBATTRequest: _CVarArgObject {}
extension CBUUID: _CVarArgObject {}
