import BluetoothCore
import CaptureFile
import CommandLineKit
import LinkLayer
import Runtime
import SimulatedDevices
import VirtualController
import WireBytes

/// The capture of a simulation's air, as a sniffer's recorder would write it.
struct AirRecording: ~Copyable {
    private let path: String
    private let lossPerMille: Int
    private var writer: CaptureWriter

    /// Fails early if the file named by `--air` can't be created, or an option of it is wrong.
    static func check(_ arguments: ParsedArguments) throws(Failure) {
        try options(arguments)?.file.checked()
    }

    /// Creates the file named by `--air`, and has the stage note what is sent; returns nil if the option is
    /// not given.
    static func open(_ arguments: ParsedArguments, _ stage: Stage) throws(Failure) -> AirRecording? {
        guard let (file, format, loss) = try options(arguments) else { return nil }
        guard !stage.isOutside else {
            throw Failure(
                .usage, "--air is for the simulator: only a sniffer hears what an adapter sends",
                advice: "leave it out, or give --adapter simulator")
        }
        stage.world.radio.trace = AirTrace()
        return AirRecording(
            path: file.path, lossPerMille: loss, writer: try CaptureWriter(creating: file, format))
    }

    private static func options(
        _ arguments: ParsedArguments
    ) throws(Failure) -> (file: OutputFile, format: CaptureWriter.Format, lossPerMille: Int)? {
        guard let path = arguments.value(.air) else {
            guard arguments.has(.airLoss) else { return nil }
            throw Failure(.usage, "--air-loss is for the capture of --air", advice: "give --air FILE")
        }
        let loss = try arguments.number(.airLoss) ?? 0
        guard (0...100).contains(loss) else {
            throw Failure(.usage, "--air-loss takes a percentage: 0 to 100")
        }
        guard let format = CaptureWriter.Format.named(by: path, holding: .air), format.holdsAir else {
            throw Failure(.usage, "\(path): unknown suffix", advice: "use .pcap or .pcapng")
        }
        let file = OutputFile(path, replaces: arguments.has(.force), in: arguments.environment)
        if let record = arguments.value(.record), path == record || file.isSameFile(as: record) {
            throw Failure(.usage, "\(path): --air and --record need a file each")
        }
        return (file, format, Int(loss) * 10)
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
        guard trace.end != nil else { return }
        console.say("recording limit reached: later packets on the air are missing")
    }

    private mutating func put(_ packet: AirSniffer.Packet, from origin: Int64) throws(Failure) {
        var octets = packet.accessAddress.littleOctets(4)
        var flags: RadioHeader.Flags = [.crcChecked, .crcValid]
        if packet.phy == .le2M { flags.insert(.fast) }
        if packet.phy == .leCoded {
            flags.insert(.coded)
            // The coding indicator of S=8.
            octets.append(0)
        }
        octets += packet.pdu
        octets += AirPacket.crc(packet.pdu.borrowedOctets, packet.crcInit).littleOctets(3)
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
