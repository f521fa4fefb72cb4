import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// The line of a connection: the devices, the times of each phase, and the traffic.

extension NDJSONRenderer {
    /// - Parameter cause: the code of the connection's first failure; nil without failures.
    mutating func connectionLine(_ link: Link, name: [UInt8]?, cause: String?) {
        out.line("connection")
        file(link.file)
        out.member("connection", link.number)
        out.member("adapter", link.adapter)
        out.member("handle", link.handle)
        switch link.transport {
        case .le: out.member("transport", "le")
        case .brEDR: out.member("transport", "br-edr")
        case .unknown: out.null("transport")
        }
        switch link.role {
        case .central: out.member("role", "central")
        case .peripheral: out.member("role", "peripheral")
        case .unknown: out.null("role")
        }
        if let address = link.address {
            out.member("peer", address)
            out.member("peer_type", address.kindName)
        }
        out.member("identity", link.identity)
        air(link)
        if let name {
            out.member("peer_name", text: name.borrowedOctets)
            out.jsonOctets(ofText: name.borrowedOctets, "peer_name")
        }
        frame("first_frame", "first_file", link.firstFrame, from: link.file)
        frame("last_frame", "last_file", link.lastFrame, from: link.file)
        if let earlier = link.earlierNumber {
            out.member("goes_on_from", earlier)
        } else if let before = link.predecessor {
            out.member("after_connection", before.connection)
        } else {
            out.member("open_at_start", if: link.mayLackEarlierPackets)
        }
        out.member("open_at_end", if: link.isOpen)
        out.member("reason", link.endReason)
        switch link.endedWith {
        case nil: break
        case .reset: out.member("ended_with", "reset")
        case .closed: out.member("ended_with", "adapter closed")
        case .removed: out.member("ended_with", "adapter removed")
        case .unheard: out.member("ended_with", "not heard")
        }
        let summary = ConnectionSummary(link: link, namesFile: false)
        out.member("outcome", summary.text(summary.ending))
        out.member("cause", cause)
        out.member("encrypted", if: link.isEncrypted)
        if let mtu = link.attMTU { out.member("att_mtu", mtu) } else { out.null("att_mtu") }
        phases(link)
        counts(link.counts)
        uses(link.uses)
        classic(link)
        unanswered(link.openRequests)
        out.put("}\n")
    }

    private mutating func phases(_ link: Link) {
        let phases = link.phases
        phase("scan_started", phases.scanStarted, link)
        phase("advertised", phases.advertised, link)
        phase("scan_ended", phases.scanEnded, link)
        if let withdrawn = link.withdrawnBefore {
            out.object("withdrawn_attempts")
            out.member("count", withdrawn.count)
            out.member("first_frame", withdrawn.first.frame)
            out.member("longest_us", Microseconds(withdrawn.longest))
            out.endObject()
        }
        phase("connect_started", phases.connectStarted, link)
        phase("connected", phases.connected, link)
        phase("mtu_started", phases.mtuStarted, link)
        phase("mtu_exchanged", phases.mtuExchanged, link)
        phase("discovery_started", phases.discoveryStarted, link)
        phase("discovery_ended", link.discoveryEnded, link)
        if link.discoveryEnded != nil { out.member("discovery_us", Microseconds(phases.discoveryTime)) }
        phase("pairing_started", phases.pairingStarted, link)
        if let stopped = link.pairingStopped { out.member("pairing_stopped", stopped.frame) }
        phase("encryption_started", phases.encryptionStarted, link)
        phase("encrypted_at", phases.encrypted, link)
        phase("subscribed", phases.subscribed, link)
        phase("authentication_started", link.session?.authenticationStarted, link)
        phase("authenticated", link.session?.authenticated, link)
        phase("first_write", phases.firstWrite, link)
        phase("first_notification", phases.firstNotification, link)
        phase("first_command", link.session?.firstCommandAt, link)
        phase("first_command_answered", link.session?.firstCommandAnswered, link)
        phase("disconnected", phases.disconnected, link)
        phase("log_ended", phases.logEnded, link)
        if let lasted = ConnectionSummary(link: link, namesFile: false).lasted {
            out.member("lasted_us", Microseconds(lasted))
        }
    }

    private mutating func phase(_ name: StaticText, _ time: CaptureTime?, _ link: Link) {
        guard let time else { return }
        out.member(name)
        self.time(time, file: link.file)
    }

    private mutating func counts(_ counts: LinkCounts) {
        out.member("packets", counts.packets)
        out.member("att_pdus", counts.attPDUs)
        out.member("smp_pdus", counts.smpPDUs)
        out.member("errors", counts.errors)
        out.member("reads", counts.reads.total)
        out.member("reads_by_peer", counts.reads.byPeer)
        out.member("writes", counts.writes.total)
        out.member("writes_by_peer", counts.writes.byPeer)
        out.member("notifications", counts.notifications.total)
        out.member("notifications_by_peer", counts.notifications.byPeer)
        out.member("indications", counts.indications.total)
        out.member("indications_by_peer", counts.indications.byPeer)
        out.member("problem_count", counts.problems)
    }

    /// Writes the L2CAP channels by service, and the result of a pairing or authentication over BR/EDR.
    private mutating func classic(_ link: Link) {
        if let (isPairing, status) = link.classicSecurity {
            out.member(isPairing ? "simple_pairing_status" : "authentication_status", status)
        }
        objects("channels", of: link.channelUses, isOptional: true) { json, use in
            json.out.member("psm", use.psm)
            json.out.member("opened", use.opened)
            json.out.member("closed_by_host", use.closed.byHost)
            json.out.member("closed_by_peer", use.closed.byPeer)
            json.out.member("refused_by_host", use.refused.byHost)
            json.out.member("refused_by_peer", use.refused.byPeer)
        }
    }

    /// Writes the use of protocols above ATT on the connection, by kind.
    private mutating func uses(_ uses: [ProtocolUse]) {
        for (index, use) in uses.enumerated() {
            if index == 0 || uses[index - 1].kind != use.kind {
                out.member(named: use.kind.member)
                if use.kind.isListed { out.put(0x5B) }
            }
            out.element()
            out.member(named: use.kind.nameMember)
            out.jsonString(use.name)
            out.member("messages", use.messages)
            if use.kind.hasSessions {
                sessions(use)
            } else {
                out.member("misfits", use.misfits)
            }
            out.endObject()
            let isLast = index == uses.count - 1 || uses[index + 1].kind != use.kind
            if isLast, use.kind.isListed { out.endArray() }
        }
    }

    private mutating func sessions(_ use: ProtocolUse) {
        out.member("sessions", use.sessions)
        out.member("unanswered", use.unanswered)
        out.member("first_command", use.firstCommand)
        out.array("key_ids", of: use.keyIDs) { $0.jsonHex($1.borrowedOctets) }
        out.objects("statuses", of: use.statuses) { out, status in
            out.member("status", status.status)
            out.member("name", status.name)
            out.member("count", status.count)
        }
        if let unread = use.unread { self.unread(unread) }
    }

    /// Writes the counts of secured messages that could not be read.
    private mutating func unread(_ unread: ProtocolUse.Unread) {
        out.object("unread")
        out.member("messages", unread.messages)
        out.member("responses", unread.responses)
        out.member("reason", unread.why)
        if let id = unread.keyID { out.member("key_id", hex: id.borrowedOctets) }
        out.endObject()
    }

    /// Writes the requests that waited for a response when the log ended.
    mutating func unanswered(_ requests: [OpenRequest]) {
        objects("unanswered", of: requests, isOptional: true) { json, request in
            json.file(request.place.file)
            json.out.member("frame", request.frame)
            json.out.member("name", request.name)
            json.out.member("waited_us", request.waited / 1000)
        }
    }
}

extension DeviceAddress {
    /// The kind's name in NDJSON.
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
