import BluetoothCore
import Runtime
import WireBytes

// LE Ping: hosts are informed if an encrypted link has no packet with a message integrity check in time.

extension VirtualAir {
    mutating func performPing(
        _ opcode: HCIOpcode, _ parameters: [UInt8], from controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case HCIReadAuthenticatedPayloadTimeout.opcode:
            let handle = try HCIReadAuthenticatedPayloadTimeout(whole: parameters).connectionHandle
            let place = find(handle, of: controller)
            return .complete(
                HCIReadAuthenticatedPayloadTimeout.ReturnParameters {
                    $0.status = place == nil ? .unknownConnectionIdentifier : .success
                    $0.connectionHandle = handle
                    if let place {
                        $0.authenticatedPayloadTimeout = links[place.index].ends[place.side].payloadTimeout
                    }
                })
        case HCIWriteAuthenticatedPayloadTimeout.opcode:
            let wish = try HCIWriteAuthenticatedPayloadTimeout(whole: parameters)
            let place = find(wish.connectionHandle, of: controller)
            let shortest = place.map { place in
                let parameters = links[place.index].parameters
                return parameters.intervalNanoseconds * (Int64(parameters.latency) + 1)
            }
            // The timeout must include an event that the peripheral can't skip.
            guard wish.authenticatedPayloadTimeout > 0,
                Int64(wish.authenticatedPayloadTimeout) * 10_000_000 >= shortest ?? 0
            else {
                return .complete(.invalidHCICommandParameters, on: wish.connectionHandle)
            }
            if let place {
                links[place.index].ends[place.side].payloadTimeout = wish.authenticatedPayloadTimeout
            }
            return .complete(
                place == nil ? .unknownConnectionIdentifier : .success, on: wish.connectionHandle)
        default: return nil
        }
    }
}

extension AirLink {
    /// Starts the authenticated payload timeouts of the encrypted link, whose ends no longer hear each other.
    ///
    /// Until then the Link Layers have pinged each other whenever half of the timeout had passed without an
    /// authenticated packet (Core Specification, Vol 6, Part B, 4.5.8 and 5.1.8).
    func startPayloadTimeouts(_ air: inout AirMedium) {
        guard isEncrypted else { return }
        for (side, end) in ends.enumerated() where !end.isGone {
            let timeout = Int64(end.payloadTimeout) * 10_000_000
            let since = max(0, air.now.nanoseconds - end.authenticated.nanoseconds)
            let last = end.authenticated.advanced(by: .nanoseconds(since / (timeout / 2) * (timeout / 2)))
            air.heap.push(
                .link(id, .payloadTimeout(side: side, separation: separation)),
                at: max(air.now, last.advanced(by: .nanoseconds(timeout))), from: .controller)
        }
    }

    func payloadTimedOut(side: Int, separation: Int, _ air: inout AirMedium) {
        let end = ends[side]
        guard isSeparated, self.separation == separation, !end.isGone else { return }
        // The timeout is repeated as long as the link exists.
        air.heap.push(
            .link(id, .payloadTimeout(side: side, separation: separation)),
            at: air.now.advanced(by: .milliseconds(Int64(end.payloadTimeout) * 10)), from: .controller)
        // Bit 23 of page 2 (Vol 4, Part E, 7.3.69).
        guard air.controllers[end.controller].configuration.features.contains(.lePing),
            air.controllers[end.controller].eventMaskPage2 & 1 << 23 != 0
        else { return }
        air.send(
            HCIPacket(.event, HCIAuthenticatedPayloadTimeoutExpired(connectionHandle: end.handle).packet),
            to: end.controller)
    }
}
