import BluetoothCore
import Testing

@Suite struct ATTOpcodeTests {
    @Test func `each request has its response, and each response its request`() {
        for value in UInt8.min...UInt8.max {
            let opcode = ATTOpcode(rawValue: value)
            if opcode.kind == .request || opcode.kind == .indication {
                let answer = ATTOpcode(rawValue: value + 1)
                #expect(answer.name != nil)
                #expect(answer.answers == opcode)
            }
            if let asked = opcode.answers { #expect(asked.rawValue + 1 == value) }
            #expect((opcode.kind == .unknown) == (opcode.isSentByClient == nil))
        }
        #expect(ATTOpcode.errorResponse.answers == nil)
        #expect(ATTOpcode.handleValueConfirmation.answers == .handleValueIndication)
    }

    @Test func `all 31 assigned opcodes have a name and fields`() {
        let named = (UInt8.min...UInt8.max).map(ATTOpcode.init).filter { $0.name != nil }
        #expect(named.count == 31)
        for opcode in named {
            #expect(opcode.kind != .unknown)
            #expect(ATTTable.layout(opcode) != nil)
        }
    }

    @Test func `a top bit says command`() {
        #expect(ATTOpcode.signedWriteCommand.isCommand)
        #expect(ATTOpcode.writeCommand.isCommand)
        #expect(!ATTOpcode.writeRequest.isCommand)
        #expect(ATTOpcode(rawValue: 0x7F).kind == .command)
    }

    @Test func `error codes have names, ranges too`() {
        for (code, name) in [
            (0x01, "Invalid Handle"), (0x0F, "Insufficient Encryption"), (0x13, "Value Not Allowed"),
            (0x80, "Application Error"), (0x9F, "Application Error"), (0xFF, "Out of Range"),
            (0xE0, "Common Profile or Service Error"),
        ] as [(UInt8, String)] {
            #expect(ATTErrorCode(rawValue: code).name.map { "\($0)" } == name)
        }
        #expect(ATTErrorCode(rawValue: 0xA0).name == nil)
        #expect(ATTErrorCode(rawValue: 0).name == nil)
    }
}
