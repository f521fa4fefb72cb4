import BluetoothCore
import LEHost
import Runtime
import Testing

@Suite struct ATTClientTests {
    static let custom = BluetoothUUID(high: 0x5551_444B_0001_4449, low: 0x4749_5441_4C4B_4559)
    static let customHex = "59454B4C4154494749440100 4B445155"

    @Test func `the smaller of both MTUs holds`() {
        for (answer, mtu) in [("03 B900", 185), ("03 FFFF", 517), ("03 1700", 23), ("03 0100", 23)] {
            var exchange = Exchange()
            exchange.start(.exchangeMTU(517))
            exchange.play("02 0502", answer)
            #expect(exchange.result() == .success(.mtu(mtu)))
            #expect(exchange.client.mtu == mtu)
            #expect(exchange.others == (mtu == 23 ? [] : [.mtuChanged(mtu)]))
        }
    }

    @Test func `a server without MTU exchange keeps 23, any other error is an error`() {
        var exchange = Exchange()
        exchange.start(.exchangeMTU(517))
        exchange.play("02 0502", "01 02 0000 06")
        #expect(exchange.result() == .success(.mtu(23)))
        exchange.start(.exchangeMTU(517))
        exchange.play("02 0502", "01 02 0000 0E")
        #expect(exchange.result() == .failure(.refused(.unlikelyError, handle: 0)))
    }

    @Test func `an MTU change between request and response loses no bytes`() {
        var exchange = Exchange()
        exchange.start(.read(3))
        exchange.agree(onMTU: 30)
        let part = [UInt8](repeating: 7, count: 22)
        exchange.play("0A 0300", "0B" + hex(part), "0C 0300 1600", "0D 08")
        #expect(exchange.result() == .success(.value(part + [8])))
        // A part of a long write is the one that was sent.
        let value = [UInt8](repeating: 9, count: 40)
        exchange.start(.write(3, value))
        let first = "0300 0000" + hex(Array(value.prefix(25)))
        exchange.agree(onMTU: 60)
        let rest = "0300 1900" + hex(Array(value.dropFirst(25)))
        exchange.play("16" + first, "17" + first, "16" + rest, "17" + rest, "18 01", "19")
        #expect(exchange.result() == .success(.written))
    }

    @Test func `all services are found, in as many requests as it takes`() {
        var exchange = Exchange()
        exchange.start(.discoverServices())
        exchange.play(
            "10 0100 FFFF 0028", "11 06 0100 0700 0018 0800 0B00 0118",
            "10 0C00 FFFF 0028", "11 14 0C00 1F00 " + Self.customHex,
            "10 2000 FFFF 0028", "01 10 2000 0A")
        #expect(
            exchange.result()
                == .success(
                    .services([
                        GATTService(uuid: .genericAccessService, handle: 1, endHandle: 7),
                        GATTService(uuid: .genericAttributeService, handle: 8, endHandle: 11),
                        GATTService(uuid: Self.custom, handle: 12, endHandle: 31),
                    ])))
    }

    @Test func `a last service that reaches 0xFFFF ends the discovery`() {
        var exchange = Exchange()
        exchange.start(.discoverServices())
        exchange.play("10 0100 FFFF 0028", "11 06 0100 FFFF 0018")
        #expect(
            exchange.result()
                == .success(
                    .services([GATTService(uuid: .genericAccessService, handle: 1, endHandle: 0xFFFF)])))
        exchange.expectSent()
    }

    @Test func `services with one UUID are found by value`() {
        var exchange = Exchange()
        exchange.start(.discoverServices(Self.custom))
        exchange.play(
            "06 0100 FFFF 0028" + Self.customHex, "07 0C00 1F00",
            "06 2000 FFFF 0028" + Self.customHex, "01 06 2000 0A")
        #expect(
            exchange.result()
                == .success(.services([GATTService(uuid: Self.custom, handle: 12, endHandle: 31)])))
    }

    @Test func `characteristics end where the next begins`() {
        var exchange = Exchange()
        exchange.start(.discoverCharacteristics(12...31))
        exchange.play(
            "08 0C00 1F00 0328", "09 07 0D00 12 0E00 E1FF 1000 0C 1100 E2FF",
            "08 1100 1F00 0328", "01 08 1100 0A")
        #expect(
            exchange.result()
                == .success(
                    .characteristics([
                        GATTCharacteristic(
                            uuid: BluetoothUUID(UInt16(0xFFE1)), properties: [.read, .notify],
                            declarationHandle: 13, valueHandle: 14, endHandle: 15),
                        GATTCharacteristic(
                            uuid: BluetoothUUID(UInt16(0xFFE2)),
                            properties: [.write, .writeWithoutResponse], declarationHandle: 16,
                            valueHandle: 17, endHandle: 31),
                    ])))
    }

    @Test func `descriptors of both widths are found`() {
        var exchange = Exchange()
        exchange.start(.discoverDescriptors(15...17))
        exchange.play(
            "04 0F00 1100", "05 01 0F00 0229", "04 1000 1100", "05 02 1000" + Self.customHex,
            "04 1100 1100", "01 04 1100 0A")
        #expect(
            exchange.result()
                == .success(
                    .descriptors([
                        GATTDescriptor(uuid: .clientCharacteristicConfiguration, handle: 15),
                        GATTDescriptor(uuid: Self.custom, handle: 16),
                    ])))
    }

    @Test func `included services with long UUIDs are read where they are declared`() {
        var exchange = Exchange()
        exchange.start(.discoverIncludes(1...20))
        exchange.play(
            "08 0100 1400 0228", "09 08 0200 3000 3F00 0F18",
            "08 0300 1400 0228", "09 06 0300 4000 4F00",
            "08 0400 1400 0228", "01 08 0400 0A",
            "0A 4000", "0B" + Self.customHex)
        #expect(
            exchange.result()
                == .success(
                    .includes([
                        GATTInclude(
                            declarationHandle: 2,
                            service: GATTService(
                                uuid: BluetoothUUID(UInt16(0x180F)), handle: 0x30, endHandle: 0x3F)),
                        GATTInclude(
                            declarationHandle: 3,
                            service: GATTService(uuid: Self.custom, handle: 0x40, endHandle: 0x4F)),
                    ])))
    }

    @Test func `a short value is read at once, a long one part by part`() {
        var exchange = Exchange()
        exchange.start(.read(3))
        exchange.play("0A 0300", "0B 4142")
        #expect(exchange.result() == .success(.value([0x41, 0x42])))

        let part = String(repeating: "AB", count: 22)
        exchange.start(.read(3))
        exchange.play("0A 0300", "0B" + part, "0C 0300 1600", "0D" + part, "0C 0300 2C00", "0D 01")
        #expect(
            exchange.result() == .success(.value([UInt8](repeating: 0xAB, count: 44) + [1])))
    }

    @Test func `a value as long as a response ends with an empty part, or with a refusal`() {
        let part = String(repeating: "AB", count: 22)
        for end in ["0D", "01 0C 0300 0B", "01 0C 0300 07"] {
            var exchange = Exchange()
            exchange.start(.read(3))
            exchange.play("0A 0300", "0B" + part, "0C 0300 1600", end)
            #expect(exchange.result() == .success(.value([UInt8](repeating: 0xAB, count: 22))), "\(end)")
        }
        var exchange = Exchange()
        exchange.start(.read(3))
        exchange.play("0A 0300", "0B" + part, "0C 0300 1600", "01 0C 0300 08")
        #expect(exchange.result() == .failure(.refused(.insufficientAuthorization, handle: 3)))
    }

    @Test func `a server that never ends is read to 512 octets`() {
        var exchange = Exchange()
        exchange.start(.read(3))
        var requests = 0
        while exchange.finished.isEmpty, requests < 100 {
            requests += 1
            exchange.receive((requests == 1 ? "0B" : "0D") + String(repeating: "AB", count: 22))
        }
        guard case .success(.value(let value))? = exchange.result() else {
            Issue.record("no value")
            return
        }
        #expect(value.count == 24 * 22)
    }

    @Test func `a value is written in one request, or in parts`() {
        var exchange = Exchange()
        exchange.start(.write(0x12, octets("0100")))
        exchange.play("12 1200 0100", "13")
        #expect(exchange.result() == .success(.written))

        let value = (0..<40).map { UInt8($0) }
        let first = hex(Array(value[..<18]))
        let second = hex(Array(value[18..<36]))
        let third = hex(Array(value[36...]))
        exchange.start(.write(0x12, value))
        exchange.play(
            "16 1200 0000" + first, "17 1200 0000" + first, "16 1200 1200" + second,
            "17 1200 1200" + second, "16 1200 2400" + third, "17 1200 2400" + third, "18 01", "19")
        #expect(exchange.result() == .success(.written))
    }

    @Test func `a part that comes back changed cancels the write`() {
        let value = (0..<40).map { UInt8($0) }
        let first = hex(Array(value[..<18]))
        var exchange = Exchange()
        exchange.start(.write(0x12, value))
        exchange.play("16 1200 0000" + first, "17 1200 0100" + first, "18 00", "19")
        #expect(exchange.result() == .failure(.echoMismatch(handle: 0x12)))
    }

    @Test func `a part that is refused cancels those before it`() {
        let value = (0..<40).map { UInt8($0) }
        let first = hex(Array(value[..<18]))
        let second = hex(Array(value[18..<36]))
        var exchange = Exchange()
        exchange.start(.write(0x12, value))
        exchange.play(
            "16 1200 0000" + first, "17 1200 0000" + first, "16 1200 1200" + second, "01 16 1200 09",
            "18 00", "19")
        #expect(exchange.result() == .failure(.refused(.prepareQueueFull, handle: 0x12)))
    }

    @Test func `operations wait for each other, and end in their order`() {
        var exchange = Exchange()
        let first = exchange.start(.read(3))
        let second = exchange.start(.write(4, [1]))
        exchange.expectSent("0A 0300")
        #expect(exchange.client.pending == 2)
        exchange.receive("0B 41")
        exchange.expectSent("12 0400 01")
        exchange.receive("13")
        #expect(exchange.finished.map(\.0) == [first, second])
    }

    @Test func `after 30 seconds all fail, and nothing more is sent`() {
        var exchange = Exchange()
        exchange.start(.read(3))
        exchange.start(.read(4))
        exchange.wait(.milliseconds(29_999))
        #expect(exchange.finished.isEmpty)
        exchange.wait(.milliseconds(1))
        #expect(exchange.finished.map(\.1) == [.failure(.timedOut), .failure(.timedOut)])
        #expect(exchange.others == [.timedOut])
        exchange.sent = []
        exchange.start(.read(5))
        exchange.receive("0B 41")
        exchange.expectSent()
        #expect(exchange.finished.count == 3)
        #expect(exchange.client.writeCommand(3, [1]) == nil)
        #expect(exchange.client.deadline == nil)
    }

    @Test func `notifications come at any time and indications are confirmed`() {
        var exchange = Exchange()
        exchange.start(.read(3))
        exchange.expectSent("0A 0300")
        exchange.receive("1B 0E00 0102")
        exchange.receive("1D 0E00 03")
        exchange.expectSent("1E")
        exchange.receive("23 0E00 0100 07 0F00 0200 0809")
        #expect(
            exchange.others == [
                .value(handle: 14, [1, 2], isIndication: false), .value(handle: 14, [3], isIndication: true),
                .value(handle: 14, [7], isIndication: false),
                .value(handle: 15, [8, 9], isIndication: false),
            ])
        exchange.receive("0B 41")
        #expect(exchange.result() == .success(.value([0x41])))
    }

    @Test func `a response to another request is a problem and changes nothing`() {
        var exchange = Exchange()
        exchange.receive("0B 41")
        #expect(exchange.others == [.problem(.unexpectedResponse(.readResponse))])
        exchange.start(.read(3))
        exchange.receive("13")
        exchange.receive("01 12 0300 01")
        #expect(exchange.finished.isEmpty)
        exchange.receive("0B 41")
        #expect(exchange.result() == .success(.value([0x41])))
    }

    @Test func `handles that do not grow end a discovery instead of asking for ever`() {
        for response in [
            "11 06 0000 0700 0018", "11 06 0800 0700 0018", "11 06 0100 0700 0018 0700 0900 0118",
            "11 05 0100 0700 00", "11 06",
        ] {
            var exchange = Exchange()
            exchange.start(.discoverServices())
            exchange.receive(response)
            #expect(
                exchange.result() == .failure(.malformedResponse(.readByGroupTypeResponse)), "\(response)")
        }
        var exchange = Exchange()
        exchange.start(.discoverCharacteristics(12...31))
        exchange.receive("09 07 2000 12 2100 E1FF")
        #expect(exchange.result() == .failure(.malformedResponse(.readByTypeResponse)))
    }

    @Test func `what can't be is refused before anything is sent`() {
        var exchange = Exchange()
        for operation in [
            GATTOperation.read(0), .write(0, [1]), .write(3, [UInt8](repeating: 0, count: 513)),
            .discoverCharacteristics(0...9),
        ] {
            exchange.start(operation)
            #expect(exchange.result() == .failure(.invalidOperation))
        }
        exchange.expectSent()
    }

    @Test func `a malformed request is refused, a malformed response ends its operation`() {
        var exchange = Exchange()
        exchange.receive("0A 03")
        exchange.expectSent("01 0A 0000 04")
        exchange.start(.discoverServices())
        exchange.sent = []
        exchange.receive("11 00")
        #expect(exchange.result() == .failure(.malformedResponse(.readByGroupTypeResponse)))
    }

    @Test func `random octets never break the client`() {
        var random = SplitMix(state: 0xA77C)
        for round in 0..<3_000 {
            var exchange = Exchange()
            exchange.start([.discoverServices(), .read(3), .discoverDescriptors(1...9)][round % 3])
            for _ in 0..<8 {
                var pdu = (0..<random.next(below: 24)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                if !pdu.isEmpty { pdu[0] = UInt8(random.next(below: 0x24)) }
                exchange.receive(hex(pdu))
            }
            exchange.close(.disconnected)
            #expect(exchange.finished.count == 1)
        }
    }
}
