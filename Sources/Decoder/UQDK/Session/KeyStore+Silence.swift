// Keys appear in no description and no reflection, so no log or failing test shows them by accident.

extension KeyStore: CustomStringConvertible, CustomReflectable {
    public var description: String { "keys of \(uqdk.count) cars and \(peers.count) peers" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension KeyStore.DigitalKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "a digital key" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension KeyStore.PeerKeys: CustomStringConvertible, CustomReflectable {
    public var description: String { "the keys of a bond" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
