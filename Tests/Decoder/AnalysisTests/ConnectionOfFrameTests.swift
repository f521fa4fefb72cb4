import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing
import WireBytes

/// Which connection a command or event belongs to follows from its row in the tables.
@Suite struct ConnectionOfFrameTests {
    static let phone = "00:11:22:33:44:55"

    /// A trace with an ACL connection 0x40 that a synchronous connection 0x41 and a stream 0x42 belong to.
    static func connected() -> Trace {
        var trace = Trace()
        trace.connectClassic(0x40, phone)
        // Synchronous Connection Complete: success, handle, address, eSCO
        trace.event(octets("2C 11 00 4100 554433221100 02 00 00 0000 0000 02"))
        // LE CIS Request: connection, stream, CIG 1, CIS 1
        trace.event(octets("3E 07 1A 4000 4200 01 01"))
        return trace
    }

    /// The packet of a row's parameters: all zeros but handles, and lists of one element.
    static func packet(_ layout: PDULayout) throws -> [UInt8] {
        var coder = OneElementCoder()
        try layout.code(&coder)
        return coder.writer.octets
    }

    /// What a row's packet becomes behind the connections: whether it names one of them, and whose it is.
    static func expectLink(
        _ layout: PDULayout, _ name: StaticText, _ add: (inout Trace, [UInt8]) -> Int
    ) throws -> Bool {
        guard layout.handle != nil || layout.listsHandles else { return false }
        var trace = connected()
        let number = add(&trace, try packet(layout))
        let outcome = trace.run()
        #expect(outcome[number].link != nil, "\(name)")
        #expect(outcome[number].frame.handle != nil, "\(name)")
        return true
    }

    @Test func `a command whose row has a connection's handle is that connection's, and so is its answer`()
        throws
    {
        var (commands, answers) = (0, 0)
        for row in HCICommandTable.rows {
            guard let layout = row.parameters else { continue }
            let code = [UInt8(row.code & 0xFF), UInt8(row.code >> 8)]
            let isOne = try Self.expectLink(layout, row.name) { trace, octets in
                trace.add(.command, .hostToController, code + [UInt8(octets.count)] + octets)
            }
            if isOne { commands += 1 }
            guard let returned = row.returnParameters else { continue }
            // The log may begin after the command.
            let isAnswer = try Self.expectLink(returned, row.name) { trace, octets in
                trace.event([0x0E, UInt8(octets.count + 3), 1] + code + octets)
            }
            if isAnswer { answers += 1 }
        }
        #expect(commands == 91)
        #expect(answers == 53)
    }

    @Test func `an event whose row has a connection's handle is that connection's`() throws {
        var counts = (events: 0, leEvents: 0)
        for row in HCIEventTable.rows.events where row.code != 0x0E && row.code != 0x3E {
            guard let layout = row.parameters else { continue }
            let isOne = try Self.expectLink(layout, row.name) { trace, octets in
                trace.event([UInt8(row.code), UInt8(octets.count)] + octets)
            }
            if isOne { counts.events += 1 }
        }
        for row in HCIEventTable.rows.leEvents {
            guard let layout = row.parameters else { continue }
            let isOne = try Self.expectLink(layout, row.name) { trace, octets in
                trace.event([0x3E, UInt8(octets.count + 1), UInt8(row.code)] + octets)
            }
            if isOne { counts.leEvents += 1 }
        }
        #expect(counts.events == 29)
        #expect(counts.leEvents == 34)
    }

    @Test func `LE Read Channel Map names its peer, which it did not`() {
        var trace = Trace()
        trace.connect(0x40, Self.phone)
        let command = trace.add(.command, .hostToController, octets("1520 02 4000"))
        let outcome = trace.run()
        #expect(outcome[command].link == 1)
    }

    @Test func `credits are their connection's and no sign of life of its peer`() {
        var trace = Trace()
        trace.connect(0x40, Self.phone)
        let read = trace.read(0x40, 3, [1])
        let credits = trace.event(octets("13 05 01 4000 0100"))
        let outcome = trace.run()
        #expect(outcome[credits].link == 1)
        #expect(outcome.links.first?.lastFrame.frame == read)
        // Credits of several connections are no single one's.
        var both = Trace()
        both.connect(0x40, Self.phone)
        both.connect(0x41, "00:11:22:33:44:66")
        let shared = both.event(octets("13 09 02 4000 0100 4100 0100"))
        #expect(both.run()[shared].link == nil)
    }

    @Test func `a stream whose connection is not known has a handle and no connection`() {
        var trace = Trace()
        trace.connect(0x40, Self.phone)
        // LE CIS Established for a stream that nothing announced
        let event = trace.event(
            octets("3E 1D 19 00 4200 000000 000000 000000 000000 01 01 01 01 01 01 01 0000 0000 0000"))
        let outcome = trace.run()
        #expect(outcome[event].link == nil)
        #expect(outcome[event].frame.handle == 0x42)
    }

    @Test func `a stream that has ended, or whose connection has, belongs to no later one`() {
        for ended in [UInt16(0x42), 0x40] {
            var trace = Self.connected()
            let end = trace.disconnect(ended)
            // The connection's handle is given to another device.
            if ended == 0x40 { trace.connect(0x40, "00:11:22:33:44:66") }
            // LE Read ISO TX Sync on the stream
            let later = trace.add(.command, .hostToController, octets("6120 02 4200"))
            let outcome = trace.run()
            #expect(outcome[end].link == 1)
            #expect(outcome[later].link == nil)
        }
        var trace = Self.connected()
        trace.command(HCIReset())
        trace.connect(0x40, "00:11:22:33:44:66")
        let later = trace.add(.command, .hostToController, octets("6120 02 4200"))
        #expect(trace.run()[later].link == nil)
    }

    @Test func `a row's BR/EDR address is the frame's peer, but zeros stand for no device`() {
        var trace = Trace()
        let one = trace.add(.command, .hostToController, octets("120C 07 554433221100 00"))
        let all = trace.add(.command, .hostToController, octets("120C 07 000000000000 01"))
        let outcome = trace.run()
        #expect(outcome[one].frame.peer == address(Self.phone))
        #expect(outcome[all].frame.peer == nil)
    }
}

/// Writes zeros, the handles of a connection and of what belongs to it, and one element a list.
private struct OneElementCoder: FieldCoder {
    var writer = ByteWriter()
    let remaining = Int.max

    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value =
            switch meaning {
            case .link(.acl), .link(.any): 0x40
            case .link(.sco): 0x41
            case .link(.cis): 0x42
            case .number where name.description.hasPrefix("num_") || name.description.hasSuffix("count"): 1
            default: 0
            }
        for index in 0..<width { writer.u8(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) { writer.fill(0, count: width) }
    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        writer.fill(0, count: 6)
    }
    mutating func uuid(
        _ name: StaticText, _ value: inout BluetoothUUID, width: Int
    ) throws(DecodeError) { writer.fill(0, count: width) }
    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) { writer.fill(0, count: count ?? 0) }
    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout OneElementCoder) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        for _ in 0..<(count ?? 1) { try element(&self) }
    }
}
