import Analysis
import BluetoothCore
import CaptureFile
import Testing

/// When the phases of a connection began and ended.
@Suite struct PhaseTests {
    let phone = "00:11:22:33:44:55"

    /// Milliseconds of the scan and of the connecting of the last link; nil without one.
    private func times(_ trace: Trace) -> (scan: Int64?, pause: Int64?, connect: Int64?) {
        guard let phases = trace.run().links.last?.phases else { return (nil, nil, nil) }
        func milliseconds(_ from: CaptureTime?, _ to: CaptureTime?) -> Int64? {
            guard let from, let to else { return nil }
            return (to.nanoseconds - from.nanoseconds) / 1_000_000
        }
        return (
            milliseconds(phases.scanStarted, phases.scanEnded),
            milliseconds(phases.scanEnded, phases.connectStarted),
            milliseconds(phases.connectStarted, phases.connected)
        )
    }

    private func scan(_ trace: inout Trace, _ isOn: Bool) {
        trace.command(LESetScanEnable { $0.leScanEnable = isOn ? 1 : 0 })
    }

    private func connect(_ trace: inout Trace, _ handle: UInt16 = 0x40) {
        trace.command(LECreateConnection { $0.peerAddress = address(phone) })
        trace.connect(handle, phone)
    }

    @Test func `discovery takes as long as its requests, without the pauses between them`() {
        var trace = Trace()
        trace.connect(0x40, phone)
        for pause in [0.1, 0.5, 30, 0.1] {
            trace.wait(seconds: pause)
            trace.att(
                0x40, .tx,
                ATTReadByTypeRequest(
                    startingHandle: 1, endingHandle: 7, type: BluetoothUUID(0x2803 as UInt16)))
            trace.wait(seconds: 0.25)
            trace.att(
                0x40, .rx,
                ATTErrorResponse(request: .readByTypeRequest, handle: 1, error: .attributeNotFound))
        }
        let time = trace.run().links.last?.phases.discoveryTime ?? 0
        #expect((1_600_000_000...1_610_000_000).contains(time), "\(time)")
    }

    @Test func `a scan lasts until it is stopped, or a connection is asked for`() {
        var trace = Trace()
        scan(&trace, true)
        trace.wait(seconds: 2)
        connect(&trace)
        #expect(times(trace).scan == 2001)
        var stopped = Trace()
        scan(&stopped, true)
        stopped.wait(seconds: 2)
        scan(&stopped, false)
        stopped.wait(seconds: 3)
        connect(&stopped)
        let times = times(stopped)
        #expect(times.scan == 2001 && times.pause == 3001 && times.connect == 1)
    }

    @Test func `a scan that is enabled after the request to connect does not precede it`() {
        var trace = Trace()
        trace.command(LECreateConnection { $0.peerAddress = address(phone) })
        scan(&trace, true)
        trace.connect(0x40, phone)
        #expect(times(trace).scan == nil && times(trace).connect == 2)
    }

    @Test func `a restart goes on with the scan, a new one does not`() {
        var trace = Trace()
        for _ in 0..<3 {
            scan(&trace, true)
            trace.wait(seconds: 1)
            scan(&trace, false)
        }
        connect(&trace)
        #expect(times(trace).scan == 3005)
        var apart = Trace()
        for _ in 0..<2 {
            scan(&apart, true)
            apart.wait(seconds: 1)
            scan(&apart, false)
            apart.wait(seconds: 2)
        }
        connect(&apart)
        #expect(times(apart).scan == 1001)
    }

    @Test func `a log without a scan has no scan time, however early the peer was heard`() {
        var trace = Trace()
        connect(&trace)
        #expect(times(trace).scan == nil)
        var long = Trace()
        scan(&long, true)
        scan(&long, false)
        long.wait(seconds: 31)
        connect(&long)
        #expect(times(long).scan == nil)
    }

    @Test func `a scan that has ended led to one connection, one that goes on to each`() {
        var trace = Trace()
        scan(&trace, true)
        scan(&trace, false)
        connect(&trace)
        trace.disconnect(0x40)
        connect(&trace)
        #expect(times(trace).scan == nil)
        var running = Trace()
        scan(&running, true)
        connect(&running)
        running.wait(seconds: 5)
        connect(&running, 0x41)
        // It goes on for the second from when the first came about.
        #expect(times(running).scan == 5001)
    }

    @Test func `a scan that goes on began for a connection when its peer's last one ended`() {
        var trace = Trace()
        scan(&trace, true)
        trace.wait(seconds: 2)
        connect(&trace)
        trace.wait(seconds: 8)
        trace.disconnect(0x40)
        trace.wait(seconds: 90)
        connect(&trace)
        #expect(times(trace).scan == 90_001)
    }

    @Test func `encryption with a stored key is no pairing`() {
        var trace = Trace()
        trace.connect(0x40, phone)
        trace.smp(0x40, .rx, .securityRequest, [1])
        trace.command(LEEnableEncryption { $0.connectionHandle = 0x40 })
        trace.encrypted(0x40)
        let phases = trace.run().links.first?.phases
        #expect(phases?.pairingStarted == nil)
        #expect(phases?.encryptionStarted != nil && phases?.encrypted != nil)
    }

    @Test func `the answers of a discovery end it`() {
        var trace = Trace()
        trace.connect(0x40, phone)
        trace.discover(0x40, .simple())
        let last = trace.made.last?.header.time
        trace.wait(seconds: 5)
        trace.write(0x40, 6, [7])
        let phases = trace.run().links.first?.phases
        #expect(phases?.discoveryStarted != nil && phases?.discoveryEnded == last)
    }

    @Test func `a request long after a discovery does not prolong its phase`() {
        var trace = Trace()
        trace.connect(0x40, phone)
        trace.discover(0x40, .simple())
        let last = trace.made.last?.header.time
        for _ in 0..<2 {
            trace.wait(seconds: 5)
            trace.att(
                0x40, .tx,
                ATTReadByTypeRequest(
                    startingHandle: 1, endingHandle: 7, type: BluetoothUUID(0x2A00 as UInt16)))
            trace.att(
                0x40, .rx,
                ATTErrorResponse(request: .readByTypeRequest, handle: 1, error: .attributeNotFound))
        }
        #expect(trace.run().links.first?.phases.discoveryEnded == last)
    }

    @Test func `the log begins with its first packet where the notes before it have times of another clock`()
    {
        for (seconds, isOther) in [(90_000.0, true), (5.0, false)] {
            var trace = Trace()
            trace.add(.note, .unknown, [0x41])
            trace.wait(seconds: seconds)
            trace.add(.note, .unknown, [0x41])
            trace.connect(0x40, phone)
            let made = trace.made.map(\.header.time)
            let totals = trace.run().totals
            #expect(totals?.start == made[isOther ? 1 : 0] && totals?.first == made[isOther ? 1 : 0])
            // A clock that is set later moves nothing.
            trace.wait(seconds: 90_000)
            trace.notify(0x40, 5)
            #expect(trace.run().totals?.start == made[isOther ? 1 : 0])
        }
    }

    @Test func `the end of a connection of another file says nothing about a scan`() {
        var trace = Trace()
        connect(&trace)
        trace.file = 1
        scan(&trace, true)
        trace.wait(seconds: 10)
        trace.file = 0
        trace.disconnect(0x40)
        trace.file = 1
        trace.wait(seconds: 50)
        connect(&trace)
        #expect(times(trace).scan == 60_002)
    }
}
