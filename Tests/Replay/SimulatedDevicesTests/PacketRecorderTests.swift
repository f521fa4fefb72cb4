import BluetoothCore
import Runtime
import SimulatedDevices
import Testing
import VirtualController

@Suite struct PacketRecorderTests {
    @Test func `what is more than the limit of bytes is left out from there on, and counted`() {
        let recorder = PacketRecorder(limit: 10_000)
        let one = ControllerID(rawValue: 1)
        for size in [5_000, 0, 8_000, 1] {
            recorder.tap(.zero, one, HCIPacket(.acl, [UInt8](repeating: 0, count: size)), true)
        }
        #expect(recorder.packets(of: one).map(\.packet.octets.count) == [5_000, 0])
        #expect(recorder.packets(of: ControllerID(rawValue: 2)).isEmpty)
        #expect(recorder.dropped == 2)
    }
}
