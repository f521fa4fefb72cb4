import BluetoothCore
import LEHost

// Credit-based channels: what applications do with them, and what a peer sends on them.

extension HostileAir {
    /// Two services of small channels, one for encrypted links alone.
    static let services: [ChannelListener] = {
        let open = ChannelListener(spsm: 0x80, parameters: ChannelParameters(mtu: 300, mps: 50, credits: 2))
        var secure = ChannelListener(spsm: 0x81, parameters: ChannelParameters(mtu: 100, mps: 30, credits: 3))
        secure.needsEncryption = true
        return [open, secure]
    }()

    mutating func useChannel(_ link: LinkID, _ side: Int) {
        let channel = choices.pick(from: sides[side].channels, else: ChannelID(link: link, number: 9))
        switch choices.pick(8) {
        case 0: put(.channel(.close(channel)), side)
        case 1...2:
            let token = ChannelToken(rawValue: takeToken())
            sides[side].openings.insert(token)
            let parameters = ChannelParameters(
                mtu: 23 + UInt16(choices.octet()), mps: 23 + UInt16(choices.pick(60)),
                credits: UInt16(choices.pick(6)))
            let spsm = 0x80 + UInt16(choices.pick(3))
            put(.channel(.open(spsm: spsm, parameters, token, on: link)), side)
        case 3: put(.channel(.consumed(choices.pick(4), on: channel)), side)
        default:
            let sdu = [UInt8](repeating: 7, count: 2 * Int(choices.octet()))
            put(.channel(.send(sdu, on: channel)), side)
        }
    }

    mutating func take(_ event: ChannelEvent, _ side: Int) {
        switch event {
        case .opened(let channel, let token):
            report.channels += 1
            if let token {
                expect(sides[side].openings.remove(token) != nil, "an opening has ended twice")
            }
            expect(!sides[side].channels.contains(channel.id), "a channel has opened twice")
            sides[side].channels.append(channel.id)
            for _ in 0..<choices.pick(4) {
                put(.channel(.send(choices.octets(choices.pick(60)), on: channel.id)), side)
            }
        case .openFailed(_, let token, _):
            expect(sides[side].openings.remove(token) != nil, "an opening has ended twice")
        case .received(let channel, _):
            expect(sides[side].channels.contains(channel), "an SDU on a channel that is not open")
            report.sdus += 1
            if !choices.isOne(in: 8) { put(.channel(.consumed(1, on: channel)), side) }
        case .closed(let channel, _):
            let place = sides[side].channels.firstIndex(of: channel)
            expect(place != nil, "a channel that is not open has closed")
            if let place { sides[side].channels.remove(at: place) }
        case .ready, .dropped: break
        }
    }

    /// A K-frame on some channel, most often one that fits the channel, and its CID.
    mutating func frame() -> (channel: UInt8, payload: [UInt8]) {
        let count = choices.pick(30)
        let told = choices.isOne(in: 4) ? choices.octet() : UInt8(count)
        return (UInt8(0x40 + choices.pick(6)), [told, 0] + choices.octets(count))
    }

    /// A signalling command about channels, with the length that it must have.
    mutating func channelSignal() -> [UInt8] {
        let codes: [L2CAPSignallingCode] = [
            .commandReject, .disconnectionRequest, .disconnectionResponse, .leCreditBasedConnectionRequest,
            .leCreditBasedConnectionRequest, .leCreditBasedConnectionResponse, .flowControlCredit,
        ]
        var fields = L2CAPSignalFields()
        fields.psm = 0x80 + UInt16(choices.pick(3))
        fields.mtu = 20 + UInt16(choices.octet())
        fields.mps = 20 + UInt16(choices.octet())
        fields.credits = choices.isOne(in: 2) ? choices.word() : UInt16(choices.pick(4))
        fields.sourceCIDs = [0x3F + UInt16(choices.pick(8))]
        fields.destinationCIDs = [0x3F + UInt16(choices.pick(8))]
        fields.result = UInt16(choices.isOne(in: 2) ? choices.pick(12) : 0)
        let code = choices.pick(from: codes, else: .flowControlCredit)
        return fields.command(code, identifier: UInt8(choices.pick(8)))
    }
}
