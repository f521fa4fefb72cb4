import BluetoothCore
import Crypto
import PayloadFormat
import Profiles
import Testing
import WireBytes

/// Encrypted advertising data, as public decoders test themselves with it, and what the profiles open.
@Suite struct EncryptedPacksTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let profile: String
        let address: String
        let key: String
        let hex: String
        /// Values by the paths of their fields; numbers are in the field's unit.
        let values: KeyValuePairs<String, String>

        init(
            _ profile: String, _ address: String, _ key: String, _ hex: String,
            _ values: KeyValuePairs<String, String>
        ) {
            (self.profile, self.address, self.key) = (profile, address, key)
            (self.hex, self.values) = (hex, values)
        }

        var testDescription: String { "\(profile) \(hex)" }
    }

    // Sources: the tests of bthome-ble (the first is the example of the published format), xiaomi-ble and
    // victron-ble.
    static let samples: [Sample] = [
        Sample(
            "bthome", "54:48:E6:8F:80:A5", "231d39c1d7cc1ab1aee224cd096db932",
            "41a47266c95f730011223378237214",
            ["objects.0.value.temperature": "25.06", "objects.1.value.humidity": "50.55"]),
        Sample(
            "bthome", "54:48:E6:8F:80:A5", "231d39c1d7cc1ab1aee224cd096db932",
            "41e445f3c9962b332211006c7c4519",
            ["objects.0.value.temperature": "25.06", "objects.1.value.humidity": "50.55"]),
        Sample(
            "bthome", "54:48:E6:8F:80:A5", "231d39c1d7cc1ab1aee224cd096db932",
            "413e932cc7175f34221100553876af",
            ["objects.0.value.temperature": "25.06", "objects.1.value.humidity": "50.55"]),
        Sample(
            "mibeacon", "5A:58:2D:34:12:5F", "814aac74c4f17b6c1581e1ab87816b99",
            "5858480b685f12342d585a0b1841e2aa000e00a4964fb5",
            ["objects.0.value.humidity": "59.6"]),
        Sample(
            "mibeacon", "58:2D:34:12:20:89", "a3bfe9853dd85a620debe3620caaa351",
            "58586f0607892012342d585f176dd54f0200002fa453fa",
            ["objects.0.value.temperature": "22.6"]),
        Sample(
            "mibeacon", "58:2D:34:87:94:0C", "872ea1bb02ba9713e885cb054c537368",
            "4858594fef546f0e7450729321010038d74333",
            ["objects.0.value.temperature": "23.8"]),
        Sample(
            "mibeacon", "A4:C1:38:56:53:84", "a115210eed7a88e50ad52662e732a9fb",
            "5858e4162c84535638c1a42b6ef2e91200006c884d9e",
            ["objects.0.value.humidity": "58"]),
        Sample(
            "mibeacon", "A4:C1:38:0E:FD:78", "19b1c678ab0a8bc3dc77765f059188d4",
            "4858422529202d8c7a76b756a82a0078b8224e",
            ["objects.0.value.temperature": "26.1"]),
        Sample(
            "mibeacon", "A4:C1:38:0E:FD:78", "19b1c678ab0a8bc3dc77765f059188d4",
            "585842258878fd0e38c1a405f6538aa72a0062b1a966",
            ["objects.0.value.humidity": "38"]),
        Sample(
            "mibeacon", "A4:C1:38:02:83:F4", "e9ea895fac7cca6d30532432a516f3a8",
            "58585b0550f4830238c1a495ef58763c26000097e2abb5",
            ["objects.0.value.humidity": "46.7"]),
        Sample(
            "mibeacon", "2C:11:65:25:70:04", "b2cf9a553d53571b5657defd582d676e",
            "48590312a41b776e7c96add7000000f2bf545b",
            ["objects.0.value.humidity": "45"]),
        Sample(
            "mibeacon", "54:EF:44:E3:9C:BC", "5b51a7c91cde6707c9ef18dfda143a58",
            "5859970966bc9ce344ef5401081205000000715ebe90",
            ["objects.0.value.smoke": "yes"]),
        Sample(
            "mibeacon", "54:EF:44:E3:9C:BC", "5b51a7c91cde6707c9ef18dfda143a58",
            "5859970964bc9ce344ef5422206088fd000000003a148fb3",
            ["objects.0.value.press": "single"]),
        Sample(
            "mibeacon", "E4:AA:EC:81:21:AE", "017e52d2684779298709b117c0a75a7b",
            "58588b09a3ae2181ecaae40e2c553c040000d28a500c",
            ["objects.0.value.door": "not closed in time"]),
        Sample(
            "mibeacon", "A4:C1:38:80:15:07", "4d8f1373fb4d3bab557d0ebd1c78f8c4",
            "5859b5553407158038c1a4bcc732980e000066960f10",
            ["objects.0.value.humidity": "39"]),
        Sample(
            "mibeacon", "98:0C:33:A3:04:3D", "54d84797cb77f9538b224b305c877d1e",
            "4855c211144e28703276fccd3d00000080e72280",
            ["objects.0.value.door": "closed"]),
        Sample(
            "mibeacon", "F8:24:41:C5:98:8B", "b853075158487ca39a5b5ea9",
            "5830b603d28b98c54124f8c3491476757e00000099",
            ["objects.0.value.press": "3"]),
        Sample(
            "mibeacon", "F8:24:41:C5:98:8B", "b853075158487ca39a5b5ea9",
            "5830b603368b98c54124f88bb8f2661351000000d6",
            ["objects.0.value.button": "65280"]),
        Sample(
            "mibeacon", "A4:C1:38:05:8E:E9", "7475a4a77584401780ffc3ee62dd353c",
            "4859eb2ac2fce02ca0b43af2380000a2d9f05f",
            ["objects.0.value.illuminance-at-motion": "228"]),
        Sample(
            "mibeacon", "A4:C1:38:66:E5:67", "0fdcc30fe9289254876b5ef7c11ef1f0",
            "585989189a67e56638c1a49dd97af3260000c8a60bd5",
            ["objects.0.value.opening": "open"]),
        Sample(
            "mibeacon", "A4:C1:38:B9:4C:67", "33ede53321bc73c790a8daae4581f3d5",
            "58590f3f4a674cb938c1a4d6e57b83040000d01e0b4b",
            ["objects.0.value.flooding": "no"]),
        Sample(
            "mibeacon", "A4:C1:38:05:8E:E9", "7475a4a77584401780ffc3ee62dd353c",
            "5859eb2a9ee98e0538c1a4d07ad3e338000033635d10",
            ["objects.0.value.battery": "100"]),
        Sample(
            "mibeacon", "A4:C1:38:05:8E:E9", "7475a4a77584401780ffc3ee62dd353c",
            "5859eb2ac1e98e0538c1a40759530f8d380000b77a70f8",
            ["objects.0.value.without-motion": "60"]),
        Sample(
            "mibeacon", "18:C2:3C:20:8E:77", "4960bb9f8711b4ffd7df1756d11427ae",
            "48598d0a927953750fed0f990600005cad2c29",
            ["objects.0.value.without-motion": "30"]),
        Sample(
            "mibeacon", "0C:43:14:A1:41:1E", "0a4552cb19a639b72b8ed09bde6d5bfa",
            "485983460ddc213ce981da7ae202004441f88c",
            ["objects.0.value.illuminance": "38"]),
        Sample(
            "mibeacon", "A4:C1:38:A1:FE:E6", "8bdff7d0f70fa7f5c68f42157b5fd65b",
            "48590b52b3c1b85c50f35c570900004a9ed6b8",
            ["objects.0.value.temperature": "26.2"]),
        Sample(
            "victron", "C0:11:22:33:44:55", "aff4d0995b7d1e176c0c33ecb9e70dcd",
            "100289a302b040af925d09a4d89aa0128bdef48c6298a9",
            [
                "values.remaining": "not available", "values.battery-voltage": "12.53",
                "values.alarm": "none", "values.current.auxiliary-is": "not connected",
                "values.current.current": "0", "values.charge.consumed": "50",
                "values.charge.state-of-charge": "50",
            ]),
        Sample(
            "victron", "C0:11:22:33:44:55", "0da694539597f9cf6c613cde60d7bf05",
            "1000a4a3025f150d8dcbff517f30eb65e76b22a04ac4e1",
            ["values.battery-voltage": "12.22", "values.current.auxiliary-is": "temperature in K"]),
        Sample(
            "victron", "C0:11:22:33:44:55", "adeccb947395801a4dd45a2eaa44bf17",
            "100242a0016207adceb37b605d7e0ee21b24df5c",
            [
                "device-state": "absorption", "charger-error": "none", "values.battery-voltage": "13.88",
                "values.battery-current": "1.4", "values.yield-today": "30", "values.solar-power": "19",
                "values.load.current": "0",
            ]),
        Sample(
            "victron", "C0:11:22:33:44:55", "64ba49f1a8562e45197a8e1fe50d7658",
            "1000c0a304121d64ca8d442b90bbdf6a8cba",
            [
                "device-state": "off", "charger-error": "none", "values.input-voltage": "13.15",
                "values.output-voltage": "not available", "values.off-reason": "engine shut down",
            ]),
        Sample(
            "victron", "C0:11:22:33:44:55", "da3f5fa2860cb1cf86ba7a6d1d16b9dd",
            "100380270c1252dad26f0b8eb39162074d140df410",
            [
                "device-state": "float", "values.error": "0", "values.battery-current": "23.2",
                "values.battery.voltage": "14.45", "values.battery.ac-input": "AC input 1",
                "values.power.ac-input": "1459", "values.power.ac-output": "1046",
                "values.power.alarm": "none", "values.power.temperature": "32",
                "values.power.state-of-charge": "not available",
            ]),
        Sample(
            "victron", "C0:11:22:33:44:55", "da3f5fa2860cb1cf86ba7a6d1d16b9dd",
            "100380270ce1b2dabd34912a6ecec963899227a220",
            [
                "device-state": "inverting", "values.battery-current": "-5.9",
                "values.battery.voltage": "12.43", "values.battery.ac-input": "not connected",
                "values.power.ac-input": "0", "values.power.ac-output": "45",
                "values.power.temperature": "30",
            ]),
        Sample(
            "victron", "C0:11:22:33:44:55", "da3f5fa2860cb1cf86ba7a6d1d16b9dd",
            "100380270c65b8dad9dd594c7f57d1de9e27a3e2ab",
            ["device-state": "off", "values.error": "0"]),
        Sample(
            "victron", "C0:11:22:33:44:55", "c129cf8f75c3fe5a1655b481e205fb7d",
            "100030a308f926c1b5170a0d2280335bf12d5ed083",
            [
                "device-state": "storage", "charger-error": "none", "values.output-1.voltage": "13.49",
                "values.output-1.current": "0.4", "values.output-2.current": "not available",
                "values.input.temperature": "21", "values.input.ac-current": "not available",
            ]),
        Sample(
            "victron", "C0:11:22:33:44:55", "fac570d66380b797a5b7543758be00e4",
            "1080b0a3093523fadedea38b1af8bcbde91ca8b6dbb60e",
            [
                "device-state": "active", "output-state": "on", "charger-error": "none",
                "values.alarm": "none", "values.warning": "none", "values.input-voltage": "13.07",
                "values.output-voltage": "13.07", "values.off-reason": "none",
            ]),
        Sample(
            "victron", "C0:11:22:33:44:55", "aff4d0995b7d1e176c0c33ecb9e70dcd",
            "100289a30d787fafde83ccec982199fd815286",
            [
                "values.meter": "DC/DC charger", "values.voltage": "12.52",
                "values.current.auxiliary-is": "starter voltage in V", "values.current.current": "0",
            ]),
        Sample(
            "victron", "C0:11:22:33:44:55", "346c410e8c824dd723c0f5b13b9eabc8",
            "100043a40bf4e434af0e46c3b8eb68e08e616993f70c",
            [
                "device-state": "inverting", "charger-error": "none", "values.battery-current": "-12.8",
                "values.battery.voltage": "51.71", "values.battery.ac-input": "not connected",
                "values.ac-input-power": "0", "values.ac-output-power": "722", "values.solar-power": "0",
                "values.yield-today": "5.32",
            ]),
    ]

    @Test(arguments: samples)
    func `encrypted data opens with its device's key, and only with that`(sample: Sample) throws {
        let key = try Hex.octets(sample.key)
        let shown = try Self.explain(sample, key)
        #expect(shown.misfits.isEmpty && shown.fields.text("data.state") == nil)
        let name = shown.fields.contains { $0.name == "data" } ? "data" : "legacy-data"
        for (path, value) in sample.values {
            #expect(shown.fields.text("\(name).\(path)") == value, "\(path)")
        }
        // Of a cipher without a tag, a wrong key shows by what does not fit.
        guard name == "data" else { return }
        let wrong = try Self.explain(sample, key.map { $0 ^ 0x5A })
        #expect(wrong.fields.text("data.state")?.hasPrefix("encrypted; wrong key") == true)
        #expect(wrong.fields.text("data.values.battery-voltage") == nil)
    }

    /// Plaintexts of devices whose encrypted form no public decoder tests.
    @Test func `records of Victron that are only published in the clear are read, too`() throws {
        let lithium = "00000006" + "0000" + "c7e3f1f8ffffff" + "2c35" + "b5"
        let lynx = "00" + "4038" + "8b0a" + "faff" + "9515" + "55148ccf0200ff"
        let samples: [(UInt8, String, KeyValuePairs<String, String>)] = [
            (
                0x05, lithium,
                [
                    "bms-flags": "0x6000000", "cells.cell-1": "3.31", "cells.cell-5": "not available",
                    "battery.voltage": "13.24", "battery.balancer": "imbalance",
                    "cell-temperature.temperature": "13",
                ]
            ),
            (
                0x0A, lynx,
                [
                    "remaining": "14400", "battery-voltage": "26.99", "current": "-0.6",
                    "inputs-and-outputs": "0x1595", "charge.alarms": "0x1455",
                    "charge.state-of-charge": "99.5", "charge.consumed": "4.4",
                    "charge.temperature": "not available",
                ]
            ),
        ]
        let key = [UInt8](repeating: 0x11, count: 16)
        let nonce = CipherInputs(nonce: [UInt8](repeating: 0, count: 16))
        for (type, hex, values) in samples {
            let sealed = try NamedCipher.aesCTR.seal(try Hex.octets(hex), nonce, key: key)
            let value = "10008932" + Hex.text([type]) + "000011" + Hex.text(sealed.ciphertext)
            let shown = try Self.explain(Sample("victron", "C0:11:22:33:44:55", "", value, values), key)
            for (path, text) in values {
                #expect(shown.fields.text("data.values.\(path)") == text, "\(path)")
            }
        }
    }

    private static func explain(_ sample: Sample, _ key: [UInt8]) throws -> ProfileAnnotation {
        var set = ProfileSet([], tried: ProfileSource.shipped)
        let address = try #require(DeviceAddress(sample.address, kind: .public))
        set.keys = [FieldKey(profile: sample.profile, address: address.value, key: SecretKey(key))]
        let owner = try #require(AdvertisingPacksTests.owners[sample.profile])
        let value = try Hex.octets(sample.hex)
        return try #require(value.withReader { set.explain($0.takeRest(), of: owner, from: address) })
    }
}
