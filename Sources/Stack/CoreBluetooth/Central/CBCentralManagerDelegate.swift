public import Foundation

/// A connection or disconnection of a device that the program registered for.
public enum CBConnectionEvent: Int, Hashable, Sendable {
    case peerDisconnected = 0
    case peerConnected = 1
}

/// Option that selects the devices to report.
public struct CBConnectionEventMatchingOption: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Devices known to have one of these services: an array of ``CBUUID``.
    public static let serviceUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionServiceUUIDs")
    /// Devices with one of these identifiers: an array of `UUID`.
    public static let peripheralUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionPeripheralUUIDs")
}

/// Receives the callbacks of a central manager, in its queue.
public protocol CBCentralManagerDelegate: NSObjectProtocol {
    func centralManagerDidUpdateState(_ central: CBCentralManager)
    // Those below may be left out; the build makes empty defaults of them.
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber)
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)
    /// Called instead of the version without a time stamp if a program implements it.
    ///
    /// - Parameters:
    ///   - central: the manager.
    ///   - peripheral: the device whose link ended.
    ///   - timestamp: seconds since 2001, by the adapter's wall clock.
    ///   - isReconnecting: whether the system reconnects by itself.
    ///   - error: the reason; nil if the program cancelled the connection.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?)
    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
        for peripheral: CBPeripheral)
    func centralManager(
        _ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral)
}

extension CBCentralManagerDelegate {
    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
    ) { centralManager(central, didDisconnectPeripheral: peripheral, error: error) }
}

/// Seconds since the beginning of 2001 (UTC).
public typealias CFAbsoluteTime = Double
