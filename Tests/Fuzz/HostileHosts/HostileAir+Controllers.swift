import BluetoothCore
import LEHost

// What controllers do that keep to the specification.

extension HostileAir {
    /// Answers the oldest command of a host as it should be.
    mutating func answer(_ side: Int) {
        guard !sides[side].commands.isEmpty else { return }
        let octets = sides[side].commands.removeFirst().octets
        guard octets.count >= 3 else { return }
        let opcode = HCIOpcode(rawValue: UInt16(octets[0]) | UInt16(octets[1]) << 8)
        let handle = octets.count >= 5 ? UInt16(octets[3]) | UInt16(octets[4]) << 8 : 0
        switch opcode {
        case LECreateConnection.opcode, LEExtendedCreateConnection.opcode, LEConnectionUpdate.opcode,
            LESetPHY.opcode:
            status(opcode, side)
        case LECreateConnectionCancel.opcode:
            complete(opcode, [0], side)
            event(LEConnectionComplete { $0.status = .unknownConnectionIdentifier }.packet, side)
        case HCIDisconnect.opcode:
            status(opcode, side)
            cut(handle)
        case LEEnableEncryption.opcode:
            status(opcode, side)
            guard let wire = wires.firstIndex(where: { $0.handle == handle }) else { return }
            wires[wire].asked = Array(octets[5...])
            let asked = LELongTermKeyRequest.packet(handle, Array(octets[5..<15]))
            event(asked, 1 - side)
        case LELongTermKeyRequestReply.opcode:
            complete(opcode, [0] + octets[3..<5], side)
            guard let wire = wires.firstIndex(where: { $0.handle == handle }) else { return }
            let keys = [wires[wire].asked.dropFirst(10), octets[5...]].map { Array($0.reversed()) }
            // Someone in the middle encrypts each side's link by its own key.
            let isSame = keys[0] == keys[1] || stripper?.keys == keys
            encryptionChanged(handle, isSame ? .success : HCIStatus(rawValue: 0x3D))
            if !isSame { cut(handle) }
        case LELongTermKeyRequestNegativeReply.opcode:
            complete(opcode, [0] + octets[3..<5], side)
            encryptionChanged(handle, .pinOrKeyMissing)
        default: complete(opcode, returned(opcode, octets, side), side)
        }
    }

    private func returned(_ opcode: HCIOpcode, _ octets: [UInt8], _ side: Int) -> [UInt8] {
        switch opcode {
        case HCIReadBDADDR.opcode:
            HCIReadBDADDR.ReturnParameters { $0.bdAddr = Self.addresses[side] }.encoded
        case LEReadBufferSize.opcode:
            LEReadBufferSize.ReturnParameters {
                $0.leACLDataPacketLength = 27
                $0.totalNumLEACLDataPackets = 4
            }.encoded
        case LEReadFilterAcceptListSize.opcode:
            LEReadFilterAcceptListSize.ReturnParameters { $0.filterAcceptListSize = 4 }.encoded
        case HCIReadLocalSupportedCommands.opcode where sides[side].hasAll,
            LEReadLocalSupportedFeatures.opcode where sides[side].hasAll:
            [0] + [UInt8](repeating: 0xFF, count: 64)
        case LEReadResolvingListSize.opcode where sides[side].hasAll: [0, 4]
        case LEReadMaximumAdvertisingDataLength.opcode where sides[side].hasAll: [0, 0x72, 6]
        default: [0] + octets.dropFirst(3).prefix(2) + [UInt8](repeating: 0, count: 64)
        }
    }

    mutating func complete(_ opcode: HCIOpcode, _ returned: [UInt8], _ side: Int, credits: UInt8 = 1) {
        let parameters =
            HCICommandComplete {
                $0.numHCICommandPackets = credits
                $0.commandOpcode = opcode
            }.encoded + returned
        event([HCICommandComplete.eventCode.rawValue, UInt8(clamping: parameters.count)] + parameters, side)
    }

    mutating func status(_ opcode: HCIOpcode, _ side: Int, _ status: HCIStatus = .success) {
        event(
            HCICommandStatus {
                $0.status = status
                $0.numHCICommandPackets = 1
                $0.commandOpcode = opcode
            }.packet, side)
    }

    private mutating func encryptionChanged(_ handle: UInt16, _ status: HCIStatus) {
        for side in 0..<2 {
            event(
                HCIEncryptionChange {
                    $0.status = status
                    $0.connectionHandle = handle
                    $0.encryptionEnabled = status == .success ? 1 : 0
                }.packet, side)
        }
    }

    /// Joins both hosts, each in one role.
    mutating func join() {
        guard wires.count < 4 else { return }
        let central = choices.pick(2)
        let handle = UInt16(0x40 + choices.pick(16))
        let isAlias = choices.isOne(in: 4)
        let onAir = (0..<2).map { sides[$0].host.address ?? Self.addresses[$0] }
        let peer =
            isAlias ? DeviceAddress(UInt64(0xC000_0000_0000) | UInt64(handle), .random) : onAir[1 - central]
        put(.connect(peer), central)
        wires.append(Wire(handle: handle, central: central))
        for side in 0..<2 {
            guard !sides[side].hasAll else {
                event(
                    LEEnhancedConnectionComplete {
                        $0.connectionHandle = handle
                        $0.role = side == central ? 0 : 1
                        // As a controller tells it that has resolved the address, or has not.
                        let address = side == central ? peer : onAir[central]
                        let isResolved = address.isResolvablePrivate && !choices.isOne(in: 4)
                        $0.peerAddress =
                            isResolved ? Self.addresses[side == central ? 1 - central : central] : address
                        $0.peerAddressType = isResolved ? 2 : address.kind.rawValue
                        if isResolved { $0.peerResolvablePrivateAddress = address }
                        $0.connectionInterval = 24
                        $0.supervisionTimeout = 420
                    }.packet, side)
                continue
            }
            event(
                LEConnectionComplete {
                    $0.connectionHandle = handle
                    $0.role = side == central ? 0 : 1
                    $0.peerAddress = side == central ? peer : onAir[central]
                    $0.peerAddressType = $0.peerAddress.kind.rawValue
                    $0.connectionInterval = 24
                    $0.supervisionTimeout = 420
                }.packet, side)
        }
    }

    /// Ends a link on both sides.
    mutating func cut(_ handle: UInt16) {
        wires.removeAll { $0.handle == handle }
        for side in 0..<2 {
            sides[side].data.removeAll { $0.octets.first == UInt8(truncatingIfNeeded: handle) }
            end(handle, side)
        }
    }

    /// Carries the oldest data of a host to the other one; `change` makes something else of it.
    mutating func carry(_ side: Int, _ change: (inout [UInt8], inout Choices) -> Void = { _, _ in }) {
        guard !sides[side].data.isEmpty else { return }
        var octets = sides[side].data.removeFirst().octets
        guard octets.count >= 4 else { return }
        let handle = UInt16(octets[0]) | UInt16(octets[1] & 0x0F) << 8
        // What a host begins a PDU with arrives as a first packet that may be flushed.
        if octets[1] & 0x30 == 0 { octets[1] |= 0x20 }
        change(&octets, &choices)
        let isPairing = octets.count > 8 && octets[6] == L2CAPChannelID.securityManager.rawValue
        if isPairing, let out = stripper?.take(Array(octets[8...]), from: side) {
            for (to, pdu) in out {
                let count = UInt8(pdu.count)
                let head = octets[..<2] + [count + 4, 0, count, 0] + octets[6..<8]
                put(.packet(HCIPacket(.acl, head + pdu)), to)
            }
        } else {
            put(.packet(HCIPacket(.acl, octets)), 1 - side)
        }
        guard !choices.isOne(in: 32) else { return }
        event(
            HCINumberOfCompletedPackets {
                $0.connections = [
                    HCICompletedPackets {
                        $0.connectionHandle = handle
                        $0.numCompletedPackets = 1
                    }
                ]
            }.packet, side)
    }
}

extension LELongTermKeyRequest {
    /// The event with these octets of Random Number and Encrypted Diversifier.
    fileprivate static func packet(_ handle: UInt16, _ numbers: [UInt8]) -> [UInt8] {
        [
            HCIEventCode.leMeta.rawValue, 13, Self.subeventCode.rawValue, UInt8(truncatingIfNeeded: handle),
            UInt8(handle >> 8),
        ] + numbers
    }
}
