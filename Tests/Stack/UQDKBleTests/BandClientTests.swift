import CoreBluetooth
import Gadgets
import Testing
import WireBytes

@testable import UQDKBle

@Suite struct BandClientTests {
    final class Bench {
        let world = TestWorld()
        let phone: BluetoothAdapter
        let band: ScriptedGadget
        let client: BandClient
        let found = Box<BandDevice>()
        let closed = Box<Bool>()

        init(name: String = "MI", _ change: (inout BandOptions) -> Void = { _ in }) {
            phone = world.adapter(0x0200_0000_0010)
            band = ScriptedGadget(
                world.adapter(0x024D_4900_0001), service: 0xFEE0,
                characteristics: [
                    (0xFF01, [.read, .notify]), (0xFF02, [.read, .write, .writeWithoutResponse]),
                ], mac: 0x024D_4900_0001, name: name)
            band.read = { _ in Array("MI 手环".utf8) }
            band.write = { octets in
                guard octets == BandBattery.command, let answer = BandBattery(tenths: 6) else {
                    return (.other(0x80), nil)
                }
                return (.success, answer.octets)
            }
            var options = BandOptions()
            change(&options)
            client = BandClient(
                options: options, context: ManagerContext(adapter: phone, queue: world.delivery.inline))
            let (found, closed) = (found, closed)
            client.onFound = { found.put($0) }
            client.onClosed = { closed.put(true) }
        }

        func connect() -> BandError?? {
            let done = Box<BandError?>()
            client.connect { done.put($0) }
            world.run(for: .seconds(30)) { done.count > 0 }
            return done.all.first
        }

        func battery() -> Result<BandBattery, BandError>? {
            let done = Box<Result<BandBattery, BandError>>()
            client.readBattery { done.put($0) }
            world.run(for: .seconds(10)) { done.count > 0 }
            return done.all.first
        }

        func write(_ hex: String) -> BandError?? {
            let done = Box<BandError?>()
            client.writeDataWithHexStr(hex) { done.put($0) }
            world.run(for: .seconds(10)) { done.count > 0 }
            return done.all.first
        }
    }

    @Test(arguments: [false, true])
    func `the battery is asked for without response and answered by a notification`(_ all: Bool) throws {
        let bench = Bench { $0.discoversEverything = all }
        #expect(bench.connect() == .some(nil))
        #expect(try bench.battery()?.get().percent == 60)
        #expect(bench.band.lines == ["subscribed FF01", "written FF02 1b9901"])
        let device = try #require(bench.found.all.last)
        #expect(device.name == "MI" && device.address == "02:4D:49:00:00:01" && device.strength == 0.4)
        let properties = Box<[String: [String]]>()
        bench.client.describe { properties.put($0) }
        bench.world.run(for: .milliseconds(10))
        #expect(
            properties.last == [
                "FF01": ["read", "notify"], "FF02": ["read", "write without response", "write"],
            ])
    }

    @Test func `an answer is judged by checksum, header and value, in this order`() throws {
        let bench = Bench()
        #expect(bench.connect() == .some(nil))
        let answers: [([UInt8], BandBattery.Problem)] = [
            ([0x56, 0x7B, 0x06, 0x28], .checksum(found: 0x28, expected: 0x29)),
            ([0x57, 0x7B, 0x06, 0x28], .header), ([0x56, 0x7B, 0x0B, 0x24], .level(0x0B)), ([1], .length(1)),
        ]
        for (octets, problem) in answers {
            bench.band.write = { _ in (.success, octets) }
            #expect(bench.battery() == .failure(.badAnswer(problem)))
        }
        bench.band.write = { _ in (.success, nil) }
        #expect(bench.battery() == .failure(.timedOut))
    }

    @Test func `values are also text where they are`() throws {
        let bench = Bench()
        #expect(bench.connect() == .some(nil))
        for (octets, text) in [
            (Array("MI 手环".utf8), Result<String, BandError>.success("MI 手环")),
            ([0xFF, 0xFE], .failure(.notText)),
        ] {
            bench.band.read = { _ in octets }
            let done = Box<Result<String, BandError>>()
            bench.client.readText { done.put($0) }
            bench.world.run(for: .seconds(5)) { done.count > 0 }
            #expect(done.all == [text])
        }
    }

    @Test func `hexadecimal text is written with response, an odd digit as the option says`() throws {
        let bench = Bench()
        #expect(bench.connect() == .some(nil))
        #expect(bench.write("1B 99 01") == .some(nil))
        #expect(bench.write("0102") == .some(.refused(.other(0x80))))
        #expect(bench.write("123") == .some(.invalidHex(.oddDigitCount)))
        #expect(bench.write(String(repeating: "0", count: 42)) == .some(.tooLong(limit: 20)))
        let lenient = Bench { $0.oddDigit = .leads }
        #expect(lenient.connect() == .some(nil))
        lenient.band.write = { _ in (.success, nil) }
        #expect(lenient.write("123") == .some(nil))
        #expect(lenient.band.lines.last == "written FF02 0123")
    }

    @Test func `notifications switched off end the link, and closing ends all`() throws {
        let bench = Bench()
        #expect(bench.connect() == .some(nil))
        bench.client.stopNotifications()
        #expect(bench.world.run(for: .seconds(10)) { bench.closed.count == 1 })
        bench.world.run(for: .seconds(2))
        #expect(bench.band.lines.last == "unsubscribed FF01")
        #expect(bench.battery() == .failure(.notConnected))
        #expect(bench.connect() == .some(nil), "and again")
        bench.client.close()
        bench.world.run(for: .seconds(2))
        #expect(bench.client.peripheral == nil && bench.closed.count == 2)
    }

    @Test func `a close while it is looked for ends the scan and the connect`() throws {
        let bench = Bench(name: "XX")
        let done = Box<BandError?>()
        bench.client.connect { done.put($0) }
        bench.world.run(for: .seconds(2))
        #expect(bench.client.central.isScanning && !bench.found.all.isEmpty)
        bench.client.close()
        bench.world.run(for: .seconds(30))
        #expect(done.all == [.cancelled] && !bench.client.central.isScanning)
        #expect(bench.connect() == .some(.scanTimedOut))
    }

    @Test func `without power a connect waits; links and what waits on them end`() throws {
        let bench = Bench()
        let states = Box<CBManagerState>()
        bench.client.onState = { states.put($0) }
        bench.phone.setPower(false)
        bench.world.run(for: .seconds(1))
        let done = Box<BandError?>()
        bench.client.connect { done.put($0) }
        bench.world.run(for: .seconds(30))
        #expect(done.count == 0 && states.last == .poweredOff)
        bench.phone.setPower(true)
        #expect(bench.world.run(for: .seconds(10)) { done.count == 1 } && done.all == [nil])
        bench.phone.setPower(false)
        bench.world.run(for: .seconds(1))
        #expect(bench.closed.count == 1 && bench.battery() == .failure(.notConnected))
    }

    @Test func `the strength is a share of one, and 127 means unknown`() {
        let table: [(Int, Double?)] = [
            (-100, 0), (-130, 0), (-50, 0.5), (0, 1), (20, 1), (127, nil), (-60, 0.4),
        ]
        for (rssi, strength) in table { #expect(BandDevice.strength(rssi: rssi) == strength) }
    }

    @Test func `every property bit has its name`() {
        let all = CBCharacteristicProperties(rawValue: 0x3FF)
        #expect(all.names.count == 10 && Set(all.names).count == 10)
        #expect(CBCharacteristicProperties(rawValue: 0x200).names == ["indicate, encryption required"])
        #expect(CBCharacteristicProperties(rawValue: 0x400).names.isEmpty)
    }
}
