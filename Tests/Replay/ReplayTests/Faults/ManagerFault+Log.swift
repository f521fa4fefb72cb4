import BluetoothCore
import PayloadFormat
import Runtime

@testable import Replay
@testable import UQDK

extension ManagerFault.Log {
    /// The log as a fault needs it: one for each answer that can be changed so.
    func variants(
        of model: SessionModel, _ knowledge: UQDKKnowledge
    ) -> [(model: SessionModel, id: UInt64?)] {
        guard self != .asRecorded else { return [(model, nil)] }
        guard let connection = model.connections.first, let visit = UQDKVisit(connection, knowledge) else {
            return []
        }
        return visit.requests.compactMap { request in
            guard request.purpose == .ordinary, !request.isBroken, let id = request.id,
                let answer = request.answer,
                let changed = changed(connection, request, answer, visit.dialect)
            else { return nil }
            var model = model
            model.connections[0] = changed
            model.end = max(model.end, changed.end?.time ?? model.end)
            return (model, id)
        }
    }

    private func changed(
        _ connection: RecordedConnection, _ request: UQDKVisit.Request, _ answer: UQDKVisit.Answer,
        _ dialect: Dialect
    ) -> RecordedConnection? {
        let frames = (request.frames.last ?? 0)...answer.frame
        let places = connection.pdus.indices.filter { place in
            let pdu = connection.pdus[place]
            return pdu.side == .peer && pdu.opcode == .handleValueNotification && frames.contains(pdu.frame)
                && pdu.octets.count > 4 && UInt64(pdu.octets[3]) == request.id
        }
        guard let first = places.first, let last = places.last else { return nil }
        var connection = connection
        switch self {
        case .asRecorded: break
        case .lateAnswer: connection.delay(from: first, by: .seconds(20))
        case .wrongChecksum: connection.pdus[last].octets[connection.pdus[last].octets.count - 1] ^= 0x10
        case .wrongTag:
            guard request.isSecured, let placement = dialect.checksum else { return nil }
            var message = places.flatMap { connection.pdus[$0].octets.dropFirst(5) }
            message.removeLast(placement.checksum.octetCount)
            message[message.count - 1] ^= 0x10
            message += placement.octets(of: message)
            for place in places {
                let width = connection.pdus[place].octets.count - 5
                connection.pdus[place].octets.replaceSubrange(5..., with: message.prefix(width))
                message.removeFirst(width)
            }
        }
        return connection
    }
}

extension RecordedConnection {
    /// Lets everything from one PDU on come later.
    fileprivate mutating func delay(from place: Int, by pause: Duration) {
        for index in pdus.indices[place...] { pdus[index].time = pdus[index].time.advanced(by: pause) }
        guard let old = end else { return }
        end?.time = old.time.advanced(by: pause)
        if let request = old.request { end?.request?.time = request.time.advanced(by: pause) }
    }
}
