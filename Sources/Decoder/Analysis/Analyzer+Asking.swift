import BluetoothCore
public import CaptureFile
import LinkLayer
import WireBytes

// Information that is computed only for a frame that is shown.

extension Analyzer {
    /// Returns the label of a further attribute that the last frame's ATT PDU names, for PDUs that name
    /// several; nil if nothing is known.
    public func label(of handle: UInt16) -> AttributeLabel? {
        guard frame.hasATT, links.indices.contains(frame.link), frame.direction != .unknown else {
            return nil
        }
        let sender: Side = frame.direction == .hostToController ? .host : .peer
        let link = links[frame.link]
        switch frame.attPDU.opcode.isSentByClient == false ? sender : sender.other {
        case .peer: return peers.label(of: handle, peer: link.peer, link: link.number)
        case .host: return adapters.label(of: handle, link.file, link.adapter, link: link.number)
        }
    }

    /// Returns the label of an attribute of the device at one end of a listed connection; nil if nothing is
    /// known.
    public func label(
        of handle: UInt16, at server: Problem.Party, ofConnection number: Int
    ) -> AttributeLabel? {
        guard handle > 0, let link = listedLinks.first(where: { $0.number == number }) else { return nil }
        return server == .host
            ? adapters.label(of: handle, link.file, link.adapter, link: number)
            : peers.label(of: handle, peer: link.peer, link: number)
    }

    /// Returns the annotations that protocols above ATT make of the advertisers in the last frame, made from
    /// `record`; empty for all other frames.
    public func advertised(in record: borrowing Record) -> [Annotation] {
        guard frame.reports > 0 else { return [] }
        guard frame.header.kind == .air else { return advertised(in: record.octets.dropping(3)) }
        let view = air.view
        guard let event = view.packets.last(where: { $0.kind == .event }) else { return [] }
        return advertised(in: view.octets.borrowedOctets.clamped(event.range).dropping(3))
    }

    private func advertised(in parameters: RawSpan) -> [Annotation] {
        guard var reports = try? LEAdvertisingReports(parameters, extended: frame.subevent == 0x0D) else {
            return []
        }
        var found: [Annotation] = []
        var place = 0
        while let report = (try? reports.next()) ?? nil {
            if frame.isPartOfAdvertising, let part = advertisingParts.first(where: { $0.report == place }) {
                if let whole = part.whole { annotators.annotate(advertising: whole.borrowedOctets, &found) }
            } else {
                let data = parameters.clamped(report.data)
                let count = found.count
                annotators.annotate(advertising: data, &found)
                if frame.mayNameCar, found.count == count {
                    annotators.annotate(named: data, report.address, &found)
                }
            }
            place += 1
        }
        return found
    }
}
