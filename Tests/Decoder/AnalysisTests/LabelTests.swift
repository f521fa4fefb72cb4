import BluetoothCore
import Testing

@testable import Analysis

@Suite struct LabelTests {
    let first = "00:11:22:33:44:55"
    let second = "00:11:22:33:44:66"
    let serverA = TestServer.simple()
    let serverB = TestServer.simple(service: 0xAA00, notifying: 0xAA01, written: 0xAA02)

    @Test func `discovery names every attribute of a service`() {
        var trace = Trace()
        trace.connect(0x40, first)
        trace.discover(0x40, serverA)
        let frames = [1, 2, 3, 4, 5, 6, 7].map { trace.read(0x40, $0, [1]) }
        let outcome = trace.run()
        #expect(
            frames.map { outcome[$0].labelText } == [
                "FFF0/? service discovered", "FFF0/FFF1 declaration discovered",
                "FFF0/FFF1 value discovered", "FFF0/FFF1 descriptor 2902 discovered",
                "FFF0/FFF2 declaration discovered", "FFF0/FFF2 value discovered", "none",
            ])
        #expect(outcome[frames[2]].label?.frame ?? 0 > 1)
    }

    @Test func `a handle used again by another device brings nothing of the first`() {
        var trace = Trace()
        trace.connect(0x40, first)
        trace.discover(0x40, serverA)
        trace.disconnect(0x40)
        trace.connect(0x40, second)
        let use = trace.notify(0x40, 3)
        #expect(trace.run()[use].labelText == "none")
    }

    @Test func `two devices at once keep their own labels, with their fragments interleaved`() {
        var trace = Trace()
        trace.connect(0x40, first)
        trace.connect(0x41, second)
        trace.discover(0x40, serverA)
        trace.discover(0x41, serverB)
        let value = [UInt8](repeating: 9, count: 60)
        var inner = 0
        let outer = trace.att(
            0x40, .rx, ATTHandleValueNotification(handle: 3, value: value), sizes: [20, 20]
        ) {
            inner = $0.att(0x41, .rx, ATTHandleValueNotification(handle: 3, value: [5]), sizes: [5])
        }
        let outcome = trace.run()
        #expect(outcome[outer].labelText == "FFF0/FFF1 value discovered")
        #expect(outcome[outer].frame.l2cap?.fragmentCount == 3)
        #expect(outcome[outer].payload.dropFirst(3).elementsEqual(value))
        #expect(outcome[inner].labelText == "AA00/AA01 value discovered")
        #expect(outcome.frames(with: .fragmentsLost).isEmpty)
    }

    @Test func `the same device is known again on its next connection`() {
        var trace = Trace()
        trace.connect(0x40, first)
        trace.discover(0x40, serverA)
        trace.disconnect(0x40)
        trace.connect(0x41, first)
        let use = trace.notify(0x41, 3)
        #expect(trace.run()[use].labelText == "FFF0/FFF1 value earlier-link")
    }

    @Test func `a random address with the octets of a public one is another device`() {
        var trace = Trace()
        trace.connect(0x40, "C0:11:22:33:44:55", .public)
        trace.discover(0x40, serverA)
        trace.disconnect(0x40)
        trace.connect(0x40, "C0:11:22:33:44:55", .random)
        let use = trace.notify(0x40, 3)
        #expect(trace.run()[use].labelText == "none")
    }

    @Test func `attributes of the local server are the host's and no peer's`() {
        var trace = Trace()
        trace.connect(0x40, first, role: 1)
        trace.discover(0x40, serverA, .rx)
        let host = trace.att(0x40, .tx, ATTHandleValueNotification(handle: 3, value: [1]))
        let peer = trace.notify(0x40, 3)
        trace.disconnect(0x40)
        trace.connect(0x41, second, role: 1)
        let later = trace.att(0x41, .tx, ATTHandleValueNotification(handle: 3, value: [1]))
        trace.command(HCIReset())
        trace.connect(0x41, second, role: 1)
        let after = trace.att(0x41, .tx, ATTHandleValueNotification(handle: 3, value: [1]))
        let outcome = trace.run()
        #expect(outcome[host].labelText == "FFF0/FFF1 value discovered")
        #expect(outcome[peer].labelText == "none")
        #expect(outcome[later].labelText == "FFF0/FFF1 value earlier-link")
        #expect(outcome[after].labelText == "none")
    }

    @Test func `discovery that contradicts an earlier link takes all of it away`() {
        var trace = Trace()
        trace.connect(0x40, first)
        trace.discover(0x40, serverA)
        trace.disconnect(0x40)
        trace.connect(0x40, first)
        // The device has new firmware: other services, of which only the list is read.
        trace.discoverServices(
            0x40, TestServer(services: [.init(start: 1, end: 4, uuid: BluetoothUUID(0xBB00 as UInt16))]))
        let frames = [1, 3, 4, 6].map { trace.read(0x40, $0, [1]) }
        let outcome = trace.run()
        #expect(
            frames.map { outcome[$0].labelText } == ["BB00/? service discovered", "none", "none", "none"])
    }

    @Test func `a service that discovery no longer lists is gone`() {
        var two = serverA
        two.services.append(
            .init(
                start: 10, end: 12, uuid: BluetoothUUID(0xBB00 as UInt16),
                characteristics: [.init(declaration: 11, uuid: BluetoothUUID(0xBB01 as UInt16))]))
        var trace = Trace()
        trace.connect(0x40, first)
        trace.discover(0x40, two)
        trace.disconnect(0x40)
        trace.connect(0x40, first)
        let before = trace.notify(0x40, 12)
        trace.discoverServices(0x40, serverA)
        let gone = trace.notify(0x40, 12)
        let kept = trace.notify(0x40, 3)
        let outcome = trace.run()
        #expect(outcome[before].labelText == "BB00/BB01 value earlier-link")
        #expect(outcome[gone].labelText == "none")
        #expect(outcome[kept].labelText == "FFF0/FFF1 value earlier-link")
    }

    @Test func `a handle behind a value is no descriptor while a declaration may lie between`() {
        var trace = Trace()
        trace.connect(0x40, first)
        trace.discoverServices(0x40, serverA)
        // The response with the second characteristic was lost, and so was the end of the discovery.
        var half = serverA.services[0]
        half.characteristics.removeLast()
        trace.discoverCharacteristics(0x40, half, ends: false)
        let frames = [3, 4, 6].map { trace.read(0x40, $0, [1]) }
        let outcome = trace.run()
        #expect(frames.map { outcome[$0].labelText } == ["FFF0/FFF1 value discovered", "none", "none"])
    }

    @Test func `a descriptor is known by its place where no declaration lies between`() {
        var trace = Trace()
        trace.connect(0x40, first)
        trace.discoverServices(0x40, serverA)
        trace.discoverCharacteristics(0x40, serverA.services[0])
        let frame = trace.read(0x40, 4, [1])
        #expect(trace.run()[frame].labelText == "FFF0/FFF1 descriptor discovered")
    }

    @Test func `two octets written behind a value that notifies are its configuration`() {
        var trace = Trace()
        trace.connect(0x40, first)
        trace.discoverServices(0x40, serverA)
        trace.discoverCharacteristics(0x40, serverA.services[0])
        let write = trace.write(0x40, 4, [1, 0])
        #expect(trace.run()[write].labelText == "FFF0/FFF1 descriptor 2902 inferred")
    }

    @Test func `a value cut to two octets is no configuration`() {
        var trace = Trace()
        trace.connect(0x40, first)
        trace.keptACL = 13
        trace.att(0x40, .tx, ATTWriteRequest(handle: 4, value: [1, 0, 2, 3, 4, 5]))
        let notification = trace.notify(0x40, 3, [1])
        let outcome = trace.run()
        #expect(outcome.links.first?.subscriptions.all.isEmpty == true)
        #expect(outcome[notification].codes == [.notSubscribed])
    }

    @Test func `Service Changed takes away the labels of its range`() {
        var trace = Trace()
        var server = serverA
        server.services.append(
            .init(
                start: 0x20, end: 0x24, uuid: BluetoothUUID(0x1801 as UInt16),
                characteristics: [
                    .init(
                        declaration: 0x21, properties: 0x20, uuid: BluetoothUUID(0x2A05 as UInt16),
                        descriptors: [0x2902])
                ]))
        trace.connect(0x40, first)
        trace.discover(0x40, server)
        trace.write(0x40, 4, [1, 0])
        let before = trace.notify(0x40, 3)
        let changed = trace.att(
            0x40, .rx, ATTHandleValueIndication(handle: 0x22, value: [1, 0, 6, 0]))
        trace.att(0x40, .tx, ATTHandleValueConfirmation())
        let after = trace.notify(0x40, 3)
        let outside = trace.read(0x40, 0x22, [])
        let outcome = trace.run()
        #expect(outcome[before].labelText == "FFF0/FFF1 value discovered")
        #expect(outcome[changed].labelText == "1801/2A05 value discovered")
        #expect(outcome[after].labelText == "none")
        #expect(outcome[outside].labelText == "1801/2A05 value discovered")
    }

    @Test func `an indication that looks like Service Changed costs what it may make wrong`() {
        var trace = Trace()
        trace.connect(0x40, first)
        trace.discover(0x40, serverA)
        trace.att(0x40, .rx, ATTHandleValueIndication(handle: 0x22, value: [1, 0, 0xFF, 0xFF]))
        let after = trace.notify(0x40, 3)
        #expect(trace.run()[after].labelText == "none")
    }

    @Test func `Database Out Of Sync takes all labels away`() {
        var trace = Trace()
        trace.connect(0x40, first)
        trace.discover(0x40, serverA)
        trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        let error = trace.att(
            0x40, .rx, ATTErrorResponse(request: .readRequest, handle: 3, error: .databaseOutOfSync))
        let after = trace.notify(0x40, 3)
        let outcome = trace.run()
        #expect(outcome[error].codes == [.attError])
        #expect(outcome[after].labelText == "none")
    }

    @Test func `a member's UUID given to a characteristic labels the value with it and nothing else`() {
        var trace = Trace()
        trace.connect(0x40, first)
        trace.discover(0x40, .simple(service: 0x1826, notifying: 0xFFF2, written: 0xFFF5))
        let use = trace.notify(0x40, 3)
        #expect(trace.run()[use].labelText == "1826/FFF2 value discovered")
    }
}
