/// A shell that completes the program's commands and options.
public enum CompletionShell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
}

extension CommandTable {
    /// The script that makes a shell complete the commands, the options and their words; other operands are
    /// completed as names of files.
    public func completion(for shell: CompletionShell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private var names: [String] { commands.map(\.name) }

    /// The first words of the commands, each once.
    private var firstWords: [String] {
        names.reduce(into: []) { words, name in
            let word = String(name.prefix { $0 != " " })
            if !words.contains(word) { words.append(word) }
        }
    }

    /// The words that may follow a first word.
    private func secondWords(_ first: String) -> [String] {
        names.filter { $0.hasPrefix(first + " ") }.map { String($0.dropFirst(first.count + 1)) }
    }

    /// The shells' pattern for the first two words of a command line.
    private static func pattern(_ row: CommandRow) -> String {
        row.name.contains(" ") ? "'\(row.name)'" : "'\(row.name) '*"
    }

    // MARK: bash

    private var bash: String {
        let first = (firstWords + ["help"]).joined(separator: " ")
        var text = """
            # Completes \(program) in bash. Made by '\(program) completions bash'.
            _\(program)() {
                local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    mapfile -t COMPREPLY < <(compgen -f -W '\(first)' -- "$cur")
                    compopt -o filenames 2>/dev/null
                    return
                fi
                case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in

            """
        for row in commands.sorted(by: { $0.name.count > $1.name.count }) {
            text += "        \(Self.pattern(row)))\n            case \"$prev\" in\n"
            for option in options(of: row.name) {
                if case .none = option.argument { continue }
                let short = option.short.map { "|-\($0)" } ?? ""
                if case .choice(let choices) = option.argument {
                    text += "                --\(option.long)\(short)) "
                    text +=
                        "COMPREPLY=($(compgen -W '\(choices.joined(separator: " "))' -- \"$cur\"))"
                        + "; return ;;\n"
                }
            }
            let longs = options(of: row.name).map { "--\($0.long)" } + ["--help"]
            text += "            esac\n            words='\(longs.joined(separator: " "))' ;;\n"
        }
        text += "    esac\n"
        let groups = firstWords.filter { !secondWords($0).isEmpty }
        text += "    if [ \"$COMP_CWORD\" -eq 2 ]; then\n        case \"${COMP_WORDS[1]}\" in\n"
        for group in groups {
            text += "            \(group)) COMPREPLY=($(compgen -W "
            text += "'\(secondWords(group).joined(separator: " "))' -- \"$cur\")) ;;\n"
        }
        text += """
                    help)
                            COMPREPLY=($(compgen -W '\(firstWords.joined(separator: " "))' -- "$cur"))
                            return ;;
                    esac
                fi
                case "$cur" in
                    -*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
                    *)
                        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur")
                        compopt -o filenames 2>/dev/null ;;
                esac
            }
            complete -F _\(program) \(program)

            """
        return text
    }

    // MARK: zsh

    private var zsh: String {
        var text =
            "#compdef \(program)\n# Made by '\(program) completions zsh'.\n\nlocal -a commands\ncommands=(\n"
        for row in commands where !row.name.contains(" ") {
            text += "    '\(row.name):\(Self.quoted(row.summary))'\n"
        }
        text += "    'help:Shows the help of a command, or this list.'\n)\n"
        text += "if (( CURRENT == 2 )); then\n    _describe command commands\n    _files\n    return\nfi\n"
        text += "case \"$words[2] $words[3]\" in\n"
        for row in commands.sorted(by: { $0.name.count > $1.name.count }) {
            text += "    \(Self.pattern(row)))\n        _arguments \\\n"
            for option in options(of: row.name) {
                let help = Self.quoted(option.help).replacing("[", with: "\\[").replacing("]", with: "\\]")
                let names =
                    option.short.map { "'(-\($0) --\(option.long))'{-\($0),--\(option.long)}'" }
                    ?? "'--\(option.long)"
                let repeats = option.repeats && option.short == nil ? "'*--\(option.long)" : names
                let value =
                    switch option.argument {
                    case .none: ""
                    case .choice(let words): ":word:(\(words.joined(separator: " ")))"
                    case .value(let name): ":\(Self.quoted(name)):_files"
                    }
                text += "            \(repeats)[\(help)]\(value)' \\\n"
            }
            text += "            '*:file:_files' ;;\n"
        }
        return text + "esac\n"
    }

    /// The text within single quotes, with colons that are not taken for separators.
    private static func quoted(_ text: String) -> String {
        text.replacing("'", with: "'\\''").replacing(":", with: "\\:")
    }

    // MARK: fish

    private var fish: String {
        var text = "# Completes \(program) in fish. Made by '\(program) completions fish'.\n"
        for word in firstWords {
            let summary = command(word)?.summary ?? ""
            text += "complete -c \(program) -n __fish_use_subcommand -a \(word) "
            text += "-d '\(Self.fishQuoted(summary))'\n"
            for second in secondWords(word) {
                text += "complete -c \(program) -n '__fish_seen_subcommand_from \(word)' -a \(second)\n"
            }
        }
        for row in commands {
            let seen = row.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
                .joined(separator: "; and ")
            for option in options(of: row.name) {
                text += "complete -c \(program) -n '\(seen)' -l \(option.long)"
                if let short = option.short { text += " -s \(short)" }
                switch option.argument {
                case .none: break
                case .choice(let words): text += " -x -a '\(words.joined(separator: " "))'"
                case .value: text += " -r"
                }
                text += " -d '\(Self.fishQuoted(option.help))'\n"
            }
        }
        return text
    }

    private static func fishQuoted(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}
