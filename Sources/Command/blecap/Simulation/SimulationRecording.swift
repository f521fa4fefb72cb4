import BluetoothCore
import CaptureFile
import CommandLineKit
import CoreBluetooth
import Crypto
import Glibc
import Runtime
import SimulatedDevices
import WireBytes

/// The capture of one controller of a simulation.
struct SimulationRecording: ~Copyable {
    let path: String
    private var writer: CaptureWriter
    private(set) var packets = 0

    /// Fails early if the file named by `--record` can't be created.
    static func check(_ arguments: ParsedArguments) throws(Failure) {
        guard let path = arguments.value(.record) else { return }
        _ = try format(arguments, path)
        do throws(OutputError) { try file(path, arguments).check() } catch {
            throw error.failure ?? Failure(.environment, "\(path): can't create")
        }
    }

    /// Creates the file named by `--record`; returns nil if the option is not given.
    static func open(_ arguments: ParsedArguments) throws(Failure) -> SimulationRecording? {
        guard let path = arguments.value(.record) else { return nil }
        return try SimulationRecording(file(path, arguments), try format(arguments, path))
    }

    private static func format(
        _ arguments: ParsedArguments, _ path: String
    ) throws(Failure) -> CaptureWriter.Format {
        guard !path.isEmpty, path != "-" else {
            throw Failure(.usage, "--record needs a file: standard output has the report")
        }
        switch arguments.value(.recordFormat) {
        case "pcap": return .pcapMonitor
        case "pcapng": return .pcapngMonitor
        case "btsnoop": return .monitor
        default: break
        }
        if let format = CaptureWriter.Format.named(by: path, monitor: true), format.holdsMonitor {
            return format
        }
        throw Failure(
            .usage, "\(path): unknown suffix",
            advice: "use .btsnoop, .pcap or .pcapng, or give --format")
    }

    private static func file(_ path: String, _ arguments: ParsedArguments) -> OutputFile {
        OutputFile(path, replaces: arguments.has(.force), in: arguments.environment)
    }

    private init(_ file: OutputFile, _ format: CaptureWriter.Format) throws(Failure) {
        path = file.path
        let descriptor: Int32
        do throws(OutputError) {
            descriptor = try file.create()
        } catch {
            throw error.failure ?? Failure(.environment, "\(file.path): can't create")
        }
        do throws(CaptureFileError) {
            writer = try CaptureWriter(
                descriptor: descriptor, name: file.path, format: format, nanoseconds: true)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Writes the packets between one controller and its host, as the Linux monitor channel would.
    mutating func write(
        _ packets: [RecordedPacket], of address: DeviceAddress, _ stage: Stage
    ) throws(Failure) {
        let note = stage.isOutside ? "blecap drive" : "blecap simulator, seed \(stage.seed)"
        try write(packets, of: address, from: stage.wallClockOrigin, until: stage.time.now, note: note)
    }

    /// - Parameters:
    ///   - origin: the start of the packets' time, in nanoseconds since 1970.
    ///   - moment: the end of the recording, if later than the last packet.
    ///   - note: the description of the recording in its system note.
    mutating func write(
        _ packets: [RecordedPacket], of address: DeviceAddress, from origin: Int64,
        until moment: Instant = .zero, note: String
    ) throws(Failure) {
        var index = MonitorNewIndex()
        index.bdAddr = address
        index.name = Array("hci0".utf8) + [0, 0, 0, 0]
        var info = MonitorIndexInfo()
        info.bdAddr = address
        info.manufacturer = 0xFFFF
        // Simulator recordings share their first records, which would make them look like parts of one log.
        let digest = (try? SHA256.hash(of: packets.flatMap(\.packet.octets))) ?? []
        let text = "\(note), recording \(Hex.text(digest.prefix(8)))"
        try put(.systemNote, Array(text.utf8) + [0], at: origin, adapter: 0xFFFF)
        try put(.newIndex, index.encoded, at: origin)
        try put(.openedIndex, [], at: origin)
        try put(.indexInfo, info.encoded, at: origin)
        for one in packets {
            try put(Self.opcode(one), one.packet.octets, at: origin &+ one.time.nanoseconds)
        }
        let end = origin &+ max(moment, packets.last?.time ?? .zero).nanoseconds
        try put(.closedIndex, [], at: end)
        try put(.deletedIndex, [], at: end)
        self.packets = packets.count
        do throws(CaptureFileError) { try writer.flush() } catch { throw Self.failure(error) }
    }

    /// Writes the packets of a plain central's adapter, and reports the file.
    mutating func finish(_ phone: SimulatedAdapter, _ stage: Stage, _ console: Console) throws(Failure) {
        try write(
            stage.recorder.packets(of: phone.controller), of: phone.bluetooth.address ?? phone.address, stage)
        console.say(
            packets.counting("packet") + " recorded to \(path); "
                + "'blecap annotate \(Shell.quoted(path))' explains them")
    }

    /// The failure for a write error; a reader that closed the pipe is a normal exit.
    private static func failure(_ error: CaptureFileError) -> Failure {
        OutputError(error).failure ?? Failure(.success, "\(error.file): the reader closed it")
    }

    private static func opcode(_ packet: RecordedPacket) -> MonitorOpcode {
        switch packet.packet.type {
        case .command: .command
        case .event: .event
        case .synchronous: packet.isFromHost ? .synchronousSent : .synchronousReceived
        case .iso: packet.isFromHost ? .isoSent : .isoReceived
        default: packet.isFromHost ? .aclSent : .aclReceived
        }
    }

    private mutating func put(
        _ opcode: MonitorOpcode, _ octets: [UInt8], at time: Int64, adapter: UInt16 = 0
    ) throws(Failure) {
        let (kind, direction): (RecordKind, Direction) =
            switch opcode {
            case .command: (.command, .hostToController)
            case .event: (.event, .controllerToHost)
            case .aclSent: (.acl, .hostToController)
            case .aclReceived: (.acl, .controllerToHost)
            case .synchronousSent: (.sco, .hostToController)
            case .synchronousReceived: (.sco, .controllerToHost)
            case .isoSent: (.iso, .hostToController)
            case .isoReceived: (.iso, .controllerToHost)
            default: (.monitor, .unknown)
            }
        let header = RecordHeader(
            number: writer.records + 1, fileOffset: 0, time: CaptureTime(nanoseconds: time), adapter: adapter,
            kind: kind, direction: direction, foreignType: opcode.rawValue, originalLength: octets.count,
            capturedLength: octets.count)
        do throws(CaptureFileError) {
            try writer.write(Record(header, octets.borrowedOctets))
        } catch {
            throw Self.failure(error)
        }
    }
}
