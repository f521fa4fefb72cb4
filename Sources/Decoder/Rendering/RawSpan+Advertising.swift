import Analysis
import BluetoothCore
import CaptureFile
import WireBytes

extension RawSpan {
    /// Whether these bytes may hold manufacturer or service data: a fast check for the type bytes, which much
    /// advertising data lacks, so that it need not be walked.
    var mayHoldPrivateData: Bool {
        contains(ADType.manufacturerData.rawValue) || contains(ADType.serviceData16.rawValue)
            || contains(ADType.serviceData128.rawValue) || contains(ADType.serviceData32.rawValue)
    }
}

extension LEAdvertisement {
    /// Whether the controller reports that it could not get the rest of the data.
    var isTruncated: Bool { isExtended && eventType & 0x60 > 0x20 }
}

extension Analyzer {
    /// Whether the last frame, made from `record`, may have advertising data of a protocol above ATT.
    func mayAdvertiseProtocol(_ record: borrowing Record) -> Bool {
        frame.mayNameCar || frame.isPartOfAdvertising || record.octets.mayHoldPrivateData
    }
}
