import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import UQDK
import WireBytes

// What stands below the line of an advertising event.

extension TextRenderer {
    /// The advertising data that the event's reports complete, and what cars say in them.
    mutating func advertisingLines(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        if analyzer.frame.isPartOfAdvertising {
            for part in analyzer.advertisingParts { line(part, from: analyzer.frame.place.file) }
        }
        carLines(record, analyzer)
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

    /// What cars say of themselves in an advertising event.
    private mutating func carLines(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        guard analyzer.mayHoldCars(record) else { return }
        for car in analyzer.cars(in: record) {
            out.fill(0x20, count: columns.layer)
            tint(.annotation)
            out.put("UQDK  car's advertising")
            untint()
            endLine()
            fields(car.fields)
        }
    }
}
