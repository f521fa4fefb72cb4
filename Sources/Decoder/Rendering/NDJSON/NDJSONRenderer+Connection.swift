import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// The line of a connection: the devices, the times of each phase, and the traffic.

extension NDJSONRenderer {
    /// - Parameter cause: the code of the connection's first failure; nil if nothing failed.
    mutating func connectionLine(_ link: Link, name: [UInt8]?, cause: String?) {
        out.put("{\"kind\":\"connection\",")
        if namesFile { file(link.file) }
        number("\"connection\":", link.number)
        number(",\"adapter\":", Int(link.adapter))
        number(",\"handle\":", Int(link.handle))
        switch link.transport {
        case .le: out.put(",\"transport\":\"le\"")
        case .brEDR: out.put(",\"transport\":\"br-edr\"")
        case .unknown: out.put(",\"transport\":null")
        }
        switch link.role {
        case .central: out.put(",\"role\":\"central\"")
        case .peripheral: out.put(",\"role\":\"peripheral\"")
        case .unknown: out.put(",\"role\":null")
        }
        if let address = link.address {
            out.put(",\"peer\":")
            out.jsonString(address)
            out.put(",\"peer_type\":")
            out.jsonString(address.kindName)
        }
        if let identity = link.identity {
            out.put(",\"identity\":")
            out.jsonString(identity)
        }
        air(link)
        if let name {
            out.put(",\"peer_name\":")
            out.jsonString(name.borrowedOctets)
            out.jsonOctets(ofText: name.borrowedOctets, "peer_name")
        }
        frame(",\"first_frame\":", ",\"first_file\":", link.firstFrame, from: link.file)
        frame(",\"last_frame\":", ",\"last_file\":", link.lastFrame, from: link.file)
        if let earlier = link.earlierNumber {
            number(",\"goes_on_from\":", earlier)
        } else if let before = link.predecessor {
            number(",\"after_connection\":", before.connection)
        } else if link.wasOpenAtStart {
            out.put(",\"open_at_start\":true")
        }
        if link.isOpen { out.put(",\"open_at_end\":true") }
        if let reason = link.endReason { number(",\"reason\":", Int(reason)) }
        if let end = link.endedWith {
            out.put(",\"ended_with\":")
            switch end {
            case .reset: out.put("\"reset\"")
            case .closed: out.put("\"adapter closed\"")
            case .removed: out.put("\"adapter removed\"")
            case .unheard: out.put("\"not heard\"")
            }
        }
        out.put(",\"outcome\":")
        out.jsonString(ConnectionSummary(link: link, namesFile: false).ending)
        if let cause {
            out.put(",\"cause\":")
            out.jsonString(cause)
        }
        if link.isEncrypted { out.put(",\"encrypted\":true") }
        number(",\"att_mtu\":", Int(link.attMTU))
        phases(link)
        counts(link.counts)
        uses(link.uses)
        unanswered(link.openRequests)
        out.put("}\n")
    }

    private mutating func phases(_ link: Link) {
        let phases = link.phases
        phase(",\"scan_started\":", phases.scanStarted, link)
        phase(",\"advertised\":", phases.advertised, link)
        phase(",\"scan_ended\":", phases.scanEnded, link)
        phase(",\"connect_started\":", phases.connectStarted, link)
        phase(",\"connected\":", phases.connected, link)
        phase(",\"mtu_started\":", phases.mtuStarted, link)
        phase(",\"mtu_exchanged\":", phases.mtuExchanged, link)
        phase(",\"discovery_started\":", phases.discoveryStarted, link)
        phase(",\"discovery_ended\":", phases.discoveryEnded, link)
        phase(",\"pairing_started\":", phases.pairingStarted, link)
        phase(",\"encryption_started\":", phases.encryptionStarted, link)
        phase(",\"encrypted_at\":", phases.encrypted, link)
        phase(",\"subscribed\":", phases.subscribed, link)
        phase(",\"authentication_started\":", link.session?.authenticationStarted, link)
        phase(",\"authenticated\":", link.session?.authenticated, link)
        phase(",\"first_write\":", phases.firstWrite, link)
        phase(",\"first_notification\":", phases.firstNotification, link)
        phase(",\"first_command\":", link.session?.firstCommandAt, link)
        phase(",\"first_command_answered\":", link.session?.firstCommandAnswered, link)
        phase(",\"disconnected\":", phases.disconnected, link)
        phase(",\"log_ended\":", phases.logEnded, link)
    }

    private mutating func phase(_ name: StaticText, _ time: CaptureTime?, _ link: Link) {
        guard let time else { return }
        out.put(name)
        self.time(time, file: link.file)
    }

    private mutating func counts(_ counts: LinkCounts) {
        number(",\"packets\":", counts.packets)
        number(",\"att\":", counts.attPDUs)
        number(",\"smp\":", counts.smpPDUs)
        number(",\"errors\":", counts.errors)
        number(",\"reads\":", counts.reads.total)
        number(",\"reads_by_peer\":", counts.reads.byPeer)
        number(",\"writes\":", counts.writes.total)
        number(",\"writes_by_peer\":", counts.writes.byPeer)
        number(",\"notifications\":", counts.notifications.total)
        number(",\"notifications_by_peer\":", counts.notifications.byPeer)
        number(",\"indications\":", counts.indications.total)
        number(",\"indications_by_peer\":", counts.indications.byPeer)
        number(",\"problems\":", counts.problems)
    }

    /// Writes the use of protocols above ATT on the connection, by kind.
    private mutating func uses(_ uses: [ProtocolUse]) {
        for (index, use) in uses.enumerated() {
            if index == 0 || uses[index - 1].kind != use.kind {
                out.put(",\"")
                out.put(use.kind.member)
                out.put(use.kind.isListed ? "\":[{\"" : "\":{\"")
            } else {
                out.put(",{\"")
            }
            out.put(use.kind.nameMember)
            out.put("\":")
            out.jsonString(use.name)
            number(",\"messages\":", use.messages)
            if use.kind.hasSessions {
                sessions(use)
            } else {
                number(",\"misfits\":", use.misfits)
            }
            out.put(0x7D)
            let isLast = index == uses.count - 1 || uses[index + 1].kind != use.kind
            if isLast, use.kind.isListed { out.put(0x5D) }
        }
    }

    private mutating func sessions(_ use: ProtocolUse) {
        number(",\"sessions\":", use.sessions)
        number(",\"unanswered\":", use.unanswered)
        if let name = use.firstCommand {
            out.put(",\"first_command\":")
            out.jsonString(name)
        }
        out.put(",\"key_ids\":[")
        for (index, id) in use.keyIDs.enumerated() {
            out.put(index == 0 ? "\"" : ",\"")
            out.hexOctets(id.borrowedOctets)
            out.put(0x22)
        }
        out.put("],\"statuses\":[")
        for (index, status) in use.statuses.enumerated() {
            out.put(index == 0 ? "{\"status\":" : ",{\"status\":")
            out.decimal(status.status)
            if let name = status.name {
                out.put(",\"name\":")
                out.jsonString(name)
            }
            number(",\"count\":", status.count)
            out.put(0x7D)
        }
        out.put(0x5D)
        if let unread = use.unread { self.unread(unread) }
    }

    /// Writes the counts of secured messages that could not be read.
    private mutating func unread(_ unread: ProtocolUse.Unread) {
        number(",\"unread\":{\"messages\":", unread.messages)
        number(",\"responses\":", unread.responses)
        out.put(",\"reason\":")
        out.jsonString(unread.why)
        if let id = unread.keyID {
            out.put(",\"key_id\":\"")
            out.hexOctets(id.borrowedOctets)
            out.put(0x22)
        }
        out.put(0x7D)
    }

    /// Writes the requests that were waiting for a response when the log ended.
    mutating func unanswered(_ requests: [OpenRequest]) {
        guard !requests.isEmpty else { return }
        out.put(",\"unanswered\":[")
        for (index, request) in requests.enumerated() {
            out.put(index == 0 ? "{" : ",{")
            if namesFile { file(request.place.file) }
            number("\"frame\":", request.frame)
            out.put(",\"name\":")
            out.jsonString(request.name)
            number(",\"waited_us\":", Int(request.waited / 1000))
            out.put(0x7D)
        }
        out.put(0x5D)
    }
}

extension DeviceAddress {
    /// Kind of address, by its name in NDJSON.
    fileprivate var kindName: StaticText {
        switch kind {
        case .public: "public"
        case .random: "random"
        case .publicIdentity: "public identity"
        case .randomIdentity: "random identity"
        default: "unknown"
        }
    }
}
