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

    /// Adds the small devices to the air of a world. The fob's person confirms the number that the phone
    /// shows, and enters its passkey.
    ///
    /// - Parameters:
    ///   - pairing: how the fob pairs.
    ///   - desk: the phone's person.
    static func gadgets(
        in world: SimulatedWorld, pairing: Fob.Pairing = .compare, _ desk: PairingDesk = PairingDesk()
    ) -> [SimulatedGadget] {
        var made: [SimulatedGadget] = []
        for device in gadgets {
            let adapter = world.adapter(DeviceAddress(device.address, .public)) { configuration in
                guard device.gadget is Fob else { return }
                configuration.host.security = pairing.policy
                configuration.pairingAgent = { question, _, answer in
                    switch question {
                    case .compare: answer(.yes)
                    case .enter: desk.whenShown { answer(.passkey($0)) }
                    case .display(let number): desk.say("the fob shows \(PairingDesk.shown(number))")
                    case .consent, .replaceBond: answer(.no)
                    }
                }
            }
            made.append(SimulatedGadget(device.gadget, on: adapter.bluetooth))
        }
        return made
    }
}
