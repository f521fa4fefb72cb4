import BluetoothCore
import Foundation
import LEHost
import Testing
import VirtualController

@testable import CoreBluetooth

/// Row 10: what an application is told of a link that ended.
@Suite struct LinkErrorTests {
    /// The code for each of the controller's reasons; those not listed are unknown.
    static let disconnecting: [UInt8: CBError.Code] = [
        0x02: .notConnected, 0x05: .peerRemovedPairingInformation, 0x06: .peerRemovedPairingInformation,
        0x07: .outOfSpace, 0x08: .connectionTimeout, 0x09: .connectionLimitReached, 0x0B: .connectionFailed,
        0x0D: .connectionLimitReached, 0x10: .connectionTimeout, 0x11: .operationNotSupported,
        0x12: .invalidParameters, 0x13: .peripheralDisconnected, 0x14: .peripheralDisconnected,
        0x15: .peripheralDisconnected, 0x16: .connectionTimeout, 0x1A: .operationNotSupported,
        0x22: .connectionTimeout, 0x3B: .connectionFailed, 0x3D: .encryptionTimedOut,
        0x3E: .connectionFailed,
    ]
    static let connecting: [UInt8: CBError.Code] = [
        0x02: .unkownDevice, 0x05: .peerRemovedPairingInformation, 0x06: .peerRemovedPairingInformation,
        0x07: .outOfSpace, 0x09: .connectionLimitReached, 0x0D: .connectionLimitReached,
        0x11: .operationNotSupported, 0x12: .invalidParameters, 0x1A: .operationNotSupported,
        // A link with a bonded device that could not be encrypted was never connected.
        0x3D: .encryptionTimedOut,
    ]

    @Test func `row 10: each of the controller's reasons has its error`() {
        for reason in UInt8.min...UInt8.max {
            #expect(
                CBError(disconnecting: HCIStatus(rawValue: reason)).code
                    == Self.disconnecting[reason] ?? .unknown, "reason \(reason)")
            #expect(
                CBError(connecting: HCIStatus(rawValue: reason)).code
                    == Self.connecting[reason] ?? .connectionFailed, "status \(reason)")
        }
    }

    @Test func `row 10: the codes are Apple's numbers, 0 to 18, each with a text`() {
        let codes = (0...19).map { CBError.Code(rawValue: $0) }
        #expect(codes.last == .some(nil) && codes.dropLast().allSatisfy { $0 != nil })
        for code in codes.compactMap({ $0 }) {
            let error = CBError(code) as NSError
            #expect(error.domain == "CBErrorDomain" && error.code == code.rawValue)
            #expect(!error.localizedDescription.isEmpty)
        }
        #expect(CBError.Code.connectionTimeout.rawValue == 6)
        #expect(CBError.Code.peripheralDisconnected.rawValue == 7)
        #expect(CBError.Code.connectionFailed.rawValue == 10)
        #expect(CBError.Code.peerRemovedPairingInformation.rawValue == 14)
        #expect(CBError.Code.encryptionTimedOut.rawValue == 15)
    }

    @Test(arguments: [
        (UInt8(0x13), "7"), (0x08, "6"), (0x3E, "10"), (0x05, "14"), (0x3D, "15"), (0x1F, "0"),
    ])
    func `row 10: a reason comes through as its error`(reason: UInt8, code: String) throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        _ = try #require(phone.peripheral(0xC1))
        let peripheral = try #require(phone.open(0xC1, discovers: false))
        world.run(for: .seconds(3))
        phone.lines.clear()
        let handle = try #require(phone.adapter.host.openLinks.first?.handle)
        world.inject(
            [0x05, 4, 0, UInt8(truncatingIfNeeded: handle), UInt8(handle >> 8), reason],
            into: phone.controller)
        world.run(for: .milliseconds(100))
        #expect(phone.lines.all == ["disconnected \(code) 0"] && peripheral.state == .disconnected)
        withExtendedLifetime(gadget) {}
    }

    @Test func `row 10: the peripheral's goodbye is told as such`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        gadget.adapter.setPower(false)
        world.run(for: .seconds(10))
        // Without power it says nothing: the link is lost.
        #expect(phone.lines.all == ["disconnected 6 0"] && peripheral.state == .disconnected)
    }

    @Test func `row 10: a connection that the controller refuses fails with its error`() throws {
        let world = BluetoothWorld()
        let phone = Phone.on(world)
        let peripheral = try #require(phone.peripheral(0xC1))
        phone.manager.connect(peripheral)
        world.run(for: .seconds(1))
        // LE Connection Complete with the status Connection Limit Exceeded.
        world.inject([0x3E, 19, 1, 9] + [UInt8](repeating: 0, count: 17), into: phone.controller)
        world.run(for: .seconds(1))
        #expect(phone.lines.all == ["state 5", "failed 11 0"])
    }

    @Test func `row 24: errors of the Attribute Protocol keep their code`() {
        for code in UInt8.min...UInt8.max {
            let error = GATTFailure.refused(ATTErrorCode(rawValue: code), handle: 1).error as NSError
            #expect(error.domain == CBATTErrorDomain && error.code == Int(code))
        }
        #expect((GATTFailure.timedOut.error as? CBError)?.code == .connectionTimeout)
        #expect((GATTFailure.disconnected.error as? CBError)?.code == .notConnected)
        #expect((GATTFailure.malformedResponse(.readResponse).error as? CBATTError)?.code == .invalidPdu)
    }
}
