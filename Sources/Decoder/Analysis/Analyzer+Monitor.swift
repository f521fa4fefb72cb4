import BluetoothCore
import CaptureFile
import WireBytes

// The monitor channel's own records: adapters come and go, programs open sockets, someone leaves a mark.

extension Analyzer {
    mutating func analyzeMonitor(_ octets: RawSpan) {
        let adapter = frame.header.adapter
        frame.fold = .none
        switch frame.header.foreignType {
        case 0, 10:
            let place = adapters.place(frame.file, adapter)
            var reader = ByteReader(octets)
            if frame.header.foreignType == 0 { try? reader.skip(2) }
            adapters[place].address = try? DeviceAddress(decoding: &reader, kind: .public)
        case 1, 9:
            closeAllLinks()
        case 11, 16, 17: frame.fold = .housekeeping
        default: break
        }
    }
}
