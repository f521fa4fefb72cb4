public import WireBytes

/// A codec of the SIG.
///
/// Source: Vol 4, Part E, 7.4.8.
public struct HCIStandardCodec: PDUFields, Equatable {
    public var codecID: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("codec_id", &codecID, .code(HCINames.codingFormat))
    }
}

/// A codec of a company.
///
/// Source: Vol 4, Part E, 7.4.8.
public struct HCIVendorCodec: PDUFields, Equatable {
    public var companyIdentifier: UInt16 = 0
    public var vendorCodecID: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("company_identifier", &companyIdentifier, .company)
        try coder.u16("vendor_codec_id", &vendorCodecID, .hex)
    }
}

/// HCI_Read_Local_Supported_Codecs_[v1] command.
///
/// Source: Vol 4, Part E, 7.4.8.
public struct HCIReadLocalSupportedCodecs: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x100B) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadLocalSupportedCodecs {
    /// What the controller returns for ``HCIReadLocalSupportedCodecs``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var standardCodecs: [HCIStandardCodec] = []
        public var vendorCodecs: [HCIVendorCodec] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.counted("num_supported_standard_codecs", "standard_codecs", &standardCodecs)
            try coder.counted("num_supported_vendor_specific_codecs", "vendor_codecs", &vendorCodecs)
        }
    }
}

/// HCI_Read_Local_Simple_Pairing_Options command.
///
/// Source: Vol 4, Part E, 7.4.9.
public struct HCIReadLocalSimplePairingOptions: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x100C) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadLocalSimplePairingOptions {
    /// What the controller returns for ``HCIReadLocalSimplePairingOptions``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var simplePairingOptions: UInt8 = 0
        public var maxEncryptionKeySize: UInt8 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u8("simple_pairing_options", &simplePairingOptions, .bits(HCINames.pairingOptions))
            try coder.u8("max_encryption_key_size", &maxEncryptionKeySize)
        }
    }
}

/// A codec of the SIG with what it can be used for.
///
/// Source: Vol 4, Part E, 7.4.8.
public struct HCIStandardCodecTransport: PDUFields, Equatable {
    public var codecID: UInt8 = 0
    public var codecTransport: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("codec_id", &codecID, .code(HCINames.codingFormat))
        try coder.u8("codec_transport", &codecTransport, .bits(HCINames.codecTransports))
    }
}

/// A codec of a company with what it can be used for.
///
/// Source: Vol 4, Part E, 7.4.8.
public struct HCIVendorCodecTransport: PDUFields, Equatable {
    public var companyIdentifier: UInt16 = 0
    public var vendorCodecID: UInt16 = 0
    public var codecTransport: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u16("company_identifier", &companyIdentifier, .company)
        try coder.u16("vendor_codec_id", &vendorCodecID, .hex)
        try coder.u8("codec_transport", &codecTransport, .bits(HCINames.codecTransports))
    }
}

/// HCI_Read_Local_Supported_Codecs_[v2] command.
///
/// Source: Vol 4, Part E, 7.4.8.
public struct HCIReadLocalSupportedCodecsV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x100D) }
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}
}

extension HCIReadLocalSupportedCodecsV2 {
    /// What the controller returns for ``HCIReadLocalSupportedCodecsV2``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var standardCodecs: [HCIStandardCodecTransport] = []
        public var vendorCodecs: [HCIVendorCodecTransport] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.counted("num_supported_standard_codecs", "standard_codecs", &standardCodecs)
            try coder.counted("num_supported_vendor_specific_codecs", "vendor_codecs", &vendorCodecs)
        }
    }
}

/// One capability of a codec.
///
/// Source: Vol 4, Part E, 7.4.10.
public struct HCICodecCapability: PDUFields, Equatable {
    public var codecCapability: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.sizedOctets("codec_capability_length", "codec_capability", &codecCapability)
    }
}

/// HCI_Read_Local_Supported_Codec_Capabilities command.
///
/// Source: Vol 4, Part E, 7.4.10.
public struct HCIReadLocalSupportedCodecCapabilities: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x100E) }

    public var codingFormat: UInt8 = 0
    public var companyIdentifier: UInt16 = 0
    public var vendorCodecID: UInt16 = 0
    public var logicalTransportType: UInt8 = 0
    public var direction: UInt8 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("coding_format", &codingFormat, .code(HCINames.codingFormat))
        try coder.u16("company_identifier", &companyIdentifier, .company)
        try coder.u16("vendor_codec_id", &vendorCodecID, .hex)
        try coder.u8("logical_transport_type", &logicalTransportType, .code(HCINames.logicalTransport))
        try coder.u8("direction", &direction, .code(HCINames.dataPathDirection))
    }
}

extension HCIReadLocalSupportedCodecCapabilities {
    /// What the controller returns for ``HCIReadLocalSupportedCodecCapabilities``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        public var capabilities: [HCICodecCapability] = []

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.counted("num_codec_capabilities", "capabilities", &capabilities)
        }
    }
}

/// HCI_Read_Local_Supported_Controller_Delay command.
///
/// Source: Vol 4, Part E, 7.4.11.
public struct HCIReadLocalSupportedControllerDelay: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x100F) }

    public var codingFormat: UInt8 = 0
    public var companyIdentifier: UInt16 = 0
    public var vendorCodecID: UInt16 = 0
    public var logicalTransportType: UInt8 = 0
    public var direction: UInt8 = 0
    public var codecConfiguration: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.u8("coding_format", &codingFormat, .code(HCINames.codingFormat))
        try coder.u16("company_identifier", &companyIdentifier, .company)
        try coder.u16("vendor_codec_id", &vendorCodecID, .hex)
        try coder.u8("logical_transport_type", &logicalTransportType, .code(HCINames.logicalTransport))
        try coder.u8("direction", &direction, .code(HCINames.dataPathDirection))
        try coder.sizedOctets("codec_configuration_length", "codec_configuration", &codecConfiguration)
    }
}

extension HCIReadLocalSupportedControllerDelay {
    /// What the controller returns for ``HCIReadLocalSupportedControllerDelay``.
    public struct ReturnParameters: PDUFields, Equatable {
        public var status: HCIStatus = .success
        /// In microseconds.
        public var minControllerDelay: UInt32 = 0
        /// In microseconds.
        public var maxControllerDelay: UInt32 = 0

        public init() {}

        public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C)
            throws(DecodeError)
        {
            try coder.code("status", &status, width: 1, .status)
            if coder.ends(after: status) { return }
            try coder.u24("min_controller_delay", &minControllerDelay, .steps(nanoseconds: 1_000))
            try coder.u24("max_controller_delay", &maxControllerDelay, .steps(nanoseconds: 1_000))
        }
    }
}
