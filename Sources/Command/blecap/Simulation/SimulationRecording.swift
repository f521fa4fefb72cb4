import BluetoothCore
import CaptureFile
import CommandLineKit
import CoreBluetooth
import Crypto
import Glibc
import Runtime
import SimulatedDevices
import VirtualController
import WireBytes

/// The capture of one controller of a simulation.
struct SimulationRecording: ~Copyable {
    let path: String
    private var writer: CaptureWriter
    private(set) var packets = 0

    /// Fails early if the files named by `--record` and `--air` can't be created.
    static func check(_ arguments: ParsedArguments) throws(Failure) {
        try AirRecording.check(arguments)
        guard let path = arguments.value(.record) else { return }
        _ = try format(arguments, path)
        try file(path, arguments).checked()
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
        return try RecordOptions.format(arguments.value(.recordFormat), path)
    }

    private static func file(_ path: String, _ arguments: ParsedArguments) -> OutputFile {
        OutputFile(path, replaces: arguments.has(.force), in: arguments.environment)
    }

    private init(_ file: OutputFile, _ format: CaptureWriter.Format) throws(Failure) {
        path = file.path
        writer = try CaptureWriter(creating: file, format)
    }

    /// Writes the packets between one controller and its host, as the Linux monitor channel would.
    mutating func write(
        _ controller: ControllerID, of address: DeviceAddress, _ stage: Stage, _ console: Console
    ) throws(Failure) {
        guard let recorder = stage.recorder else { return }
        try write(
            recorder.packets(of: controller), of: address, from: stage.wallClockOrigin, until: stage.time.now,
            note: stage.note)
        guard recorder.dropped > 0 else { return }
        console.say("too much to record: \(recorder.dropped.counting("packet")) left out at the end")
    }

    /// - Parameters:
    ///   - origin: the start of the packets' time, in nanoseconds since 1970.
    ///   - moment: the end of the recording, if later than the last packet.
    ///   - note: the description of the recording in its system note.
    mutating func write(
        _ packets: [RecordedPacket], of address: DeviceAddress, from origin: Int64,
        until moment: Instant = .zero, note: String
    ) throws(Failure) {
        // Simulator recordings share their first records, which would make them look like parts of one log.
        try begin(of: address, from: origin, note: note, digestOf: packets.flatMap(\.packet.octets))
        for one in packets { try put(one, from: origin) }
        try end(at: max(moment, packets.last?.time ?? .zero), from: origin)
    }

    /// Begins the file of a controller.
    ///
    /// - Parameter octets: what tells it from other recordings.
    mutating func begin(
        of address: DeviceAddress, from origin: Int64, note: String, digestOf octets: [UInt8]
    ) throws(Failure) {
        var index = MonitorNewIndex()
        index.bdAddr = address
        index.name = Array("hci0".utf8) + [0, 0, 0, 0]
        var info = MonitorIndexInfo()
        info.bdAddr = address
        info.manufacturer = 0xFFFF
        let digest = (try? SHA256.hash(of: octets)) ?? []
        let text = "\(note), recording \(Hex.text(digest.prefix(8)))"
        try put(.systemNote, Array(text.utf8) + [0], at: origin, adapter: 0xFFFF)
        try put(.newIndex, index.encoded, at: origin)
        try put(.openIndex, [], at: origin)
        try put(.indexInfo, info.encoded, at: origin)
    }

    /// Adds a packet.
    mutating func put(_ packet: RecordedPacket, from origin: Int64) throws(Failure) {
        try put(Self.opcode(packet), packet.packet.octets, at: origin &+ packet.time.nanoseconds)
        packets += 1
    }

    /// Ends the file.
    mutating func end(at moment: Instant, from origin: Int64) throws(Failure) {
        try put(.closeIndex, [], at: origin &+ moment.nanoseconds)
        try put(.deleteIndex, [], at: origin &+ moment.nanoseconds)
        try flush()
    }

    /// Hands what there is so far to the system.
    mutating func flush() throws(Failure) {
        do throws(CaptureFileError) { try writer.flush() } catch { throw Self.failure(error) }
    }

    /// Writes the packets of a plain central's adapter, and reports the file.
    mutating func finish(_ phone: SimulatedAdapter, _ stage: Stage, _ console: Console) throws(Failure) {
        try write(phone.controller, of: phone.bluetooth.address ?? phone.address, stage, console)
        console.say(
            packets.counting("packet") + " recorded to \(path); "
                + "'blecap annotate \(Shell.quoted(path))' explains them")
    }

    /// The failure for a write error; a reader that closed the pipe is a normal exit.
    static func failure(_ error: CaptureFileError) -> Failure {
        OutputError(error).failure ?? Failure(.success, "\(error.file): the reader closed it")
    }

    private static func opcode(_ packet: RecordedPacket) -> MonitorOpcode {
        switch packet.packet.type {
        case .command: .command
        case .event: .event
        case .synchronous: packet.isFromHost ? .scoDataTX : .scoDataRX
        case .iso: packet.isFromHost ? .isoDataTX : .isoDataRX
        default: packet.isFromHost ? .aclDataTX : .aclDataRX
        }
    }

    private mutating func put(_ opcode: MonitorOpcode, _ octets: [UInt8], at time: Int64, adapter: UInt16 = 0)
        throws(Failure)
    {
        let header = RecordHeader(
            monitorOpcode: opcode.rawValue, adapter: adapter, number: writer.records + 1,
            time: CaptureTime(nanoseconds: time), length: octets.count)
        do throws(CaptureFileError) { try writer.write(Record(header, octets.borrowedOctets)) } catch {
            throw Self.failure(error)
        }
    }
}

extension PacketRecorder {
    /// A recorder where `--record` is given; else nothing is kept.
    convenience init?(_ arguments: ParsedArguments) {
        guard arguments.has(.record) else { return nil }
        self.init()
    }
}

extension OutputFile {
    /// Fails early if the file exists and may not be replaced.
    func checked() throws(Failure) {
        do throws(OutputError) { try check() } catch {
            throw error.failure ?? Failure(.environment, "\(path): can't create")
        }
    }
}

extension CaptureWriter {
    /// Creates a file.
    init(creating file: OutputFile, _ format: Format) throws(Failure) {
        let descriptor: Int32
        do throws(OutputError) {
            descriptor = try file.create()
        } catch {
            throw error.failure ?? Failure(.environment, "\(file.path): can't create")
        }
        do throws(CaptureFileError) {
            try self.init(descriptor: descriptor, name: file.path, format: format, nanoseconds: true)
        } catch {
            throw SimulationRecording.failure(error)
        }
    }
}
