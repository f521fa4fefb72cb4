import BluetoothCore

// The server side of a link.

extension LEHost {
    /// Passes a client's PDU to the server of the link.
    mutating func serve(_ pdu: [UInt8], _ id: LinkID) {
        guard let index = place(of: id) else { return }
        links[index].hasUsedServer = true
        let offer = configuration.clientMTU ?? UInt16(ATTClient.defaultMTU)
        let database = database
        let mtu = links[index].client.mtu
        serveClient(id) { $0.receive(pdu, database, mtu: mtu, offer: offer, at: $1) }
    }

    mutating func apply(_ outputs: [ATTServer.Output], to id: LinkID) {
        for output in outputs {
            switch output {
            case .send(let pdu): transmit(pdu, on: .attribute, to: id)
            case .mtuAgreed(let mtu):
                guard let index = place(of: id) else { return }
                apply(links[index].client.agree(onMTU: mtu), to: id)
            case .read(let request, let handle, let offset):
                tell(.readRequested(id, request, handle: handle, offset: offset))
            case .write(let request, let writes): tell(.writeRequested(id, request, writes))
            case .subscribed(let handle, let configuration):
                tell(.subscriptionChanged(id, valueHandle: handle, configuration))
            case .indicated(let handle, let confirmed):
                tell(.indicated(id, valueHandle: handle, confirmed: confirmed))
            case .timedOut: disconnect(id, .remoteUserTerminatedConnection)
            }
        }
    }

    mutating func answerRead(
        _ request: ServerRequestID, _ result: Result<[UInt8], ATTErrorCode>, on id: LinkID
    ) {
        guard let index = place(of: id) else { return }
        let mtu = links[index].client.mtu
        apply(links[index].server.answer(request, read: result, database, mtu: mtu), to: id)
    }

    mutating func answerWrite(_ request: ServerRequestID, _ error: ATTErrorCode?, on id: LinkID) {
        guard let index = place(of: id) else { return }
        apply(links[index].server.answer(request, write: error), to: id)
    }

    /// Sends a value to a client that has subscribed; as a notification if the client accepts both ways.
    mutating func update(_ handle: UInt16, _ value: [UInt8], on id: LinkID) {
        guard let index = place(of: id), canWriteCommand(on: id) else {
            if let index = place(of: id) { links[index].isFull = true }
            return tell(.updateDropped(id, valueHandle: handle))
        }
        let mtu = links[index].client.mtu
        if let pdu = links[index].server.notification(handle, value, database, mtu: mtu) {
            transmit(pdu, on: .attribute, to: id)
            if !canWriteCommand(on: id) { links[index].isFull = true }
            return
        }
        guard let outputs = links[index].server.indicate(handle, value, database, mtu: mtu, at: now) else {
            return tell(.updateDropped(id, valueHandle: handle))
        }
        apply(outputs, to: id)
    }
}
