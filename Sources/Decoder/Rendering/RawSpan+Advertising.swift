import Analysis
import BluetoothCore
import CaptureFile
import WireBytes

extension RawSpan {
    /// Whether these bytes may hold manufacturer data. A fast check for its type byte, which most advertising
    /// data lacks; it saves the walk over the structures.
    var mayHoldManufacturerData: Bool { contains(ADType.manufacturerData.rawValue) }
}

extension LEAdvertisement {
    /// Whether the controller reports that it could not receive the rest of the data.
    var isTruncated: Bool { isExtended && eventType & 0x60 > 0x20 }
}

extension Analyzer {
    /// Whether the last frame, made from `record`, may have advertising data of a protocol above ATT.
    func mayAdvertiseProtocol(_ record: borrowing Record) -> Bool {
        frame.mayNameCar || frame.isPartOfAdvertising || record.octets.mayHoldManufacturerData
    }
}
