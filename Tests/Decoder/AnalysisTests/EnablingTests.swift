import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing
import UQDK

/// Which notifications are on, when they came to be, and what is said where those that answers come by never
/// were.
@Suite struct EnablingTests {
    let peer = "00:11:22:33:44:55"

    /// A car: its command at 3, its event at 5 with the configuration at 6; Service Changed at 13, with its
    /// own at 14.
    static func car(eventProperties: UInt8 = 0x10) -> TestServer {
        let gatt = Dialect.reference1.gatt
        let command = gatt.command
        let event = gatt.event
        return TestServer(services: [
            .init(
                start: 1, end: 8, uuid: gatt.service,
                characteristics: [
                    .init(declaration: 2, properties: 0x0C, uuid: command),
                    .init(
                        declaration: 4, properties: eventProperties, uuid: event, descriptors: [0x2902]),
                ]),
            .init(
                start: 11, end: 15, uuid: BluetoothUUID(0x1801 as UInt16),
                characteristics: [
                    .init(
                        declaration: 12, properties: 0x20, uuid: BluetoothUUID(0x2A05 as UInt16),
                        descriptors: [0x2902])
                ]),
        ])
    }

    /// AUTH_BEGIN in two fragments; the frame that completes it.
    @discardableResult
    private func begin(_ trace: inout Trace) -> Int {
        for hex in ["01005551010101010000181122334455667788a0", "0181a1a2a3a4a5a6a7a8a9aaabacadaeaff7c3"] {
            trace.att(0x40, .tx, ATTWriteCommand(handle: 3, value: octets(hex)))
        }
        return trace.last
    }

    private func refuse(_ trace: inout Trace, _ handle: UInt16) {
        trace.att(
            0x40, .rx,
            ATTErrorResponse(request: .writeRequest, handle: handle, error: .insufficientAuthentication))
    }

    private func connected() -> Trace {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, Self.car())
        return trace
    }

    @Test func `a configuration that the server took is when notifications were on`() {
        var trace = connected()
        let write = trace.write(0x40, 6, [1, 0])
        let outcome = trace.run()
        #expect(outcome.links.first?.phases.subscribed == outcome[write + 1].frame.time)
    }

    @Test func `what was refused, switched off or is not answered switched nothing on`() {
        var refused = connected()
        refused.write(0x40, 6, [1, 0], answered: false)
        refuse(&refused, 6)
        var off = connected()
        off.write(0x40, 6, [0, 0])
        var unanswered = connected()
        unanswered.write(0x40, 6, [1, 0], answered: false)
        for trace in [refused, off, unanswered] {
            let link = trace.run().links.first
            #expect(link != nil && link?.phases.subscribed == nil)
        }
        #expect(refused.run().links.first?.refusedSubscription?.error == 5)
    }

    @Test(
        arguments: [
            (1, 0, false), (1, 1, true), (1, 3, true), (1, 2, true), (3, 1, true), (3, 0, false),
            (0, 0, true),
            (0, 1, true),
        ] as [(UInt8, UInt8, Bool)])
    func `a refusal to enable values is overcome only by enabling them`(
        refused: UInt8, taken: UInt8, isOvercome: Bool
    ) throws {
        var trace = connected()
        let write = trace.write(0x40, 6, [refused, 0], answered: false)
        refuse(&trace, 6)
        trace.write(0x40, 6, [taken, 0])
        let outcome = trace.run()
        let incident = try #require(outcome.totals?.incidents.first { $0.problem.code == .attError })
        #expect(incident.problem.isOvercome == isOvercome && incident.place.frame == write + 1)
    }

    @Test func `Service Changed alone is no subscription, and the key protocol's events count most`() {
        var trace = connected()
        trace.write(0x40, 14, [2, 0])
        #expect(trace.run().links.first?.phases.subscribed == nil)
        let write = trace.write(0x40, 6, [1, 0])
        let outcome = trace.run()
        #expect(outcome.links.first?.phases.subscribed == outcome[write + 1].frame.time)
    }

    @Test func `a configuration that is found by its use is when it was written`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let write = trace.write(0x40, 4, [1, 0])
        trace.notify(0x40, 3)
        trace.write(0x40, 4, [0, 0])
        let outcome = trace.run()
        #expect(outcome.links.first?.phases.subscribed == outcome[write].frame.time)
    }

    @Test(arguments: [false, true])
    func `a configuration that was read as on is a subscription`(_ isOn: Bool) {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        let read = trace.read(0x40, 4, [isOn ? 1 : 0, 0])
        let notification = trace.notify(0x40, 3)
        let outcome = trace.run()
        #expect(outcome[notification].codes == (isOn ? [] : [.notSubscribed]))
        #expect(outcome.links.first?.phases.subscribed == (isOn ? outcome[read].frame.time : nil))
    }

    @Test func `requests that could not be answered have their cause named before them`() throws {
        var trace = connected()
        trace.write(0x40, 14, [2, 0])
        begin(&trace)
        trace.wait(seconds: 6)
        let end = trace.disconnect(0x40)
        let outcome = trace.run()
        #expect(outcome[end].codes == [.notEnabled, .uqdk])
        #expect(outcome.totals?.incidents.first?.problem.code == .notEnabled)
        #expect(outcome.totals?.incidents.first?.place.frame == end)
        let text = try #require(outcome[end].problems.first?.sentence)
        #expect(
            text
                == "notifications of UQDK Event (0x0005) were never enabled on this connection, so no answer could come"
        )
        #expect(outcome.links.first?.unsubscribedResponses?.handle == 5)
    }

    @Test func `a value that only indicates has indications that were never enabled`() throws {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, Self.car(eventProperties: 0x20))
        begin(&trace)
        trace.wait(seconds: 6)
        let end = trace.disconnect(0x40)
        let outcome = trace.run()
        let text = try #require(outcome[end].problems.first?.sentence)
        #expect(text.hasPrefix("indications of UQDK Event (0x0005) were never enabled"))
        #expect(outcome.links.first?.unsubscribedResponses?.isIndicated == true)
    }

    @Test func `an indication that nothing enabled is not called a notification`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        let frames = [
            trace.att(0x40, .rx, ATTHandleValueIndication(handle: 3, value: [1])), trace.notify(0x40, 3),
        ]
        let outcome = trace.run()
        let uses = frames.map { outcome[$0].problems.first?.use?.request.opcode }
        #expect(uses == [.handleValueIndication, .handleValueNotification])
    }

    @Test func `a refused configuration is named as the cause`() {
        var trace = connected()
        let write = trace.write(0x40, 6, [1, 0], answered: false)
        refuse(&trace, 6)
        begin(&trace)
        trace.wait(seconds: 1)
        let end = trace.disconnect(0x40)
        let problem = trace.run()[end].problems.first
        let text = problem?.sentence ?? ""
        #expect(problem?.side == .peer)
        #expect(text.hasSuffix(": the write of frame \(write) was refused, Insufficient Authentication"))
    }

    @Test func `a request that waits at the log's end has its cause on its link`() {
        var trace = connected()
        begin(&trace)
        let link = trace.run().links.first
        #expect(link?.openRequests.count == 1 && link?.unsubscribedResponses?.handle == 5)
    }

    @Test func `nothing is said where notifications are on, may be, or come all the same`() {
        var enabled = connected()
        enabled.write(0x40, 6, [1, 0])
        var bonded = connected()
        bonded.encrypted(0x40)
        var prepared = connected()
        prepared.att(0x40, .tx, ATTPrepareWriteRequest(handle: 6, offset: 0, value: [1, 0]))
        prepared.att(0x40, .rx, ATTPrepareWriteResponse(handle: 6, offset: 0, value: [1, 0]))
        var unknown = Trace()
        unknown.connect(0x40, peer)
        var open = Trace()
        open.discover(0x40, Self.car())
        for trace in [enabled, bonded, prepared, unknown, open] {
            var trace = trace
            begin(&trace)
            trace.wait(seconds: 6)
            trace.disconnect(0x40)
            let outcome = trace.run()
            #expect(!outcome.codes.contains(.notEnabled))
            #expect(outcome.links.first?.unsubscribedResponses == nil)
        }
    }

    @Test func `a profile's commands without an answer have the cause named too`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(
            0x40,
            TestServer(services: [
                .init(
                    start: 1, end: 6, uuid: BluetoothUUID(0xFFE0 as UInt16),
                    characteristics: [
                        .init(
                            declaration: 2, properties: 0x1E, uuid: BluetoothUUID(0xFFE1 as UInt16),
                            descriptors: [0x2902])
                    ])
            ]))
        let speed = octets("aa031272020001723055")
        trace.att(0x40, .tx, ATTWriteCommand(handle: 3, value: speed))
        trace.wait(seconds: 6)
        let end = trace.disconnect(0x40)
        #expect(trace.run()[end].codes == [.notEnabled, .profile])
    }

    // MARK: Notifications without a subscription

    @Test func `a value that nothing subscribed to is told once, and counted each time`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        let first = trace.notify(0x40, 3)
        let other = trace.notify(0x40, 6)
        let again = trace.notify(0x40, 3)
        trace.write(0x40, 4, [1, 0])
        trace.write(0x40, 4, [0, 0])
        let after = trace.notify(0x40, 3)
        let outcome = trace.run()
        #expect(outcome.frames(with: .notSubscribed) == [first, other, again, after])
        let told = outcome.seen.filter { $0.problems.contains { !$0.wasReportedBefore } }.map(\.frame.number)
        #expect(told == [first, other, after])
        #expect(outcome.totals?.count(of: .notSubscribed) == 4)
    }

    @Test(arguments: [false, true])
    func `Service Changed of the local server is not held to a subscription`(_ isKnown: Bool) {
        var trace = Trace()
        trace.connect(0x40, peer, role: 1)
        if isKnown { trace.discover(0x40, Self.car(), .rx) }
        trace.att(0x40, .tx, ATTHandleValueIndication(handle: 13, value: [1, 0, 0xFF, 0xFF]))
        trace.att(0x40, .rx, ATTHandleValueConfirmation())
        #expect(trace.run().codes.isEmpty)
    }

    // MARK: Long writes

    @Test func `what follows a long write is measured from where it took place`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        trace.write(0x40, 4, [1, 0])
        for offset in [0, 2] as [UInt16] {
            trace.att(0x40, .tx, ATTPrepareWriteRequest(handle: 6, offset: offset, value: [1, 2]))
            trace.att(0x40, .rx, ATTPrepareWriteResponse(handle: 6, offset: offset, value: [1, 2]))
        }
        let before = trace.notify(0x40, 3)
        let execute = trace.att(0x40, .tx, ATTExecuteWriteRequest(flags: 1))
        trace.att(0x40, .rx, ATTExecuteWriteResponse())
        let after = trace.notify(0x40, 3)
        let outcome = trace.run()
        #expect(outcome[before].frame.att?.afterWrite == nil)
        #expect(outcome[after].frame.att?.afterWrite?.frame == execute)
        #expect(outcome.links.first?.counts.writes.total == 2)
    }
}
