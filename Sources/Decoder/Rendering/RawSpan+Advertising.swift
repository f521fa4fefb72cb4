import Analysis
import BluetoothCore
import CaptureFile
import WireBytes

extension RawSpan {
    /// Whether advertising data in these bytes may have a manufacturer's: most have no byte of its type,
    /// and need not be walked over to be sure of it.
    var mayHoldManufacturerData: Bool { contains(ADType.manufacturerData.rawValue) }
}

extension LEAdvertisement {
    /// Whether the controller says that it could not get the rest of the data.
    var isTruncated: Bool { isExtended && eventType & 0x60 > 0x20 }
}

extension Analyzer {
    /// Whether the last frame, made from `record`, may have advertising data that a protocol above ATT knows.
    func mayAdvertiseProtocol(_ record: borrowing Record) -> Bool {
        frame.mayNameCar || frame.isPartOfAdvertising || record.octets.mayHoldManufacturerData
    }
}
