import BluetoothCore
import Testing
import WireBytes

@testable import MonitorCapture

@Suite struct OpenLinkTests {
    /// An answer of the kernel: adapter 1, two links of 16 octets each.
    private static let answer =
        (try? Hex.octets(
            "01000200"
                // handle 0x0040, address, LE, outgoing, state 1, link mode 0
                + "4000" + "060504030201" + "80" + "01" + "0100" + "00000000"
                // handle 0x000B, address, BR/EDR, incoming
                + "0B00" + "1615141312C1" + "01" + "00" + "0100" + "00000000")) ?? []

    @Test func `The kernel's list of links is read with handle, address, kind and direction`() {
        let links = OpenLinkList.decode(Self.answer, adapter: 1, [0x0102_0304_0506: .random])
        #expect(
            links == [
                OpenLink(
                    adapter: 1, handle: 0x40, address: DeviceAddress(0x0102_0304_0506, .random), kind: .le,
                    isOutgoing: true),
                OpenLink(
                    adapter: 1, handle: 0x0B, address: DeviceAddress(0xC112_1314_1516, .public), kind: .acl,
                    isOutgoing: false),
            ])
        #expect(
            links.map(\.note) == [
                "link already up: handle 0x0040, LE, 01:02:03:04:05:06 (random), outgoing",
                "link already up: handle 0x000B, BR/EDR, C1:12:13:14:15:16, incoming",
            ])
    }

    @Test func `Without the management interface the kind of an LE address is not known`() {
        let links = OpenLinkList.decode(Self.answer, adapter: 1, [:])
        #expect(links.first?.address.kind == .unknown)
        #expect(
            links.first?.note == "link already up: handle 0x0040, LE, 01:02:03:04:05:06, outgoing")
    }

    @Test func `A list whose count is more than it holds gives what it holds`() {
        var answer = Self.answer
        answer[2] = 200
        #expect(OpenLinkList.decode(answer, adapter: 1, [:]).count == 2)
        for length in 0..<Self.answer.count {
            let links = OpenLinkList.decode(Array(Self.answer.prefix(length)), adapter: 1, [:])
            #expect(links.count == max(0, length - 4) / 16)
        }
    }

    /// Get Connections of adapter 1: Command Complete, opcode, status, two addresses with their kinds.
    private static let event =
        (try? Hex.octets(
            "0100" + "0100" + "1300" + "1500" + "00" + "0200" + "060504030201" + "02" + "161514131211" + "01"))
        ?? []

    @Test func `The management interface tells the kinds of addresses`() {
        #expect(
            ManagementQuery.decode(Self.event, adapter: 1) == [
                0x0102_0304_0506: .random, 0x1112_1314_1516: .public,
            ])
    }

    @Test func `An event that is another's is passed over, a refusal ends the question`() throws {
        #expect(ManagementQuery.decode(Self.event, adapter: 0) == nil)
        var other = Self.event
        other[0] = 0x0B
        #expect(ManagementQuery.decode(other, adapter: 1) == nil)
        // Command Status: Permission Denied
        let refused = try Hex.octets("0200" + "0100" + "0300" + "1500" + "14")
        #expect(ManagementQuery.decode(refused, adapter: 1) == [:])
        for length in 0..<Self.event.count {
            let found = ManagementQuery.decode(Array(Self.event.prefix(length)), adapter: 1)
            #expect(found?.count ?? 0 <= 1)
        }
    }
}
