import PayloadFormat
import WireBytes

/// Kind of a user's JSON file, recognized by members that only its kind has.
enum UserDocument: Equatable {
    case profile
    case dialect
    /// Unknown: not JSON, or only members that profiles and dialects share.
    case either
    /// Neither of them; a description of the content.
    case other(String)

    private static let profileMembers: Set<String> = ["channels", "pairs", "title"]
    private static let dialectMembers: Set<String> = [
        "gatt", "advertising", "fragments", "message", "checksum", "status", "commands", "proofs", "securing",
        "limits",
    ]
    private static let keyMembers: Set<String> = ["uqdk", "peers", "privateKeys", "test"]
    private static let sharedMembers: Set<String> = ["name", "endian", "comment", "$schema"]

    /// Examines the members of the file; its values, which may be keys, are never quoted.
    init(_ octets: [UInt8]) {
        guard let root = try? JSONParser.parse(octets) else {
            self = .either
            return
        }
        guard case .object(let members) = root.value else {
            self = .other("it holds \(root.kind), not an object")
            return
        }
        let names = Set(members.map(\.name))
        let isProfile = !names.isDisjoint(with: Self.profileMembers)
        let isDialect = !names.isDisjoint(with: Self.dialectMembers)
        switch (isProfile, isDialect) {
        case (true, false): self = .profile
        case (false, true): self = .dialect
        case (true, true): self = .either
        case (false, false):
            if !names.isDisjoint(with: Self.keyMembers) {
                self = .other("it is a file of keys, as --keys takes it")
            } else if names.isDisjoint(with: Self.sharedMembers) {
                self = .other("a profile has \"name\" and \"channels\", a dialect \"name\" and what differs")
            } else {
                self = .either
            }
        }
    }
}
