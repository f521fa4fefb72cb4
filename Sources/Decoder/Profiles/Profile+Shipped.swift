extension Profile {
    /// The profiles that come with the program, in the order of their names.
    public static let shipped: [Profile] = shippedDocuments.compactMap { document in
        try? Profile(json: Array(document.value.utf8))
    }

    /// Returns the profile with this name that comes with the program; nil if absent.
    public static func shipped(named name: String) -> Profile? { shipped.first { $0.name == name } }
}
