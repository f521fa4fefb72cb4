import BluetoothCore
public import CaptureFile
public import UQDK
import WireBytes

// What is worked out only for a frame that is shown.

extension Analyzer {
    /// The label of a further attribute that the last frame's ATT PDU names, for PDUs that name several; nil
    /// where nothing is known.
    public func label(of handle: UInt16) -> AttributeLabel? {
        guard frame.hasATT, links.indices.contains(frame.link), frame.direction != .unknown else {
            return nil
        }
        let sender: Side = frame.direction == .hostToController ? .host : .peer
        let link = links[frame.link]
        switch frame.attPDU.opcode.isSentByClient == false ? sender : sender.other {
        case .peer: return peers.label(of: handle, peer: link.peer, link: link.number)
        case .host: return adapters.label(of: handle, link.file, link.adapter, link: link.number)
        }
    }

    /// What the cars among the advertisers of the last frame, made from `record`, say in their manufacturer
    /// specific data, or by a name that is their own address; empty for all other frames.
    public func cars(in record: borrowing Record) -> [UQDKAnnotation] {
        guard frame.reports > 0 else { return [] }
        let parameters = record.octets.dropping(3)
        guard var reports = try? LEAdvertisingReports(parameters, extended: frame.subevent == 0x0D) else {
            return []
        }
        var cars: [UQDKAnnotation] = []
        var place = 0
        while let report = (try? reports.next()) ?? nil {
            if frame.isPartOfAdvertising, let part = advertisingParts.first(where: { $0.report == place }) {
                if let whole = part.whole { addCars(in: whole.borrowedOctets, to: &cars) }
            } else {
                let data = parameters.clamped(report.data)
                let count = cars.count
                addCars(in: data, to: &cars)
                if frame.mayNameCar, cars.count == count { addCar(namedIn: data, report.address, to: &cars) }
            }
            place += 1
        }
        return cars
    }

    /// Adds a car without manufacturer data, which has its own address for a name. One whose name is
    /// another's address is none that a log could show to be a car.
    private func addCar(
        namedIn data: RawSpan, _ address: DeviceAddress, to cars: inout [UQDKAnnotation]
    ) {
        var structures = ADStructures(data)
        while let structure = structures.next() {
            guard structure.type == .completeName else { continue }
            let name = String(decoding: data.clamped(structure.data).copied(), as: UTF8.self)
            guard let car = knowledge.uqdk.advertisement(name: name, of: address) else { continue }
            cars.append(car)
        }
    }

    private func addCars(in data: RawSpan, to cars: inout [UQDKAnnotation]) {
        var structures = ADStructures(data)
        while let structure = structures.next() {
            guard structure.type == .manufacturerData else { continue }
            let octets = data.clamped(structure.data)
            guard let company = octets.u16le(at: 0), carCompanies.contains(company),
                let car = knowledge.uqdk.advertisement(company: company, data: octets.dropping(2))
            else { continue }
            cars.append(car)
        }
    }
}
