import Analysis
import BluetoothCore
import Testing

/// Attributes that are known from elsewhere than discovery in the trace.
@Suite struct KnowledgeTests {
    let peer = "00:11:22:33:44:55"
    let cache = """
        [General]
        Name=Lamp

        [Attributes]
        0001=2800:0005:00001801-0000-1000-8000-00805f9b34fb
        0002=2803:0003:20:00002a05-0000-1000-8000-00805f9b34fb
        0004=00002902-0000-1000-8000-00805f9b34fb
        0010=2800:0016:0000fff0-0000-1000-8000-00805f9b34fb
        0011=2802:0001:0005:00001801-0000-1000-8000-00805f9b34fb
        0012=2803:0013:10:0000fff1-0000-1000-8000-00805f9b34fb
        0014=0001:00002900-0000-1000-8000-00805f9b34fb
        0015=2803:0016:02:000102030405060708090a0b0c0d0e0f:00002b2a-0000-1000-8000-00805f9b34fb
        """

    func knowledge(_ text: String, of address: String) throws -> AnalysisKnowledge {
        var gatt = GATTKnowledge()
        guard let device = GATTKnowledge.address(ofCacheFile: "/var/lib/bluetooth/x/cache/\(address)") else {
            Issue.record("no address")
            return AnalysisKnowledge()
        }
        try gatt.add(bluezCache: Array(text.utf8), of: device)
        return AnalysisKnowledge(gatt: gatt)
    }

    @Test(arguments: [DeviceAddress.Kind.public, .random])
    func `BlueZ's cache names the attributes of its device`(_ kind: DeviceAddress.Kind) throws {
        let device = "C0:11:22:33:44:55"
        var trace = Trace()
        trace.connect(0x40, device, kind)
        let frames = [0x03, 0x04, 0x13, 0x14, 0x16, 0x17].map { trace.read(0x40, $0, [1]) }
        trace.connect(0x41, peer)
        let other = trace.read(0x41, 0x13, [1])
        let outcome = trace.run(try knowledge(cache, of: device))
        #expect(
            frames.map { outcome[$0].labelText } == [
                "1801/2A05 value file", "1801/2A05 descriptor 2902 file", "FFF0/FFF1 value file",
                "FFF0/FFF1 descriptor 2900 file", "FFF0/2B2A value file", "none",
            ])
        #expect(outcome[other].labelText == "none")
    }

    @Test func `discovery is believed more than a file`() throws {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple(service: 0xCC00, notifying: 0xCC01, written: 0xCC02, from: 0x11))
        let own = trace.read(0x40, 0x13, [1])
        let elsewhere = trace.read(0x40, 3, [1])
        let outcome = trace.run(try knowledge(cache, of: peer))
        #expect(outcome[own].labelText == "CC00/CC01 value discovered")
        // Discovery listed all services, and the file's first one was not among them.
        #expect(outcome[elsewhere].labelText == "none")
    }

    @Test func `a device that shows the hash of a known database has its attributes`() throws {
        var trace = Trace()
        trace.connect(0x41, "00:99:88:77:66:55")
        trace.readHash(0x41, [UInt8](0...15))
        let use = trace.read(0x41, 0x13, [1])
        #expect(trace.run(try knowledge(cache, of: peer))[use].labelText == "FFF0/FFF1 value database-hash")
    }

    @Test func `a file without an address is for the device that shows its hash`() throws {
        var gatt = GATTKnowledge()
        try gatt.add(bluezCache: Array(cache.utf8), of: nil)
        var trace = Trace()
        trace.connect(0x41, "4A:99:88:77:66:55", .random)
        let before = trace.read(0x41, 0x13, [1])
        trace.readHash(0x41, [UInt8](0...15))
        let after = trace.read(0x41, 0x13, [1])
        let outcome = trace.run(AnalysisKnowledge(gatt: gatt))
        #expect(outcome[before].labelText == "none")
        #expect(outcome[after].labelText == "FFF0/FFF1 value database-hash")
        #expect(throws: BlueZCacheError.noDevice) {
            try gatt.add(
                bluezCache: Array("[Attributes]\n0001=2800:0002:\(BluetoothUUID(0x1800 as UInt16))".utf8),
                of: nil)
        }
    }

    @Test func `another hash takes away what was known before`() throws {
        var trace = Trace()
        trace.connect(0x40, peer)
        let before = trace.read(0x40, 0x13, [1])
        trace.readHash(0x40, [UInt8](1...16))
        let after = trace.read(0x40, 0x13, [1])
        let outcome = trace.run(try knowledge(cache, of: peer))
        #expect(outcome[before].labelText == "FFF0/FFF1 value file")
        #expect(outcome[after].labelText == "none")
    }

    @Test(arguments: [
        "[General]\nName=x", "[Attributes]\nzz=2800:0005:1801", "[Attributes]\n0001=2800:0005",
        "[Attributes]\n0001=2803:0001:02:2a00", "[Attributes]\n0005=2800:0001:1801", "[Attributes]\n0001",
    ])
    func `a file that BlueZ did not write is refused`(_ text: String) {
        var gatt = GATTKnowledge()
        #expect(throws: BlueZCacheError.self) {
            try gatt.add(bluezCache: Array(text.utf8), of: address(peer))
        }
        #expect(gatt.count == 0)
    }

    @Test func `a sibling capture names the attributes of a device by its identity`() {
        var sibling = Trace()
        sibling.connect(0x40, peer)
        sibling.discover(0x40, .simple())
        sibling.connect(0x41, "4A:11:22:33:44:55", .random)
        sibling.discover(0x41, .simple(service: 0xDD00))
        var analyzer = Analyzer()
        _ = sibling.run(&analyzer)
        var gatt = GATTKnowledge()
        gatt.add(analyzer)
        #expect(gatt.count == 1)

        var trace = Trace()
        trace.connect(0x40, peer)
        let use = trace.notify(0x40, 3)
        trace.connect(0x41, "4A:11:22:33:44:55", .random)
        let other = trace.notify(0x41, 3)
        let outcome = trace.run(AnalysisKnowledge(gatt: gatt))
        #expect(outcome[use].labelText == "FFF0/FFF1 value file")
        #expect(outcome[use].label?.frame == 0)
        #expect(outcome[other].labelText == "none")
    }
}

extension Trace {
    /// The host reads the hash of the device's database.
    fileprivate mutating func readHash(_ handle: UInt16, _ hash: [UInt8]) {
        att(handle, .tx, ATTReadByTypeRequest(startingHandle: 1, endingHandle: 0xFFFF, type: .databaseHash))
        att(handle, .rx, ATTReadByTypeResponse(length: 18, attributes: [0x16, 0] + hash))
    }
}
