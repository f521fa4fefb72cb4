import WireBytes

/// Quoting of words for a shell.
enum Shell {
    /// The word, quoted if a shell would change it.
    static func quoted(_ word: String) -> String {
        let plain = word.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
                    || "/._-+=:,@%".unicodeScalars.contains($0))
        }
        if plain && !word.isEmpty { return word }
        // bash, zsh and ksh read the escapes; to show the characters would be to obey them.
        if word.visible != word { return "$'" + word.escaped.replacing("'", with: "\\'") + "'" }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
