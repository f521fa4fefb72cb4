import BluetoothCore
import CaptureFile
import LinkLayer
import PayloadFormat
import WireBytes

/// The parameters that a side requests for an LE connection (Core Specification, Vol 3, Part A, 4.20; Vol 4,
/// Part E, 7.8.18).
public struct ConnectionParameterRange: Hashable, Sendable {
    /// The shortest and the longest interval, in steps of 1.25 ms.
    var shortest: UInt16
    var longest: UInt16
    /// The peripheral latency, in connection events.
    var latency: UInt16
    /// The supervision timeout, in steps of 10 ms.
    var timeout: UInt16

    /// A request for exactly these parameters.
    init(_ exact: LinkConditions.Parameters) {
        (shortest, longest) = (exact.interval, exact.interval)
        (latency, timeout) = (exact.latency, exact.timeout)
    }

    /// Reads the four 16-bit words at an offset; nil if some are missing.
    init?(_ octets: RawSpan, at offset: Int) {
        guard let shortest = octets.u16le(at: offset), let longest = octets.u16le(at: offset &+ 2),
            let latency = octets.u16le(at: offset &+ 4), let timeout = octets.u16le(at: offset &+ 6)
        else { return nil }
        (self.shortest, self.longest, self.latency, self.timeout) = (shortest, longest, latency, timeout)
    }

    /// Returns an interval in text, exactly: it has up to two digits after the point.
    static func interval(_ units: UInt16) -> String {
        let hundredths = Int(units) &* 125
        let rest = ["", ".25", ".5", ".75"][hundredths % 100 / 25]
        return "\(hundredths / 100)\(rest) ms"
    }

    static func timeout(_ units: UInt16) -> String { TextDuration.text(Int64(units) &* 10_000_000) }

    /// Whether all that is requested here is allowed by another request.
    func isWithin(_ other: Self) -> Bool {
        (other.shortest...max(other.shortest, other.longest)).contains(shortest)
            && longest <= other.longest && latency == other.latency && timeout == other.timeout
    }

    /// Whether these parameters in force fulfil the request.
    func isSatisfied(by parameters: LinkConditions.Parameters) -> Bool {
        (shortest...max(shortest, longest)).contains(parameters.interval) && latency == parameters.latency
            && timeout == parameters.timeout
    }

    /// The limit of the specification that the parameters violate, in words; nil for valid parameters.
    var fault: String? {
        let (least, most) = (Self.interval(shortest), Self.interval(longest))
        if shortest < 6 || longest > 3200 || shortest > longest {
            return "an interval from \(least) to \(most) (it may be from 7.5 to 4000 ms)"
        }
        if latency > 499 { return "a latency of \(latency) (at most 499)" }
        if !(10...3200).contains(timeout) {
            return "a supervision timeout of \(Self.timeout(timeout)) (it may be from 100.0 ms to 32.0 s)"
        }
        let silence = (1 + Int64(latency)) * Int64(longest) * 2 * 1_250_000
        guard Int64(timeout) * 10_000_000 <= silence else { return nil }
        return "a supervision timeout of \(Self.timeout(timeout)), which an interval of \(most) with latency "
            + "\(latency) needs to be longer than \(TextDuration.text(silence))"
    }
}

/// The known facts about the radio side of a connection, which may explain its loss.
public struct LinkConditions: Sendable {
    struct Request: Sendable {
        var parameters: ConnectionParameterRange
        var by: Side
        var frame: FramePlace
        /// The frame in which the host took over the peer's request.
        var taken: FramePlace?
    }

    /// The parameters in force; 0 if unknown.
    public struct Parameters: Hashable, Sendable {
        /// The connection interval, in steps of 1.25 ms.
        public var interval: UInt16 = 0
        /// The peripheral latency, in connection events.
        public var latency: UInt16 = 0
        /// The supervision timeout, in steps of 10 ms.
        public var timeout: UInt16 = 0

        init() {}

        init(interval: UInt16, latency: UInt16, timeout: UInt16) {
            (self.interval, self.latency, self.timeout) = (interval, latency, timeout)
        }

        /// Number of connection events that the peer must answer within the timeout; 0 if unknown.
        var events: Int {
            interval == 0 ? 0 : Int(timeout) * 8 / (Int(interval) * (1 + Int(latency)))
        }

        /// The parameters in words; those that equal `others` are left out.
        func text(unlike others: Parameters? = nil) -> String {
            [
                interval == others?.interval
                    ? nil : "interval \(ConnectionParameterRange.interval(interval))",
                latency == others?.latency ? nil : "latency \(latency)",
                timeout == others?.timeout
                    ? nil : "supervision timeout \(ConnectionParameterRange.timeout(timeout))",
            ].compactMap(\.self).joined(separator: ", ")
        }
    }

    var inForce = Parameters()
    /// The write that asked the peer to restart, if that ended the connection.
    var restart: FramePlace?
    /// The last change of the connection parameters or the PHY.
    var change: Change?
    /// The last request for parameters, and the last one for forbidden parameters.
    var request: Request?
    var illegal: Request?
    /// The command of a change that is unfinished.
    fileprivate var underWay: (name: String, frame: FramePlace)?
    /// The peer's Security Request, if the host ignored it.
    fileprivate var ignoredSecurity: FramePlace?
    /// Silence of the peer before the end of the connection, in nanoseconds.
    fileprivate var silence: Int64 = 0
    /// The packets that the peer acknowledged.
    fileprivate var acknowledgement: Acknowledgement?
    fileprivate var end = CaptureTime(nanoseconds: 0)
    /// Number of events before the end in which the sniffer did not hear the peripheral answer, with a bit
    /// for each of their channels.
    fileprivate var unanswered: (events: Int, channels: UInt64) = (0, 0)

    /// The control PDU by which a side rejected the other's last one, if nothing came after it on the air.
    var rejection: (name: StaticText, by: Side, frame: FramePlace, time: CaptureTime)?

    /// The last packet, if only silence on the air shows the end.
    fileprivate(set) var lastPacket: FramePlace?
    /// The strength of the peer's last packet on the air, in dBm.
    fileprivate(set) var signal: Int8?
    /// The peer's first connectable advertisement since it was last heard on the connection.
    fileprivate var advertised: (frame: FramePlace, time: CaptureTime)?
    /// Whether the peer advertised, and was heard on the connection after that.
    fileprivate var advertisesConnected = false
    /// The advertisement by which the peer shows that it had dropped the connection.
    fileprivate(set) var dropped: (frame: FramePlace, time: CaptureTime)?

    struct Change: Sendable {
        enum Kind: Sendable {
            case parameters, phy
            /// The central refused the parameters that the peripheral asked for.
            case refusedRequest
        }

        var kind: Kind
        /// The result of the change; of a refused request, the reason.
        var status: HCIStatus
        var frame: FramePlace
        var time: CaptureTime
        var before = Parameters()
        /// The request that it fulfils, or that failed.
        var request: Request?

        fileprivate func text(to inForce: Parameters, endingAt end: CaptureTime) -> Sentence {
            let passed = TextDuration.text(max(0, end.since(time)))
            return "\(words)\(origin(inForce)), \(passed) before" + (request.map { self.reason($0) } ?? "")
        }

        /// Returns the parameters before the change, in words.
        private func origin(_ inForce: Parameters) -> String {
            let before = self.before.text(unlike: inForce)
            return self.before.timeout == 0 || before.isEmpty ? "" : " from \(before)"
        }

        private func reason(_ request: Request) -> Sentence {
            let asked: Sentence =
                status == .success ? ", as \(request.by) had asked" : "; \(request.by) had asked for it"
            return "\(asked) at frame \(request.frame)"
        }

        private var words: Sentence {
            switch kind {
            case .refusedRequest: "the central refused the connection parameters at frame \(frame)"
            case .parameters where status == .success: "the parameters changed at frame \(frame)"
            case .phy where status == .success: "the PHY changed at frame \(frame)"
            case .parameters, .phy:
                "the change of the \(kind == .phy ? "PHY" : "parameters") failed at frame \(frame) "
                    + "(\(HCIProblem.text(status)))"
            }
        }
    }

    /// The frames of the last change, if it failed, and of the request for it, and of the advertisement that
    /// shows the loss.
    var frames: [FramePlace] {
        let advertising = dropped.map { [$0.frame] } ?? []
        guard let change, change.status != .success else { return advertising }
        return advertising + [change.frame] + (change.request.map { [$0.frame] } ?? [])
    }

    /// The known facts in words.
    var text: Sentence {
        var parts: [Sentence] = []
        if inForce.timeout > 0 {
            let events = hasShortTimeout ? " (\(inForce.events.counting("connection event")))" : ""
            parts.append("\(inForce.text())\(events)")
        }
        if let lastPacket { parts.append("the last packet is frame \(lastPacket)") }
        // A peer that only acknowledges sends no data.
        let isHeard = acknowledgement.map { $0.age < silence / 4 } ?? false
        if silence >= Self.leastSilence, !isHeard {
            parts.append("no data received for \(TextDuration.text(silence)) before")
        }
        if let acknowledgement { parts.append(acknowledgement.text(of: nil)) }
        if unanswered.events >= AirConnection.lostEvents {
            let channels = (0..<64).filter { unanswered.channels >> UInt64($0) & 1 == 1 }
            let list =
                channels.count > Self.mostChannels
                ? "\(channels.count) channels"
                : "channels " + channels.map { "\($0)" }.joined(separator: ", ")
            // Events change their channel each time: a recorder that names only one does not know them.
            let place = channels.count < 2 ? "" : " on " + list
            parts.append(
                "\(Side.peer) did not answer the last \(unanswered.events.counting("event"))\(place)")
        }
        if let rejection {
            parts.append(
                "\(rejection.by) sent \(rejection.name) at frame \(rejection.frame), "
                    + "\(TextDuration.text(max(0, end.since(rejection.time)))) before")
        }
        if let dropped {
            parts.append(
                "\(Side.peer) advertised again at frame \(dropped.frame), "
                    + "\(TextDuration.text(end.since(dropped.time))) before")
        }
        if let signal { parts.append("its last packet came with \(signal) dBm") }
        if let illegal, let fault = illegal.parameters.fault {
            let taken: Sentence = illegal.taken.map { ", and \(Side.host) did at frame \($0)" } ?? ""
            parts.append("\(illegal.by) asked for \(fault) at frame \(illegal.frame)\(taken)")
        }
        if let underWay {
            parts.append("\(underWay.name) of frame \(underWay.frame) was under way")
        }
        if let change, change.status != .success || end.since(change.time) <= Self.longestEffect {
            parts.append(change.text(to: inForce, endingAt: end))
        }
        if let ignoredSecurity {
            parts.append(
                "\(Side.peer)'s Security Request of frame "
                    + "\(ignoredSecurity) was ignored")
        }
        return parts.joined(separator: "; ")
    }

    /// Whether the supervision timeout is so short that a moment's disturbance ends the connection.
    var hasShortTimeout: Bool { inForce.timeout > 0 && (1..<Self.fewEvents).contains(inForce.events) }

    /// Least number of connection events in a supervision timeout that survives a moment's disturbance.
    private static let fewEvents = 6
    /// Shortest silence that is reported, in nanoseconds: every connection has shorter ones.
    private static let leastSilence: Int64 = 100_000_000
    /// Longest time after a successful change for which it may explain a loss, in nanoseconds.
    private static let longestEffect: Int64 = 60_000_000_000
    private static let mostChannels = 8
}

extension Link {
    /// Notes a connectable advertisement of the peer. Controllers may deliver those from before the
    /// connection within its first second.
    mutating func noteAdvertising(at frame: FramePlace, _ time: CaptureTime) {
        guard time.since(phases.first) > 1_000_000_000 else { return }
        if let advertised = conditions.advertised {
            guard let lastHeard, advertised.time <= lastHeard else { return }
            conditions.advertisesConnected = true
        }
        conditions.advertised = (frame, time)
    }

    /// Returns the advertisement that shows that the peer had dropped the connection long before the end; nil
    /// without one.
    ///
    /// The peer's supervision timeout begins with the packet that its last one answers, and runs out when the
    /// host's does: a peer that advertises earlier has not waited for it.
    private func dropped(before end: CaptureTime) -> (frame: FramePlace, time: CaptureTime)? {
        guard let advertised = conditions.advertised, !conditions.advertisesConnected,
            end.since(advertised.time) > 200_000_000, advertised.time > lastHeard ?? phases.first
        else { return nil }
        return advertised
    }

    /// Returns the known facts about a lost link.
    fileprivate func conditions(atEnd time: CaptureTime) -> LinkConditions {
        var conditions = self.conditions
        conditions.silence = time.since(lastHeard ?? phases.first)
        conditions.end = time
        if endIsInferred { (conditions.lastPacket, conditions.signal) = (lastFrame, signal) }
        if let air { conditions.unanswered = (air.unansweredEvents, air.unansweredChannels) }
        conditions.dropped = dropped(before: time)
        let isSecured = isEncrypted || phases.encryptionStarted != nil
        if !isSecured, pairing.fromHost == nil, let request = pairing.fromPeer,
            SMPCode(rawValue: request.code) == .securityRequest
        {
            conditions.ignoredSecurity = request.frame
        }
        return conditions
    }
}

extension Analyzer {
    /// Returns the known facts about the frame's connection, which was lost.
    func lostConditions(adapter: Int, at time: CaptureTime) -> LinkConditions {
        var conditions = link.conditions(atEnd: time)
        conditions.acknowledgement = link.acknowledgement(at: time, by: adapters[adapter])
        let running = adapters[adapter].running.last {
            $0.key == UInt64(link.handle) && Self.changes.contains($0.opcode)
        }
        if let running, let name = HCIOpcode(rawValue: running.opcode).name {
            conditions.underWay = ("\(name)", running.frame)
        }
        return conditions
    }

    /// LE Connection Update and LE Set PHY.
    private static let changes: [UInt16] = [0x2013, 0x2032]

    /// Records that a change of the frame's connection succeeded or failed.
    ///
    /// - Parameter new: the parameters in force from now on, if they changed.
    mutating func noteChange(
        _ kind: LinkConditions.Change.Kind, _ status: UInt8, to new: LinkConditions.Parameters? = nil
    ) {
        guard frame.link >= 0 else { return }
        var change = LinkConditions.Change(
            kind: kind, status: HCIStatus(rawValue: status), frame: frame.place, time: frame.time)
        if let new {
            let request = link.conditions.request
            change.before = link.conditions.inForce
            if request?.parameters.isSatisfied(by: new) == true { change.request = request }
            link.conditions.inForce = new
        }
        if kind == .parameters, status != 0 { change.request = link.conditions.request }
        link.conditions.change = change
    }

    /// Reports that the host refused the parameters that its peripheral requested.
    mutating func refuseRequest(_ reason: UInt8) {
        frame.fold = .none
        noteChange(.refusedRequest, reason)
        report(.l2cap(.parameterUpdateRejected), by: .host)
    }

    /// Records the parameters that a side requests on the frame's connection, and reports forbidden ones.
    mutating func check(_ parameters: ConnectionParameterRange?, askedBy side: Side) {
        guard frame.link >= 0, let parameters else { return }
        if side == .host, let before = link.conditions.request, before.by == .peer,
            parameters.isWithin(before.parameters)
        {
            links[frame.link].conditions.request?.taken = frame.place
        } else {
            link.conditions.request = .init(parameters: parameters, by: side, frame: frame.place)
        }
        guard parameters.fault != nil else { return }
        link.conditions.illegal = link.conditions.request
        report(.hci(.illegalParameters(parameters)), by: Problem.Party(side))
    }

    /// Records that the controller refused to change a connection; returns the host if it had requested
    /// forbidden parameters.
    mutating func refusedChange(_ opcode: HCIOpcode, _ status: UInt8) -> Problem.Party? {
        guard frame.link >= 0, Self.changes.contains(opcode.rawValue) else { return nil }
        noteChange(opcode.rawValue == 0x2032 ? .phy : .parameters, status)
        guard status == 0x12, let illegal = link.conditions.illegal else { return nil }
        return illegal.by == .host || illegal.taken != nil ? .host : nil
    }
}
