/// Recognizes the parts of one rotated log by their file names.
///
/// Recorders rename full files: Android's `x.log` becomes `x.log.last`, others count `x.1`, `x.2`; this
/// project's recorder counts before the suffix, `x.0001.btsnoop`.
enum RotatedLog {
    /// For each name, the index of the first name that belongs to the same log.
    static func groups(_ names: [String]) -> [Int] {
        var first: [String: Int] = [:]
        return names.enumerated().map { index, name in
            let base = base(name)
            if let known = first[base] { return known }
            first[base] = index
            return index
        }
    }

    /// The name without the part added by rotation.
    static func base(_ name: String) -> String {
        let folder = name.lastIndex { $0 == "/" || $0 == ":" }
        let file = folder.map { name[name.index(after: $0)...] } ?? name[...]
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return name }
        let suffix = file[file.index(after: dot)...]
        let isCounted = !suffix.isEmpty && suffix.count <= 4 && suffix.allSatisfy { ("0"..."9").contains($0) }
        if suffix == "last" || isCounted { return String(name[..<dot]) }
        let stem = file[..<dot]
        guard let inner = stem.lastIndex(of: "."), inner > stem.startIndex else { return name }
        let part = stem[stem.index(after: inner)...]
        let isPart = part.count >= 4 && part.count <= 6 && part.allSatisfy { ("0"..."9").contains($0) }
        return isPart ? String(name[..<inner]) + String(name[dot...]) : name
    }
}

/// Files that belong to a capture and lie in the same folder.
public enum CompanionFile {
    /// The path of the companion with this suffix: `unlock.btsnoop` has its keys in `unlock.keys.json`.
    public static func path(beside log: String, _ suffix: String) -> String {
        let file = log.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex,
            CaptureWriter.Format.named(by: log, holding: .monitor) != nil
        else { return log + suffix }
        return log.dropLast(file.distance(from: dot, to: file.endIndex)) + suffix
    }
}
