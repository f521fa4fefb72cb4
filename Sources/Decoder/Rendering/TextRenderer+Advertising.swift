import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// The lines below an advertising event.

extension TextRenderer {
    /// Prints the advertising data whose last part is in the event, and the annotations by protocols above
    /// ATT.
    mutating func advertisingLines(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        if analyzer.frame.isPartOfAdvertising {
            for part in analyzer.advertisingParts { line(part, from: analyzer.frame.place.file) }
        }
        guard analyzer.mayAdvertiseProtocol(record) else { return }
        annotationLines(analyzer.advertised(in: record), analyzer)
    }

    private mutating func line(_ part: AdvertisingPart, from file: Int) {
        guard let whole = part.whole else { return }
        out.fill(0x20, count: columns.meaning)
        out.put("whole data since frame ")
        out.put(part.firstFrame, from: file)
        out.put(", ")
        out.decimal(whole.count)
        out.put(whole.count == 1 ? " byte " : " bytes ")
        fields(whole.borrowedOctets, isCut: false) { printer throws(DecodeError) in
            printer.truncatedReports = part.isCut ? 1 : 0
            var data = BorrowedOctets()
            try printer.payload("data", &data, count: nil, .advertising)
            return true
        }
        endLine()
    }
}
