import Analysis
import BluetoothCore

/// The attributes of a server, for traces of its discovery.
struct TestServer {
    struct Service {
        var start: UInt16
        var end: UInt16
        var uuid: BluetoothUUID
        var characteristics: [Characteristic] = []
    }

    struct Characteristic {
        var declaration: UInt16
        var properties: UInt8 = 0x12
        var uuid: BluetoothUUID
        /// Descriptors behind the value, by type.
        var descriptors: [UInt16] = []

        var value: UInt16 { declaration + 1 }
    }

    var services: [Service]

    /// A server with one service: a characteristic that notifies, with its CCCD, and one to write.
    static func simple(
        service: UInt16 = 0xFFF0, notifying: UInt16 = 0xFFF1, written: UInt16 = 0xFFF2, from start: UInt16 = 1
    ) -> TestServer {
        TestServer(services: [
            Service(
                start: start, end: start + 5, uuid: BluetoothUUID(service),
                characteristics: [
                    Characteristic(
                        declaration: start + 1, uuid: BluetoothUUID(notifying), descriptors: [0x2902]),
                    Characteristic(
                        declaration: start + 4, properties: 0x0C, uuid: BluetoothUUID(written)),
                ])
        ])
    }
}

extension Trace {
    /// The exchanges of a full discovery, asked by the side that sends `way`.
    mutating func discover(_ handle: UInt16, _ server: TestServer, _ way: Way = .tx) {
        discoverServices(handle, server, way)
        for service in server.services { discoverCharacteristics(handle, service, way) }
        for service in server.services { discoverDescriptors(handle, service, way) }
    }

    mutating func discoverServices(_ handle: UInt16, _ server: TestServer, _ way: Way = .tx) {
        var start: UInt16 = 1
        for service in server.services {
            att(
                handle, way,
                ATTReadByGroupTypeRequest(
                    startingHandle: start, endingHandle: 0xFFFF, type: BluetoothUUID(0x2800 as UInt16))
            )
            att(handle, way.other, services([service]))
            start = service.end + 1
        }
        att(
            handle, way,
            ATTReadByGroupTypeRequest(
                startingHandle: start, endingHandle: 0xFFFF, type: BluetoothUUID(0x2800 as UInt16)))
        att(handle, way.other, notFound(.readByGroupTypeRequest, start))
    }

    mutating func discoverCharacteristics(
        _ handle: UInt16, _ service: TestServer.Service, _ way: Way = .tx, ends: Bool = true
    ) {
        var start = service.start
        for characteristic in service.characteristics {
            att(handle, way, askCharacteristics(start, service.end))
            att(handle, way.other, characteristics([characteristic]))
            start = characteristic.declaration + 1
        }
        guard ends else { return }
        att(handle, way, askCharacteristics(start, service.end))
        att(handle, way.other, notFound(.readByTypeRequest, start))
    }

    mutating func discoverDescriptors(
        _ handle: UInt16, _ service: TestServer.Service, _ way: Way = .tx
    ) {
        for characteristic in service.characteristics where !characteristic.descriptors.isEmpty {
            let start = characteristic.value + 1
            let end = characteristic.value + UInt16(characteristic.descriptors.count)
            att(handle, way, ATTFindInformationRequest(startingHandle: start, endingHandle: end))
            var list: [UInt8] = []
            for (index, type) in characteristic.descriptors.enumerated() {
                list += little(start + UInt16(index)) + little(type)
            }
            att(handle, way.other, ATTFindInformationResponse(format: 1, information: list))
        }
    }

    func askCharacteristics(_ start: UInt16, _ end: UInt16) -> any ATTPDU {
        ATTReadByTypeRequest(startingHandle: start, endingHandle: end, type: BluetoothUUID(0x2803 as UInt16))
    }

    func services(_ services: [TestServer.Service]) -> any ATTPDU {
        var list: [UInt8] = []
        for service in services {
            list += little(service.start) + little(service.end) + attributeOctets(service.uuid)
        }
        return ATTReadByGroupTypeResponse(
            length: UInt8(list.count / max(1, services.count)), attributes: list)
    }

    func characteristics(_ characteristics: [TestServer.Characteristic]) -> any ATTPDU {
        var list: [UInt8] = []
        for characteristic in characteristics {
            list += little(characteristic.declaration) + [characteristic.properties]
            list += little(characteristic.value) + attributeOctets(characteristic.uuid)
        }
        return ATTReadByTypeResponse(
            length: UInt8(list.count / max(1, characteristics.count)), attributes: list)
    }

    func notFound(_ request: ATTOpcode, _ handle: UInt16) -> any ATTPDU {
        ATTErrorResponse(request: request, handle: handle, error: .attributeNotFound)
    }

    @discardableResult
    mutating func notify(_ handle: UInt16, _ attribute: UInt16, _ value: [UInt8] = [1]) -> Int {
        att(handle, .rx, ATTHandleValueNotification(handle: attribute, value: value))
    }

    @discardableResult
    mutating func write(_ handle: UInt16, _ attribute: UInt16, _ value: [UInt8], answered: Bool = true) -> Int
    {
        let frame = att(handle, .tx, ATTWriteRequest(handle: attribute, value: value))
        if answered { att(handle, .rx, ATTWriteResponse()) }
        return frame
    }

    /// A Read Request and its response; the frame of the response.
    @discardableResult
    mutating func read(_ handle: UInt16, _ attribute: UInt16, _ value: [UInt8]) -> Int {
        att(handle, .tx, ATTReadRequest(handle: attribute))
        return att(handle, .rx, ATTReadResponse(value: value))
    }
}

func little(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

func attributeOctets(_ uuid: BluetoothUUID) -> [UInt8] {
    if let short = uuid.assigned16 { return little(short) }
    return (0..<8).map { UInt8(truncatingIfNeeded: uuid.low >> (8 * $0)) }
        + (0..<8).map { UInt8(truncatingIfNeeded: uuid.high >> (8 * $0)) }
}
