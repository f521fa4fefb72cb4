import Testing

@testable import CommandLineKit

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("annotate", "annotate", 0), ("anotate", "annotate", 1), ("annoatte", "annotate", 1),
        ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3),
    ])
    func `Distance counts insertions, removals, replacements and exchanges`(
        left: String, right: String, distance: Int
    ) {
        #expect(Suggestion.distance(left, right) == distance)
        #expect(Suggestion.distance(right, left) == distance)
    }

    @Test func `A start or an end of a word stands for it, and a far word for nothing`() {
        #expect(Suggestion.nearest(to: "conv", in: ["annotate", "convert"]) == "convert")
        #expect(Suggestion.nearest(to: "json", in: ["text", "ndjson", "pcapng"]) == "ndjson")
        #expect(Suggestion.nearest(to: "xyzzy", in: ["annotate", "convert"]) == nil)
        #expect(Suggestion.nearest(to: "", in: ["annotate"]) == nil)
    }
}
