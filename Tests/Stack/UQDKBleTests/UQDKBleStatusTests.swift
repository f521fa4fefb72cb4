import Testing

@testable import UQDKBle

@Suite struct UQDKBleStatusTests {
    static let examples: [UQDKBleStatus.Kind: UQDKBleStatus] = [
        .disconnected: .disconnected, .scanning: .scanning, .connecting: .connecting,
        .discovering: .discovering, .subscribing: .subscribing, .authenticating: .authenticating,
        .ready: .ready, .disconnecting: .disconnecting, .failed: .failed(.scanTimedOut),
    ]

    /// A way from the beginning to a status, by legal steps.
    static let ways: [UQDKBleStatus.Kind: [UQDKBleStatus.Kind]] = [
        .disconnected: [],
        .scanning: [.scanning],
        .connecting: [.scanning, .connecting],
        .discovering: [.scanning, .connecting, .discovering],
        .subscribing: [.scanning, .connecting, .discovering, .subscribing],
        .ready: [.scanning, .connecting, .discovering, .subscribing, .ready],
        .authenticating: [.scanning, .connecting, .discovering, .subscribing, .ready, .authenticating],
        .disconnecting: [.scanning, .connecting, .disconnecting],
        .failed: [.scanning, .failed],
    ]

    @Test func `every legal transition is taken and every other one refused`() throws {
        var legal = 0
        for from in UQDKBleStatus.Kind.allCases {
            for to in UQDKBleStatus.Kind.allCases {
                var machine = UQDKBleStatusMachine()
                for step in try #require(Self.ways[from]) {
                    #expect(machine.go(to: try #require(Self.examples[step])))
                }
                #expect(machine.current.kind == from)
                let isLegal = UQDKBleStatus.transitions[from]?.contains(to) == true
                #expect(machine.go(to: try #require(Self.examples[to])) == isLegal, "\(from) to \(to)")
                #expect(machine.current.kind == (isLegal ? to : from))
                #expect(machine.refused.count == (isLegal ? 0 : 1))
                legal += isLegal ? 1 : 0
            }
        }
        #expect(legal == 23)
    }
}
