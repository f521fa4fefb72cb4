import Foundation
import PackagePlugin

/// Makes the types of HCI PDUs from the rows of the tables that ask for one (`docs/tables.md`).
@main struct TypedPDUs: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let folder = context.pluginWorkDirectoryURL.appending(path: "Types")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var text = "public import WireBytes\n"
        for file in target.sourceFiles(withSuffix: ".swift").map(\.url).sorted(by: { $0.path < $1.path })
        where file.path.contains("/Tables/") {
            let source = try String(contentsOf: file, encoding: .utf8)
            do {
                let rows = try TableReader(source).rows
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
        let made = folder.appending(path: "TypedPDUs.swift")
        if (try? String(contentsOf: made, encoding: .utf8)) != text {
            try text.write(to: made, atomically: true, encoding: .utf8)
        }
        // The file is there already; the command only names its folder.
        return [
            .prebuildCommand(
                displayName: "Types of HCI PDUs", executable: URL(filePath: "/bin/true"), arguments: [],
                outputFilesDirectory: folder)
        ]
    }
}
