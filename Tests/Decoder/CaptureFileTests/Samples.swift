import CaptureFile
import WireBytes

/// A record in a form that can be kept and compared.
struct Sample: Equatable, CustomStringConvertible {
    var kind: RecordKind
    var direction: Direction
    var microseconds: Int64
    var octets: String
    var originalLength: Int
    var adapter: UInt16 = 0
    var foreignType: UInt16 = 0
    var file: UInt16 = 0

    var description: String {
        "\(kind) \(direction) \(microseconds) \(octets)/\(originalLength) adapter \(adapter) "
            + "foreign \(foreignType) file \(file)"
    }

    init(
        _ kind: RecordKind, _ direction: Direction, _ microseconds: Int64, _ octets: String,
        originalLength: Int? = nil
    ) {
        self.kind = kind
        self.direction = direction
        self.microseconds = microseconds
        self.octets = octets
        self.originalLength = originalLength ?? octets.utf8.count / 2
    }

    init(_ record: borrowing Record) {
        let header = record.header
        self.init(
            header.kind, header.direction, header.time.nanoseconds / 1000,
            Hex.text(record.octets.copied()), originalLength: header.originalLength)
        adapter = header.adapter
        foreignType = header.foreignType
        file = header.file
    }
}

/// The session that the samples of all formats hold: a reset and its answer, a read and its response.
enum Samples {
    static let start: Int64 = 1_700_000_000_000_000

    static let session: [Sample] = [
        Sample(.command, .hostToController, start, "030c00"),
        Sample(.event, .controllerToHost, start + 1000, "0e0401030c00"),
        Sample(.acl, .hostToController, start + 2000, "4000070003000400" + "0a0300"),
        Sample(.acl, .controllerToHost, start + 3000, "4020060002000400" + "0b2a"),
    ]

    static func hex(_ text: String) -> [UInt8] { (try? Hex.octets(text)) ?? [] }

    /// Reads all records, and the error that ended them.
    static func read(_ octets: [UInt8]) -> (samples: [Sample], error: CaptureFileError?) {
        var samples: [Sample] = []
        do throws(CaptureFileError) {
            var reader = try CaptureReader(octets: octets, name: "sample")
            while let record = try reader.next() { samples.append(Sample(record)) }
            return (samples, nil)
        } catch {
            return (samples, error)
        }
    }
}
