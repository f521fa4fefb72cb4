public import LEHost

// Host operations that Apple's API has no call for. Not part of that API: for programs that repeat a log.
extension CBPeripheral {
    /// Performs an operation of the host, in order with the calls of this peripheral.
    ///
    /// - Parameter completion: called once, on the manager's queue, with the error that a callback would
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

    /// Writes this Client Characteristic Configuration, whatever its current value.
    ///
    /// The delegate is called as for ``setNotifyValue(_:for:)``.
    @_spi(Host) public func configure(_ value: [UInt8], for characteristic: CBCharacteristic) {
        let isOn = value.contains { $0 != 0 }
        ask { $0.setNotify(isOn, for: characteristic, of: $1, forced: value) }
    }

    /// Secures the link with the bond, or else by pairing, unless it is already encrypted.
    ///
    /// - Parameter completion: called once, within the scheduler.
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

    /// Requests connection parameters; a refusal by the controller changes nothing.
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
