/// A dialect that every link of a run shares: what refers to it copies one reference, not a tree of fields.
final class SharedDialect: Sendable {
    let dialect: Dialect

    init(_ dialect: Dialect) { self.dialect = dialect }
}
