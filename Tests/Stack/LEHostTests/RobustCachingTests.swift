import BluetoothCore
import Runtime
import Testing

@testable import LEHost

/// What a server keeps of its client, and how it treats one that goes by an earlier database.
@Suite struct RobustCachingTests {
    static func uuid(_ short: UInt16) -> BluetoothUUID { BluetoothUUID(short) }

    /// The example of the Core Specification, Vol 3, Part G, Appendix B.
    static func example() -> GATTDatabase {
        var database = GATTDatabase()
        _ = database.add(
            GATTServiceDefinition(
                uuid: .genericAccessService,
                characteristics: [
                    .init(uuid: .deviceName, properties: [.read, .write], permissions: .readable),
                    .init(uuid: .appearance, properties: .read, permissions: .readable),
                ]))
        _ = database.add(
            GATTServiceDefinition(
                uuid: .genericAttributeService,
                characteristics: [
                    .init(uuid: .serviceChanged, properties: .indicate, value: .fixed([]), permissions: []),
                    .init(
                        uuid: .clientSupportedFeatures, properties: [.read, .write], value: .clientFeatures,
                        permissions: [.readable, .writeable]),
                    .init(
                        uuid: .databaseHash, properties: .read, value: .databaseHash, permissions: .readable),
                ]))
        let battery = GATTService(uuid: uuid(0x180F), handle: 0x14, endHandle: 0x16)
        _ = database.add(
            GATTServiceDefinition(
                uuid: uuid(0x1808), includes: [battery],
                characteristics: [
                    .init(
                        uuid: uuid(0x2A18), properties: [.read, .indicate, .extendedProperties],
                        permissions: .readable,
                        descriptors: [.init(uuid: uuid(0x2900), value: .fixed([0, 0]))])
                ]))
        _ = database.add(
            GATTServiceDefinition(
                uuid: uuid(0x180F), isPrimary: false,
                characteristics: [.init(uuid: uuid(0x2A19), properties: .read, permissions: .readable)]))
        return database
    }

    static let hash = "90A9FBB9BB30888AAC8BF5EC482DCAF1"

    @Test func `the hash is that of the specification's example, and says nothing of values`() {
        var database = Self.example()
        #expect(hex(database.hash) == Self.hash)
        let before = database
        database.setValue([1, 0], of: 0x13)
        #expect(hex(database.hash) != Self.hash && before.changes(to: database) == 0x13...0x13)
        #expect(before.changes(to: before) == nil)
    }

    /// The example with a client that has said it goes by the hash, and subscribed to Service Changed and to
    /// the glucose value.
    static func harness(isRobust: Bool = true) -> ServerHarness {
        var harness = ServerHarness()
        harness.database = example()
        harness.serve(harness.database)
        if isRobust { harness.expect("12 0B00 01", "13") }
        harness.expect("12 0900 0200", "13")
        harness.expect("12 1200 0200", "13")
        harness.others = []
        return harness
    }

    @Test func `features are read and written, and no bit is taken back`() {
        var harness = ServerHarness()
        harness.database = Self.example()
        harness.serve(harness.database)
        harness.expect("0A 0B00", "0B 00")
        harness.expect("12 0B00 03", "13")
        harness.expect("0A 0B00", "0B 03")
        harness.expect("12 0B00 01", "01 12 0B00 13")
        harness.expect("12 0B00", "01 12 0B00 0D")
        harness.expect("12 0B00 0100", "01 12 0B00 13")
        harness.expect("16 0B00 0000 07", "17 0B00 0000 07")
        harness.expect("18 01", "19")
        harness.expect("0A 0B00", "0B 07")
        harness.expect("08 0100 FFFF 2A2B", "09 12 0D00" + Self.hash)
    }

    @Test func `a client that knows an older database gets one error, or reads the new hash`() {
        var harness = Self.harness()
        var other = harness.database
        other.remove(GATTService(uuid: Self.uuid(0x180F), handle: 0x14, endHandle: 0x16))
        harness.serve(other)
        // Service Changed is indicated, nothing else is, and a command is passed over.
        #expect(harness.sent.map(hex) == ["1D080014001600"])
        harness.sent = []
        #expect(harness.server.indicate(0x11, [1], other, mtu: 23, at: .zero) == nil)
        harness.receive("52 0300 01")
        #expect(harness.sent.isEmpty && harness.others.isEmpty)
        // Discovery is answered; what names a handle is refused once, whatever it is.
        harness.expect("02 1700", "03 6400")
        harness.expect("10 0E00 FFFF 0028", "11 06 0E00 1300 0818")
        harness.expect("0A 0B00", "01 0A 0B00 12")
        harness.expect("0A 0B00", "0B 01")
        #expect(!harness.server.isUnaware)
    }

    /// Requests that name handles.
    static let requests = [
        "0A 0B00", "0C 0B00 0000", "0E 0B00 0800", "20 0B00 0800", "12 0B00 01", "16 0B00 0000 01", "18 01",
        "08 0100 FFFF 002A",
    ]

    @Test(arguments: requests)
    func `whatever names a handle is refused to a client with an earlier database`(request: String) {
        var harness = Self.harness()
        harness.database.setValue([1, 0], of: 0x13)
        harness.serve(harness.database)
        let handle = request == "18 01" ? "0000" : String(request.dropFirst(3).prefix(4))
        harness.expect(request, "01 \(request.prefix(2)) \(handle) 12")
    }

    @Test func `a client that reads the hash or confirms Service Changed knows the new database`() {
        for reads in [true, false] {
            var harness = Self.harness()
            harness.database.setValue([1, 0], of: 0x13)
            harness.serve(harness.database)
            harness.sent = []
            if reads {
                harness.receive("08 0100 FFFF 2A2B")
                #expect(harness.sent.count == 1 && harness.server.isUnaware)
            } else {
                harness.receive("1E")
                #expect(!harness.server.isUnaware)
            }
            harness.expect("0A 0B00", "0B 01")
            #expect(harness.server.record.databaseHash == harness.database.hash)
        }
    }

    @Test func `a client that has not asked for it is told by Service Changed alone`() {
        var harness = Self.harness(isRobust: false)
        harness.database.setValue([1, 0], of: 0x13)
        harness.serve(harness.database)
        #expect(harness.sent.map(hex) == ["1D080013001300"])
        harness.expect("0A 0B00", "0B 00")
        harness.receive("1E")
        #expect(harness.server.record.databaseHash == harness.database.hash)
    }

    @Test func `what a client is subscribed to is found again where it is still the same characteristic`() {
        let record = Self.harness().server.record
        #expect(record.subscriptions.map(\.handle) == [9, 0x12])
        var other = GATTDatabase()
        _ = other.add(
            GATTServiceDefinition(
                uuid: .genericAttributeService,
                characteristics: (0..<6).map {
                    .init(uuid: Self.uuid(0xFF00 + $0), properties: .indicate, permissions: [])
                }))
        for (database, found) in [(Self.example(), [8, 0x11]), (other, [])] as [(GATTDatabase, [UInt16])] {
            var harness = ServerHarness()
            harness.database = database
            harness.serve(database)
            harness.take(harness.server.recall(record, database, at: .zero))
            #expect(harness.others == found.map { .subscribed(valueHandle: $0, .indication) })
            // It is not forgotten for that.
            #expect(harness.server.record.subscriptions == record.subscriptions)
        }
    }

    /// Permissions of the link, and the errors of what takes encryption.
    static let errors: [(String, @Sendable (inout ATTServer) -> Void, String)] = [
        ("no key", { _ in }, "05"), ("a key", { $0.hasKey = true }, "0F"),
        (
            "a short key",
            {
                $0.security.isEncrypted = true
                $0.security.keySize = 7
                $0.minimumKeySize = 16
            }, "0C"
        ),
    ]

    @Test(arguments: 0..<3)
    func `what takes encryption is refused for the right reason, in every way`(way: Int) throws {
        let (name, change, code) = Self.errors[way]
        var harness = ServerHarness()
        harness.database = GATTDatabase()
        _ = harness.database.add(
            GATTServiceDefinition(
                uuid: Self.uuid(0xFF00),
                characteristics: [
                    .init(
                        uuid: Self.uuid(0xFF01), properties: [.read, .write, .writeWithoutResponse, .notify],
                        permissions: [.readEncryptionRequired, .writeEncryptionRequired],
                        configurationPermissions: [.readable, .writeable, .writeEncryptionRequired])
                ]))
        change(&harness.server)
        for request in ["0A 0300", "0C 0300 0000", "08 0100 FFFF 01FF", "0E 0300 0300", "20 0300 0300"] {
            harness.expect(request, "01 \(request.prefix(2)) 0300 \(code)")
        }
        harness.expect("12 0300 01", "01 12 0300 \(code)")
        harness.expect("16 0300 0000 01", "01 16 0300 \(code)")
        harness.expect("12 0400 0100", "01 12 0400 \(code)")
        harness.expect("16 0400 0000 0100", "01 16 0400 \(code)")
        harness.receive("52 0300 01")
        harness.receive("52 0400 0100")
        #expect(harness.others.isEmpty && harness.sent.isEmpty, "\(name)")
        // Even if it was subscribed to before, nothing is sent in clear.
        var record = ClientRecord()
        record.set(.init(handle: 4, uuid: Self.uuid(0xFF01), configuration: .notification))
        harness.take(harness.server.recall(record, harness.database, at: .zero))
        #expect(harness.server.configuration(4) == .notification)
        #expect(harness.server.notification(3, [1], harness.database, mtu: 23) == nil)
        harness.server.security.isEncrypted = true
        harness.server.security.keySize = 16
        #expect(harness.server.notification(3, [1], harness.database, mtu: 23) != nil)
        harness.receive("0A 0300")
        #expect(harness.readRequest != nil)
    }
}

extension ServerHarness {
    /// The host serves another database from here on.
    mutating func serve(_ new: GATTDatabase) {
        let changed = database.changes(to: new)
        let hash = new.hash
        let isOther = hash != server.databaseHash
        database = new
        take(server.serve(new, hash, changed: changed ?? (isOther ? 0x13...0x13 : nil), at: now))
    }
}
