import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing

@testable import Analysis

/// Refusals that are the asker's fault, and those that are the refuser's.
@Suite struct RefusalSideTests {
    private static let peer = "00:11:22:33:44:55"
    private static let server = TestServer(services: [
        .init(
            start: 1, end: 7, uuid: BluetoothUUID(0xFFE0 as UInt16),
            characteristics: [
                .init(declaration: 2, properties: 0x02, uuid: BluetoothUUID(0xFFE1 as UInt16)),
                .init(declaration: 4, properties: 0x08, uuid: BluetoothUUID(0xFFE2 as UInt16)),
                .init(declaration: 6, properties: 0x04, uuid: BluetoothUUID(0xFFE3 as UInt16)),
            ])
    ])

    /// The side of a request that was refused, on a connection with a server whose characteristics may be
    /// read (value 3), written (5), and written without a response (7).
    private func side(
        _ request: some ATTPDU, _ handle: UInt16, _ error: ATTErrorCode, by server: Trace.Way = .rx,
        discovered: Bool = true
    ) -> Problem.Party? {
        var trace = Trace()
        trace.connect(0x40, Self.peer)
        let asker: Trace.Way = server == .rx ? .tx : .rx
        if discovered { trace.discover(0x40, Self.server, asker) }
        trace.att(0x40, asker, request)
        let opcode = request.opcode
        trace.att(0x40, server, ATTErrorResponse(request: opcode, handle: handle, error: error))
        return trace.run().totals?.firstError?.problem.side
    }

    @Test func `a refused command for BR/EDR on a connection of LE is the host's fault`() {
        for (isLE, side) in [(true, Problem.Party.host), (false, .controller)] {
            var trace = Trace()
            if isLE { trace.connect(0x40, Self.peer) } else { trace.connectClassic(0x40, Self.peer) }
            trace.add(.command, .hostToController, octets("0D 08 04 40 00 05 00"))
            let refused = trace.event(octets("0E 06 01 0D 08 02 40 00"))
            #expect(trace.run()[refused].problems.first?.side == side)
        }
    }

    @Test func `a refused request to handle 0x0000 is the fault of the side that sent it`() {
        for (type, by) in [(0xD9E4, Problem.Party.host), (0x2800, .peer)] as [(UInt16, Problem.Party)] {
            let search = ATTReadByGroupTypeRequest(
                startingHandle: 1, endingHandle: 7, type: BluetoothUUID(type))
            #expect(side(search, 1, .unsupportedGroupType) == by)
        }
        let write = ATTWriteRequest(handle: 0, value: [2, 0])
        #expect(side(write, 0, .invalidHandle) == .host)
        #expect(side(write, 0, .invalidHandle, by: .tx) == .peer)
        #expect(side(ATTReadRequest(handle: 3), 3, .invalidHandle) == .peer)
    }

    @Test func `what the declaration does not list is the asker's fault, what it lists the server's`() {
        #expect(side(ATTReadRequest(handle: 5), 5, .readNotPermitted) == .host)
        #expect(side(ATTReadRequest(handle: 5), 5, .readNotPermitted, by: .tx) == .peer)
        #expect(side(ATTReadRequest(handle: 3), 3, .readNotPermitted) == .peer)
        #expect(side(ATTReadRequest(handle: 3), 3, .readNotPermitted, by: .tx) == .host)
        let write = { ATTWriteRequest(handle: $0, value: [1]) }
        #expect(side(write(3), 3, .writeNotPermitted) == .host)
        #expect(side(write(7), 7, .writeNotPermitted) == .host)
        #expect(side(write(5), 5, .writeNotPermitted) == .peer)
        // A declaration itself can't be written.
        #expect(side(write(4), 4, .writeNotPermitted) == .host)
        #expect(side(ATTReadRequest(handle: 5), 5, .readNotPermitted, discovered: false) == .peer)
    }

    @Test func `reading Service Changed is the asker's fault, also where its declaration was not seen`() {
        for (type, by) in [(0x05, Problem.Party.host), (0x00, .peer)] as [(UInt8, Problem.Party)] {
            var trace = Trace()
            trace.connect(0x40, Self.peer)
            trace.att(0x40, .tx, ATTFindInformationRequest(startingHandle: 3, endingHandle: 3))
            trace.att(0x40, .rx, ATTFindInformationResponse(format: 1, information: [3, 0, type, 0x2A]))
            trace.att(0x40, .tx, ATTReadRequest(handle: 3))
            trace.att(
                0x40, .rx, ATTErrorResponse(request: .readRequest, handle: 3, error: .readNotPermitted))
            #expect(trace.run().totals?.firstError?.problem.side == by)
        }
    }

    @Test func `a write to a descriptor that nobody may write is the asker's fault`() {
        func side(_ descriptor: UInt16, properties: UInt8 = 0x12) -> Problem.Party? {
            var trace = Trace()
            trace.connect(0x40, Self.peer)
            let uuid = BluetoothUUID(0xFFE1 as UInt16)
            let characteristic = TestServer.Characteristic(
                declaration: 2, properties: properties, uuid: uuid, descriptors: [descriptor])
            let service = TestServer.Service(
                start: 1, end: 4, uuid: BluetoothUUID(0xFFE0 as UInt16), characteristics: [characteristic])
            trace.discover(0x40, TestServer(services: [service]))
            trace.att(0x40, .tx, ATTWriteRequest(handle: 4, value: [1, 0]))
            trace.att(
                0x40, .rx, ATTErrorResponse(request: .writeRequest, handle: 4, error: .writeNotPermitted))
            return trace.run().totals?.firstError?.problem.side
        }
        #expect(side(0x2901) == .host && side(0x2904) == .host && side(0x2905) == .host)
        // Extended properties may make a description writable; a CCCD always is.
        #expect(side(0x2901, properties: 0x92) == .peer && side(0x2902) == .peer)
    }

    @Test func `a declaration that was read on its own counts as seen`() {
        var trace = Trace()
        trace.connect(0x40, Self.peer)
        trace.l2cap(0x40, .tx, 4, octets("04 0400 0500"))
        trace.l2cap(0x40, .rx, 4, octets("05 01 0400 0328 0500 E2FF"))
        trace.read(0x40, 4, octets("08 0500 E2FF"))
        trace.att(0x40, .tx, ATTReadRequest(handle: 5))
        trace.att(0x40, .rx, ATTErrorResponse(request: .readRequest, handle: 5, error: .readNotPermitted))
        #expect(trace.run().totals?.firstError?.problem.side == .host)
    }

    @Test func `a refusal names who refused, and a later success overcomes it, whoever is at fault`() {
        var trace = Trace()
        trace.connect(0x40, Self.peer)
        trace.discover(0x40, Self.server, .rx)
        trace.att(0x40, .rx, ATTReadRequest(handle: 5))
        let refused = trace.att(
            0x40, .tx, ATTErrorResponse(request: .readRequest, handle: 5, error: .readNotPermitted))
        let first = trace.run().totals?.firstError?.problem
        #expect(first?.sentence == "the host refused the peer: Read Not Permitted (0x02)")
        #expect(first?.side == .peer && first?.use?.server == .host)
        trace.att(0x40, .rx, ATTReadRequest(handle: 5))
        trace.att(0x40, .tx, ATTReadResponse(value: [1]))
        let outcome = trace.run()
        #expect(outcome.totals?.firstError == nil)
        #expect(outcome.totals?.incidents.map(\.place.frame) == [refused])
    }

    @Test func `a second request to connect while one is pending is the host's mistake`() {
        var trace = Trace()
        _ = AttemptTests.ask(&trace, byList: true)
        _ = AttemptTests.ask(&trace, byList: true, status: 0x0C)
        let refused = trace.last
        let problem = trace.run()[refused].problems.first
        #expect(problem?.code == .commandFailed && problem?.side == .host)
        var alone = Trace()
        _ = AttemptTests.ask(&alone, status: 0x0C)
        #expect(alone.run().totals?.firstError?.problem.side == .controller)
    }

    /// The side of a command with these parameters that the controller refuses.
    private func side(_ command: String, _ status: UInt8, after trace: Trace = Trace()) -> Problem? {
        var trace = trace
        let octets = octets(command)
        trace.add(.command, .hostToController, octets)
        let refused = trace.event([0x0E, 4, 1, octets[0], octets[1], status])
        return trace.run()[refused].problems.first
    }

    @Test(arguments: [UInt8(0x0B), 0x12, 0x42, 0x45])
    func `a status that only the host can cause is the host's`(_ status: UInt8) {
        #expect(side("3620 00", status)?.side == .host)
        #expect(side("3620 00", 0x0D)?.side == .controller)
    }

    @Test func `a command for a connection that has ended is the host's mistake, unless they crossed`() {
        var ended = Trace()
        ended.connect(0x40, Self.peer)
        let open = ended
        ended.disconnect(0x40)
        #expect(side("0514 02 4000", 0x02, after: ended)?.severity == .note)
        ended.wait(seconds: 1)
        #expect(side("0514 02 4000", 0x02, after: ended)?.side == .host)
        #expect(side("0514 02 4000", 0x02, after: open)?.side == .controller)
        // The host knows of an end that it has asked for itself.
        var ending = open
        ending.command(HCIDisconnect { $0.connectionHandle = 0x40 })
        ending.event([0x0F, 4, 0, 1, 0x06, 0x04])
        #expect(side("0D08 04 4000 0500", 0x02, after: ending)?.side == .host)
        #expect(side("0D08 04 4100 0500", 0x02, after: ending)?.side == .controller)
    }

    @Test func `the accept list can't change while it is used, nor the address while the host scans`() {
        var waiting = Trace()
        #expect(side("1020 00", 0x0C, after: waiting)?.side == .controller)
        _ = AttemptTests.ask(&waiting, byList: true)
        #expect(side("1020 00", 0x0C, after: waiting)?.side == .host)
        var scanning = Trace()
        #expect(side("0520 06 010203040506", 0x0C, after: scanning)?.side == .controller)
        scanning.add(.command, .hostToController, octets("0C20 02 01 00"))
        scanning.event(octets("0E 04 01 0C20 00"))
        #expect(side("0520 06 010203040506", 0x0C, after: scanning)?.side == .host)
        // Scan parameters are fixed by a scan alone, the resolving list by address resolution.
        #expect(side("0B20 07 00 1000 1000 00 00", 0x0C, after: scanning)?.side == .host)
        #expect(side("0B20 07 00 1000 1000 00 00", 0x0C, after: waiting)?.side == .controller)
        #expect(side("2920 00", 0x0C, after: scanning)?.side == .controller)
    }

    @Test func `a request that the recorder cut does not show that its sender was at fault`() {
        var trace = Trace()
        trace.connect(0x40, Self.peer)
        trace.acl(0x40, .tx, boundary: 0, octets("0300 0400 0A 2500"), kept: 9)
        trace.att(0x40, .rx, ATTErrorResponse(request: .readRequest, handle: 0x25, error: .invalidHandle))
        #expect(trace.run().totals?.firstError?.problem.side == .peer)
    }
}
