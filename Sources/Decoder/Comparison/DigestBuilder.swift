public import Analysis
import BluetoothCore
public import CaptureFile
import PayloadFormat
import WireBytes

/// Builds the digest of a log while an analyser reads it.
public struct DigestBuilder: Sendable {
    private var sessions: [Int: SessionDigest] = [:]
    private var times: [FramePlace: CaptureTime] = [:]

    /// Most connections that are compared: as many as the analyser keeps for its summary.
    static let limit = Analyzer.finishedLimit
    /// Most times of problems that are kept.
    private static let timeLimit = 4096

    public init() {}

    /// Adds the meaning of the analyser's last record.
    public mutating func take(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        if !analyzer.problems.isEmpty, times.count < Self.timeLimit {
            times[analyzer.frame.place] = analyzer.frame.time
        }
        if let number = analyzer.linkNumber { take(record, analyzer, number: number) }
        for change in analyzer.changes { add(change, analyzer) }
    }

    /// Adds the PDU of a connection.
    private mutating func take(_ record: borrowing Record, _ analyzer: borrowing Analyzer, number: Int) {
        if sessions[number] == nil {
            guard sessions.count < Self.limit else { return }
            sessions[number] = SessionDigest(
                connection: number, firstFrame: analyzer.frame.place, start: analyzer.frame.time)
        }
        if analyzer.frame.hasATT || analyzer.frame.smpCode != nil || analyzer.frame.signallingCode != nil {
            let opcode = analyzer.frame.hasATT ? analyzer.frame.att?.opcode : nil
            let isFromHost = analyzer.frame.direction == .hostToController
            sessions[number]?.goOn(
                at: analyzer.frame.place, analyzer.frame.time, opcode, isFromHost: isFromHost
            ) { Self.text(of: analyzer) }
        }
        for annotation in analyzer.annotations where annotation.isPrivate {
            add(annotation, number: number, analyzer)
        }
        if analyzer.frame.hasATT, let att = analyzer.frame.att { add(att, record, number: number, analyzer) }
        if analyzer.frame.smpCode != nil { addPairing(record, number: number, analyzer) }
        if let code = analyzer.frame.signallingCode { addSignal(code, number: number, analyzer) }
    }

    private mutating func add(
        _ kind: Act.Kind, _ what: String, _ status: String = "", number: Int,
        _ analyzer: borrowing Analyzer, _ values: [Act.Value] = [], octets: Act.Octets? = nil,
        isHousekeeping: Bool = false
    ) {
        sessions[number]?.add(
            Act.Key(kind: kind, what: what, status: status), analyzer.frame.place, analyzer.frame.time,
            values, octets: octets, isHousekeeping: isHousekeeping)
    }

    // MARK: Layers

    private mutating func add(_ annotation: Annotation, number: Int, _ analyzer: borrowing Analyzer) {
        let meaning = AnnotationMeaning(annotation)
        guard meaning.isWhole else { return }
        add(.message, meaning.what, meaning.status, number: number, analyzer, meaning.values)
    }

    private mutating func addPairing(
        _ record: borrowing Record, number: Int, _ analyzer: borrowing Analyzer
    ) {
        let octets = analyzer.payload(in: record).clamped(0..<7).copied()
        guard let first = octets.first else { return }
        let code = SMPCode(rawValue: first)
        let name = code.name.map { $0.description } ?? "SMP code \(first)"
        let status = code == .pairingFailed && octets.count > 1 ? "reason \(octets[1])" : ""
        let answer = code == .pairingResponse ? PairingFeatures.Side(octets) : nil
        let values = answer.map(Self.values) ?? []
        add(.pairing, "\(name) by the \(Self.sender(analyzer))", status, number: number, analyzer, values)
    }

    /// Returns the features that the responder of a pairing announces, but not the keys: these depend on what
    /// the other host asks for.
    private static func values(of answer: PairingFeatures.Side) -> [Act.Value] {
        let bits = (0..<8).filter { answer.octets[3] >> $0 & 1 == 1 }
        let requirements = bits.map { bit in
            ("smp_auth_req" as ValueSet).name(UInt64(bit)).map { "\($0)" } ?? "bit \(bit)"
        }
        let capability = ("smp_io_capability" as ValueSet).name(UInt64(answer.octets[1]))
        return [
            ("IO Capability", capability.map { "\($0)" } ?? "\(answer.octets[1])"),
            ("OOB data flag", answer.hasOutOfBandData ? "present" : "not present"),
            ("AuthReq", requirements.isEmpty ? "nothing" : requirements.joined(separator: "|")),
            ("Maximum Encryption Key Size", "\(answer.keySize)"),
        ].map { Act.Value(name: $0, text: $1, isSteady: true) }
    }

    private mutating func addSignal(_ code: UInt8, number: Int, _ analyzer: borrowing Analyzer) {
        guard let name = L2CAPSignallingCode(rawValue: code).name else { return }
        add(.signalling, "\(name) by the \(Self.sender(analyzer))", number: number, analyzer)
    }

    private static func sender(_ analyzer: borrowing Analyzer) -> String {
        analyzer.frame.direction == .hostToController ? "host" : "peer"
    }

    private mutating func add(_ change: LinkChange, _ analyzer: borrowing Analyzer) {
        guard let number = change.connection else { return }
        let name = { (status: HCIStatus) in status == .success ? "" : status.description }
        switch change.kind {
        case .opened, .keyRefresh, .ended(reason: nil, _, _): break
        case .ended(let reason?, let place, let time): addEnd(reason, of: number, at: place, time)
        case .encryption(let status):
            add(.encryption, "encryption", name(status), number: number, analyzer)
        case .parameters(let status):
            let interval = Int64(analyzer.links[analyzer.frame.link].parameters.interval) * 1_250_000
            add(
                .parameters, "connection parameters updated", name(status), number: number, analyzer,
                [Act.Value(name: "interval", text: TextDuration.text(interval))])
        case .phy(let status): add(.parameters, "PHY updated", name(status), number: number, analyzer)
        }
    }

    private mutating func addEnd(
        _ reason: UInt8, of number: Int, at place: FramePlace, _ time: CaptureTime
    ) {
        let initiator: [UInt8: String] = [0x13: "peer", 0x16: "host"]
        let values = initiator[reason].map { [Act.Value(name: "initiator", text: $0, isSteady: true)] }
        let name = values == nil ? HCIStatus(rawValue: reason).description : ""
        sessions[number]?.add(
            Act.Key(kind: .disconnection, what: "disconnection", status: name), place, time, values ?? [])
    }

    /// Returns a few words for the analyser's last record.
    private static func text(of analyzer: borrowing Analyzer) -> String {
        guard analyzer.frame.hasATT, let att = analyzer.frame.att else {
            return analyzer.frame.smpCode == nil ? "signalling" : "pairing"
        }
        let name = att.opcode.name.map { "\($0)" } ?? "an unknown PDU"
        return att.label?.isWhole == true ? "\(name) of \(AttributeText.name(of: att.label))" : name
    }

    // MARK: The end

    /// Returns the digest of the log that the analyser has read to its end.
    ///
    /// - Parameters:
    ///   - files: the files that it consists of.
    ///   - failures: the failures in it, the likely cause first.
    ///   - names: the names of devices, by the numbers of connections.
    ///   - gaps: the content that can't be compared.
    public consuming func finish(
        _ name: String, files: [String], _ analyzer: borrowing Analyzer, failures: [Incident],
        names: [Int: String], gaps: [LogDigest.Gap]
    ) -> LogDigest {
        let databases = analyzer.databases
        var unread = 0
        for link in analyzer.listedLinks where sessions[link.number] != nil {
            unread += link.session?.unread?.messages ?? 0
            let device = link.identity ?? link.address
            let same = databases.filter { $0.address == device }
            sessions[link.number]?.close(link, same.count == 1 ? same[0].services : [])
            sessions[link.number]?.name = names[link.number]
        }
        let times = self.times
        let shown = analyzer.shownPackets(inFile: 0) ?? []
        let totals = analyzer.shownTotals
        let namesSides = !shown.isDisjoint(with: [.fromHost, .fromController])
        return LogDigest(
            name: name, files: files, unread: unread, gaps: gaps,
            start: analyzer.totals.start ?? CaptureTime(nanoseconds: 0),
            end: (analyzer.frame.place, analyzer.frame.time),
            sessions: sessions.values.sorted { $0.connection < $1.connection },
            failures: failures.map { incident in
                var digest = IncidentDigest(incident)
                digest.time = times[incident.place]
                return digest
            },
            incidents: Set(totals.incidents.map { IncidentDigest($0).key }),
            hasEvents: shown.contains(.events),
            hasData: analyzer.totals.cutACL == 0
                && (!namesSides || shown.contains([.fromHost, .fromController])))
    }
}

// Requests to servers, and their answers.
extension DigestBuilder {
    private mutating func add(
        _ att: ATTSummary, _ record: borrowing Record, number: Int, _ analyzer: borrowing Analyzer
    ) {
        let value = Act.Octets(
            bytes: att.value.map { analyzer.payload(in: record).clamped($0).copied() } ?? [],
            place: analyzer.frame.place)
        let isFromHost = analyzer.frame.direction == .hostToController
        switch att.opcode {
        case .exchangeMTUResponse:
            let mtu = analyzer.links[analyzer.frame.link].attMTU
            let values = mtu.map { [Act.Value(name: "MTU", text: "\($0)", isSteady: true)] }
            add(.mtu, "MTU exchange", "", number: number, analyzer, values ?? [])
        case .writeCommand, .signedWriteCommand:
            add(
                .write, att, isFromHost, "", number: number, analyzer, length: Self.length(value, analyzer),
                value)
        case .writeRequest:
            let isMessage = analyzer.annotations.contains(where: \.isPrivate)
            sessions[number]?.written[isFromHost] = isMessage ? nil : value
        case .writeResponse:
            let written = sessions[number]?.written.removeValue(forKey: !isFromHost)
            add(.write, att, !isFromHost, "", number: number, analyzer, length: att.writtenLength, written)
        case .readResponse:
            add(
                .read, att, !isFromHost, "", number: number, analyzer, length: Self.length(value, analyzer),
                value)
        case .handleValueNotification, .handleValueIndication:
            add(
                .notification, att, isFromHost, "", number: number, analyzer,
                length: Self.length(value, analyzer), value)
        case .multipleHandleValueNotification:
            add(.notification, att, isFromHost, "", number: number, analyzer)
        case .errorResponse: addError(att, !isFromHost, number: number, analyzer)
        case let opcode where opcode.kind == .response && opcode.isDiscovery:
            add(.discovery, "discovery", number: number, analyzer)
        default: break
        }
    }

    /// Returns the length of a value; nil for a message of a private protocol.
    private static func length(_ value: Act.Octets, _ analyzer: borrowing Analyzer) -> Int? {
        analyzer.annotations.contains(where: \.isPrivate) ? nil : value.bytes.count
    }

    private mutating func add(
        _ kind: Act.Kind, _ att: ATTSummary, _ isFromHost: Bool, _ status: String, number: Int,
        _ analyzer: borrowing Analyzer, length: Int? = nil, _ value: Act.Octets? = nil
    ) {
        // Without a label, the action and its attribute are unknown.
        if att.label?.isWhole != true {
            sessions[number]?.hasUnlabelled = true
            if status.isEmpty { return }
        }
        let name = AttributeText.name(of: att.label)
        let side = isFromHost ? "host" : "peer"
        let isHousekeeping = status.isEmpty && att.label?.isHousekeeping == true
        if kind == .write, att.label?.isClientConfiguration == true {
            let state = att.configured.map { Self.state($0) } ?? "configuration"
            return add(
                .subscription, "\(state) in \(name) by the \(side)", status, number: number, analyzer,
                isHousekeeping: isHousekeeping)
        }
        var values =
            length.map {
                [Act.Value(name: "length", text: $0.counting("byte"), isLength: true)]
            } ?? []
        if kind == .read, let value = value?.bytes, !value.isEmpty, value.count <= 64 {
            let isSteady = att.label?.isSteady == true
            var text = TextBuffer(capacity: 256)
            text.hexOctets(value.borrowedOctets)
            values.append(Act.Value(name: "value", text: text.text, isSteady: isSteady))
        }
        add(
            kind, "\(kind.rawValue) of \(name) by the \(side)", status, number: number, analyzer, values,
            octets: length == nil ? nil : value, isHousekeeping: isHousekeeping)
    }

    private static func state(_ configuration: UInt16) -> String {
        switch configuration & 3 {
        case 0: "everything off"
        case 1: "notifications on"
        case 2: "indications on"
        default: "notifications and indications on"
        }
    }

    private mutating func addError(
        _ att: ATTSummary, _ isFromHost: Bool, number: Int, _ analyzer: borrowing Analyzer
    ) {
        guard let request = att.requestOpcode, let error = att.error else { return }
        let code = ATTErrorCode(rawValue: error)
        let status = code.name.map { "\($0)" } ?? "error \(error)"
        switch request {
        case .readRequest, .readBlobRequest:
            add(.read, att, isFromHost, status, number: number, analyzer)
        case .writeRequest, .prepareWriteRequest, .executeWriteRequest:
            add(.write, att, isFromHost, status, number: number, analyzer)
        case .exchangeMTURequest: add(.mtu, "MTU exchange", status, number: number, analyzer)
        // Searches end with this error.
        case .readByGroupTypeRequest where error == 0x0A: sessions[number]?.hasListedServices = true
        default: if error != 0x0A { add(.discovery, "discovery", status, number: number, analyzer) }
        }
    }
}

extension AttributeLabel {
    fileprivate var isWhole: Bool { part == .service || characteristic != nil }

    /// Whether its attribute is one that operating systems manage by themselves.
    fileprivate var isHousekeeping: Bool {
        [service, characteristic].contains { $0?.isHousekeeping == true }
    }

    /// Whether the value is one that a device keeps for good: its name and make.
    fileprivate var isSteady: Bool {
        guard part == .value, let short = characteristic?.assigned16 else { return false }
        return (0x2A23...0x2A2A).contains(short) || [0x2A00, 0x2A01, 0x2A04, 0x2A50].contains(short)
    }
}

extension SessionDigest {
    /// Adds the facts that are known when the log has ended.
    mutating func close(_ link: Link, _ services: [KnownService]) {
        device = link.identity ?? link.address
        lastFrame = link.lastFrame
        wasOpenAtStart = link.mayLackEarlierPackets
        isOpenAtEnd = link.isOpen
        wasNotEstablished = link.endReason == 0x3E
        database = AttributeText.lines(of: services)
        unsearched = Set(services.filter { !$0.isSearched }.map { AttributeText.line(of: $0.uuid) })
        if services.contains(where: { $0.end == .max }) { hasListedServices = true }
        let phases = link.phases
        let session = link.session
        let times = [
            ("connecting", phases.connectStarted, phases.connected),
            ("MTU exchange", phases.mtuStarted, phases.mtuExchanged),
            ("discovery", phases.discoveryStarted, link.discoveryEnded),
            ("pairing", phases.pairingStarted, link.pairingStopped == nil ? phases.encrypted : nil),
            ("encryption", phases.encryptionStarted, phases.encrypted),
            ("authentication", session?.authenticationStarted, session?.authenticated),
            ("the first command", session?.firstCommandSent, session?.firstCommandAnswered),
        ]
        self.phases = times.compactMap { name, from, to in
            guard let from, let to, to >= from else { return nil }
            return Phase(name: name, duration: to.nanoseconds &- from.nanoseconds, start: from)
        }
    }
}
