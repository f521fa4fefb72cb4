import Analysis
import BluetoothCore
import WireBytes

// What a connection's own PDUs tell, once all are there.

extension RecordedConnection {
    /// Takes what the analysis knows of the far server, and what was read of it.
    mutating func learn(_ known: [KnownAttribute]) {
        database = PeerDatabase(known, includes: includes)
        learnFromPDUs()
    }

    /// Takes what the PDUs themselves show: values that were read, and the longest PDU agreed on.
    mutating func learnFromPDUs() {
        for pdu in pdus where pdu.side == .peer && pdu.channel == .attribute {
            guard let answers = pdu.answers, pdus.indices.contains(answers), !pdu.isCut else { continue }
            learnValue(pdu, of: pdus[answers])
        }
        learnMTU()
    }

    /// Include declarations that the log shows being read.
    private var includes: [(handle: UInt16, value: [UInt8], frame: Int)] {
        var found: [(handle: UInt16, value: [UInt8], frame: Int)] = []
        for pdu in pdus where pdu.opcode == .readByTypeResponse && pdu.side == .peer {
            guard let answers = pdu.answers, pdus.indices.contains(answers),
                case .readByTypeRequest(let request)? = pdus[answers].att, request.type == .includeDeclaration
            else { continue }
            for element in pdu.readByTypeElements {
                found.append((element.handle, element.value, pdu.frame))
            }
        }
        return found
    }

    private mutating func learnValue(_ pdu: RecordedPDU, of request: RecordedPDU) {
        switch (request.att, pdu.att) {
        case (.readRequest(let asked)?, .readResponse(let response)?):
            database.setValue(response.value, of: asked.handle)
        case (.readBlobRequest(let asked)?, .readBlobResponse(let response)?):
            // A part that goes on where the ones before it ended.
            guard let known = database.value(of: asked.handle), known.count == Int(asked.offset) else {
                return
            }
            database.setValue(known + response.value, of: asked.handle)
        case (.readByTypeRequest(let asked)?, _) where asked.type != .characteristicDeclaration:
            for element in pdu.readByTypeElements { database.setValue(element.value, of: element.handle) }
        default: break
        }
    }

    private mutating func learnMTU() {
        for pdu in pdus where pdu.opcode == .exchangeMTUResponse && pdu.side == .peer {
            guard let answers = pdu.answers, pdus.indices.contains(answers),
                case .exchangeMTURequest(let request)? = pdus[answers].att,
                case .exchangeMTUResponse(let response)? = pdu.att
            else { continue }
            mtu = (request.clientMTU, response.serverMTU)
            return
        }
        // Where the far client asked, the answer is the host's.
        for pdu in pdus where pdu.opcode == .exchangeMTUResponse && pdu.side == .host {
            guard let answers = pdu.answers, pdus.indices.contains(answers),
                case .exchangeMTURequest(let request)? = pdus[answers].att,
                case .exchangeMTUResponse(let response)? = pdu.att
            else { continue }
            mtu = (response.serverMTU, request.clientMTU)
            return
        }
    }
}

extension RecordedPDU {
    /// The PDU of the Attribute Protocol; nil where it can't be read.
    var att: ATTPDU<[UInt8]>? { channel == .attribute ? ATTPDU<[UInt8]>(whole: octets) : nil }

    /// The attributes of a Read By Type Response.
    var readByTypeElements: [ATTHandleValue<[UInt8]>] {
        guard case .readByTypeResponse(let response)? = att else { return [] }
        return (try? ATTHandleValue<[UInt8]>.elements(of: response.attributes, width: Int(response.length)))
            ?? []
    }
}

extension ATTPDU where Payload == [UInt8] {
    /// The PDU that fills these octets; nil where none does.
    init?(whole octets: [UInt8]) {
        let pdu: Self? = octets.withReader { (reader: inout ByteReader) -> Self? in
            guard let pdu = try? Self(decoding: &reader), reader.isAtEnd else { return nil }
            return pdu
        }
        guard let pdu else { return nil }
        self = pdu
    }
}
