extension Profile {
    /// The profiles that come with the program, in the order of their names.
    public static let shipped: [Profile] = shippedDocuments.compactMap { document in
        try? Profile(json: Array(document.value.utf8))
    }

    /// The profile of a name that comes with the program; nil where none does.
    public static func shipped(named name: String) -> Profile? { shipped.first { $0.name == name } }
}
