import BluetoothCore
import CaptureFile
import CommandLineKit
import CoreBluetooth
import Crypto
import Glibc
import LinkLayer
import Runtime
import SimulatedDevices
import VirtualController
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
        if let format = CaptureWriter.Format.named(by: path, holding: .monitor), format.holdsMonitor {
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
        try put(.openedIndex, [], at: origin)
        try put(.indexInfo, info.encoded, at: origin)
    }

    /// Adds a packet.
    mutating func put(_ packet: RecordedPacket, from origin: Int64) throws(Failure) {
        try put(Self.opcode(packet), packet.packet.octets, at: origin &+ packet.time.nanoseconds)
        packets += 1
    }

    /// Ends the file.
    mutating func end(at moment: Instant, from origin: Int64) throws(Failure) {
        try put(.closedIndex, [], at: origin &+ moment.nanoseconds)
        try put(.deletedIndex, [], at: origin &+ moment.nanoseconds)
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

extension PacketRecorder {
    /// A recorder where `--record` is given; else nothing is kept.
    convenience init?(_ arguments: ParsedArguments) {
        guard arguments.has(.record) else { return nil }
        self.init()
    }
}

/// The capture of a simulation's air, as a sniffer's recorder would write it.
struct AirRecording: ~Copyable {
    private let path: String
    private let lossPerMille: Int
    private var writer: CaptureWriter

    /// Checks `--air` and `--air-loss`, before any file is created; returns nil without them.
    static func options(
        _ arguments: ParsedArguments, _ stage: Stage
    ) throws(Failure) -> (path: String, format: CaptureWriter.Format, lossPerMille: Int)? {
        guard let path = arguments.value(.air) else {
            guard arguments.has(.airLoss) else { return nil }
            throw Failure(.usage, "--air-loss is for the capture of --air", advice: "give --air FILE")
        }
        guard !stage.isOutside else {
            throw Failure(
                .usage, "--air is for the simulator: only a sniffer hears what an adapter sends",
                advice: "leave it out, or give --adapter simulator")
        }
        let loss = try arguments.number(.airLoss) ?? 0
        guard (0...100).contains(loss) else {
            throw Failure(.usage, "--air-loss takes a percentage: 0 to 100")
        }
        guard path != arguments.value(.record) else {
            throw Failure(.usage, "\(path): --air and --record need a file each")
        }
        guard let format = CaptureWriter.Format.named(by: path, holding: .air), format.holdsAir else {
            throw Failure(.usage, "\(path): unknown suffix", advice: "use .pcap or .pcapng")
        }
        return (path, format, Int(loss) * 10)
    }

    /// Creates the file named by `--air`, and has the stage note what is sent; returns nil if the option is
    /// not given.
    static func open(_ arguments: ParsedArguments, _ stage: Stage) throws(Failure) -> AirRecording? {
        guard let (path, format, loss) = try options(arguments, stage) else { return nil }
        let file = OutputFile(path, replaces: arguments.has(.force), in: arguments.environment)
        stage.world.radio.trace = AirTrace()
        return AirRecording(
            path: path, lossPerMille: loss, writer: try CaptureWriter(creating: file, format))
    }

    /// Writes the packets, and reports the file.
    mutating func finish(_ stage: Stage, _ console: Console) throws(Failure) {
        guard let trace = stage.world.radio.trace else { return }
        let sniffer = AirSniffer(trace, until: stage.time.now, seed: stage.seed, lossPerMille: lossPerMille)
        for packet in sniffer { try put(packet, from: stage.wallClockOrigin) }
        do throws(CaptureFileError) { try writer.flush() } catch { throw SimulationRecording.failure(error) }
        console.say(
            writer.records.counting("packet") + " on the air recorded to \(path); "
                + "'blecap annotate \(Shell.quoted(path))' explains them")
        guard trace.dropped > 0 else { return }
        console.say("too much to record: the end of what was sent on the air is left out")
    }

    private mutating func put(_ packet: AirSniffer.Packet, from origin: Int64) throws(Failure) {
        func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
        }
        var octets = bytes(packet.accessAddress, 4)
        var flags: RadioHeader.Flags = [.crcChecked, .crcValid]
        if packet.phy == .le2M { flags.insert(.fast) }
        if packet.phy == .leCoded {
            flags.insert(.coded)
            // The coding indicator of S=8.
            octets.append(0)
        }
        octets += packet.pdu + bytes(AirPacket.crc(packet.pdu.borrowedOctets, packet.crcInit), 3)
        let direction: Direction =
            packet.fromCentral.map { $0 ? .hostToController : .controllerToHost } ?? .unknown
        var header = RecordHeader(
            number: writer.records + 1, fileOffset: 0,
            time: CaptureTime(nanoseconds: origin &+ packet.time.nanoseconds), adapter: 0, kind: .air,
            direction: direction, originalLength: octets.count, capturedLength: octets.count)
        header.radio = RadioHeader(channel: packet.channel, signal: nil, flags)
        do throws(CaptureFileError) {
            try writer.write(Record(header, octets.borrowedOctets))
        } catch {
            throw SimulationRecording.failure(error)
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
