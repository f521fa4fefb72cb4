import BluetoothCore
import CommandLineKit
import CoreBluetooth
import LEHost
import SimulatedDevices

/// The devices that `simulate` offers by a word.
enum SimulatedDevice {
    static let linkAddress = DeviceAddress(0x024C_4B00_0001, .public)

    /// The small devices, each with its word and address.
    static let gadgets: [(word: String, address: UInt64, gadget: any Gadget)] = [
        ("band", 0x024D_4900_0001, Band()), ("clock", 0x0258_4D47_0001, WallClock()),
        ("link", linkAddress.value, LinkDevice()), ("mobike", 0x024D_4F42_494B, Mobike()),
        ("fob", 0x0246_4F42_0002, Fob()),
    ]

    static let words = ["car"] + gadgets.map(\.word)

    /// Adds the small devices to the air of a world. The fob's user always confirms the phone's number.
    static func gadgets(in world: SimulatedWorld) -> [SimulatedGadget] {
        var made: [SimulatedGadget] = []
        for device in gadgets {
            let adapter = world.adapter(DeviceAddress(device.address, .public)) { configuration in
                guard device.gadget is Fob else { return }
                configuration.host.security = Fob.Pairing.compare.policy
                configuration.pairingAgent = { question, _, answer in
                    if case .compare = question { answer(.yes) } else { answer(.no) }
                }
            }
            made.append(SimulatedGadget(device.gadget, on: adapter.bluetooth))
        }
        return made
    }
}
