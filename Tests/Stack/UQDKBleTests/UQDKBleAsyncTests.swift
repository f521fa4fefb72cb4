import CoreBluetooth
import Foundation
import Testing
import UQDK

@testable import UQDKBle

@Suite(.serialized) struct UQDKBleAsyncTests {
    /// Runs async code on the virtual air, which does not wait for the threads of the language.
    private static func run<Value: Sendable>(
        _ bench: Bench, _ body: @escaping @Sendable (UQDKBleManager) async throws(UQDKBleError) -> Value
    ) async throws -> Result<Value, UQDKBleError> {
        let done = Box<Result<Value, UQDKBleError>>()
        let manager = bench.manager
        Task {
            do throws(UQDKBleError) {
                done.put(.success(try await body(manager)))
            } catch {
                done.put(.failure(error))
            }
        }
        for _ in 0..<1_000_000 where done.count == 0 {
            bench.world.run(for: .milliseconds(20))
            try await Task.sleep(for: .microseconds(200))
        }
        return try #require(done.last)
    }

    @Test func `awaited calls connect, authenticate and ask for the state`() async throws {
        let bench = try Bench()
        let result = try await Self.run(bench) { manager throws(UQDKBleError) in
            try await manager.connect()
            try await manager.activate(pairingCode: Vectors.code)
            try await manager.authenticate()
            let response = try await manager.queryStatus()
            await manager.close()
            return response
        }
        #expect(try result.get().isSecured && bench.manager.status == .disconnected)
    }

    @Test func `an awaited call throws what a completion is given`() async throws {
        let bench = try Bench()
        let refused = try await Self.run(bench) { manager throws(UQDKBleError) in try await manager.lock() }
        #expect(throws: UQDKBleError.notReady) { try refused.get() }
    }

    @Test func `a task that is cancelled gives its connect up`() async throws {
        let bench = try Bench()
        bench.phone.setPower(false)
        let done = Box<UQDKBleError?>()
        let manager = bench.manager
        let task = Task {
            do throws(UQDKBleError) {
                try await manager.connect()
                done.put(nil)
            } catch {
                done.put(error)
            }
        }
        for _ in 0..<1_000_000 where manager.status != .scanning {
            bench.world.run(for: .milliseconds(20))
            try await Task.sleep(for: .microseconds(200))
        }
        task.cancel()
        for _ in 0..<1_000_000 where done.count == 0 {
            bench.world.run(for: .milliseconds(20))
            try await Task.sleep(for: .microseconds(200))
        }
        #expect(done.all == [.cancelled] && manager.status == .disconnected)
    }
}

@Suite struct UQDKKeyFileTests {
    private static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appending(path: "key.json"))
    }

    private static func mode(_ file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    @Test func `a key file keeps each counter before it is used, and is its user's alone`() throws {
        try Self.withFolder { file in
            try UQDKDataManager.makeKeyFile(file, keyID: Vectors.keyID, key: Vectors.key, authCounter: 4)
            #expect(try Self.mode(file) == 0o600)
            let data = try UQDKDataManager(keyFile: file)
            #expect(data.keyID == Vectors.keyID && data.key == Vectors.key)
            #expect(data.nextAuthCounter() == 5 && data.nextAuthCounter() == 6)
            #expect(try UQDKDataManager(keyFile: file).authCounter == 6)
            #expect(try Self.mode(file) == 0o600)
            #expect(throws: PrivateDocumentError.exists) {
                try UQDKDataManager.makeKeyFile(file, keyID: [1], key: [2])
            }
        }
    }

    @Test func `a counter that another program has used is not used again`() throws {
        try Self.withFolder { file in
            try UQDKDataManager.makeKeyFile(file, keyID: Vectors.keyID, key: Vectors.key)
            let (one, other) = (try UQDKDataManager(keyFile: file), try UQDKDataManager(keyFile: file))
            #expect(one.nextAuthCounter() == 1 && other.nextAuthCounter() == nil)
            try FileManager.default.removeItem(at: file)
            #expect(one.nextAuthCounter() == nil && one.authCounter == 1)
        }
    }

    @Test func `of programs that take the next counter at once only one gets it`() throws {
        for _ in 0..<20 {
            try Self.withFolder { file in
                try UQDKDataManager.makeKeyFile(file, keyID: Vectors.keyID, key: Vectors.key)
                let programs = try (0..<8).map { _ in try UQDKDataManager(keyFile: file) }
                let counters = Box<UInt64>()
                DispatchQueue.concurrentPerform(iterations: programs.count) { place in
                    if let counter = programs[place].nextAuthCounter() { counters.put(counter) }
                }
                #expect(counters.all == [1])
            }
        }
    }

    @Test func `a key file that others can read, or that holds no keys, is refused`() throws {
        try Self.withFolder { file in
            #expect(throws: PrivateDocumentError.unreadable) { try UQDKDataManager(keyFile: file) }
            for (text, mode, error) in [
                (#"{"version":1,"keyId":"11","key":"22","authCounter":0}"#, 0o640, .openToOthers),
                (#"{"version":2,"keyId":"11","key":"22","authCounter":0}"#, 0o600, .version(2)),
                (#"{"version":1,"keyId":"1","key":"22","authCounter":0}"#, 0o600, .unreadable),
                ("{", 0o600, .unreadable),
            ] as [(String, Int, PrivateDocumentError)] {
                try Data(text.utf8).write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
                #expect(throws: error) { try UQDKDataManager(keyFile: file) }
            }
        }
    }
}
