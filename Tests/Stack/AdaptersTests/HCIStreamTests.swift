import BluetoothCore
import Foundation
import Glibc
import LEHost
import Runtime
import Synchronization
import TestSupport
import Testing
import VirtualController

@testable import Adapters

/// A host at one end of a stream, and whatever a test says at the other.
@Suite struct HCIStreamTests {
    /// Two streams that are joined, on one time.
    static func pair() throws -> (RealTime, HCIStream, Int32) {
        var ends: [Int32] = [0, 0]
        // Not for the children of other tests, which would hold it open.
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
        let time = RealTime()
        return (time, HCIStream(ends[0], name: "test", time: time), ends[1])
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) {
        _ = unsafe Glibc.write(descriptor, bytes, bytes.count)
    }

    /// Opens a stream, and notes what it tells.
    static func watch(_ stream: HCIStream) throws -> Lines {
        let lines = Lines()
        stream.onLoss { lines.add("lost, errno \($0.errno)") }
        try stream.open { lines.add("\($0.type.rawValue) \($0.octets)") }
        return lines
    }

    @Test func `packets pass in both directions, in parts and together`() throws {
        let (time, stream, far) = try Self.pair()
        let lines = try Self.watch(stream)
        Self.write([4, 0x0E, 1], to: far)
        time.run(for: .milliseconds(5)) { false }
        #expect(lines.all.isEmpty)
        Self.write([9, 4, 5, 0], to: far)
        #expect(time.run(for: .seconds(10)) { lines.all.count == 2 })
        #expect(lines.all == ["4 [14, 1, 9]", "4 [5, 0]"])
        try stream.send(HCIPacket(.command, [3, 12, 0]))
        var read = [UInt8](repeating: 0, count: 16)
        #expect(unsafe Glibc.read(far, &read, 16) == 4)
        #expect(read.prefix(4) == [1, 3, 12, 0])
        stream.close()
        #expect(throws: HCITransportError.self) { try stream.send(HCIPacket(.command, [3, 12, 0])) }
        #expect(unsafe Glibc.read(far, &read, 16) == 0)
        close(far)
    }

    @Test(arguments: [
        ([4, 0x0E, 1, 9] as [UInt8], "test: the other side closed"),
        ([4, 0x0E, 9, 9], "test: the other side closed in the middle of a packet"),
        ([4, 0x0E, 0, 0x42], "test: byte 3 is 0x42, which begins no HCI packet (H4)"),
    ])
    func `an end, a cut and nonsense are told once, with the reason`(
        bytes: [UInt8], reason: String
    ) throws {
        let (time, stream, far) = try Self.pair()
        let lines = try Self.watch(stream)
        Self.write(bytes, to: far)
        close(far)
        #expect(time.run(for: .seconds(10)) { stream.failure != nil })
        time.run(for: .milliseconds(5)) { false }
        #expect(stream.failure == reason)
        #expect(lines.all.count { $0.hasPrefix("lost") } == 1)
    }

    @Test(.process) func `a packet for a side that has closed ends the stream, not the process`() async {
        await #expect(processExitsWith: .success) {
            let (time, stream, far) = try Self.pair()
            _ = try Self.watch(stream)
            close(far)
            try stream.send(HCIPacket(.command, [3, 12, 0]))
            guard time.run(for: .seconds(10), until: { stream.failure != nil }),
                stream.failure == "test: the other side closed"
            else { exit(1) }
        }
    }

    @Test func `a side that reads nothing ends the stream, not the memory`() throws {
        let (time, stream, far) = try Self.pair()
        _ = try Self.watch(stream)
        let packet = HCIPacket(.acl, [0, 0, 0xFF, 0xFF] + Array(repeating: 0, count: 65_535))
        for _ in 0..<200 where stream.failure == nil { try stream.send(packet) }
        #expect(stream.failure == "test: the other side reads nothing")
        withExtendedLifetime(time) {}
        close(far)
    }

    @Test func `much that waits goes out in order once there is room`() throws {
        let (time, stream, far) = try Self.pair()
        _ = try Self.watch(stream)
        let sent = (0..<40).map { index in
            HCIPacket(.acl, [UInt8(index), 0, 0, 0x80] + Array(repeating: UInt8(index), count: 32_768))
        }
        for packet in sent { try stream.send(packet) }
        var splitter = H4Splitter()
        var received: [HCIPacket] = []
        Descriptor.setNonblocking(far)
        var buffer = [UInt8](repeating: 0, count: 70_000)
        while received.count < sent.count {
            time.run(for: .milliseconds(1)) { false }
            let count = unsafe Glibc.read(far, &buffer, buffer.count)
            guard count > 0 else { continue }
            splitter.append(buffer.prefix(count))
            while let packet = try splitter.next() { received.append(packet) }
        }
        #expect(received == sent)
        close(far)
    }

    @Test(arguments: ["tcp:127.0.0.1:0", "unix:", "pty:"])
    func `a host is ready over each address, and another after it`(form: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = try AdapterAddress(form.hasPrefix("tcp") ? form : form + folder.path + "/a")
        let time = RealTime()
        let radio = VirtualRadio(seed: 1, scheduler: time)
        let controller = radio.add(ControllerConfiguration(publicAddress: DeviceAddress(0xF1, .public)))
        let kept = Mutex<[HCIStream]>([])
        let listener = try place.listen(time) { stream in
            kept.withLock { $0.append(stream) }
            radio.attach(controller) { packet in try? stream.send(packet) }
            try? stream.open { radio.send($0, from: controller) }
        }
        for _ in 0..<2 {
            let stream = try listener.address.connect(time)
            let runner = HostRunner(LEHost(), transport: stream, scheduler: time) { _ in }
            try runner.open()
            runner.put(.powerOn)
            #expect(time.run(for: .seconds(20)) { runner.host.state == .ready })
            runner.close()
        }
        listener.close()
        if !form.hasPrefix("tcp") { #expect(!FileManager.default.fileExists(atPath: folder.path + "/a")) }
    }

    /// A controller that answers nothing.
    private final class SilentController: HCITransport {
        func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) {}
        func send(_ packet: HCIPacket) {}
        func close() {}
    }

    @Test func `a controller that hangs fails its host`() throws {
        let time = VirtualTime()
        let runner = HostRunner(LEHost(), transport: SilentController(), scheduler: time) { _ in }
        try runner.open()
        runner.put(.powerOn)
        #expect(
            time.run(for: .seconds(20)) {
                runner.host.state == .failed(.unanswered(HCIReset.opcode))
            })
    }

    @Test func `a controller that goes away fails its host at once`() throws {
        let (time, stream, far) = try Self.pair()
        let runner = HostRunner(LEHost(), transport: stream, scheduler: time) { _ in }
        try runner.open()
        runner.put(.powerOn)
        close(far)
        #expect(time.run(for: .seconds(20)) { runner.host.state == .failed(.transport) })
    }

    @Test(arguments: [
        ("tcp:127.0.0.1", "has no port"), ("tcp:h:99999", "has no port"), ("usb", "is not an adapter"),
        ("hcix", "is not an adapter"), ("unix:", "is not an adapter"), ("", "is not an adapter"),
    ])
    func `an invalid address is reported`(text: String, problem: String) {
        let error = #expect(throws: AdapterError.self) { try AdapterAddress(text) }
        #expect(error?.problem.contains(problem) == true)
        #expect(error?.advice != nil)
    }

    @Test(arguments: [
        ("tcp:127.0.0.1:1", "connection refused"), ("unix:/nowhere/s", "no such file"),
        ("pty:/dev/null", "not a terminal"), ("vhci", "has none to offer"), ("hci900", "hci900: "),
    ])
    func `an adapter that can't be used says why`(text: String, problem: String) throws {
        let error = #expect(throws: AdapterError.self) { try AdapterAddress(text).connect(RealTime()) }
        #expect(error?.problem.contains(problem) == true, "\(error?.problem ?? "")")
    }

    @Test func `a socket that another program listens at is left alone, and a dead one is replaced`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        let place = AdapterAddress.unix(path)
        let time = RealTime()
        let first = try place.listen(time) { _ in }
        let error = #expect(throws: AdapterError.self) { try place.listen(time) { _ in } }
        #expect(error?.problem.contains("another program listens there") == true)
        first.close()
        // What a program that was killed leaves behind.
        let dead = try UnixSocket.listen(path, "dead")
        close(dead)
        try place.listen(time) { _ in }.close()
    }

    @Test func `bytes at random never crash a stream, and end it with a reason or leave it open`() throws {
        var random = SplitMix(state: 7)
        for _ in 0..<300 {
            let (time, stream, far) = try Self.pair()
            let lines = try Self.watch(stream)
            for _ in 0..<random.next(below: 6) {
                let count = random.next(below: 400)
                // Half of the streams begin packets where packets begin.
                let type = UInt8(1 + random.next(below: 5))
                Self.write([type] + (0..<count).map { _ in UInt8(random.next(below: 256)) }, to: far)
            }
            close(far)
            #expect(time.run(for: .seconds(10)) { stream.failure != nil })
            #expect(lines.all.count { $0.hasPrefix("lost") } == 1)
        }
    }
}
