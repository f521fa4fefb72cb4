import BluetoothCore
import Runtime

// Private addresses on the air.

extension AirMedium {
    /// Returns the address for an Own_Address_Type parameter: a private one for a listed peer, if the type
    /// requests that; nil if the controller has none.
    mutating func ownAddress(controller: Int, _ type: UInt8, towards peer: DeviceAddress) -> DeviceAddress? {
        madeAddress(of: controller, type, towards: peer) ?? controllers[controller].ownAddress(type)
    }

    /// Returns the address of a set: a private one, if the type requests that and the set's peer is listed.
    mutating func ownAddress(controller: Int, of set: AdvertisingSet) -> DeviceAddress? {
        madeAddress(of: controller, set.parameters.ownAddressType, towards: set.target)
            ?? controllers[controller].ownAddress(of: set)
    }

    /// Returns the private address that a controller generates for a listed peer; nil if it generates none.
    private mutating func madeAddress(
        of controller: Int, _ type: UInt8, towards peer: DeviceAddress
    ) -> DeviceAddress? {
        var list = controllers[controller].resolving
        guard type >= 2, let place = list.place(of: peer.withPlainKind) else { return nil }
        let entry = list.entries[place]
        list.entries[place].local = list.renewed(entry.local, entry.localKey, at: now, &random)
        controllers[controller].resolving = list
        return list.entries[place].local?.address
    }

    /// Returns the target address of directed advertising: a private one, if the controller's own is private
    /// too.
    mutating func targetAddress(controller: Int, of set: AdvertisingSet) -> DeviceAddress {
        var list = controllers[controller].resolving
        guard set.parameters.ownAddressType >= 2, let place = list.place(of: set.target) else {
            return set.target
        }
        let entry = list.entries[place]
        list.entries[place].target = list.renewed(entry.target, entry.peerKey, at: now, &random)
        controllers[controller].resolving = list
        return list.entries[place].target?.address ?? set.target
    }

    /// Whether an address belongs to a controller, as its own or as a private one.
    func isAddressed(_ target: DeviceAddress, controller: Int, ownType: UInt8) -> Bool {
        let state = controllers[controller]
        return target == state.ownAddress(ownType) || state.resolving.isOwn(target)
    }

    /// Returns a peer's address as a controller knows it, which is its identity if the list resolves it. Nil
    /// for a peer that must use a private address and does not.
    mutating func known(_ address: DeviceAddress, at controller: Int) -> DeviceAddress? {
        let list = controllers[controller].resolving
        if let place = list.place(ofPeer: address) {
            controllers[controller].resolving.entries[place].peer = address
            let identity = list.entries[place].identity
            return DeviceAddress(
                identity.value, identity.kind == .public ? .publicIdentity : .randomIdentity)
        }
        guard list.isEnabled, let place = list.place(of: address) else { return address }
        let entry = list.entries[place]
        return entry.peerKey != nil && !entry.hasDevicePrivacy ? nil : address
    }
}
