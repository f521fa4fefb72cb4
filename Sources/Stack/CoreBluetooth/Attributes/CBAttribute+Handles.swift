// Where attributes lie at their peripheral. Not part of Apple's API, which shows no handle: for programs that
// compare with a log.

extension CBCharacteristic {
    /// The handle of its value; nil for one of ours.
    @_spi(Host) public var valueHandle: UInt16? { handles?.value }
}

extension CBDescriptor {
    /// The handle; nil for one of ours.
    @_spi(Host) public var attributeHandle: UInt16? { handle }
}
