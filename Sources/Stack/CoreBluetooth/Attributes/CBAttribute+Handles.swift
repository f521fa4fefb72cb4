// Handles of attributes. Not part of Apple's API, which shows no handles: for programs that compare with a
// log.

extension CBCharacteristic {
    /// The handle of its value; nil for a local characteristic.
    @_spi(Host) public var valueHandle: UInt16? { handles?.value }
}

extension CBDescriptor {
    /// Its handle; nil for a local descriptor.
    @_spi(Host) public var attributeHandle: UInt16? { handle }
}
