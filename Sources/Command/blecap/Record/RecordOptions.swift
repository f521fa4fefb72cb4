import CaptureFile
import CommandLineKit

/// The options of a recording, parsed and checked.
struct RecordOptions: Equatable, Sendable {
    /// The output file; nil to name it by the time, `-` for standard output.
    var path: String?
    var format = CaptureWriter.Format.monitor
    /// Whether to replace an existing file.
    var replaces = false
    /// Whether to wait until each record is on the disk before reading the next one.
    var syncs = false
    /// Whether to show the frames during the recording.
    var annotates = false
    /// Whether to blank keys before writing.
    var blanksKeys = false
    /// Size of the kernel's receive buffer, in bytes.
    var receiveBuffer = RecordOptions.usualBuffer
    /// The user to become after opening the channel.
    var user: String?
    /// Limits that end the recording.
    var limits = RecordLimits()
    /// Conditions for starting a new file.
    var rotation = Rotation()
    var environment = CommandEnvironment()

    /// Conditions for starting a new file, and the number of files to keep.
    struct Rotation: Equatable, Sendable {
        /// Maximum bytes per file.
        var octets: Int?
        /// Maximum time per file, in nanoseconds.
        var nanoseconds: Int64?
        /// Number of files to keep; nil for all.
        var kept: Int?

        /// Whether there may be more than one file.
        var isWanted: Bool { octets != nil || nanoseconds != nil }
    }

    /// Room for a burst of some 20,000 short events, including the kernel's overhead for each.
    static let usualBuffer = 16 << 20
    /// Minimum file size for rotation, since each file begins with a header and notes.
    static let leastRotation = 4096

    init() {}

    init(_ arguments: ParsedArguments) throws(Failure) {
        environment = arguments.environment
        path = arguments.operands.first
        format = try Self.format(arguments.value(.captureFormat), path)
        replaces = arguments.has(.force)
        syncs = arguments.has(.sync)
        annotates = arguments.has(.annotate)
        blanksKeys = arguments.has(.noKeys)
        user = arguments.value(.user)
        if let wanted = try arguments.octets(.buffer) { receiveBuffer = wanted }
        limits.octets = try arguments.octets(.size)
        limits.nanoseconds = try arguments.nanoseconds(.duration)
        limits.packets = try arguments.number(.packets, least: 1)
        rotation.octets = try arguments.octets(.rotateSize)
        rotation.nanoseconds = try arguments.nanoseconds(.rotateTime)
        rotation.kept = try arguments.number(.keep, least: 1)
        try check(arguments)
    }

    private func check(_ arguments: ParsedArguments) throws(Failure) {
        if rotation.kept != nil, !rotation.isWanted {
            throw Failure(.usage, "--keep needs rotation", advice: "give --rotate-size or --rotate-time")
        }
        if let octets = rotation.octets, octets < Self.leastRotation {
            throw Failure(.usage, "--rotate-size: the minimum is \(Self.leastRotation) bytes")
        }
        if path == "-" {
            if annotates {
                throw Failure(
                    .usage, "standard output can't take both the capture and the annotation",
                    advice: "record into a file, or use 'blecap record - | blecap annotate -'")
            }
            if rotation.isWanted { throw Failure(.usage, "standard output can't be rotated") }
        }
        if path == "" { throw Failure(.usage, "the file's name is empty") }
        guard !annotates else { return }
        for row in OptionRow.every where row.commands.contains("annotate") && arguments.has(row) {
            if row.commands.contains("record"), row.long != OptionRow.force.long {
                throw Failure(
                    .usage, "--\(row.long) applies only to --annotate, which is not given",
                    advice: "the file keeps everything; 'blecap convert' filters it afterwards")
            }
        }
    }

    /// Returns the format of a recording: that of an option, or else that of the suffix.
    static func format(_ name: String?, _ path: String?) throws(Failure) -> CaptureWriter.Format {
        switch name {
        case "pcap": return .pcapMonitor
        case "pcapng": return .pcapngMonitor
        case "btsnoop": return .monitor
        default: break
        }
        guard let path, path != "-", path != "" else { return .monitor }
        if let format = CaptureWriter.Format.named(by: path, holding: .monitor), format.holdsMonitor {
            return format
        }
        throw Failure(
            .usage, "\(path): unknown suffix",
            advice: "use .btsnoop, .pcap or .pcapng, or give --format")
    }
}

/// Limits that end a recording; nil for none.
struct RecordLimits: Equatable, Sendable {
    /// Bytes written.
    var octets: Int?
    /// Nanoseconds since the start.
    var nanoseconds: Int64?
    /// Records received.
    var packets: Int?
}
