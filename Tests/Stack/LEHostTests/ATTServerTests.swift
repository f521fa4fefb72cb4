import BluetoothCore
import LEHost
import Runtime
import Testing
import WireBytes

/// A server with one service, and what was seen of it.
struct ServerHarness {
    var server = ATTServer()
    var database = GATTDatabase()
    var placed: GATTPlacedService?
    var mtu = 23
    var now = Instant.zero
    var others: [ATTServer.Output] = []
    var sent: [[UInt8]] = []

    static let custom = BluetoothUUID(high: 0x5551_444B_0001_4449, low: 0x4749_5441_4C4B_4559)

    /// 1 Generic Access, 2 and 3 its name; 4 the service, 5 to 7 a value that notifies and is written,
    /// 8 to 11 one that indicates, with a description.
    init() {
        _ = database.add(
            GATTServiceDefinition(
                uuid: .genericAccessService,
                characteristics: [
                    .init(
                        uuid: .deviceName, properties: .read, value: .fixed(Array("Car".utf8)),
                        permissions: .readable)
                ]))
        placed = database.add(
            GATTServiceDefinition(
                uuid: Self.custom,
                characteristics: [
                    .init(
                        uuid: BluetoothUUID(UInt16(0xFFE1)),
                        properties: [.read, .write, .writeWithoutResponse, .notify],
                        permissions: [.readable, .writeable]),
                    .init(
                        uuid: BluetoothUUID(UInt16(0xFFE2)), properties: .indicate, permissions: [],
                        descriptors: [
                            .init(uuid: .characteristicUserDescription, value: .fixed([0x41]))
                        ]),
                ]))
    }

    mutating func take(_ outputs: [ATTServer.Output]) {
        for output in outputs {
            if case .send(let pdu) = output { sent.append(pdu) } else { others.append(output) }
        }
    }

    mutating func receive(_ request: String) {
        take(server.receive(octets(request), database, mtu: mtu, offer: 100, at: now))
    }

    /// Expects one answer to one request.
    mutating func expect(_ request: String, _ answer: String, location: SourceLocation = #_sourceLocation) {
        sent = []
        receive(request)
        #expect(sent.map(hex) == [hex(octets(answer))], "\(request)", sourceLocation: location)
        sent = []
    }

    var readRequest: ServerRequestID? {
        guard case .read(let id, _, _)? = others.last else { return nil }
        return id
    }

    var writeRequest: ServerRequestID? {
        guard case .write(let id, _)? = others.last else { return nil }
        return id
    }
}

@Suite struct ATTServerTests {
    static let customHex = "59454B4C4154494749440100 4B445155"

    @Test func `handles are given in order, and groups end where they must`() throws {
        let harness = ServerHarness()
        let placed = try #require(harness.placed)
        #expect(placed.service == GATTService(uuid: ServerHarness.custom, handle: 4, endHandle: 11))
        #expect(placed.characteristics.map(\.valueHandle) == [6, 9])
        #expect(placed.characteristics.map(\.endHandle) == [7, 11])
        #expect(placed.descriptors.map { $0.map(\.handle) } == [[7], [10, 11]])
        #expect(harness.database.configurationHandle(ofValue: 6) == 7)
        #expect(harness.database.configurationHandle(ofValue: 3) == nil)
        #expect(harness.database.valueHandle(ofConfiguration: 10) == 9)
    }

    @Test func `discovery is answered from the database`() {
        var harness = ServerHarness()
        harness.expect("10 0100 FFFF 0028", "11 06 0100 0300 0018")
        harness.expect("10 0400 FFFF 0028", "11 14 0400 0B00" + Self.customHex)
        harness.expect("10 0500 FFFF 0028", "01 10 0500 0A")
        harness.expect("06 0100 FFFF 0028" + Self.customHex, "07 0400 0B00")
        harness.expect("06 0100 FFFF 0028 0F18", "01 06 0100 0A")
        harness.expect("08 0400 0B00 0328", "09 07 0500 1E 0600 E1FF 0800 20 0900 E2FF")
        harness.expect("04 0700 0B00", "05 01 0700 0229 0800 0328 0900 E2FF 0A00 0229 0B00 0129")
        harness.expect("04 0C00 FFFF", "01 04 0C00 0A")
        harness.expect("08 0100 FFFF 0029", "01 08 0100 0A")
    }

    @Test func `what is no range or no group is refused`() {
        var harness = ServerHarness()
        harness.expect("10 0000 FFFF 0028", "01 10 0000 01")
        harness.expect("04 0500 0400", "01 04 0500 01")
        harness.expect("10 0100 FFFF 0328", "01 10 0100 10")
        harness.expect("0A 0C00", "01 0A 0C00 01")
        harness.expect("0A 0900", "01 0A 0900 02")
        harness.expect("12 0300 01", "01 12 0300 03")
        harness.expect("12 0900 01", "01 12 0900 03")
        harness.expect("0C 0300 0400", "01 0C 0300 07")
        harness.expect("3F 00", "01 3F 0000 06")
    }

    @Test func `fixed values are read, whole and in part`() {
        var harness = ServerHarness()
        harness.expect("0A 0300", "0B 436172")
        harness.expect("0C 0300 0100", "0D 6172")
        harness.expect("0C 0300 0300", "0D")
        harness.expect("08 0100 FFFF 002A", "09 05 0300 436172")
        harness.expect("0E 0300 0B00", "0F 436172 41")
        harness.expect("20 0300 0B00", "21 0300 436172 0100 41")
        harness.expect("0E 0300", "01 0E 0000 04")
        #expect(harness.others.isEmpty)
    }

    @Test func `the application is asked for other values, and its answer is cut to the MTU`() throws {
        var harness = ServerHarness()
        harness.receive("0C 0600 0500")
        #expect(harness.sent.isEmpty)
        let id = try #require(harness.readRequest)
        #expect(harness.others == [.read(id, handle: 6, offset: 5)])
        harness.take(
            harness.server.answer(
                id, read: .success([UInt8](repeating: 9, count: 40)), harness.database, mtu: 23))
        #expect(harness.sent.map(hex) == ["0D" + String(repeating: "09", count: 22)])
        // An answer to nothing is no PDU.
        harness.sent = []
        harness.take(harness.server.answer(id, read: .success([]), harness.database, mtu: 23))
        #expect(harness.sent.isEmpty)
        harness.receive("0A 0600")
        let next = try #require(harness.readRequest)
        harness.take(
            harness.server.answer(
                next, read: .failure(.insufficientAuthorization), harness.database, mtu: 23))
        #expect(harness.sent.map(hex) == ["010A060008"])
    }

    @Test func `several values are asked for one after another`() throws {
        var harness = ServerHarness()
        harness.receive("20 0600 0300 0600")
        for value in [[1, 2], [3]] as [[UInt8]] {
            let id = try #require(harness.readRequest)
            harness.take(harness.server.answer(id, read: .success(value), harness.database, mtu: 23))
        }
        #expect(harness.sent.map(hex) == ["21" + "02000102" + "0300436172" + "010003"])
    }

    @Test func `writes wait for the application, commands do not`() throws {
        var harness = ServerHarness()
        harness.receive("12 0600 0102")
        let id = try #require(harness.writeRequest)
        #expect(harness.others == [.write(id, [ServerWrite(handle: 6, offset: 0, value: [1, 2])])])
        // A client that does not wait is refused.
        harness.expect("0A 0300", "01 0A 0300 0E")
        harness.take(harness.server.answer(id, write: nil))
        #expect(harness.sent.map(hex) == ["13"])
        harness.sent = []
        harness.others = []
        harness.receive("52 0600 03")
        #expect(harness.others == [.write(nil, [ServerWrite(handle: 6, offset: 0, value: [3])])])
        #expect(harness.sent.isEmpty)
        harness.receive("52 0300 03")
        #expect(harness.sent.isEmpty)
        harness.receive("12 0600 01")
        let refused = try #require(harness.writeRequest)
        harness.take(harness.server.answer(refused, write: .valueNotAllowed))
        #expect(harness.sent.map(hex) == ["0112060013"])
    }

    @Test func `prepared writes are one batch with one answer`() throws {
        var harness = ServerHarness()
        harness.expect("16 0600 0000 0102", "17 0600 0000 0102")
        harness.expect("16 0600 0200 03", "17 0600 0200 03")
        harness.receive("18 01")
        let id = try #require(harness.writeRequest)
        #expect(
            harness.others == [
                .write(
                    id,
                    [
                        ServerWrite(handle: 6, offset: 0, value: [1, 2]),
                        ServerWrite(handle: 6, offset: 2, value: [3]),
                    ])
            ])
        harness.take(harness.server.answer(id, write: nil))
        #expect(harness.sent.map(hex) == ["19"])
        harness.expect("16 0600 0000 01", "17 0600 0000 01")
        harness.expect("18 00", "19")
        harness.expect("18 01", "19")
        harness.expect("16 0600 0300 01", "17 0600 0300 01")
        harness.expect("18 01", "01 18 0600 07")
        harness.expect("18 02", "01 18 0000 04")
        harness.expect("16 0300 0000 01", "01 16 0300 03")
        harness.expect(
            "16 0600 0000" + String(repeating: "00", count: 19), "01 16 0600 04")
    }

    @Test func `the queue of parts has an end`() {
        var harness = ServerHarness()
        for _ in 0..<ATTServer.prepareLimit { harness.expect("16 0600 0000 01", "17 0600 0000 01") }
        harness.expect("16 0600 0000 01", "01 16 0600 09")
    }

    @Test func `a client subscribes to what the characteristic does, and is sent that`() {
        var harness = ServerHarness()
        #expect(harness.server.notification(6, [1], harness.database, mtu: 23) == nil)
        harness.expect("0A 0700", "0B 0000")
        harness.expect("12 0700 0100", "13")
        harness.expect("12 0700 0100", "13")
        #expect(harness.others == [.subscribed(valueHandle: 6, .notification)])
        harness.expect("0A 0700", "0B 0100")
        harness.expect("12 0700 0200", "01 12 0700 FD")
        harness.expect("12 0700 01", "01 12 0700 0D")
        #expect(
            harness.server.notification(6, [1, 2], harness.database, mtu: 23).map(hex) == "1B06000102")
        #expect(
            harness.server.notification(6, [UInt8](repeating: 0, count: 99), harness.database, mtu: 23)?.count
                == 23)
        harness.expect("12 0700 0000", "13")
        #expect(harness.server.notification(6, [1], harness.database, mtu: 23) == nil)
    }

    @Test func `indications wait for each other's confirmation`() {
        var harness = ServerHarness()
        harness.expect("12 0A00 0200", "13")
        harness.others = []
        for value in [[1], [2]] as [[UInt8]] {
            let outputs = harness.server.indicate(9, value, harness.database, mtu: 23, at: harness.now)
            harness.take(outputs ?? [])
        }
        #expect(harness.sent.map(hex) == ["1D090001"])
        harness.sent = []
        harness.receive("1E")
        #expect(harness.sent.map(hex) == ["1D090002"])
        #expect(harness.others == [.indicated(valueHandle: 9, confirmed: true)])
        harness.others = []
        harness.now = harness.now.advanced(by: .seconds(30))
        harness.take(harness.server.timeReached(harness.now))
        #expect(harness.others == [.indicated(valueHandle: 9, confirmed: false), .timedOut])
        #expect(harness.server.deadline == nil)
    }

    @Test func `the smaller MTU is agreed on`() {
        var harness = ServerHarness()
        harness.expect("02 3200", "03 6400")
        harness.expect("02 FF00", "03 6400")
        #expect(harness.others == [.mtuAgreed(50), .mtuAgreed(100)])
    }

    @Test func `random requests never break the server, and each request has one answer`() {
        var random = SplitMix(state: 0x5E4)
        var harness = ServerHarness()
        for _ in 0..<10_000 {
            var pdu = (0..<1 + random.next(below: 24)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            pdu[0] = UInt8(random.next(below: 0x24))
            for index in pdu.indices.dropFirst() where random.next(below: 2) == 0 { pdu[index] &= 0x0F }
            // The client refuses malformed requests.
            do { _ = try ATTTable.decode(pdu) } catch { continue }
            harness.sent = []
            harness.others = []
            harness.receive(hex(pdu))
            if let id = harness.readRequest {
                harness.take(harness.server.answer(id, read: .success([1, 2, 3]), harness.database, mtu: 23))
                // A request for several values may ask again.
                while let next = harness.readRequest, harness.sent.isEmpty {
                    harness.take(harness.server.answer(next, read: .success([4]), harness.database, mtu: 23))
                }
            } else if let id = harness.writeRequest {
                harness.take(harness.server.answer(id, write: nil))
            }
            let answers = harness.sent.count { ![0x1B, 0x1D].contains($0[0]) }
            let kind = ATTOpcode(rawValue: pdu[0]).kind
            #expect(answers == (kind == .command || kind == .confirmation ? 0 : 1), "\(hex(pdu))")
            #expect(harness.sent.allSatisfy { $0.count <= 23 })
        }
    }
}
