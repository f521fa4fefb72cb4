import BluetoothCore
import Crypto
import LEHost
import Runtime
import Testing

/// What a host with private addresses tells its controller, and when.
@Suite struct HostPrivacyTests {
    static let key = SecretKey([UInt8](1...16))

    static func bond(_ value: UInt64) -> Bond {
        var bond = Bond(peer: DeviceAddress(value, .public))
        bond.identityKey = SecretKey([UInt8](repeating: UInt8(truncatingIfNeeded: value), count: 16))
        return bond
    }

    static func host(
        bonds: [Bond] = [], _ change: (inout HostPrivacy) -> Void = { _ in }
    ) -> HostHarness {
        var privacy = HostPrivacy(identityKey: key)
        change(&privacy)
        return HostHarness {
            $0.security = SecurityPolicy()
            $0.privacy = privacy
            $0.bonds = bonds
        }
    }

    /// Answers each command until the host sends no more: the opcodes that came, and what was refused.
    @discardableResult
    static func answer(
        _ host: inout HostHarness, refusing refused: HCIOpcode? = nil
    ) -> [HCIOpcode] {
        var all: [HCIOpcode] = []
        while true {
            let opcodes = host.sentOpcodes()
            if opcodes.isEmpty { return all }
            all += opcodes
            for opcode in opcodes {
                if opcode == LECreateConnection.opcode {
                    host.status(opcode)
                } else if opcode == refused {
                    host.complete(opcode, [HCIStatus.commandDisallowed.rawValue])
                } else {
                    host.complete(opcode, HostHarness.returned(opcode, address: 0x0102_0304_0506, packets: 3))
                }
            }
        }
    }

    static func wait(_ host: inout HostHarness, _ duration: Duration) {
        host.now = host.now.advanced(by: duration)
        host.put(.timeReached)
    }

    @Test func `a controller is given the keys of all bonds and an address before it is used`() throws {
        var host = Self.host(bonds: [Self.bond(0xB1), Self.bond(0xB2), Self.bond(0xB3)])
        host.put(.startAdvertising(AdvertisingParameters()))
        host.put(.powerOn)
        let opcodes = Self.answer(&host)
        let after = opcodes.firstIndex(of: LEReadResolvingListSize.opcode).map { opcodes[($0 + 1)...] }
        // Two devices are all that its list can hold.
        #expect(
            after.map(Array.init) == [
                LEAddDeviceToResolvingList.opcode, LESetPrivacyMode.opcode,
                LEAddDeviceToResolvingList.opcode, LESetPrivacyMode.opcode,
                LESetResolvablePrivateAddressTimeout.opcode, LESetAddressResolutionEnable.opcode,
                LESetRandomAddress.opcode, LESetAdvertisingParameters.opcode, LESetAdvertisingData.opcode,
                LESetScanResponseData.opcode, LESetAdvertisingEnable.opcode,
            ])
        #expect(host.host.state == .ready)
        let address = try PrivateAddressResolver.address(key: Self.key.octets, random: 0x708194)
        #expect(host.host.address == DeviceAddress(address, .random))
        #expect(host.host.identityAddress == DeviceAddress(0x0102_0304_0506, .public))
    }

    @Test func `nothing of privacy is said to a controller for a host without`() {
        var host = HostHarness()
        host.put(.powerOn)
        let opcodes = Self.answer(&host)
        #expect(!opcodes.contains(HCIReadLocalSupportedCommands.opcode))
        #expect(!opcodes.contains(LESetRandomAddress.opcode))
    }

    @Test func `the list follows the bonds, one by one`() {
        var host = Self.host()
        host.bringUp()
        let (one, two) = (Self.bond(0xB1), Self.bond(0xB2))
        host.put(.setBonds([one]))
        #expect(
            Self.answer(&host) == [
                LEAddDeviceToResolvingList.opcode, LESetPrivacyMode.opcode,
                LESetResolvablePrivateAddressTimeout.opcode, LESetAddressResolutionEnable.opcode,
            ])
        host.put(.setBonds([one, two]))
        #expect(Self.answer(&host) == [LEAddDeviceToResolvingList.opcode, LESetPrivacyMode.opcode])
        host.put(.setBonds([two]))
        #expect(Self.answer(&host) == [LERemoveDeviceFromResolvingList.opcode])
        host.put(.setBonds([]))
        #expect(Self.answer(&host) == [LEClearResolvingList.opcode])
        // One that was bonded anew has another key.
        var other = two
        other.identityKey = Self.key
        host.put(.setBonds([one, two]))
        Self.answer(&host)
        host.put(.setBonds([one, other]))
        #expect(
            Self.answer(&host) == [
                LERemoveDeviceFromResolvingList.opcode, LEAddDeviceToResolvingList.opcode,
                LESetPrivacyMode.opcode,
            ])
    }

    @Test func `a controller that refuses an entry leaves that device to the host`() {
        var host = Self.host(bonds: [Self.bond(0xB1)])
        host.put(.powerOn)
        let opcodes = Self.answer(&host, refusing: LEAddDeviceToResolvingList.opcode)
        #expect(!opcodes.contains(LESetPrivacyMode.opcode))
        #expect(host.host.state == .ready)
        // It is looked for by scanning.
        host.put(.connect(Self.bond(0xB1).peer))
        #expect(Self.answer(&host) == [LESetScanParameters.opcode, LESetScanEnable.opcode])
    }

    @Test func `the address changes after all that uses it has ended, which then goes on`() {
        var host = Self.host()
        host.bringUp()
        host.put(.startAdvertising(AdvertisingParameters()))
        host.put(.startScanning(ScanParameters()))
        host.put(.connect(HostHarness.car))
        Self.answer(&host)
        _ = host.takeEvents()
        host.addressRandomness = [1, 2, 3]
        Self.wait(&host, .seconds(899))
        #expect(host.sentOpcodes().isEmpty)
        Self.wait(&host, .seconds(1))
        let stops = Self.answer(&host)
        #expect(
            Set(stops) == [
                LESetAdvertisingEnable.opcode, LECreateConnectionCancel.opcode, LESetScanEnable.opcode,
            ])
        // The attempt to connect has not ended yet.
        host.connected(status: .unknownConnectionIdentifier)
        let rest = Self.answer(&host)
        #expect(rest.first == LESetRandomAddress.opcode)
        #expect(
            Set(rest.dropFirst()).isSuperset(of: [
                LESetAdvertisingEnable.opcode, LECreateConnection.opcode, LESetScanEnable.opcode,
            ]))
        #expect(host.takeEvents() == [])
    }

    @Test func `a link that is made while the address is to change keeps the one it was made with`() {
        var host = Self.host()
        host.bringUp()
        host.put(.connect(HostHarness.car))
        Self.answer(&host)
        let before = host.host.address
        host.addressRandomness = [1, 2, 3]
        Self.wait(&host, .seconds(900))
        host.connected()
        #expect(host.host.openLinks.count == 1)
        Self.answer(&host)
        #expect(host.host.address != before)
    }

    @Test func `without randomness a host does not begin, and one that runs keeps its address`() {
        var host = Self.host()
        host.addressRandomness = nil
        host.bringUp()
        #expect(host.host.state == .failed(.noAddress))
        host = Self.host()
        host.bringUp()
        let before = host.host.address
        host.addressRandomness = nil
        Self.wait(&host, .seconds(900))
        #expect(Self.answer(&host).isEmpty)
        host.addressRandomness = [1, 2, 3]
        Self.wait(&host, .seconds(900))
        #expect(Self.answer(&host) == [LESetRandomAddress.opcode])
        #expect(host.host.address != before && before != nil)
    }

    @Test func `a controller that refuses a new address is asked again at the next time`() {
        var host = Self.host()
        host.bringUp()
        let before = host.host.address
        _ = host.takeEvents()
        host.addressRandomness = [1, 2, 3]
        Self.wait(&host, .seconds(900))
        Self.answer(&host, refusing: LESetRandomAddress.opcode)
        #expect(host.host.address == before)
        #expect(host.takeEvents() == [.problem(.refused(LESetRandomAddress.opcode, .commandDisallowed))])
        Self.wait(&host, .seconds(900))
        Self.answer(&host)
        #expect(host.host.address != before)
    }

    @Test func `a controller that can't scan and connect at once still finds a private device`() throws {
        var host = Self.host(bonds: [Self.bond(0xB1)]) { $0.usesResolvingList = false }
        host.bringUp()
        host.put(.connect(DeviceAddress(0xB1, .public)))
        #expect(Self.answer(&host) == [LESetScanParameters.opcode, LESetScanEnable.opcode])
        let key = Self.bond(0xB1).identityKey?.octets ?? []
        let address = DeviceAddress(try PrivateAddressResolver.address(key: key, random: 77), .random)
        host.event(
            LEAdvertisingReport {
                $0.reports = [
                    LEAdvertisingReportItem {
                        $0.addressType = 1
                        $0.address = address
                    }
                ]
            }.packet)
        // What only the host scans for is not told.
        #expect(host.takeEvents().allSatisfy { if case .advertisement = $0 { false } else { true } })
        #expect(host.sentOpcodes() == [LECreateConnection.opcode])
        host.status(LECreateConnection.opcode, .commandDisallowed)
        #expect(host.sentOpcodes() == [LESetScanEnable.opcode])
        host.complete(LESetScanEnable.opcode)
        #expect(host.sentOpcodes() == [LECreateConnection.opcode])
        host.status(LECreateConnection.opcode)
        host.connected(to: address)
        let link = host.host.openLinks.first
        #expect(link?.peer == DeviceAddress(0xB1, .public))
        #expect(host.host.identity(of: address) == DeviceAddress(0xB1, .public))
    }

    @Test func `a device that was heard and can't be connected to is looked for again`() throws {
        var host = Self.host(bonds: [Self.bond(0xB1)]) { $0.usesResolvingList = false }
        host.bringUp()
        host.put(.connect(DeviceAddress(0xB1, .public)))
        Self.answer(&host)
        let key = Self.bond(0xB1).identityKey?.octets ?? []
        for random in [UInt32(77), 78] {
            let address = DeviceAddress(try PrivateAddressResolver.address(key: key, random: random), .random)
            host.event(
                LEAdvertisingReport {
                    $0.reports = [
                        LEAdvertisingReportItem {
                            $0.addressType = 1
                            $0.address = address
                        }
                    ]
                }.packet)
            let opcodes = Self.answer(&host)
            #expect(opcodes == [LECreateConnection.opcode, LESetScanEnable.opcode])
            Self.wait(&host, .seconds(30))
            #expect(Self.answer(&host).first == LECreateConnectionCancel.opcode)
            host.connected(status: .unknownConnectionIdentifier)
            Self.answer(&host)
        }
    }

    @Test func `a key of zeros names no one`() throws {
        let zeros = HostPairingTests.policy { $0.identityKey = SecretKey([UInt8](repeating: 0, count: 16)) }
        var bench = try PairingBench([zeros, zeros])
        bench.run()
        #expect(bench.bonds.allSatisfy { $0 != nil && $0?.identityKey == nil })
    }
}
