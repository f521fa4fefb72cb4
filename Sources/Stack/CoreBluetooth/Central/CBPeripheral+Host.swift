public import LEHost

// What the host can do and Apple's API has no call for. Not part of that API: for programs that repeat a log.
extension CBPeripheral {
    /// Does an operation of the host in its turn among the calls of this peripheral.
    ///
    /// - Parameter completion: is called once, on the manager's queue; with the error that a callback would
    ///   have.
    @_spi(Host) public func perform(
        _ operation: GATTOperation, _ completion: @escaping @Sendable (Result<GATTOutcome, any Error>) -> Void
    ) {
        ask { core, peripheral in
            core.perform(operation, for: peripheral) { result in
                peripheral.change { _ in completion(result) }
            }
        }
    }

    /// Writes this Client Characteristic Configuration, whatever stands there; the delegate is told as by
    /// ``setNotifyValue(_:for:)``.
    @_spi(Host) public func configure(_ value: [UInt8], for characteristic: CBCharacteristic) {
        let isOn = value.contains { $0 != 0 }
        ask { $0.setNotify(isOn, for: characteristic, of: $1, forced: value) }
    }

    /// Makes the link secure: by the bond, else by pairing, where it is not encrypted already.
    ///
    /// - Parameter completion: is called once, within the scheduler.
    @_spi(Host) public func secure(
        _ completion: @escaping @Sendable (Result<LinkSecurity, PairingFailure>) -> Void
    ) {
        ask { core, peripheral in
            guard let link = core.devices[peripheral.address]?.link else {
                return completion(.failure(.disconnected))
            }
            core.adapter.secure(link, completion)
        }
    }

    /// Sets how often the link's two ends meet; what the controller refuses changes nothing.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.8.18.
    @_spi(Host) public func update(_ parameters: ConnectionParameters) {
        ask { core, peripheral in
            guard let link = core.devices[peripheral.address]?.link else { return }
            core.adapter.put(.updateParameters(parameters, on: link))
        }
    }

    /// Writes a value without response to any attribute.
    @_spi(Host) public func writeCommand(_ value: [UInt8], to handle: UInt16) {
        ask { $0.writeCommand(value, to: handle, of: $1) }
    }
}
