/// Finds the word that was probably meant.
public enum Suggestion {
    /// The candidate nearest to `word`, if one is near enough.
    public static func nearest(to word: String, in candidates: [String]) -> String? {
        let limit = max(1, word.count / 3)
        var best: (distance: Int, word: String)?
        for candidate in candidates {
            let isStart = word.count >= 2 && candidate.hasPrefix(word)
            let found = isStart ? 1 : distance(word, candidate)
            if found <= limit, found < best?.distance ?? Int.max { best = (found, candidate) }
        }
        return best?.word
    }

    /// Number of letters to insert, remove, replace or swap with their neighbor.
    static func distance(_ left: String, _ right: String) -> Int {
        let from = Array(left.unicodeScalars.prefix(64))
        let onto = Array(right.unicodeScalars.prefix(64))
        var before: [Int] = []
        var previous = Array(0...onto.count)
        for row in from.indices {
            var current = [row + 1]
            for column in onto.indices {
                let replaced = previous[column] + (from[row] == onto[column] ? 0 : 1)
                var least = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, from[row] == onto[column - 1], from[row - 1] == onto[column] {
                    least = min(least, before[column - 1] + 1)
                }
                current.append(least)
            }
            before = previous
            previous = current
        }
        return previous[onto.count]
    }
}
