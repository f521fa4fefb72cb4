import BluetoothCore
import WireBytes

extension RawSpan {
    /// Whether advertising data in these octets may have a manufacturer's: most have no octet of its type,
    /// and need not be walked over to be sure of it.
    var mayHoldManufacturerData: Bool { contains(ADType.manufacturerData.rawValue) }
}
