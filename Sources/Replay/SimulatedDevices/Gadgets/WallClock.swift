public import BluetoothCore

/// A peripheral with a clock that notifies every two seconds, a readable and writable value, and a read-only
/// one.
public struct WallClock: Gadget {
    /// Maximum length of a written value, in bytes.
    public static let longest = 64
    private var kept = Array("xmg".utf8)

    public init() {}

    public var services: [GadgetService] {
        [
            GadgetService(
                0xFFF0,
                [
                    GadgetCharacteristic(0xFFF1, [.notify]),
                    GadgetCharacteristic(0xFFF2, [.read, .write], text: "xmgDes1"),
                ]),
            GadgetService(0xFFE0, [GadgetCharacteristic(0xFFF3, [.read])]),
        ]
    }

    public func advertising(_ address: DeviceAddress) -> GadgetAdvertising {
        GadgetAdvertising([0xFFF0, 0xFFE0], name: "xmg")
    }

    public func value(of uuid: BluetoothUUID) -> [UInt8] {
        uuid == BluetoothUUID(UInt16(0xFFF2)) ? kept : Array("read only".utf8)
    }

    public func refusal(of value: [UInt8], to uuid: BluetoothUUID) -> GadgetRefusal? {
        value.count <= Self.longest ? nil : .length
    }

    public mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate] {
        kept = value
        return []
    }

    public func period(of uuid: BluetoothUUID) -> Duration? {
        uuid == BluetoothUUID(UInt16(0xFFF1)) ? .seconds(2) : nil
    }

    public func told(of uuid: BluetoothUUID, wallClock: Int64) -> [UInt8] { Array(Self.text(wallClock).utf8) }

    /// Formats a time in nanoseconds since 1970 (UTC) as `yy:MM:dd:HH:mm:ss`.
    static func text(_ wallClock: Int64) -> String {
        var seconds = wallClock / 1_000_000_000
        if wallClock % 1_000_000_000 < 0 { seconds -= 1 }
        var days = seconds / 86_400
        var rest = seconds % 86_400
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        let (year, month, day) = civil(days)
        return [year % 100, month, day, rest / 3_600, rest / 60 % 60, rest % 60]
            .map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
    }

    /// Converts days since 1970-01-01 to a date, by eras of 400 years that begin in March.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}
