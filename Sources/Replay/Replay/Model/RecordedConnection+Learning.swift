import Analysis
import BluetoothCore
import WireBytes

// Knowledge from a connection's own PDUs, taken when all of them have been read.

extension RecordedConnection {
    /// Stores the attributes that the analysis knows of the server, and the values that were read.
    mutating func learn(_ known: [KnownAttribute]) {
        database = PeerDatabase(known, includes: includes)
        database.useLongForms(longForms)
        learnFromPDUs()
    }

    /// Stores the values that were read and the MTU.
    mutating func learnFromPDUs() {
        for pdu in pdus where pdu.side == server && pdu.channel == .attribute {
            guard let answers = pdu.answers, !pdu.isCut else { continue }
            learnValue(pdu, of: pdus[answers])
        }
        learnMTU()
    }

    /// Include declarations that were read in the log.
    private var includes: [(handle: UInt16, value: [UInt8], frame: Int)] {
        var found: [(handle: UInt16, value: [UInt8], frame: Int)] = []
        for pdu in pdus where pdu.opcode == .readByTypeResponse && pdu.side == server {
            guard let answers = pdu.answers, let request = pdus[answers].att(ATTReadByTypeRequest.self),
                request.type == .includeDeclaration
            else { continue }
            for element in pdu.readByTypeElements {
                found.append((element.handle, element.value, pdu.frame))
            }
        }
        return found
    }

    /// Handles of declarations with a 128-bit UUID that has a short form.
    var longForms: Set<UInt16> {
        var found: Set<UInt16> = []
        for pdu in pdus where pdu.side == server {
            if let response = pdu.att(ATTReadByGroupTypeResponse.self), response.length == 20 {
                let groups =
                    (try? ATTGroupValue.elements(of: response.attributes, width: Int(response.length))) ?? []
                for one in groups where one.value.hasShortForm { found.insert(one.handle) }
            }
            // The properties and the value handle precede a characteristic's UUID.
            for one in pdu.readByTypeElements
            where one.value.count == 19 && Array(one.value.dropFirst(3)).hasShortForm {
                found.insert(one.handle)
            }
        }
        return found
    }

    private mutating func learnValue(_ pdu: RecordedPDU, of request: RecordedPDU) {
        if let asked = request.att(ATTReadRequest.self), let response = pdu.att(ATTReadResponse.self) {
            database.setValue(response.value, of: asked.handle)
        } else if let asked = request.att(ATTReadBlobRequest.self),
            let response = pdu.att(ATTReadBlobResponse.self)
        {
            // A further part, if it starts where the previous parts ended.
            guard let known = database.value(of: asked.handle), known.count == Int(asked.offset) else {
                return
            }
            database.setValue(known + response.value, of: asked.handle)
        } else if let asked = request.att(ATTReadByTypeRequest.self), asked.type != .characteristicDeclaration
        {
            for element in pdu.readByTypeElements { database.setValue(element.value, of: element.handle) }
        }
    }

    private mutating func learnMTU() {
        // If only the peer's client asked for the MTU, the answer is the host's.
        for answerer in [RecordedPDU.Side.peer, .host] {
            for pdu in pdus where pdu.opcode == .exchangeMTUResponse && pdu.side == answerer {
                guard let answers = pdu.answers, let request = pdus[answers].att(ATTExchangeMTURequest.self),
                    let response = pdu.att(ATTExchangeMTUResponse.self)
                else { continue }
                if answerer == .peer {
                    mtu = (request.clientMTU, response.serverMTU)
                } else {
                    mtu = (response.serverMTU, request.clientMTU)
                }
                return
            }
        }
        // A PDU longer than the default MTU shows that another MTU was agreed on.
        let longest = pdus.lazy.filter { $0.channel == .attribute }.map(\.octets.count).max() ?? 0
        guard longest > 23 else { return }
        mtu = (UInt16(clamping: longest), UInt16(clamping: longest))
    }
}

extension [UInt8] {
    /// Whether these 16 bytes, least significant first, are a UUID with a short form.
    fileprivate var hasShortForm: Bool {
        withReader { (reader: inout ByteReader) in
            (try? GATTServiceDeclaration(decoding: reader.wholeSpan))?.uuid.shortestWidth == 2
        }
    }
}

extension RecordedPDU {
    /// The decoded Attribute Protocol PDU; nil if it can't be decoded or its opcode has no type.
    var att: (any ATTPDU)? { channel == .attribute ? try? ATTTable.decode(octets) : nil }

    /// Returns the PDU as the given Attribute Protocol type; nil if it has another one.
    func att<PDU: ATTPDU>(_: PDU.Type) -> PDU? { channel == .attribute ? try? PDU(pdu: octets) : nil }

    var readByTypeElements: [ATTHandleValue] {
        guard let response = att(ATTReadByTypeResponse.self) else { return [] }
        return (try? ATTHandleValue.elements(of: response.attributes, width: Int(response.length)))
            ?? []
    }
}
