import Analysis
import CaptureFile
import CommandLineKit
import WireBytes

/// Files in the logs' folders that are used without an option: `x.keys.json` and `x.gatt` for `x.btsnoop`.
enum FoundFiles {
    /// Returns the command line with the files found for its logs, for each option that was not given. A line
    /// on standard error reports the files used, or why a file is not used. The value `none` disables it.
    ///
    /// - Parameter inputs: the logs; nil for the operands as they are.
    static func added(
        to given: ParsedArguments, in inputs: NamedInputs? = nil, _ console: Console
    ) -> ParsedArguments {
        var arguments = given
        if let inputs { arguments.operands = inputs.paths }
        add(.keys, "keys", keys, &arguments, console) { one throws(Failure) in
            _ = try KeyFiles.read(one, for: try DialectFiles.read(one))
        }
        add(.gatt, "attributes", gatt, &arguments, console) { one throws(Failure) in
            _ = try GATTFiles.read(one, AnalysisKnowledge())
        }
        return arguments
    }

    /// Returns the command line for some of its logs, with only those found files that belong to these logs.
    ///
    /// - Parameter given: the command line without found files.
    static func own(
        _ logs: [String], of arguments: ParsedArguments, given: ParsedArguments
    ) -> ParsedArguments {
        var own = arguments
        for (option, suffix) in [(OptionRow.keys, keys), (.gatt, gatt)] where !given.has(option) {
            let names = logs.map { CompanionFile.path(beside: $0, suffix) }
            own.set(option, arguments.values(option).filter(names.contains))
        }
        return own
    }

    private static let keys = ".keys.json"
    private static let gatt = ".gatt"

    /// - Parameter check: throws if the file set in a command line can't be used.
    private static func add(
        _ option: OptionRow, _ content: String, _ suffix: String, _ arguments: inout ParsedArguments,
        _ console: Console, _ check: (ParsedArguments) throws(Failure) -> Void
    ) {
        if arguments.values(option) == ["none"] { return arguments.set(option, []) }
        guard !arguments.has(option) else { return }
        var paths: [String] = []
        let names = arguments.operands.filter { $0 != "-" }.map { CompanionFile.path(beside: $0, suffix) }
        var seen = Set(arguments.operands)
        for path in names where seen.insert(path).inserted {
            guard SystemCall.status(of: path)?.isRegular == true else { continue }
            var one = arguments
            one.set(option, [path])
            do throws(Failure) {
                try check(one)
                paths.append(path)
            } catch {
                console.say("\(error.line); found beside the log but not used")
            }
        }
        arguments.set(option, paths)
        if let first = paths.first {
            let more = paths.count > 1 ? " and \((paths.count - 1).counting("more file"))" : ""
            let without = "--\(option.long) none ignores them"
            console.say("\(content) of \(first)\(more), found beside the log (\(without))")
        }
    }
}
