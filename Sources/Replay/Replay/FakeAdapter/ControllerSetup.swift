import BluetoothCore
import VirtualController

/// Settings of the host for its controller.
struct ControllerSetup: Sendable {
    var core: ControllerCore
    var advertising = RecordedConnection.Advertising()
    var isAdvertising = false
    /// Whether centrals may connect, and whether they use the random address.
    var isConnectable = false
    var advertisesRandom = false
    /// Incremented whenever advertising begins or ends.
    var advertisingGeneration = 0

    /// The address of an adapter whose log does not show one.
    static let madeUpAddress = DeviceAddress(0x02_00_00_00_00_10, .public)

    init(_ controller: RecordedController) {
        // Version 5.3 of the Core Specification is the minimum for all of the commands.
        var configuration = ControllerConfiguration(
            publicAddress: controller.address ?? Self.madeUpAddress, version: .v53)
        configuration.features = [.encryption, .connectionParametersRequest, .dataPacketLengthExtension]
        configuration.aclPacketLength = controller.packetLength
        configuration.aclPacketCount = controller.packetCount
        configuration.acceptListSize = controller.acceptListSize
        core = ControllerCore(configuration)
    }
}
