/// Opcodes of link layer control PDUs that are followed or sent, named as in the table of PDUs.
///
/// Source: Core Specification, Vol 6, Part B, 2.4.2.
public enum LLControlOpcode: UInt8, Sendable {
    case connectionUpdateIndication = 0x00
    case channelMapIndication = 0x01
    case terminateIndication = 0x02
    case encryptionRequest = 0x03
    case encryptionResponse = 0x04
    case startEncryptionRequest = 0x05
    case startEncryptionResponse = 0x06
    case unknownResponse = 0x07
    case featureRequest = 0x08
    case featureResponse = 0x09
    case pauseEncryptionRequest = 0x0A
    case pauseEncryptionResponse = 0x0B
    case versionIndication = 0x0C
    case rejectIndication = 0x0D
    case peripheralFeatureRequest = 0x0E
    case connectionParameterRequest = 0x0F
    case extendedRejectIndication = 0x11
    case lengthRequest = 0x14
    case lengthResponse = 0x15
    case phyRequest = 0x16
    case phyResponse = 0x17
    case phyUpdateIndication = 0x18
}
