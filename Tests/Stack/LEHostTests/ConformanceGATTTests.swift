import BluetoothCore
import Testing

@testable import LEHost

/// What the SIG's test suite of the Generic Attribute Profile asks for beside what other tests hold;
/// docs/stack.md has the ids.
@Suite struct ConformanceGATTTests {
    /// An operation, what was answered before, and the request that is refused.
    struct Refused: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var operation: GATTOperation
        /// Requests and responses up to the request that is refused.
        var lines: [String]
        var request: String
    }

    static let part = String(repeating: "AB", count: 18)
    static let full = String(repeating: "AB", count: 22)
    static let refused = [
        Refused(testDescription: "read", operation: .read(3), lines: [], request: "0A 0300"),
        Refused(
            testDescription: "read long", operation: .read(3), lines: ["0A 0300", "0B" + full],
            request: "0C 0300 1600"),
        Refused(
            testDescription: "read by UUID", operation: .readByType(.deviceName, 1...0xFFFF), lines: [],
            request: "08 0100 FFFF 002A"),
        Refused(
            testDescription: "read multiple", operation: .request(octets("0E 0300 0400")), lines: [],
            request: "0E 0300 0400"),
        Refused(
            testDescription: "read multiple variable", operation: .request(octets("20 0300 0400")),
            lines: [], request: "20 0300 0400"),
        Refused(testDescription: "write", operation: .write(3, [1]), lines: [], request: "12 0300 01"),
        Refused(
            testDescription: "prepare", operation: .write(3, [UInt8](repeating: 0xAB, count: 30)), lines: [],
            request: "16 0300 0000" + part),
        Refused(
            testDescription: "execute", operation: .write(3, [UInt8](repeating: 0xAB, count: 21)),
            lines: [
                "16 0300 0000" + part, "17 0300 0000" + part, "16 0300 1200 ABABAB", "17 0300 1200 ABABAB",
            ], request: "18 01"),
    ]

    @Test(arguments: refused)
    func `each error code of a server comes to who asked`(refused: Refused) {
        for code in 1...UInt8.max {
            let name = "\(refused.testDescription) \(code)"
            let error = ATTErrorCode(rawValue: code)
            var exchange = Exchange()
            exchange.start(refused.operation)
            for place in stride(from: 0, to: refused.lines.count, by: 2) {
                exchange.expectSent(refused.lines[place])
                exchange.receive(refused.lines[place + 1])
            }
            exchange.expectSent(refused.request)
            exchange.receive("01 \(refused.request.prefix(2)) 0300" + hex([code]))
            let expected: Result<GATTOutcome, GATTFailure> =
                switch (refused.testDescription, error) {
                // The value ended with the part before.
                case ("read long", .invalidOffset), ("read long", .attributeNotLong):
                    .success(.value([UInt8](repeating: 0xAB, count: 22)))
                case ("read by UUID", .attributeNotFound): .success(.values([]))
                default: .failure(.refused(error, handle: 3))
                }
            #expect(exchange.result() == expected, "\(name)")
            exchange.expectSent()
        }
    }

    @Test func `indications that come one upon the other are each confirmed, in order`() {
        var exchange = Exchange()
        exchange.receive("1D 0E00 01")
        exchange.receive("1D 0E00 02")
        exchange.receive("1D 0F00 03")
        exchange.expectSent("1E", "1E", "1E")
        #expect(
            exchange.others == [
                .value(handle: 14, [1], isIndication: true), .value(handle: 14, [2], isIndication: true),
                .value(handle: 15, [3], isIndication: true),
            ])
    }

    /// A server with a value that only some may read or write, at 3, and one that everyone may, at 5.
    static func server(_ permissions: ATTPermissions) -> ServerHarness {
        var harness = ServerHarness()
        harness.database = GATTDatabase()
        _ = harness.database.add(
            GATTServiceDefinition(
                uuid: BluetoothUUID(UInt16(0xFF00)),
                characteristics: [
                    .init(
                        uuid: BluetoothUUID(UInt16(0xFF01)), properties: [.read, .write],
                        permissions: permissions),
                    .init(
                        uuid: BluetoothUUID(UInt16(0xFF02)), properties: [.read, .write],
                        permissions: [.readable, .writeable]),
                ]))
        return harness
    }

    /// Every way to read; the handle is at the second octet, or behind a range.
    static let reads = [
        "0A 0300", "0C 0300 0000", "08 0100 FFFF 01FF", "0E 0300 0500", "20 0300 0500", "0E 0500 0300",
    ]

    @Test(arguments: reads)
    func `what may not be read is refused, with the handle and the reason`(request: String) throws {
        var harness = Self.server([.writeable])
        harness.expect(request, "01 \(request.prefix(2)) 0300 02")
        // The application knows who may: Insufficient Authorization is its answer.
        harness = Self.server([.readable])
        harness.receive(request)
        if request == "0E 0500 0300" {
            let first = try #require(harness.readRequest)
            harness.take(harness.server.answer(first, read: .success([1]), harness.database, mtu: 23))
        }
        let id = try #require(harness.readRequest)
        harness.take(
            harness.server.answer(
                id, read: .failure(.insufficientAuthorization), harness.database, mtu: 23))
        #expect(harness.sent.map(hex) == ["01\(request.prefix(2))030008"])
        // No such handle; no such attribute; an offset behind the value.
        harness = Self.server([.readable])
        harness.expect("0A 0900", "01 0A 0900 01")
        harness.expect("0C 0900 0000", "01 0C 0900 01")
        harness.expect("0E 0300 0900", "01 0E 0900 01")
        harness.expect("20 0300 0900", "01 20 0900 01")
        harness.expect("08 0000 FFFF 01FF", "01 08 0000 01")
        harness.expect("08 0500 0400 01FF", "01 08 0500 01")
        harness.expect("08 0100 FFFF 09FF", "01 08 0100 0A")
        harness.expect("0C 0200 1000", "01 0C 0200 07")
    }

    @Test(arguments: ["12 0300 01", "16 0300 0000 01"])
    func `what may not be written is refused, with the handle and the reason`(request: String) throws {
        var harness = Self.server([.readable])
        harness.expect(request, "01 \(request.prefix(2)) 0300 03")
        harness.expect("12 0900 01", "01 12 0900 01")
        harness.expect("16 0900 0000 01", "01 16 0900 01")
        harness = Self.server([.writeable])
        harness.receive(request)
        if request.hasPrefix("16") {
            harness.sent = []
            harness.receive("18 01")
        }
        let id = try #require(harness.writeRequest)
        harness.take(harness.server.answer(id, write: .insufficientAuthorization))
        #expect(harness.sent.map(hex) == [request.hasPrefix("16") ? "0118030008" : "0112030008"])
    }

    @Test func `a value that is too long is refused; as a command it is passed over`() {
        var harness = Self.server([.writeable])
        harness.mtu = 600
        let long = String(repeating: "00", count: 513)
        harness.expect("12 0300" + long, "01 12 0300 0D")
        harness.receive("52 0300" + long)
        #expect(harness.sent.isEmpty && harness.others.isEmpty)
        harness.expect("16 0300 FF01 0000", "17 0300 FF01 0000")
        harness.expect("18 01", "01 18 0300 07")
        harness.expect("16 0300 0000" + long, "17 0300 0000" + long)
        harness.expect("18 01", "01 18 0300 0D")
        #expect(harness.others.isEmpty)
    }

    @Test func `a descriptor is written in parts, too, and read behind its end`() {
        var harness = ServerHarness()
        harness.expect("16 0700 0000 0100", "17 0700 0000 0100")
        harness.expect("18 01", "19")
        harness.expect("0C 0700 0100", "0D 00")
        harness.expect("0C 0700 0300", "01 0C 0700 07")
        #expect(harness.others == [.subscribed(valueHandle: 6, .notification)])
    }

    @Test func `requests that are not known are refused, commands are passed over`() {
        var harness = Self.server([.readable])
        for opcode in 0...UInt8.max {
            let kind = ATTOpcode(rawValue: opcode).kind
            guard kind == .unknown || kind == .command, opcode != 0x52 else { continue }
            harness.sent = []
            harness.receive(hex([opcode]) + "0300 01")
            #expect(harness.sent.map(hex) == (kind == .command ? [] : ["01" + hex([opcode]) + "000006"]))
        }
        harness.expect("0A 0100", "0B 00FF")
    }
}
