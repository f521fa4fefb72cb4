import BluetoothCore
import CaptureFile
import Crypto
import Testing

@testable import Analysis

@Suite struct AdvertiserTableTests {
    /// Public and random ones with the same octets, and some that differ in their high bits only.
    static func address(_ number: Int) -> DeviceAddress {
        let half = UInt64(number / 2)
        return DeviceAddress(
            half % 2 == 0 ? half : half &<< 30, number % 2 == 0 ? .public : .random)
    }

    @Test func `Each address has its own place, however many come, up to the limit`() {
        var table = AdvertiserTable()
        let time = CaptureTime(nanoseconds: 0)
        for number in 0..<AdvertiserTable.limit {
            #expect(table.advertiser(Self.address(number)) == nil)
            #expect(table.place(of: Self.address(number), frame: number, at: time) == number)
            for past in [number, number / 2, 0] {
                #expect(table.place(of: Self.address(past), frame: 0, at: time) == past)
            }
        }
        #expect(!table.wasFull)
        for number in 0..<AdvertiserTable.limit {
            #expect(table.advertiser(Self.address(number))?.firstFrame == number)
        }
        #expect(table.place(of: Self.address(AdvertiserTable.limit), frame: 0, at: time) == nil)
        #expect(table.wasFull)
        #expect(table.place(of: Self.address(1), frame: 0, at: time) == 1)
    }

    @Test func `An advertiser that the controller reports with its random identity is found`() {
        var table = AdvertiserTable()
        let identity = DeviceAddress(0xC000_0000_0001, .randomIdentity)
        let time = CaptureTime(nanoseconds: 0)
        let place = table.place(of: identity, frame: 1, at: time)
        #expect(table.advertiser(identity)?.firstFrame == 1)
        #expect(table.place(of: DeviceAddress(identity.value, .random), frame: 2, at: time) == place)
        #expect(table.otherKind(of: DeviceAddress(identity.value, .random)) == nil)
    }

    @Test func `A key that was tried is not tried again`() throws {
        var peers = PeerTable()
        let keys = [[UInt8](1...16), [UInt8](2...17)]
        let owners = [Self.address(2), Self.address(6)]
        for (key, owner) in zip(keys, owners) { _ = peers.add(key, of: owner) }
        let random: UInt32 = 0x40_0001
        for (place, key) in keys.enumerated() {
            let hash = try PrivateAddressResolver.hash(key: key, prand: random)
            let address = DeviceAddress(UInt64(random) << 24 | UInt64(hash), .random)
            for tried in 0...3 {
                let identity = peers.identity(ofPrivate: address, tried: tried)
                #expect(identity?.value == (tried <= place ? owners[place].value : nil))
            }
        }
    }
}
