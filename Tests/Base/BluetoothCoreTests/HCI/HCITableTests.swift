import BluetoothCore
import Testing
import WireBytes

/// What holds for every command, event and PDU that the tables know.
@Suite struct HCITableTests {
    /// One entry of the tables: how to walk over its fields with any coder.
    enum Entry: CustomStringConvertible {
        case command(HCIOpcode, HCICommandTable.Part)
        case event(HCIEventCode)
        case subevent(LESubeventCode)
        case monitor(MonitorOpcode)
        case management(ManagementCommand)
        case managementReturn(ManagementCommand)
        case managementEvent(ManagementEvent)
        case signal(L2CAPSignallingCode)
        case smp(SMPCode)

        func walk<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) -> Bool {
            switch self {
            case .command(let opcode, let part): try HCICommandTable.code(opcode, part, &coder)
            case .event(let code): try HCIEventTable.code(code, &coder)
            case .subevent(let code): try HCIEventTable.codeLE(code, &coder)
            case .monitor(let opcode): try MonitorTable.code(opcode, &coder)
            case .management(let opcode): try ManagementTable.code(opcode, .parameters, &coder)
            case .managementReturn(let opcode): try ManagementTable.code(opcode, .returnParameters, &coder)
            case .managementEvent(let event): try ManagementTable.code(event, &coder)
            case .signal(let code): try L2CAPTable.code(code, &coder)
            case .smp(let code): try SMPTable.code(code, &coder)
            }
        }

        var description: String {
            switch self {
            case .command(let opcode, let part): "\(part) of \(opcode)"
            case .event(let code): "event \(code.rawValue)"
            case .subevent(let code): "subevent \(code.rawValue)"
            case .monitor(let opcode): "monitor record \(opcode.rawValue)"
            case .management(let opcode): "management command \(opcode.rawValue)"
            case .managementReturn(let opcode): "return of management command \(opcode.rawValue)"
            case .managementEvent(let event): "management event \(event.rawValue)"
            case .signal(let code): "signalling command \(code.rawValue)"
            case .smp(let code): "SMP PDU \(code.rawValue)"
            }
        }
    }

    /// Everything that the tables have fields for. Command Complete and LE Meta go on into the other tables,
    /// so that their own entries stand for them.
    static let entries: [Entry] = {
        var entries: [Entry] = []
        for raw in UInt16.min...UInt16.max {
            entries.append(.command(HCIOpcode(rawValue: raw), .parameters))
            entries.append(.command(HCIOpcode(rawValue: raw), .returnParameters))
        }
        for raw in UInt8.min...UInt8.max {
            if raw != 0x0E && raw != 0x3E { entries.append(.event(HCIEventCode(rawValue: raw))) }
            entries.append(.subevent(LESubeventCode(rawValue: raw)))
            entries.append(.signal(L2CAPSignallingCode(rawValue: raw)))
            entries.append(.smp(SMPCode(rawValue: raw)))
            entries.append(.managementEvent(ManagementEvent(rawValue: UInt16(raw))))
            entries.append(.management(ManagementCommand(rawValue: UInt16(raw))))
            entries.append(.managementReturn(ManagementCommand(rawValue: UInt16(raw))))
            // Management commands and events go on into their own tables.
            guard raw != 16 && raw != 17 else { continue }
            entries.append(.monitor(MonitorOpcode(rawValue: UInt16(raw))))
        }
        return entries.filter { entry in
            var coder = RandomCoder(random: SeededOctets(seed: 1))
            return (try? entry.walk(&coder)) == true
        }
    }()

    @Test func `the tables hold what was counted`() {
        var commands = 0
        var events = 0
        var subevents = 0
        var records = 0
        var management = [0, 0, 0]
        var signals = 0
        var pairing = 0
        for entry in Self.entries {
            switch entry {
            case .command(_, .parameters): commands += 1
            case .command: break
            case .event: events += 1
            case .subevent: subevents += 1
            case .monitor: records += 1
            case .management: management[0] += 1
            case .managementReturn: management[1] += 1
            case .managementEvent: management[2] += 1
            case .signal: signals += 1
            case .smp: pairing += 1
            }
        }
        #expect(commands >= 331)
        #expect(events == 62)
        #expect(subevents == 55)
        #expect(records == 7)
        #expect(management == [62, 66, 35])
        #expect(signals == 20)
        #expect(pairing == 14)
    }

    /// What reading an entry's fields from `octets` leaves over.
    static func left(_ entry: Entry, _ octets: [UInt8]) throws(DecodeError) -> (known: Bool, bytes: Int) {
        try octets.withReader { (reader: inout ByteReader) throws(DecodeError) in
            var coder = FieldReader(reader.takeRest())
            return (try entry.walk(&coder), coder.remaining)
        }
    }

    @Test func `what a row writes it reads again to the last byte`() throws {
        for (index, entry) in Self.entries.enumerated() {
            for round in 0..<20 {
                var random = RandomCoder(random: SeededOctets(seed: UInt64(index * 1000 + round)))
                random.succeeds = round % 4 != 0
                _ = try entry.walk(&random)
                #expect(try Self.left(entry, random.writer.octets) == (true, 0), "\(entry) round \(round)")
            }
        }
    }

    @Test func `every strict prefix is truncated`() throws {
        for (index, entry) in Self.entries.enumerated() {
            var random = RandomCoder(random: SeededOctets(seed: UInt64(index)))
            _ = try entry.walk(&random)
            // Fields that take all that is left have no wrong length: the table of entries shows which.
            guard !Self.takesRest(entry) else { continue }
            for count in 0..<random.writer.count {
                let prefix = Array(random.writer.octets.prefix(count))
                let error = #expect(throws: DecodeError.self, "\(entry) cut to \(count)") {
                    _ = try Self.left(entry, prefix)
                }
                guard case .truncated(let need, let have)? = error?.reason else {
                    Issue.record("\(entry) cut to \(count): \(String(describing: error))")
                    continue
                }
                #expect(need > have)
                #expect(error?.offset ?? -1 <= count)
            }
        }
    }

    /// Whether octets of any number may follow the last field that has a width.
    static func takesRest(_ entry: Entry) -> Bool {
        var lengths: Set<Int> = []
        for seed in 0..<UInt64(40) {
            var random = RestCoder(inner: RandomCoder(random: SeededOctets(seed: seed)))
            _ = try? entry.walk(&random)
            lengths.insert(random.takesRest ? 1 : 0)
        }
        return lengths.contains(1)
    }

    @Test func `random octets neither trap nor hang`() {
        var random = SeededOctets(seed: 20_240_229)
        var decoded = 0
        for entry in Self.entries {
            for length in [0, 1, 2, 3, 7, 12, 31, 64, 255] {
                let octets = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                if (try? Self.left(entry, octets))?.known == true { decoded += 1 }
            }
        }
        #expect(decoded > 500)
    }

    @Test func `every entry has a name`() {
        for entry in Self.entries {
            switch entry {
            case .command(let opcode, _): #expect(opcode.name != nil, "\(entry)")
            case .event(let code): #expect(code.name != nil, "\(entry)")
            case .subevent(let code): #expect(code.name != nil, "\(entry)")
            case .monitor(let opcode): #expect(opcode.name != nil, "\(entry)")
            case .management(let opcode), .managementReturn(let opcode):
                #expect(opcode.name != nil, "\(entry)")
            case .managementEvent(let event): #expect(event.name != nil, "\(entry)")
            case .signal(let code): #expect(code.name != nil, "\(entry)")
            case .smp(let code): #expect(code.name != nil, "\(entry)")
            }
        }
    }
}

/// Notices fields that take all the octets that are left.
struct RestCoder: FieldCoder {
    var inner: RandomCoder
    var takesRest = false
    let remaining = Int.max

    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) { try inner.unsigned(name, &value, width: width, meaning) }
    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) { try inner.signed(name, &value, width: width, meaning) }
    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        try inner.address(name, &value)
    }
    mutating func uuid(
        _ name: StaticText, _ value: inout BluetoothUUID, width: Int
    ) throws(DecodeError) { try inner.uuid(name, &value, width: width) }
    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        if count == nil { takesRest = true }
        try inner.payload(name, &value, count: count, meaning)
    }
    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout RestCoder) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        if count == nil { takesRest = true }
        for _ in 0..<(count ?? 0) { try element(&self) }
    }
}
