import BluetoothCore
import CaptureFile
import WireBytes

// HCI commands: the host's requests to the controller, and the matching of answers with commands.

extension Analyzer {
    mutating func analyzeCommand(_ octets: RawSpan) {
        guard let raw = octets.u16le(at: 0), let length = octets.octet(at: 2) else {
            frame.opcode = octets.u16le(at: 0) ?? 0
            return reportNoHeader(octets)
        }
        frame.opcode = raw
        frame.fold = .housekeeping
        if !frame.header.isTruncated, octets.byteCount &- 3 != Int(length) {
            report(.hci(.malformed(.length(announced: Int(length), held: octets.byteCount &- 3))))
        }
        let parameters = octets.clamped(3..<3 &+ Int(length))
        let opcode = HCIOpcode(rawValue: raw)
        let adapter = frameAdapter
        let layout = HCICommandTable.layout(opcode, .parameters)
        attach(to: layout?.connectionHandle(in: parameters))
        if let place = layout?.address { notePeer(parameters, at: place) }
        if Self.pairingReplies.contains(raw) {
            frame.fold = .none
            if let slot = classicSlot() { frame.link = slot }
        }
        let handle = frame.handle ?? 0xFFFF
        if let fault = layout?.fault(in: parameters) { reportFault(fault) }
        let isMalformed = problems.contains { $0.code == .malformedHCI }
        // Host Number Of Completed Packets gets no answer, and is as frequent as data.
        if opcode != .hostNumberOfCompletedPackets {
            // The list is full, so the oldest command is evicted next. With this many commands sent after it,
            // it won't be answered any more: report it now.
            if adapters[adapter].isPendingFull { checkCommands(adapter: adapter) }
            adapters[adapter].notePending(
                .init(
                    opcode: raw, frame: frame.place, time: frame.time, handle: handle,
                    connection: frame.link < 0 ? 0 : link.number, order: frame.recordNumber,
                    stops: opcode.stops(parameters), isMalformed: isMalformed))
            noteCommandDeadline()
        }
        follow(opcode, parameters, adapter: adapter)
        noteRunning(opcode, parameters, on: handle, adapter: adapter)
        if isMalformed { frame.fold = .none }
    }

    /// Records a command whose completion is reported by another event than its answer.
    private mutating func noteRunning(
        _ opcode: HCIOpcode, _ parameters: RawSpan, on handle: UInt16, adapter: Int
    ) {
        let key: UInt64
        var opcode = opcode
        switch opcode.rawValue {
        // Disconnect, Authentication Requested, Set Connection Encryption; Read Remote Supported Features,
        // Read Remote Extended Features, Read Remote Version Information, Read Clock Offset; LE Connection
        // Update, LE Read Remote Features, LE Enable Encryption, LE Set PHY.
        case 0x0406, 0x0411, 0x0413, 0x041B, 0x041C, 0x041D, 0x041F, 0x2013, 0x2016, 0x2019, 0x2032:
            key = UInt64(handle)
        case HCICreateConnection.opcode.rawValue:
            var reader = ByteReader(parameters)
            key = (try? reader.u48le()) ?? 0
        case LECreateConnection.opcode.rawValue, LEExtendedCreateConnection.opcode.rawValue: key = 0
        case LEExtendedCreateConnectionV2.opcode.rawValue:
            // The same event completes both versions of the command.
            opcode = LEExtendedCreateConnection.opcode
            key = 0
        default: return
        }
        adapters[adapter].noteRunning(opcode.rawValue, key: key, frame.place, frame.time)
    }

    /// Matches an event that reports a command's completion with that command, or with another one that the
    /// event may complete. The key is the connection handle of the frame, unless it is given.
    mutating func completeRunning(_ opcode: UInt16, or other: UInt16? = nil, key: UInt64? = nil) {
        guard let key = key ?? frame.handle.map({ UInt64($0) }) else { return }
        let adapter = frameAdapter
        guard
            let asked = adapters[adapter].takeRunning(opcode, key: key)
                ?? other.flatMap({ adapters[adapter].takeRunning($0, key: key) })
        else { return }
        // One packet from the air may be read as a command and as its completion.
        guard asked.frame != frame.place else { return }
        frame.request = RequestReference(
            place: asked.frame, latency: frame.time.nanoseconds &- asked.time.nanoseconds)
    }

    /// Handles what a command means for the adapter, the connections and the frame.
    private mutating func follow(_ opcode: HCIOpcode, _ parameters: RawSpan, adapter: Int) {
        switch opcode.rawValue {
        case HCIReset.opcode.rawValue:
            endAdapter(adapter: adapter, .reset)
            adapters[adapter].streams = .init()
            noteReset(adapter: adapter)
        case LESetScanEnable.opcode.rawValue, LESetExtendedScanEnable.opcode.rawValue:
            // Hosts that scan for a long time keep switching it off and on: the first time of each is enough,
            // unless it is switched on with other parameters.
            frame.fold = adapters[adapter].repeatsScan(parameters) ? .housekeeping : .none
            adapters[adapter].switchScan(parameters.octet(at: 0), at: frame.time)
        case LECreateConnection.opcode.rawValue:
            startConnect(
                (try? LECreateConnection(decoding: parameters)).flatMap {
                    $0.initiatorFilterPolicy == 0 ? $0.peerAddress : nil
                }, adapter: adapter)
        case LEExtendedCreateConnection.opcode.rawValue:
            startConnect(
                (try? LEExtendedCreateConnection(decoding: parameters)).flatMap {
                    $0.initiatorFilterPolicy == 0 ? $0.peerAddress : nil
                }, adapter: adapter)
        case LEExtendedCreateConnectionV2.opcode.rawValue:
            startConnect(
                (try? LEExtendedCreateConnectionV2(decoding: parameters)).flatMap {
                    $0.connection.initiatorFilterPolicy == 0 ? $0.connection.peerAddress : nil
                }, adapter: adapter)
        case 0x201B:
            // LE Long Term Key Request Negative Reply: the peer asked for encryption with an earlier key.
            frame.fold = .none
            report(.hci(.encryptionFailed(HCIStatus(rawValue: 0x06))), by: .host)
        // LE Connection Update, LE Remote Connection Parameter Request Reply.
        case 0x2013, 0x2020: check(ConnectionParameterRange(parameters, at: 2), askedBy: .host)
        // LE Remote Connection Parameter Request Negative Reply.
        case 0x2021: refuseRequest(parameters.octet(at: 2) ?? 0)
        case LECreateConnectionCancel.opcode.rawValue:
            frame.fold = .none
            adapters[adapter].attempt?.withdrawn = frame.time
        case HCICreateConnection.opcode.rawValue:
            frame.fold = .none
            attemptCount &+= 1
        case HCIDisconnect.opcode.rawValue: frame.fold = .none
        // The negative replies to requests for a PIN code, a confirmation, a passkey and IO capabilities.
        case 0x040E, 0x042D, 0x042F, 0x0434:
            notePairing(isDeclined: true, adapter: adapter)
        // Authentication Requested and IO Capability Request Reply begin a new pairing.
        case 0x0411, 0x042B: notePairing(isDeclined: false, adapter: adapter)
        case LEClearFilterAcceptList.opcode.rawValue: adapters[adapter].acceptList = .init()
        case LEAddDeviceToFilterAcceptList.opcode.rawValue:
            if let entry = try? LEAddDeviceToFilterAcceptList(decoding: parameters) {
                adapters[adapter].acceptList.add(entry.address)
            }
        case LERemoveDeviceFromFilterAcceptList.opcode.rawValue: adapters[adapter].acceptList.remove()
        case LEEnableEncryption.opcode.rawValue, LELongTermKeyRequestReply.opcode.rawValue,
            Self.setConnectionEncryption:
            startEncryption(opcode, parameters)
        case LEAddDeviceToResolvingList.opcode.rawValue: learnResolvingList(parameters)
        case Self.createCIS:
            // A count, then pairs of the handle of a stream and the handle of its connection.
            var at = 1
            while let stream = parameters.u16le(at: at), let link = parameters.u16le(at: at &+ 2) {
                adapters[adapter].streams.add(stream & 0xFFF, of: link & 0xFFF)
                at &+= 4
            }
        default: break
        }
    }

    /// Records HCI Reset as pending: the end of the adapter has removed all pending commands, this one too.
    private mutating func noteReset(adapter: Int) {
        frame.fold = .none
        adapters[adapter].notePending(
            .init(
                opcode: HCIReset.opcode.rawValue, frame: frame.place, time: frame.time, handle: 0xFFFF,
                order: frame.recordNumber))
    }

    /// Takes note that the host declined a pairing of BR/EDR, or began a new one.
    private mutating func notePairing(isDeclined: Bool, adapter: Int) {
        let peer = frame.peer ?? (frame.link >= 0 ? link.address : nil)
        if isDeclined {
            adapters[adapter].declined = peer.map { ($0, frame.place) }
        } else if adapters[adapter].declined?.peer == peer {
            adapters[adapter].declined = nil
        }
    }

    private mutating func startEncryption(_ opcode: HCIOpcode, _ parameters: RawSpan) {
        frame.fold = .none
        if opcode == LEEnableEncryption.opcode {
            beginEncryption(by: .host, with: LTKIdentifier(parameters, at: 2))
        }
        if opcode == LELongTermKeyRequestReply.opcode { acceptEncryption(by: .host) }
        guard frame.link >= 0, link.phases.encryptionStarted == nil,
            !link.isEncrypted
        else { return }
        link.phases.encryptionStarted = frame.time
        // Encryption without pairing on this link uses the keys of a bond.
        if link.phases.pairingStarted == nil { link.isBonded = true }
    }

    /// Takes note that a side asks for encryption of the frame's connection, with the key of this name.
    mutating func beginEncryption(by side: Side, with name: LTKIdentifier?) {
        guard frame.link >= 0 else { return }
        let problem = link.pairing.beginEncryption(by: side, with: name, at: frame.place, frame.time)
        if let problem { problems.append(problem) }
    }

    /// Takes note that a side accepts encryption of the frame's connection.
    mutating func acceptEncryption(by side: Side) {
        guard frame.link >= 0 else { return }
        let problem = link.pairing.acceptEncryption(by: side)
        if let problem { problems.append(problem) }
    }

    /// The replies to requests for a link key, a PIN code, a confirmation, a passkey, out of band data and IO
    /// capabilities, all of which name the device and not the connection.
    static let pairingReplies: Set<UInt16> = [
        0x040B, 0x040C, 0x040D, 0x040E, 0x042B, 0x042C, 0x042D, 0x042E, 0x042F, 0x0430, 0x0433, 0x0434,
        0x0445,
    ]

    private static let createCIS: UInt16 = 0x2064
    /// Set Connection Encryption, of BR/EDR.
    private static let setConnectionEncryption: UInt16 = 0x0413

    /// Learns identities and their keys from the resolving list. Both serve to resolve addresses; neither is
    /// shown.
    private mutating func learnResolvingList(_ parameters: RawSpan) {
        guard let entry = try? LEAddDeviceToResolvingList(decoding: parameters) else { return }
        frame.peer = entry.peerIdentityAddress
        learn(irk: Array(entry.peerIRK.reversed()), of: entry.peerIdentityAddress)
    }

    /// Matches an event with the command of this opcode that it answers, and returns the command; nil if the
    /// log lacks it.
    mutating func answerCommand(_ opcode: HCIOpcode) -> AdapterTable.PendingCommand? {
        let adapter = frameAdapter
        guard let asked = adapters[adapter].takePending(opcode.rawValue) else { return nil }
        adapters[adapter].answers &+= 1
        let waited = frame.time.nanoseconds &- asked.time.nanoseconds
        // After a suspend or a clock step, the answers to other commands are just as late.
        if waited < AdapterTable.commandTimeout { checkCommands(adapter: adapter) }
        frame.request = RequestReference(place: asked.frame, latency: waited)
        if asked.handle != 0xFFFF, let slot = slot(of: asked.handle) {
            frame.link = slot
            frame.handle = asked.handle
        }
        return asked
    }
}

extension HCIOpcode {
    /// Whether a command with these parameters stops or cancels something.
    fileprivate func stops(_ parameters: RawSpan) -> Bool {
        switch rawValue {
        // Inquiry, periodic inquiry, connection, name request, LE connection, and periodic sync.
        case 0x0402, 0x0404, 0x0408, 0x041A, 0x200E, 0x2045: true
        // Advertising and scanning are switched by their first parameter.
        case 0x200A, 0x200C, 0x2039, 0x2040, 0x2042: parameters.octet(at: 0) == 0
        default: false
        }
    }
}
