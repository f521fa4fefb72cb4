import BluetoothCore
import Foundation
import LEHost

/// The devices that applications were connected to, in a file, so that a stored identifier means the same
/// device in the next process.
struct PeerMemory: Sendable {
    struct Peer: Codable, Equatable {
        var identifier: UUID
        var address: String
        /// The address's kind, as HCI numbers it.
        var kind: UInt8
        var name: String?
    }

    private struct Contents: Codable {
        /// The latest is last.
        var peers: [Peer]
    }

    /// Maximum number of peers; those connected longest ago are evicted.
    static let limit = 1024
    private let document: PrivateDocument<Contents>

    init(_ file: URL) { document = PrivateDocument(file) }

    /// Returns the user's own file of this name: `blecap/peripherals.json` in XDG_STATE_HOME.
    static func fileOfUser(_ name: String = "peripherals.json") -> URL {
        let wanted = ProcessInfo.processInfo.environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        let state =
            wanted.map { URL(filePath: $0) }
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state")
        return state.appending(path: "blecap/\(name)")
    }

    /// Returns the stored peers, the latest last; empty if the file is missing or has another format.
    func load() -> [Peer] { (try? document.load())?.peers ?? [] }

    func keep(_ peer: Peer) {
        // A device that can't be stored is unknown next time; the program continues.
        try? document.update {
            var peers = load()
            guard peers.last != peer else { return nil }
            peers.removeAll { $0.identifier == peer.identifier }
            peers.append(peer)
            return Contents(peers: peers.suffix(Self.limit))
        }
    }
}

extension BluetoothAdapter {
    /// Loads the devices of earlier processes.
    func recall() {
        guard let peers = configuration.memory.map({ PeerMemory($0).load() }) else { return }
        let host = host
        for peer in peers {
            guard var address = DeviceAddress(peer.address, kind: .public) else { continue }
            address.kind = DeviceAddress.Kind(rawValue: peer.kind) ?? .public
            guard identifier(of: address) == peer.identifier else { continue }
            acquaintances.change { acquaintances in
                acquaintances.meet(peer.identifier, at: address)
                acquaintances.learn(host.identity(of: address), of: address)
                if let name = peer.name { acquaintances.call(address, name) }
            }
        }
    }

    /// Stores a device for later processes.
    func remember(_ address: DeviceAddress) {
        guard let memory = configuration.memory.map(PeerMemory.init) else { return }
        let peer = PeerMemory.Peer(
            identifier: identifier(of: address), address: "\(DeviceAddress(address.value, .public))",
            kind: address.kind.rawValue, name: acquaintances.current.name(of: address))
        memory.keep(peer)
    }
}

/// Devices that an adapter's applications have seen, as a phone remembers them: addresses by identifier, and
/// names.
///
/// Limited in number; the oldest entries are evicted.
struct Acquaintances {
    static let limit = 8192
    private var addresses: [UUID: DeviceAddress] = [:]
    private var names: [DeviceAddress: String] = [:]
    private var order: [UUID] = []
    /// Addresses under which bonded devices were first met, by identity.
    private var known: [DeviceAddress: DeviceAddress] = [:]

    func address(of identifier: UUID) -> DeviceAddress? { addresses[identifier] }
    func name(of address: DeviceAddress) -> String? { names[address] }

    mutating func meet(_ identifier: UUID, at address: DeviceAddress) {
        guard addresses.updateValue(address, forKey: identifier) == nil else { return }
        order.append(identifier)
        guard order.count > Self.limit, let gone = addresses.removeValue(forKey: order.removeFirst()) else {
            return
        }
        names[gone] = nil
    }

    /// Returns the address under which a device was first met.
    func known(_ identity: DeviceAddress) -> DeviceAddress { known[identity] ?? identity }

    /// Records the identity of a device, unless the device was met under its identity too.
    mutating func learn(_ identity: DeviceAddress, of address: DeviceAddress) {
        guard identity != address, known[identity] == nil else { return }
        if !addresses.values.contains(identity) { known[identity] = address }
    }

    mutating func call(_ address: DeviceAddress, _ name: String) { names[address] = name }
}
