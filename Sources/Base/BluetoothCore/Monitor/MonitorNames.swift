/// The names of coded values in the monitor channel's records; nil for what is not known.
public enum MonitorNames {
    /// The kinds of a controller.
    @Sendable public static func controllerType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "primary"
        case 1: "AMP"
        default: nil
        }
    }

    /// What a controller is attached by.
    @Sendable public static func bus(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "virtual"
        case 1: "USB"
        case 2: "PC Card"
        case 3: "UART"
        case 4: "RS232"
        case 5: "PCI"
        case 6: "SDIO"
        case 7: "SPI"
        case 8: "I2C"
        case 9: "SMD"
        case 10: "VIRTIO"
        case 11: "IPC"
        default: nil
        }
    }

    /// The priorities of syslog.
    @Sendable public static func priority(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "emergency"
        case 1: "alert"
        case 2: "critical"
        case 3: "error"
        case 4: "warning"
        case 5: "notice"
        case 6: "info"
        case 7: "debug"
        default: nil
        }
    }

    /// What a Bluetooth socket speaks.
    @Sendable public static func socketFormat(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "raw"
        case 1: "user"
        case 2: "management"
        default: nil
        }
    }

    /// What the kernel grants a socket.
    @Sendable public static func socketFlag(_ bit: Int) -> StaticString? { bit == 0 ? "trusted" : nil }

    /// The kinds of an address in the management interface.
    @Sendable public static func addressType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "BR/EDR"
        case 1: "LE public"
        case 2: "LE random"
        default: nil
        }
    }

    /// Why the kernel says a device is no longer connected.
    @Sendable public static func disconnectReason(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "unspecified"
        case 1: "connection timeout"
        case 2: "terminated by local host"
        case 3: "terminated by remote host"
        case 4: "authentication failure"
        case 5: "terminated by local host for suspend"
        default: nil
        }
    }
}
