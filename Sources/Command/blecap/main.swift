import CommandLineKit
import Glibc

SystemCall.ignoreBrokenPipes()
exit(Command.run(Array(CommandLine.arguments.dropFirst())).rawValue)
