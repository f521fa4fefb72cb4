import BluetoothCore
import MonitorCapture
import Testing

@Suite struct AdapterTests {
    @Test(arguments: [
        (UInt32(0), false), (1 << 8, true), (1 << 6, false), (0b1_0000_0101, true), (0b0_0100_0101, false),
    ])
    func `An adapter is raw by the kernel's bit for that, which encryption is not`(
        flags: UInt32, isRaw: Bool
    ) {
        let adapter = Adapter(
            index: 0, name: "hci0", address: DeviceAddress(0, .public), bus: 1, flags: flags)
        #expect(adapter.isRaw == isRaw)
        #expect(adapter.flagNames.contains("raw") == isRaw)
    }
}
