import Adapters
import Analysis
import BluetoothCore
import CaptureFile
import HostileHosts
import LEHost
import Profiles
import Rendering
import Replay
import Runtime
import SimulatedDevices
import UQDK
import WireBytes

/// One entry for hostile octets. Each must end, whatever they are, without a trap or growth.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// A capture file of any format, record by record.
    case capture
    /// A capture file, analysed and rendered.
    case annotate
    /// HCI packets in records that are whole: what is in them is decoded, analysed and rendered.
    case packets
    /// Values of one characteristic, put together to UQDK messages.
    case uqdk
    /// HCI packets in whole records, made a session that a host replays.
    case replay
    /// The documents that a user gives: keys, profiles, dialects, and BlueZ's cache of attributes.
    case documents
    /// Advertising data by a profile that a stranger wrote, and keys for its encrypted fields.
    case profiles
    /// The expectation of a log, and what it says of a replay.
    case expectations
    /// A car with a dialect that a stranger wrote (`simulate car --listen --dialect`), and what phones write
    /// to it.
    case cars
    /// The text of PDU tables and value names, and PDUs by what was read of it.
    case tables
    /// What controllers, peers and applications do to two hosts.
    case hosts
    /// A stream of H4, cut into packets, and what a host makes of them.
    case stream

    /// Runs the target once.
    public func run(_ input: [UInt8]) {
        switch self {
        case .capture: Self.read(input)
        case .annotate: Self.annotate(input)
        case .packets: Self.annotate(Self.btsnoop(input))
        case .uqdk: Self.values(input)
        case .replay: ReplayedSession.run(Self.btsnoop(input))
        case .documents: Self.documents(input)
        case .profiles: Self.profiles(input)
        case .expectations: Self.expectations(input)
        case .cars: Self.cars(input)
        case .tables: Self.tables(input)
        case .hosts:
            let report = HostileAir.run(input)
            precondition(report.violations.isEmpty, "\(report.violations)")
        case .stream: Self.stream(input)
        }
    }

    /// In parts whose lengths the octets give, too. What comes out must be what went in.
    private static func stream(_ input: [UInt8]) {
        var splitter = H4Splitter()
        var host = LEHost()
        _ = host.handle(.powerOn, at: .zero)
        var cut: [UInt8] = []
        var at = 0
        while at < input.count {
            let end = min(input.count, at + 1 + Int(input[at] & 0x1F))
            splitter.append(input[at..<end])
            at = end
            do throws(H4Splitter.Unknown) {
                while let packet = try splitter.next() {
                    cut += packet.h4
                    _ = host.handle(.packet(packet), at: .zero)
                }
            } catch {
                precondition(error.offset == cut.count && input[cut.count] == error.type, "another place")
                break
            }
        }
        precondition(input.starts(with: cut), "other packets")
    }

    private static func tables(_ input: [UInt8]) {
        unsafe input.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            // Safe: neither the text nor what is read of it outlives this call.
            let text = unsafe StaticText(unsafeStart: start, count: bytes.count)
            _ = ValueNames([text]).name(of: 1, in: "phy")
            guard let table = try? PDUTable([text]) else { return }
            for row in table.rows {
                for layout in [row.parameters, row.returnParameters] {
                    _ = layout?.fault(in: input.borrowedOctets)
                    _ = layout?.connectionHandle(in: input.borrowedOctets)
                }
            }
        }
    }

    /// What every run of the analysis begins with: made once, as a command does.
    static let knowledge = AnalysisKnowledge()

    private static func documents(_ input: [UInt8]) {
        _ = try? KeyStore(json: input)
        _ = try? Profile(json: input)
        _ = try? Dialect(json: input)
        var gatt = GATTKnowledge()
        try? gatt.add(bluezCache: input, of: DeviceAddress(0x0011_2233_4455))
    }

    /// The profile's text ends with a zero; values follow, each with its length before it.
    private static func profiles(_ input: [UInt8]) {
        let text = input.prefix { $0 != 0 }
        guard let profile = try? Profile(json: Array(text)) else { return }
        var set = ProfileSet([profile])
        let keys = [16, 12].map { "{\"profile\": \"\(profile.name)\", \"key\": \"" + key($0) + "\"}" }
        let file = "{\"profiles\": [" + keys.joined(separator: ",") + "]}"
        set.keys = (try? KeyStore(json: Array(file.utf8)))?.profiles ?? []
        let owners = Set(profile.channels.flatMap(\.advertising).map(\.owner))
        var at = text.count + 1
        while at < input.count {
            let end = min(input.count, at + 1 + Int(input[at]))
            let value = Array(input[(at + 1)..<end])
            for owner in owners {
                let shown = set.explain(value.borrowedOctets, of: owner, from: DeviceAddress(0x11))
                precondition(shown?.misfits.isEmpty ?? true || shown?.opaque != nil, "a misfit without bytes")
            }
            at = end
        }
    }

    private static func key(_ count: Int) -> String { String(repeating: "2b", count: count) }

    private static func expectations(_ input: [UInt8]) {
        guard let expectation = try? LogExpectation(json: input) else { return }
        precondition((try? LogExpectation(json: expectation.json)) == expectation, "another expectation")
        _ = LogExpectation.failures([], besides: expectation)
    }

    /// The dialect's text ends with a zero; values follow, each with its length before it, by two phones.
    private static func cars(_ input: [UInt8]) {
        let text = input.prefix { $0 != 0 }
        let dialect = (try? Dialect(json: Array(text))) ?? .reference1
        let key = CarKey(
            keyID: [UInt8](repeating: 0x11, count: 8),
            key: [UInt8](repeating: 0x22, count: dialect.limits.keyOctets), slot: 0)
        var configuration = CarConfiguration(keys: [key], dialect: dialect)
        configuration.pairingCode = "314159"
        _ = CarPeer.advertisement(of: DeviceAddress(0x11), dialect)
        var car = CarPeer(configuration, entropy: SeededEntropy(seed: 1), phone: DeviceAddress(0xF1))
        car.subscribe(true)
        var at = text.count + 1
        var now = Instant.zero
        while at < input.count {
            let head = input[at]
            let end = min(input.count, at + 1 + Int(head & 0x3F))
            now = now.advanced(by: head & 0x80 != 0 ? .seconds(20) : .milliseconds(1))
            if head & 0x40 != 0 { car.connectAgain() }
            car.write(Array(input[(at + 1)..<end]), at: now)
            car.advance(to: now)
            for octets in [20, 244] {
                let values = car.takeValues(valueOctets: octets)
                precondition(values.allSatisfy { $0.count <= octets }, "too long")
            }
            _ = car.takeEvents().map(\.description)
            at = end
        }
    }

    private static func read(_ octets: [UInt8]) {
        guard var reader = try? CaptureReader(octets: octets, name: "fuzz") else { return }
        var more = true
        while more { more = ((try? reader.next() != nil) ?? false) }
    }

    private static func annotate(_ octets: [UInt8]) {
        guard var reader = try? CaptureReader(octets: octets, name: "fuzz") else { return }
        var analyzer = Analyzer(knowledge)
        var options = TextRenderer.Options()
        options.showsAll = true
        var renderer = TextRenderer(options)
        var lines = NDJSONRenderer()
        lines.begin(reader.info)
        var more = true
        while more { more = ((try? step(&reader, &analyzer, &renderer, &lines)) ?? false) }
        analyzer.finish()
        renderer.finish()
        lines.finish(analyzer, reader.tally)
        Verdict.put([reader.info], analyzer, into: &renderer.out)
    }

    private static func step(
        _ reader: inout CaptureReader, _ analyzer: inout Analyzer, _ renderer: inout TextRenderer,
        _ lines: inout NDJSONRenderer
    ) throws(CaptureFileError) -> Bool {
        guard let record = try reader.next() else { return false }
        analyzer.analyze(record)
        renderer.render(record, analyzer)
        if renderer.out.count > 1 << 16 { renderer.out.clear() }
        lines.render(record, analyzer)
        if lines.out.count > 1 << 16 { lines.out.clear() }
        return true
    }

    /// A btsnoop file whose records are cut out of the input: an octet for direction and kind, one for the
    /// length, then that many octets, as far as there are any.
    private static func btsnoop(_ input: [UInt8]) -> [UInt8] {
        var file: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        file.reserveCapacity(input.count * 4)
        var at = 0
        var time: UInt64 = 0x00E2_4F62_7A6D_5000
        while at + 2 <= input.count {
            let head = input[at]
            let end = min(input.count, at + 2 + Int(input[at + 1]))
            let kind = UInt8(1 + head & 3) + (head & 4 != 0 ? 1 : 0)
            let length = UInt32(end - at - 1)
            // One record in sixteen had more octets than were kept.
            let original = head & 0xF0 == 0xF0 ? length + 40 : length
            time += head & 8 != 0 ? 31_000_000 : 1_250
            for value in [original, length, UInt32(head >> 7), 0] { file.append(bigEndian: UInt64(value), 4) }
            file.append(bigEndian: time, 8)
            file.append(kind)
            file.append(contentsOf: input[(at + 2)..<end])
            at = end
        }
        return file
    }

    private static func values(_ input: [UInt8]) {
        var tracker = UQDKTracker(knowledge.uqdk)
        var at = 0
        var frame: UInt64 = 0
        var time: Int64 = 0
        while at + 2 <= input.count {
            let head = input[at]
            let end = min(input.count, at + 2 + Int(input[at + 1]))
            let value = Array(input[(at + 2)..<end])
            let sender: Sender = head & 1 == 0 ? .phone : .car
            let role: UQDKAttribute.Role = head & 1 == 0 ? .command : .event
            let attribute = head & 2 == 0 ? UQDKAttribute(role: role, dialects: [0]) : nil
            frame += 1
            time += head & 4 != 0 ? 20_000_000_000 : 1_000_000
            _ = tracker.handle(
                value.borrowedOctets, attribute,
                from: UQDKSource(
                    handle: UInt16(head >> 6), sender: sender, time: time, frame: frame,
                    originalLength: value.count + (head & 8 != 0 ? 3 : 0)))
            at = end
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: UInt64, _ width: Int) {
        for shift in stride(from: (width - 1) * 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}
