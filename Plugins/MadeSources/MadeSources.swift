import Foundation
import PackagePlugin

/// Makes sources while the package is built: the types of PDUs and codes from tables that ask for them, the
/// codes of Apple's errors and the defaults of its delegates, and the list of the profiles that come with the
/// program, with their selectors (`docs/architecture.md`).
@main struct MadeSources: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let folder = context.pluginWorkDirectoryURL.appending(path: "Made")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text =
            switch target.name {
            case "Profiles": try shippedProfiles(target)
            case "CoreBluetooth": try appleTypes(target)
            default: try types(target)
            }
        let made = folder.appending(path: "Made.swift")
        if (try? String(contentsOf: made, encoding: .utf8)) != text {
            try text.write(to: made, atomically: true, encoding: .utf8)
        }
        // The file is there already; the command only names its folder.
        return [
            .prebuildCommand(
                displayName: "Sources that are made", executable: URL(filePath: "/bin/true"), arguments: [],
                outputFilesDirectory: folder)
        ]
    }

    /// Returns the types of the rows of a target's tables.
    private func types(_ target: any SourceModuleTarget) throws -> String {
        var text = "public import WireBytes\n"
        for file in target.sourceFiles(withSuffix: ".swift").map(\.url).sorted(by: { $0.path < $1.path })
        where file.path.contains("/Tables/") {
            let source = try String(contentsOf: file, encoding: .utf8)
            do {
                let reader = try TableReader(source)
                let rows = reader.rows
                text += reader.codes.map(\.text).joined()
                text += try rows.map { try TypeWriter($0).text }.joined()
                let attributes = rows.filter { $0.kind == .attribute }.map { $0.type + ".self" }
                guard !attributes.isEmpty else { continue }
                text +=
                    "extension ATTTable {\n/// The types of PDUs.\nstatic let types: [any ATTPDU.Type] = ["
                text += attributes.joined(separator: ",\n") + "]\n}\n"
            } catch let error as RowError {
                Diagnostics.error("\(file.lastPathComponent): \(error.row): \(error.reason)")
            }
        }
        return text
    }

    /// Returns the codes of the error types of Apple's API, and the defaults of its delegates.
    private func appleTypes(_ target: any SourceModuleTarget) throws -> String {
        var text = "public import Foundation\n"
        for file in target.sourceFiles(withSuffix: ".swift").map(\.url).sorted(by: { $0.path < $1.path }) {
            let source = try String(contentsOf: file, encoding: .utf8)
            text += ErrorType(source)?.text ?? DelegateType(source)?.text ?? ""
        }
        return text
    }

    /// Returns the list of the profiles that the target embeds, by their files' names.
    private func shippedProfiles(_ target: any SourceModuleTarget) throws -> String {
        let folder = target.directoryURL.appending(path: "Shipped").resolvingSymlinksInPath()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
        let rows = names.map {
            "\"\($0)\": PackageResources.\($0.replacingOccurrences(of: "-", with: "_"))_json,\n"
        }
        let selectors = try names.map { name in
            let data = try Data(contentsOf: folder.appending(path: name + ".json"))
            return "\"\(try ProfileSelectors(data).rows.map { $0 + "\\n" }.joined())\",\n"
        }
        return """
            extension Profile {
            /// The profiles that come with the program as JSON in UTF-8, by name.
            public static let shippedDocuments: KeyValuePairs<String, [UInt8]> = [
            \(rows.joined())]

            /// The selectors of their channels, a row each.
            static let shippedSelectors: [String] = [
            \(selectors.joined())]
            }

            """
    }
}
