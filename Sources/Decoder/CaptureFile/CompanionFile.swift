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
