import BluetoothCore
import PayloadFormat
import Profiles
import Testing
import WireBytes

/// Advertising data, as public decoders test themselves with it, and what the profiles show.
@Suite struct AdvertisingPacksTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let profile: String
        let message: String
        let hex: String
        /// Values by the paths of their fields; numbers are in the field's unit.
        let values: KeyValuePairs<String, String>

        init(_ profile: String, _ message: String, _ hex: String, _ values: KeyValuePairs<String, String>) {
            (self.profile, self.message, self.hex, self.values) = (profile, message, hex, values)
        }

        var testDescription: String { "\(profile) \(hex)" }
    }

    /// The owner of each profile's data.
    static let owners: [String: AdvertisingSelector.Owner] = [
        "apple-continuity": .company(0x004C), "bthome": .service(BluetoothUUID(0xFCD2 as UInt16)),
        "eddystone": .service(BluetoothUUID(0xFEAA as UInt16)),
        "exposure-notification": .service(BluetoothUUID(0xFD6F as UInt16)),
        "fast-pair": .service(BluetoothUUID(0xFE2C as UInt16)),
        "find-hub": .service(BluetoothUUID(0xFEAA as UInt16)), "govee-sensor": .company(0xEC88),
        "ibeacon": .company(0x004C), "mibeacon": .service(BluetoothUUID(0xFE95 as UInt16)),
        "microsoft": .company(0x0006), "ruuvi": .company(0x0499), "victron": .company(0x02E1),
    ]

    static let samples: [Sample] = [
        Sample(
            "ruuvi", "measurements", "0512fc5394c37c0004fffc040cac364200cdcbb8334c884f",
            [
                "temperature": "24.3", "pressure": "100044", "humidity": "53.49", "acceleration-x": "0.004",
                "acceleration-y": "-0.004", "acceleration-z": "1.036", "power.tx-power": "4",
                "power.battery-voltage": "2.977", "movement-counter": "66", "sequence": "205",
                "address": "cbb8334c884f",
            ]),
        Sample(
            "ruuvi", "measurements", "058000ffffffff800080008000ffffffffffffffffffffff",
            [
                "temperature": "not available", "humidity": "not available", "pressure": "not available",
                "acceleration-x": "not available", "power.battery-voltage": "not available",
                "power.tx-power": "not available",
            ]),
        Sample(
            "ruuvi", "measurements-3", "03291a1ece1efc18f94202ca0b53",
            [
                "temperature.degrees": "26", "temperature-fraction": "0.3", "pressure": "102766",
                "humidity": "20.5", "acceleration-x": "-1", "acceleration-y": "-1.726",
                "acceleration-z": "0.714", "battery-voltage": "2.899",
            ]),
        Sample(
            "eddystone", "uid", "00e3123456789012346789010000000000010000",
            ["tx-power-at-0m": "-29", "namespace": "12345678901234678901", "instance": "000000000001"]),
        Sample(
            "eddystone", "url", "10f8036769746875620063697472757a",
            ["tx-power-at-0m": "-8", "scheme": "https://", "url": "github.com/citruz"]),
        Sample(
            "eddystone", "telemetry", "20000b18130000001467" + "00002ac4",
            [
                "telemetry.battery-voltage": "2.84", "telemetry.temperature": "19",
                "telemetry.advertisements": "5223", "telemetry.uptime": "1094.8",
            ]),
        Sample(
            "eddystone", "telemetry", "2001414141414141414141414141deadbeff",
            ["telemetry.data": "414141414141414141414141", "telemetry.salt": "0xdead"]),
        Sample(
            "eddystone", "ephemeral-identifier", "30e34549445f74657374",
            ["tx-power-at-0m": "-29", "identifier": "4549445f74657374"]),
        Sample(
            "ibeacon", "beacon", "021541424344454647484940414243444546" + "00010002f8",
            ["uuid": "41424344454647484940414243444546", "major": "1", "minor": "2", "measured-power": "-8"]),
        Sample(
            "mibeacon", "beacon", "5020aa01a3bf2e3b342d580d1004b40095020a10013b",
            [
                "product": "LYWSDCGQ", "address": "bf2e3b342d58", "objects.0.value.temperature": "18",
                "objects.0.value.humidity": "66.1", "objects.1.value.battery": "59",
            ]),
        Sample(
            "mibeacon", "beacon", "50305b05034c94b438c1a40d10041001ea01",
            [
                "product": "LYWSD03MMC", "objects.0.value.temperature": "27.2",
                "objects.0.value.humidity": "49",
            ]),
        Sample(
            "mibeacon", "beacon", "7120980012f34f6b8d7cc40d041002c400",
            ["product": "HHCCJCY01", "capability": "0xd", "objects.0.value.temperature": "19.6"]),
        Sample(
            "mibeacon", "beacon", "71205d01015d01008d7cc40d081001400910025702",
            ["objects.0.value.moisture": "64", "objects.1.value.conductivity": "599"]),
        Sample(
            "mibeacon", "beacon", "5040df0201df02008d7cc41010027d00",
            ["objects.0.value.formaldehyde": "1.25"]),
        Sample(
            "mibeacon", "beacon", "50400a04010a04008d7cc41310015a", ["objects.0.value.consumable": "90"]),
        Sample("mibeacon", "beacon", "5040d60301d6030a38c1a419100100", ["objects.0.value.door": "open"]),
        Sample(
            "mibeacon", "beacon", "5059db780df4f80238c1a40d1004eb00e701",
            ["objects.0.value.temperature": "23.5", "objects.0.value.humidity": "48.7"]),
        Sample(
            "mibeacon", "beacon", "1059db780df4f80238c1a4", ["control.has-object": "no", "counter": "13"]),
        Sample(
            "mibeacon", "encrypted-beacon", "58585b0550f4830238c1a495ef58763c26000097e2abb5",
            ["product": "LYWSD03MMC", "counter": "80", "address": "f4830238c1a4"]),
        Sample(
            "victron", "instant-readout", "100289a302b040af925d09a4d89aa0128bdef48c6298a9",
            [
                "product-id": "0xa389", "record-type": "battery monitor", "counter": "16560",
                "first-key-byte": "0xaf",
            ]),
        Sample(
            "victron", "instant-readout", "1000c0a304121d64ca8d442b90bbdf6a8cba",
            ["product-id": "0xa3c0", "record-type": "DC/DC converter"]),
        Sample(
            "govee-sensor", "h5075", "000341c26400",
            [
                "temperature-and-humidity.below-zero": "no", "temperature-and-humidity.value": "21.3442",
                "battery": "100",
            ]),
        Sample(
            "govee-sensor", "h5074", "00e609bc126402",
            ["temperature": "25.34", "humidity": "47.96", "battery": "100"]),
        Sample("fast-pair", "model", "cd8256", ["model-id": "0xcd8256"]),
        Sample(
            "fast-pair", "account-keys", "00400a42888010",
            ["version-and-flags.version": "0", "data": "400a42888010"]),
        Sample(
            "microsoft", "connected-device", "01092002" + "1535d255" + String(repeating: "5a", count: 19),
            ["device.type": "Windows desktop", "salt": "1535d255"]),
        Sample("microsoft", "swift-pair", "030080", ["scenario": "LE", "reserved-rssi": "0x80"]),
        Sample(
            "exposure-notification", "exposure", String(repeating: "11", count: 16) + "0a0b0c0d",
            ["metadata": "0a0b0c0d"]),
        Sample(
            "find-hub", "identifier", "41" + String(repeating: "5a", count: 20) + "80",
            ["frame-type": "unwanted tracking protection mode", "flags": "0x80"]),
        Sample(
            "apple-continuity", "messages", "10055a1c839096" + "0c0e" + "08d1c6a0f28a1927bd62fd895b5a",
            [
                "messages.0.type": "nearby info", "messages.0.content.state.action": "10",
                "messages.1.type": "Handoff", "messages.1.content.copied": "yes",
                "messages.1.content.sequence": "53702",
            ]),
        Sample(
            "apple-continuity", "messages", "0e0601005700" + "0705",
            [
                "messages.0.type": "tethering source", "messages.0.content.battery": "87",
                "messages.0.content.cell-service": "7", "messages.0.content.bars": "5",
            ]),
        Sample(
            "apple-continuity", "homekit",
            "063100" + "b9e04e5b2c11" + "0500" + "0a00" + "02" + "02" + "f3a9c210",
            ["device-id": "b9e04e5b2c11", "category": "5", "state-number": "10"]),
        Sample(
            "apple-continuity", "background-services", "01" + "00000000000000000000000000000080",
            ["services": "00000000000000000000000000000080"]),
    ]

    @Test(arguments: samples)
    func `advertising data is shown by name, unasked`(sample: Sample) throws {
        let shown = try #require(try Self.explain(sample.hex, of: sample.profile))
        #expect(shown.profile == sample.profile && shown.message == sample.message && shown.misfits.isEmpty)
        for (path, value) in sample.values {
            #expect(shown.fields.text(path) == value, "\(path)")
        }
    }

    /// Objects of BTHome, and their values.
    static let objects: [(String, KeyValuePairs<String, String>)] = [
        ("04138a01", ["0.pressure": "1008.83"]),
        (
            "002e01641e012e34451601",
            [
                "0.packet-id": "46", "1.battery": "100", "2.light": "yes", "3.humidity": "52",
                "4.temperature": "27.8",
            ]
        ),
        ("0009", ["0.packet-id": "9"]), ("02ca0903bf13", ["0.temperature": "25.06", "1.humidity": "50.55"]),
        ("0009015d025d0903b718", ["1.battery": "93", "2.temperature": "23.97", "3.humidity": "63.27"]),
        ("05138a14", ["0.illuminance": "13460.67"]), ("065e1f", ["0.mass": "80.3"]),
        ("073e1d", ["0.mass": "74.86"]), ("08ca06", ["0.dew-point": "17.38"]), ("0960", ["0.count": "96"]),
        ("0a138a14", ["0.energy": "1346.067"]), ("0b021b00", ["0.power": "69.14"]),
        ("0c020c", ["0.voltage": "3.074"]), ("0f01", ["0.on": "yes"]), ("1001", ["0.power": "yes"]),
        ("1100", ["0.opening": "no"]), ("2d01", ["0.window-open": "yes"]),
        ("0d120c0e021c", ["0.pm2-5": "3090", "1.pm10": "7170"]), ("12e204", ["0.carbon-dioxide": "1250"]),
        ("133301", ["0.volatile-organic-compounds": "307"]), ("14020c", ["0.moisture": "30.74"]),
        ("3a04", ["0.button": "long press"]),
        ("3a003a013a03", ["0.button": "none", "1.button": "press", "2.button": "triple press"]),
        ("3a80", ["0.button": "hold"]), ("3c0103", ["0.dimmer": "rotate left", "0.steps": "3"]),
        ("3f020c", ["0.rotation": "307.4"]), ("400c00", ["0.distance": "12"]),
        ("414e00", ["0.distance": "7.8"]), ("424e3400", ["0.duration": "13.39"]),
        ("434e34", ["0.current": "13.39"]), ("444e34", ["0.speed": "133.9"]),
        ("624099dfff", ["0.speed": "-2.123456"]), ("451101", ["0.temperature": "27.3"]),
        ("4632", ["0.uv-index": "5"]), ("478756", ["0.volume": "2215.1"]), ("48dc87", ["0.volume": "34780"]),
        ("49dc87", ["0.volume-flow-rate": "34.78"]), ("4a020c", ["0.voltage": "307.4"]),
        ("4b138a14", ["0.gas": "1346.067"]), ("4c41018a01", ["0.gas": "25821.505"]),
        ("4d12138a14", ["0.energy": "344593.17"]), ("4e87562a01", ["0.volume": "19551.879"]),
        ("4f87562a01", ["0.water": "19551.879"]), ("505d396164", ["0.time": "1684093277"]),
        ("518756", ["0.acceleration": "22.151"]), ("630057d0ff", ["0.acceleration": "-3.123456"]),
        ("528756", ["0.gyroscope": "22.151"]), ("530c48656c6c6f20576f726c6421", ["0.text": "Hello World!"]),
        ("540c48656c6c6f20576f726c6421", ["0.raw": "48656c6c6f20576f726c6421"]),
        ("5587562a01", ["0.volume-storage": "19551.879"]), ("56e803", ["0.conductivity": "1000"]),
        ("57ea", ["0.temperature": "-22"]), ("58ea", ["0.temperature": "-7.7"]), ("59ea", ["0.count": "-22"]),
        ("5aeaea", ["0.count": "-5398"]), ("5bea0234ea", ["0.count": "-365690134"]),
        ("5c02fbffff", ["0.power": "-12.78"]), ("5d02ea", ["0.current": "-5.63"]),
        ("02ca0902cf09", ["0.temperature": "25.06", "1.temperature": "25.11"]),
    ]

    @Test(arguments: objects)
    func `every object of BTHome has its value and unit`(
        hex: String, values: KeyValuePairs<String, String>
    ) throws {
        let shown = try #require(try Self.explain("40" + hex, of: "bthome"))
        #expect(shown.message == "measurements" && shown.misfits.isEmpty)
        for (path, value) in values {
            let place = path.split(separator: ".").map(String.init)
            #expect(shown.fields.text("objects.\(place[0]).value.\(place[1])") == value, "\(path)")
        }
    }

    @Test func `what is encrypted is shown as that, and another version or an unknown object is not shown`()
        throws
    {
        let shown = try #require(try Self.explain("41a47266c95f730011223378237214", of: "bthome"))
        #expect(shown.message == "encrypted-measurements" && shown.fields.text("counter") == "857870592")
        #expect(try Self.explain("e102000c0404138a01", of: "bthome") == nil)
        #expect(try Self.explain("40feca09", of: "bthome") == nil)
    }

    @Test func `no profile claims what another owner advertises`() throws {
        let set = ProfileSet([], tried: ProfileSource.shipped)
        for sample in Self.samples {
            let others: [AdvertisingSelector.Owner] = [
                .company(0xFFFF), .service(BluetoothUUID(0x180F as UInt16)),
            ]
            for owner in others {
                let value = try Hex.octets(sample.hex)
                #expect(value.withReader { set.explain($0.takeRest(), of: owner) } == nil)
            }
        }
    }

    private static func explain(_ hex: String, of profile: String) throws -> ProfileAnnotation? {
        let set = ProfileSet([], tried: ProfileSource.shipped)
        let owner = try #require(owners[profile])
        let value = try Hex.octets(hex)
        return value.withReader { set.explain($0.takeRest(), of: owner) }
    }
}
