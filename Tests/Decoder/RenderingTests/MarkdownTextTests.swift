import Testing
import WireBytes

@testable import Rendering

/// Text of a log or a person in Markdown.
@Suite struct MarkdownTextTests {
    @Test(arguments: [
        ("a*b_c`d", #"a\*b\_c\`d"#), ("[x](y)", #"\[x\](y)"#), ("a|b", #"a\|b"#),
        ("<img src=x>", "&lt;img src=x&gt;"),
        ("&lt;", "&amp;lt;"), ("![x]", #"\!\[x\]"#), ("one\n# two", "one #\u{2060} two"), (#"\"#, #"\\"#),
        ("@octocat", "@\u{2060}octocat"), ("fixes #1", "fixes #\u{2060}1"),
        ("https://evil.example", "https:\u{2060}//evil.example"), ("www.evil.example", #"www\.evil.example"#),
        ("0x8a76, expected 0x8a89", "0x8a76, expected 0x8a89"), ("02:55:51:00:00:01", "02:55:51:00:00:01"),
    ])
    func `no character of a text is markup, a mention or a link`(text: String, expected: String) {
        var out = TextBuffer()
        out.put(markdown: text)
        #expect(String(decoding: out.copied(from: 0), as: UTF8.self) == expected)
    }
}
