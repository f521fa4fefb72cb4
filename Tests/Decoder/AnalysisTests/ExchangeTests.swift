import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing

@Suite struct ExchangeTests {
    let peer = "00:11:22:33:44:55"

    @Test func `a response names its request, the latency and the attribute`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let request = trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        trace.wait(seconds: 0.02)
        let response = trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        let outcome = trace.run()
        #expect(outcome[response].frame.request?.frame == request)
        #expect(outcome[response].frame.request?.latency == 21_000_000)
        #expect(outcome[response].frame.att?.handle == 7)
        #expect(outcome[response].frame.att?.transaction == outcome[request].frame.att?.transaction)
        #expect(outcome[request].frame.att?.transaction ?? 0 > 0)
    }

    @Test func `both sides ask at once and each gets its own answer`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let ours = trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        let theirs = trace.att(0x40, .rx, ATTReadRequest(handle: 9))
        let toUs = trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        let toThem = trace.att(0x40, .tx, ATTReadResponse(value: [2]))
        let outcome = trace.run()
        #expect(outcome[toUs].frame.request?.frame == ours)
        #expect(outcome[toThem].frame.request?.frame == theirs)
        #expect(outcome[toThem].frame.att?.handle == 9)
        #expect(outcome.codes.isEmpty)
    }

    @Test func `a response says what its own request wrote, also of two at once`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        trace.att(0x40, .tx, ATTWriteRequest(handle: 4, value: [2, 0]))
        trace.att(0x40, .tx, ATTWriteRequest(handle: 3, value: [1, 2, 3]))
        let first = trace.att(0x40, .rx, ATTWriteResponse())
        let second = trace.att(0x40, .rx, ATTWriteResponse())
        let outcome = trace.run()
        #expect(outcome[first].frame.att?.configured == 2)
        #expect(outcome[second].frame.att?.configured == nil)
        #expect(outcome[second].frame.att?.writtenLength == 3)
    }

    @Test func `a confirmation answers its indication`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.write(0x40, 8, [2, 0])
        let indication = trace.att(0x40, .rx, ATTHandleValueIndication(handle: 7, value: [1]))
        let confirmation = trace.att(0x40, .tx, ATTHandleValueConfirmation())
        let again = trace.att(0x40, .tx, ATTHandleValueConfirmation())
        let outcome = trace.run()
        #expect(outcome[confirmation].frame.request?.frame == indication)
        #expect(outcome[confirmation].frame.att?.handle == 7)
        #expect(outcome.frames(with: .unexpectedResponse) == [again])
    }

    @Test func `a notification names the write before it`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.write(0x40, 8, [1, 0])
        let write = trace.write(0x40, 6, [1, 2, 3], answered: false)
        trace.wait(seconds: 0.5)
        let notification = trace.notify(0x40, 7)
        let outcome = trace.run()
        #expect(outcome[notification].frame.att?.afterWrite?.frame == write)
        #expect(outcome[notification].frame.att?.afterWrite?.latency == 501_000_000)
    }

    @Test func `an error is a problem, the end of a discovery is not`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        let error = trace.att(
            0x40, .rx,
            ATTErrorResponse(request: .readRequest, handle: 7, error: .insufficientAuthentication))
        trace.discover(0x40, .simple())
        let outcome = trace.run()
        #expect(outcome.frames(with: .attError) == [error])
        #expect(outcome.links.first?.counts.errors == 1)
        #expect(outcome.links.first?.firstProblem?.frame == error)
    }

    @Test func `an error with another handle is about the requested one, and a later answer overcomes it`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        let error = trace.att(
            0x40, .rx,
            ATTErrorResponse(request: .readRequest, handle: 0, error: .insufficientAuthentication))
        #expect(trace.run()[error].problems.first?.use?.request.handle == 7)
        trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        #expect(trace.run().totals?.incidents.first?.problem.isOvercome == true)
    }

    @Test func `an indication without a subscription is a warning, unless the host hangs up over it`() throws
    {
        for (peerWrites, hangsUp) in [(false, false), (false, true), (true, false)] {
            var trace = Trace()
            trace.connect(0x40, peer)
            trace.discover(0x40, .simple())
            if peerWrites {
                trace.att(0x40, .rx, ATTWriteRequest(handle: 4, value: [2, 0]))
                trace.att(0x40, .tx, ATTWriteResponse())
            }
            trace.att(0x40, .tx, ATTHandleValueIndication(handle: 3, value: [1, 0, 0xFF, 0xFF]))
            trace.wait(seconds: hangsUp ? 30.2 : 50)
            trace.disconnect(0x40, reason: hangsUp ? 0x16 : 0x13)
            let found = try #require(trace.run().totals?.incidents.first { $0.problem.code == .attTimeout })
            #expect(found.problem.side == (peerWrites ? .peer : .host))
            #expect((found.severity >= .error) == hangsUp)
            #expect(found.problem.use?.server == .host)
            #expect(found.problem.endedItsConnection == hangsUp)
        }
    }

    @Test func `a request without a response is told when its 30 seconds have run out`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        trace.write(0x40, 9, [1], answered: false)
        trace.wait(seconds: 31)
        let later = trace.notify(0x40, 20)
        let end = trace.disconnect(0x40)
        let outcome = trace.run()
        #expect(outcome[later].codes.filter { $0 == .attTimeout }.count == 1)
        #expect(outcome.frames(with: .requestWhilePending) == [3])
        #expect(outcome[end].codes.isEmpty)
    }

    @Test func `an export of writes alone says nothing about responses`() {
        var trace = Trace()
        for _ in 0..<3 {
            trace.write(0x40, 6, [1], answered: false)
            trace.wait(seconds: 40)
        }
        #expect(trace.run().codes == [.unknownConnection])
        #expect(trace.run().links.first?.counts.problems == 1)
    }

    @Test(arguments: [true, false])
    func `nobody is awaited in what a Bluetooth stack answers by itself`(isRead: Bool) throws {
        var trace = Trace()
        trace.connect(0x40, peer)
        if isRead {
            trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        } else {
            trace.att(0x40, .tx, ATTExchangeMTURequest(clientMTU: 247))
        }
        trace.wait(seconds: 31)
        trace.notify(0x40, 20)
        trace.disconnect(0x40)
        let found = try #require(trace.run().totals?.incidents.first { $0.problem.code == .attTimeout })
        let hint = "\(try #require(found.problem.hint))"
        #expect(hint.contains("a person") == isRead, "\(hint)")
    }

    @Test func `a late response is late once`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        trace.wait(seconds: 31)
        let late = trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        #expect(trace.run().codes == [.attTimeout])
        #expect(trace.run()[late].frame.request?.frame == 2)
    }

    @Test func `a request that waits when its link ends has no response`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        let end = trace.disconnect(0x40)
        let outcome = trace.run()
        #expect(outcome[end].codes == [.noResponse])
        let text =
            "the Read Request of frame 2 had no response when the peer ended the connection, 1.0 ms later"
        #expect(outcome[end].problems.first?.sentence == text)
    }

    @Test(arguments: [(30.1, 0x16, true), (30.1, 0x13, false), (40, 0x16, false), (29, 0x16, false)])
    func `a host that hangs up as its request's time runs out does so for it`(
        _ waited: Double, _ reason: UInt8, _ isReason: Bool
    ) {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        let request = trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        trace.wait(seconds: waited)
        trace.disconnect(0x40, reason: reason)
        #expect(trace.run().links.first?.overdueAtEnd?.place.frame == (isReason ? request : nil))
    }

    @Test func `a request whose time ran out is told at itself, whatever frame shows it`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let request = trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        trace.wait(seconds: 40)
        let next = trace.command(HCIReadBDADDR())
        let outcome = trace.run()
        #expect(outcome[next].codes == [.attTimeout])
        let start = "the Read Request of frame \(request) had no response "
        #expect(outcome[next].problems.first?.sentence.hasPrefix(start) == true)
        #expect(outcome[next].problems.first?.connection == 1)
        #expect(outcome.totals?.firstError?.place.frame == request)
        #expect(outcome.totals?.firstError?.connection == 1)
        #expect(outcome.links.first?.firstProblem?.code == .attTimeout)
        #expect(outcome.links.first?.counts.problems == 1)
    }

    @Test func `a request that may still be answered when the log ends is named with its link`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let request = trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        trace.wait(seconds: 20)
        trace.command(HCIReadBDADDR())
        let outcome = trace.run()
        #expect(outcome.codes.isEmpty)
        let open = outcome.links.first?.openRequests ?? []
        #expect(open.map(\.frame) == [request])
        #expect(open.first?.name == "Read Request")
        #expect(open.first?.waited == 20_001_000_000)
        #expect(outcome.links.first?.phases.logEnded == outcome.seen.last?.frame.time)
    }

    @Test func `a response after another request of its kind answers the first`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        let first = trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        let second = trace.att(0x40, .tx, ATTReadRequest(handle: 6))
        let response = trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        let outcome = trace.run()
        #expect(outcome.frames(with: .requestWhilePending) == [second])
        #expect(outcome[response].frame.request?.frame == first)
        #expect(outcome[response].frame.att?.handle == 3)
    }

    @Test func `a response goes to the request that its opcode answers, though another came after it`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        let read = trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        let write = trace.write(0x40, 5, [1], answered: false)
        let toRead = trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        let toWrite = trace.att(0x40, .rx, ATTWriteResponse())
        let stray = trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        let outcome = trace.run()
        #expect(outcome[toRead].frame.request?.frame == read)
        #expect(outcome[toRead].frame.att?.handle == 3 && outcome[toRead].codes.isEmpty)
        #expect(outcome[toWrite].frame.request?.frame == write)
        #expect(outcome[toWrite].frame.att?.handle == 5)
        #expect(outcome.frames(with: .requestWhilePending) == [write])
        #expect(outcome.frames(with: .unexpectedResponse) == [stray])
    }

    @Test func `an Error Response to opcode 0 refuses no request`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.read(0x40, 3, [5])
        trace.l2cap(0x40, .tx, 4, octets("52 0500 01"))
        let stray = trace.l2cap(0x40, .rx, 4, octets("01 00 0000 00"))
        let outcome = trace.run()
        #expect(outcome[stray].codes == [.unexpectedResponse])
    }

    @Test func `data of a connection that comes as ISO data is the host's fault, and answers`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.l2cap(0x40, .tx, 4, octets("02 0502"))
        let answer = trace.add(.iso, .controllerToHost, octets("4020 0700 0300 0400 03 1700"))
        trace.wait(seconds: 40)
        trace.disconnect(0x40, reason: 0x16)
        let outcome = trace.run()
        #expect(outcome[answer].codes == [.aclDataAsISO])
        let wrong = outcome.totals?.incidents.filter { $0.severity >= .error } ?? []
        #expect(wrong.map(\.problem.code) == [.aclDataAsISO] && wrong.first?.problem.side == .host)
    }

    @Test func `a request that was passed over by the answer to a later one gets no answer any more`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        trace.write(0x40, 5, [1])
        let late = trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        let outcome = trace.run()
        #expect(outcome[late].frame.request == nil && outcome[late].codes == [.unexpectedResponse])
    }

    @Test func `values found by type are not learned while it is open which type was asked for`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        for type: UInt16 in [0x2A00, 0x2A01] {
            trace.att(
                0x40, .tx,
                ATTReadByTypeRequest(startingHandle: 1, endingHandle: 0xFFFF, type: BluetoothUUID(type)))
        }
        trace.att(0x40, .rx, ATTReadByTypeResponse(length: 4, attributes: [3, 0, 0x41, 0x42]))
        let use = trace.read(0x40, 3, [1])
        #expect(trace.run()[use].labelText == "none")
    }

    @Test func `a response whose handles were not asked for teaches nothing`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, trace.askCharacteristics(0x20, 0x30))
        trace.att(
            0x40, .rx,
            trace.characteristics([.init(declaration: 2, uuid: BluetoothUUID(0xFFF1 as UInt16))]))
        let use = trace.read(0x40, 3, [1])
        #expect(trace.run()[use].labelText == "none")
    }

    @Test func `after a hole in the log no response is joined to a request from before it`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        trace.att(0x40, .tx, ATTReadRequest(handle: 3))
        trace.drops = 2
        let response = trace.att(0x40, .rx, ATTReadResponse(value: [1]))
        let after = trace.read(0x40, 3, [1])
        let outcome = trace.run()
        #expect(outcome[response].codes == [.drops])
        #expect(outcome[response].frame.request == nil)
        #expect(outcome[response].labelText == "none")
        #expect(outcome[after].labelText == "FFF0/FFF1 value discovered")
    }

    @Test func `a notification that nothing subscribed to is a problem`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        let before = trace.notify(0x40, 3)
        trace.write(0x40, 4, [1, 0])
        trace.notify(0x40, 3)
        trace.write(0x40, 4, [0, 0])
        let after = trace.notify(0x40, 3)
        trace.write(0x40, 4, [2, 0])
        let wrongKind = trace.notify(0x40, 3)
        let outcome = trace.run()
        #expect(outcome.frames(with: .notSubscribed) == [before, after, wrongKind])
    }

    @Test func `a refused subscription does not count`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        trace.write(0x40, 4, [1, 0], answered: false)
        trace.att(
            0x40, .rx,
            ATTErrorResponse(request: .writeRequest, handle: 4, error: .insufficientAuthentication))
        let notification = trace.notify(0x40, 3)
        #expect(trace.run().frames(with: .notSubscribed) == [notification])
    }

    @Test func `the local server's notifications are held to the peer's subscriptions`() {
        var trace = Trace()
        trace.connect(0x40, peer, role: 1)
        trace.discover(0x40, .simple(), .rx)
        let before = trace.att(0x40, .tx, ATTHandleValueNotification(handle: 3, value: [1]))
        trace.att(0x40, .rx, ATTWriteRequest(handle: 4, value: [1, 0]))
        trace.att(0x40, .tx, ATTWriteResponse())
        trace.att(0x40, .tx, ATTHandleValueNotification(handle: 3, value: [1]))
        let outcome = trace.run()
        #expect(outcome.frames(with: .notSubscribed) == [before])
    }

    @Test func `several notifications in one PDU are looked at one by one`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.discover(0x40, .simple())
        trace.write(0x40, 4, [1, 0])
        let pdu = trace.att(
            0x40, .rx,
            ATTMultipleHandleValueNotification(values: [3, 0, 1, 0, 0xAA, 6, 0, 1, 0, 0xBB]))
        let outcome = trace.run()
        let handles = outcome[pdu].problems.map { problem -> UInt16? in
            if case .att(.notSubscribed(let handle, _)) = problem.kind { handle } else { nil }
        }
        #expect(handles == [6])
    }
}
