// The opcodes of the standard commands by name.

extension HCIOpcode {
    @inlinable public static var leConnectionRateRequest: Self { Self(rawValue: 0x20A1) }
    @inlinable public static var leSetDefaultRateParameters: Self { Self(rawValue: 0x20A2) }
    @inlinable public static var leReadMinimumSupportedConnectionInterval: Self { Self(rawValue: 0x20A3) }
}
