import BluetoothCore
import CaptureFile
import Runtime

@testable import Replay

extension LogChange {
    static let all: [LogChange] = host + peer + contradictions + harmless

    // MARK: What the host did

    private static let host: [LogChange] = [
        .init("a byte of a written value is another") { site in
            site.isWrite && site.octets.count > 3 ? site.replaced(site.octets.flippingLast) : nil
        },
        .init("a written value is a byte shorter") { site in
            site.isWrite && site.octets.count > 3 ? site.replaced(site.octets.dropLast()) : nil
        },
        .init("another attribute is written") { site in
            site.isWrite ? site.replaced(site.otherHandle.map(site.octets(handle:))) : nil
        },
        .init("another attribute is read") { site in
            guard case .read? = site.step?.action, site.step?.pdus.count == 1 else { return nil }
            return site.replaced(site.otherHandle.map(site.octets(handle:)))
        },
        .init("a step of the client is missing") { site in
            guard let step = site.step, step.lane == .client else { return nil }
            let next = site.steps(after: step).first { $0.action != step.action }
            return (
                [.remove(site.frames(of: step))],
                site.isHousekeeping ? .harmless : .different([next?.frame ?? 0])
            )
        },
        .init("a step of the client comes twice") { site in
            guard let step = site.step, step.lane == .client, step.pdus.count == 1,
                let last = site.frames(of: step).last
            else { return nil }
            let again = [(site.pdu.side, site.octets)] + (site.response.map { [($0.side, $0.octets)] } ?? [])
            let alike = site.steps(after: step).prefix { $0.action == step.action }
            let end = alike.last.map { $0.frame + again.count } ?? last + 1
            return (
                [.insert(after: last, again)], site.isHousekeeping ? .harmless : .different([end])
            )
        },
        .init("two steps of the client change places") { site in
            guard let step = site.step, step.lane == .client, !site.isHousekeeping,
                let next = site.steps(after: step).first, !next.pdus.isEmpty, next.action != step.action
            else { return nil }
            let frames = (site.frames(of: step), site.frames(of: next))
            let isHarmless = step.isConfiguration && next.isConfiguration && step.handle != next.handle
            return (
                [.exchange(frames.0, frames.1)], isHarmless ? .harmless : .different(frames.0 + frames.1)
            )
        },
        .init("a write request is a command") { site in
            guard site.isWrite, site.opcode == .writeRequest, let response = site.response else { return nil }
            return (
                [
                    .replace(frame: site.frame, [ATTOpcode.writeCommand.rawValue] + site.octets[1...]),
                    .remove([response.frame]),
                ], site.isHousekeeping ? .harmless : .different([site.frame])
            )
        },
        .init("a write command is a request") { site in
            guard site.isWrite, site.opcode == .writeCommand else { return nil }
            return (
                [
                    .replace(frame: site.frame, [ATTOpcode.writeRequest.rawValue] + site.octets[1...]),
                    .insert(after: site.frame, [(.peer, ATTWriteResponse().pdu)]),
                ], site.isHousekeeping ? .harmless : .different([site.frame])
            )
        },
        .init("a subscription is of the other kind") { site in
            guard let step = site.step, step.isConfiguration, site.octets.count == 5, site.octets[3] != 0
            else { return nil }
            return site.replaced([UInt8](site.octets[..<3]) + [site.octets[3] ^ 3, 0])
        },
        .init("a subscription is ended instead") { site in
            guard let step = site.step, step.isConfiguration, site.octets.count == 5, site.octets[3] != 0
            else { return nil }
            return site.replaced([UInt8](site.octets[..<3]) + [0, 0])
        },
    ]

    // MARK: What the peer did

    private static let peer: [LogChange] = [
        .init("a byte of a notified value is another") { site in
            site.isValue && site.octets.count > 3 ? site.replaced(site.octets.flippingLast) : nil
        },
        .init("a notified value is a byte shorter") { site in
            site.isValue && site.octets.count > 3 ? site.replaced(site.octets.dropLast()) : nil
        },
        .init("another attribute is notified") { site in
            site.isValue ? site.replaced(site.otherHandle.map(site.octets(handle:))) : nil
        },
        .init("a notification is missing") { site in
            guard site.opcode == .handleValueNotification else { return nil }
            return (
                [.remove([site.frame])],
                site.isHousekeeping ? .harmless : .different([site.frame, site.nextFrame])
            )
        },
        .init("a notification comes twice") { site in
            guard site.opcode == .handleValueNotification else { return nil }
            return (
                [.insert(after: site.frame, [(.peer, site.octets)])],
                site.isHousekeeping || site.isKeyed ? .harmless : .different([site.frame, site.frame + 1])
            )
        },
        .init("a byte of a read value is another") { site in
            site.isReadResponse && site.octets.count > 1 ? site.replaced(site.octets.flippingLast) : nil
        },
        .init("a read is refused that was not") { site in
            guard site.isReadResponse, let request = site.request else { return nil }
            return site.replaced([0x01, request.octets[0], request.octets[1], request.octets[2], 0x0E])
        },
        .init("a write is refused that was not") { site in
            guard site.opcode == .writeResponse, let request = site.request else { return nil }
            return site.replaced([0x01, request.octets[0], request.octets[1], request.octets[2], 0x0E])
        },
        .init("a refusal has another reason") { site in
            guard site.isRefusal, site.octets[4] != 0x0E else { return nil }
            return site.replaced(site.octets.dropLast() + [0x0E])
        },
        .init("what was refused is not") { site in
            guard site.isRefusal else { return nil }
            return site.replaced(site.octets[1] == 0x12 ? [0x13] : [0x0B, 0x42])
        },
    ]

    // MARK: What can't have been

    private static let contradictions: [LogChange] = [
        .init("a response is missing") { site in
            guard let response = site.response, site.nextRequestIsSoon, response.side == .peer else {
                return nil
            }
            return (
                [.remove([response.frame])],
                site.isCompared ? .contradiction([site.beginning, site.frame, site.nextFrame]) : .gap
            )
        },
        .init("a request is missing") { site in
            guard let response = site.response, response.side == .peer else { return nil }
            return (
                [.remove([site.frame])],
                site.isCompared ? .contradiction([site.beginning, response.frame, site.nextFrame]) : .gap
            )
        },
        .init("a response comes twice") { site in
            guard let request = site.request, request.side == .host, site.opcode.kind == .response,
                site.isCompared
            else { return nil }
            return (
                [.insert(after: site.frame, [(.peer, site.octets)])], .contradiction([site.frame + 1])
            )
        },
        .init("a response answers another kind of request") { site in
            guard site.opcode == .writeResponse || site.isReadResponse, !site.isHousekeeping else {
                return nil
            }
            return (
                [.replace(frame: site.frame, site.opcode == .writeResponse ? [0x0B] : [0x13])],
                .contradiction([site.request?.frame ?? 0, site.beginning, site.frame])
            )
        },
        .init("an error answers another kind of request") { site in
            guard site.isRefusal, !site.isHousekeeping else { return nil }
            return (
                [.replace(frame: site.frame, [0x01, site.octets[1] ^ 0x18] + site.octets[2...])],
                .contradiction([site.request?.frame ?? 0, site.beginning, site.frame])
            )
        },
        .init("the host asks before it has the response") { site in
            let next = site.connection.pdus[(site.place + 1)...].first { $0.isRequest && $0.side == .host }
            guard site.pdu.side == .host, let response = site.response, let next, site.isCompared,
                next.frame > response.frame, next.octets != site.octets
            else { return nil }
            return (
                [.exchange([response.frame], [next.frame])],
                .contradiction([site.beginning, site.frame, response.frame] + site.frames(answering: next))
            )
        },
        .init("a value is longer than the MTU lets it be") { site in
            guard site.isValue || site.isWrite else { return nil }
            let longest = Int(site.connection.negotiatedMTU)
            let padding = [UInt8](repeating: 0xEE, count: max(0, longest + 1 - site.octets.count))
            guard !padding.isEmpty else { return nil }
            return (
                [.replace(frame: site.frame, site.octets + padding)], .contradiction([site.frame])
            )
        },
        .init("a PDU is cut") { site in
            guard site.isValue || site.isWrite || site.isReadResponse, !site.isHousekeeping,
                site.octets.count > 4
            else { return nil }
            let frame = site.frame
            return (
                [
                    .each { number, record in
                        guard number == frame else { return }
                        record.octets.removeLast()
                    }
                ], .contradiction([frame, site.nextFrame])
            )
        },
    ]

    // MARK: What makes no difference

    private static let harmless: [LogChange] = [
        everywhere("connections have other handles") { _, record in
            guard
                record.header.kind == .acl || record.octets.first == 0x3E || record.octets.first == 0x05
                    || record.header.kind == .command && record.octets.prefix(2) == [0x06, 0x04]
            else { return }
            let place = record.header.kind == .acl ? 0 : record.octets.first == 0x3E ? 4 : 3
            let isEnhanced = record.octets.first == 0x3E
            guard !isEnhanced || record.octets.count > 5 && [0x01, 0x03, 0x0A].contains(record.octets[2]),
                record.octets.count > place
            else { return }
            record.octets[place] ^= 0x20
        },
        everywhere("all of it is an hour later") { _, record in
            record.header.time = .init(nanoseconds: record.header.time.nanoseconds + 3_600_000_000_000)
        },
        everywhere("no buffers are given back") { _, record in
            guard record.header.kind == .event, record.octets.first == 0x13 else { return }
            record.octets = [0x13, 1, 0]
            record.header.originalLength = 3
        },
        everywhere("advertisements are weaker") { _, record in
            guard record.header.kind == .event, record.octets.prefix(1) == [0x3E], record.octets.count > 4,
                record.octets[2] == 0x02, record.octets[3] == 1
            else { return }
            record.octets[record.octets.count - 1] = 0xB0
        },
        everywhere("everything takes a hundredth longer") { _, record in
            // Times count from 1970, and the first connection is far from there.
            let time = record.header.time.nanoseconds
            record.header.time = .init(nanoseconds: time + (time % 100_000_000_000) / 100)
        },
        .init("the host's operating system reads the device's name") { site in
            guard let step = site.step, step.lane == .client, let last = site.frames(of: step).last,
                let name = site.connection.database.attributes.first(where: { $0.type == .deviceName })
            else { return nil }
            let read = ATTReadRequest(handle: name.handle).pdu
            return (
                [.insert(after: last, [(.host, read), (.peer, [0x0B, 0x61, 0x62])])], .harmless
            )
        },
    ]

    /// A change of all records, made once in each connection's first PDU.
    private static func everywhere(
        _ name: String, _ change: @escaping @Sendable (Int, inout Recording.Kept) -> Void
    ) -> LogChange {
        .init(name) { site in
            let first = site.connection.pdus.firstIndex { $0.channel == .attribute }
            return first == site.place ? ([.each(change)], .harmless) : nil
        }
    }
}

extension ChangeSite {
    /// Whether a server refuses what a program asked for.
    fileprivate var isRefusal: Bool {
        opcode == .errorResponse && octets.count == 5 && (octets[1] == 0x0A || octets[1] == 0x12)
            && request != nil
    }

    /// Whether it is part of an exchange that is neither discovery nor an operating system's own.
    fileprivate var isCompared: Bool {
        let opcode = (request ?? pdu).opcode.rawValue
        return opcode >= 0x0A && opcode != 0x10 && !isHousekeeping
    }

    /// The frame in which the step begins that the PDU is part of.
    fileprivate var beginning: Int { steps.first { $0.pdus.contains(place) }?.frame ?? frame }

    /// Whether the host asks again within a transaction's time, so that the response is missing.
    fileprivate var nextRequestIsSoon: Bool {
        guard opcode.kind == .request else { return false }
        let next = connection.pdus[(place + 1)...].first { $0.isRequest && $0.side == .host }
        return next.map { pdu.time.duration(to: $0.time) < .seconds(30) } ?? false
    }
}

extension [UInt8] {
    fileprivate var flippingLast: [UInt8] { dropLast() + [(last ?? 0) ^ 0x40] }
}
