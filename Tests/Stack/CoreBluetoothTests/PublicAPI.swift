import Foundation
import TestSupport

/// The public declarations of the module, as the compiler's symbol graph lists them.
struct PublicAPI {
    struct Declaration: Hashable {
        /// The name with the types around it: `CBPeripheral.readValue(for:)`.
        var path: String
        /// As it is written in Swift; of a type with what it inherits and conforms to.
        var text: String
    }

    let declarations: Set<Declaration>

    /// One line a declaration.
    var digest: String {
        declarations.map { "\($0.path): \($0.text)" }.sorted().joined(separator: "\n") + "\n"
    }

    var paths: Set<String> { Set(declarations.map(\.path)) }

    /// Conformances that follow from others.
    private static let implied: Set<String> = [
        "CustomDebugStringConvertible", "CustomStringConvertible", "Equatable", "ExpressibleByArrayLiteral",
        "SendableMetatype", "SetAlgebra",
    ]

    /// Members that the compiler copies from protocols are left out.
    init(_ graph: SymbolGraph) {
        let names = Dictionary(
            graph.symbols.map { ($0.identifier.precise, $0.path) }, uniquingKeysWith: { first, _ in first })
        var bases: [String: Set<String>] = [:]
        for relationship in graph.relationships
        where ["conformsTo", "inheritsFrom"].contains(relationship.kind) {
            let name = names[relationship.target] ?? relationship.targetFallback ?? relationship.target
            let base = name.split(separator: ".").last.map(String.init) ?? name
            if !Self.implied.contains(base) { bases[relationship.source, default: []].insert(base) }
        }
        declarations = Set(
            graph.symbols.filter { !$0.identifier.precise.contains("::SYNTHESIZED::") }.map { symbol in
                let text = symbol.declarationFragments.map(\.spelling).joined()
                let access = symbol.accessLevel == "open" ? "open " : ""
                let bases = bases[symbol.identifier.precise]?.sorted().joined(separator: ", ")
                return Declaration(
                    path: symbol.path, text: access + text + (bases.map { " (\($0))" } ?? ""))
            })
    }
}

/// What `swift-symbolgraph-extract` writes, as far as it is used here.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { var precise: String }
        struct Fragment: Decodable { var spelling: String }

        var identifier: Identifier
        var pathComponents: [String]
        var declarationFragments: [Fragment]
        var accessLevel: String

        var path: String { pathComponents.joined(separator: ".") }
    }

    struct Relationship: Decodable {
        var kind: String
        var source: String
        var target: String
        var targetFallback: String?
    }

    var symbols: [Symbol]
    var relationships: [Relationship]

    /// The package's folder.
    static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    /// The compiler's tool; nil where it is not on the PATH.
    static let tool = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
        .split(separator: ":").map { "\($0)/swift-symbolgraph-extract" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The folder of the modules that this test was built with; nil if unknown.
    static let modules: URL? = {
        let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let modules = folder.appending(path: "Modules")
        let module = modules.appending(path: "CoreBluetooth.swiftmodule")
        return FileManager.default.fileExists(atPath: module.path) ? modules : nil
    }()

    /// The graph of the module beside this test.
    static func ofModule() throws -> SymbolGraph {
        guard let tool, let modules else { throw CocoaError(.fileNoSuchFile) }
        #if arch(arm64)
            let machine = "aarch64"
        #else
            let machine = "x86_64"
        #endif
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var words = [
            "-module-name", "CoreBluetooth", "-minimum-access-level", "public", "-skip-inherited-docs",
            "-target", "\(machine)-unknown-linux-gnu", "-I", modules.path,
            "-output-dir", folder.path,
        ]
        // The C modules that those of Swift are built on.
        let system = root.appending(path: "Sources/System")
        for name in try FileManager.default.contentsOfDirectory(atPath: system.path) {
            words += ["-I", system.appending(path: name).path]
        }
        _ = try ProgramRun(tool, words)
        let written = try Data(contentsOf: folder.appending(path: "CoreBluetooth.symbols.json"))
        return try JSONDecoder().decode(SymbolGraph.self, from: written)
    }
}
