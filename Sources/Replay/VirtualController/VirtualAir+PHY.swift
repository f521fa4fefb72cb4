import BluetoothCore
import Runtime
import WireBytes

/// The PHYs that a host permits on a link.
struct PHYPreference: Hashable, Sendable {
    var tx: LEPHYs
    var rx: LEPHYs

    /// No preference: all PHYs that both controllers support.
    static var all: Self {
        Self(tx: [.le1M, .le2M, .leCoded], rx: [.le1M, .le2M, .leCoded])
    }
}

/// A pending change of a link's PHYs.
struct PHYChange: Hashable, Sendable {
    /// The PHYs for sending: the central's, then the peripheral's.
    var phys: [LEPHY]
    /// The end that requested the change, which gets an event in any case.
    var side: Int
}

// The PHY Update procedure (Core Specification, Vol 6, Part B, 5.1.10).

extension VirtualAir {
    mutating func performPHY(
        _ opcode: HCIOpcode, _ parameters: [UInt8], from controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case LEReadPHY.opcode:
            let handle = try LEReadPHY(whole: parameters).connectionHandle
            let place = find(handle, of: controller)
            return .complete(
                LEReadPHY.ReturnParameters {
                    $0.status = place == nil ? .unknownConnectionIdentifier : .success
                    $0.connectionHandle = handle
                    if let place {
                        $0.txPHY = links[place.index].ends[place.side].txPHY
                        $0.rxPHY = links[place.index].ends[1 - place.side].txPHY
                    }
                })
        case LESetDefaultPHY.opcode:
            let wish = try LESetDefaultPHY(whole: parameters)
            switch preference(wish.allPHYs, wish.txPHYs, wish.rxPHYs, of: controller) {
            case .success(let preference):
                medium.controllers[controller].defaultPHYs = preference
                return .complete(.success)
            case .failure(let status): return .complete(status)
            }
        case LESetPHY.opcode:
            let wish = try LESetPHY(whole: parameters)
            switch preference(wish.allPHYs, wish.txPHYs, wish.rxPHYs, of: controller) {
            case .success(let preference): return .status(setPHY(preference, wish, from: controller))
            case .failure(let status): return .status(status)
            }
        default: return try performPing(opcode, parameters, from: controller)
        }
    }

    /// Converts a command's parameters. The bits of `all` mean no preference.
    private func preference(
        _ all: UInt8, _ tx: LEPHYs, _ rx: LEPHYs, of controller: Int
    ) -> Result<PHYPreference, HCIStatus> {
        var preference = PHYPreference(tx: tx, rx: rx)
        if all & 1 != 0 { preference.tx = PHYPreference.all.tx }
        if all & 2 != 0 { preference.rx = PHYPreference.all.rx }
        guard all <= 3, !preference.tx.isEmpty, !preference.rx.isEmpty else {
            return .failure(.invalidHCICommandParameters)
        }
        let there = medium.controllers[controller].configuration.phys
        guard all & 1 != 0 || tx.isSubset(of: there), all & 2 != 0 || rx.isSubset(of: there) else {
            return .failure(.unsupportedFeatureOrParameterValue)
        }
        return .success(preference)
    }

    private mutating func setPHY(
        _ preference: PHYPreference, _ wish: LESetPHY, from controller: Int
    ) -> HCIStatus {
        guard wish.phyOptions <= 4 else { return .invalidHCICommandParameters }
        guard let place = find(wish.connectionHandle, of: controller) else {
            return .unknownConnectionIdentifier
        }
        links[place.index].ends[place.side].phys = preference
        links[place.index].queue(.phyRequest(preference), from: place.side, &medium)
        return .success
    }
}

extension AirLink {
    /// Handles a PHY request. The PHYs that both ends want and support take effect six events later.
    mutating func choosePHYs(_ wish: PHYPreference, from side: Int, _ air: inout AirMedium) {
        let features = air.controllers[ends[1 - side].controller].configuration.features
        guard !features.isDisjoint(with: [.le2MPHY, .leCodedPHY]) else {
            return queue(.phyReject, from: 1 - side, &air)
        }
        let peer = ends[1 - side].phys
        let common = air.controllers[ends[0].controller].configuration.phys
            .intersection(air.controllers[ends[1].controller].configuration.phys)
        var phys = ends.map(\.txPHY)
        phys[side] = Self.best(of: wish.tx.intersection(peer.rx).intersection(common)) ?? phys[side]
        phys[1 - side] = Self.best(of: wish.rx.intersection(peer.tx).intersection(common)) ?? phys[1 - side]
        air.notePHYs(phys, from: side, of: self)
        air.heap.push(
            .link(id, .applyPHYs(PHYChange(phys: phys, side: side))), at: inSixEvents(air.now),
            from: .controller)
    }

    private static func best(of phys: LEPHYs) -> LEPHY? {
        [LEPHY.le2M, .le1M, .leCoded].first { phys.contains($0.mask) }
    }

    mutating func apply(_ change: PHYChange, _ air: inout AirMedium) {
        guard !isSeparated else { return }
        let isChanged = ends.map(\.txPHY) != change.phys
        for side in 0..<2 { ends[side].txPHY = change.phys[side] }
        air.note(.phys(change.phys), of: id)
        for side in 0..<2 where isChanged || side == change.side {
            tellPHYs(of: side, .success, &air)
        }
    }

    func tellPHYs(of side: Int, _ status: HCIStatus, _ air: inout AirMedium) {
        air.tell(
            LEPHYUpdateComplete(
                status: status, connectionHandle: ends[side].handle, txPHY: ends[side].txPHY,
                rxPHY: ends[1 - side].txPHY), to: ends[side].controller)
    }
}
