import CaptureFile
import CommandLineKit
import WireBytes

/// The input files of a command, from its operands; folders are searched for captures.
struct NamedInputs {
    /// The files; those of a folder are sorted by path.
    private(set) var paths: [String] = []
    /// Number of files in folders that are not captures.
    private(set) var passedOver = 0

    /// Depth to which folders are searched; links to folders are not followed.
    private static let deepest = 32

    init(_ operands: [String], _ environment: CommandEnvironment) throws(Failure) {
        try Failure.checkInputs(operands)
        var meter = ProgressMeter([], environment)
        defer { meter.end() }
        for operand in operands {
            guard operand != "-", SystemCall.status(of: operand)?.isFolder == true else {
                paths.append(operand)
                continue
            }
            walk(operand, depth: 0, &meter)
        }
        if paths.isEmpty {
            throw Failure(
                .input, "\(operands.joined(separator: ", ")): no capture in this folder",
                place: passedOver > 0 ? "\(passedOver.counting("file")) skipped" : nil)
        }
    }

    /// The notice about skipped files; nil if absent.
    var notice: String? {
        passedOver > 0
            ? "\(passedOver.counting("file")) in folders skipped: no captures (name one for the reason)" : nil
    }

    private mutating func walk(_ folder: String, depth: Int, _ meter: inout ProgressMeter) {
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        for name in SystemCall.names(besides: start).sorted() where name != "." && name != ".." {
            let path = start + name
            guard let status = SystemCall.status(of: path) else { continue }
            if status.isFolder {
                let isLink = SystemCall.status(ofLink: path)?.isFolder == false
                if !isLink, depth < Self.deepest { walk(path, depth: depth + 1, &meter) }
            } else if status.isRegular {
                if Self.isCapture(path) { paths.append(path) } else { passedOver += 1 }
                let count = paths.count + passedOver
                meter.update("\(count.counting("file")) searched, \(paths.count.counting("capture")) found")
            }
        }
    }

    /// Whether a file is a capture, including one that can't be read.
    private static func isCapture(_ path: String) -> Bool {
        do throws(CaptureFileError) {
            _ = try CaptureSet(paths: [path])
            return true
        } catch {
            switch error.cause {
            case .notACapture, .decoderText, .emptyReport, .empty: return false
            default: return true
            }
        }
    }
}
