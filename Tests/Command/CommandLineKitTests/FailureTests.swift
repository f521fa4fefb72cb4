import CommandLineKit
import Testing

@Suite struct FailureTests {
    @Test func `A failure is one line: what, where, what to do`() {
        let failure = Failure(
            .input, "a.log: the file ends inside a record", place: "record 3, offset 99",
            advice: "copy it again")
        #expect(failure.line == "a.log: the file ends inside a record (record 3, offset 99); copy it again")
    }

    @Test func `A file's name can't break the line or reach the terminal`() {
        #expect(Failure(.input, "a\n\u{1B}[31mb\u{202E}: bad").line == #"a\u000a\u001b[31mb\u202e: bad"#)
    }
}
