import FoundationEssentials
import Testing

@testable import CaptureFile

/// Deflate data as zlib made it.
@Suite struct ZlibStreamTests {
    struct Stream: CustomTestStringConvertible {
        var testDescription: String
        var base64: String
        /// Octets of the text that are in it.
        var count: Int

        var octets: [UInt8] { ZlibStreamTests.octets(base64) }
    }

    static func octets(_ base64: String) -> [UInt8] {
        [UInt8](Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
    }

    /// The text that was packed.
    static let text: [UInt8] = (0..<400).flatMap { index -> String.UTF8View in
        let pairs = String(repeating: "ab", count: index % 9)
        return "record \(index) of \(index * index * 7919 % 1000): \(pairs)\n".utf8
    }

    static let streams = [
        Stream(
            testDescription: "codes of its own",
            base64: """
                eNqNWk1y7jYO3OcUPoIA/iK3mUkm21f17r9IfWxbDZKgNEt307YICkATrd//++vX77+/rq9f/3xdf3798Rs/y+dnE/
                vz6z///cH0g9VWPxjR9EG1CVDi+YO3K//gZMr4262QIVc/XM+eItk+ZJKZJN3H70pdea6wz4qczO1zbNyuy29Uxu7F
                bN6pjACkVNetSsKDyb5XGWEQzdFmZUSizZFw9AiG1nzasIyAFJPzjmUEpZXqtmyA5rMdcaiIg4MFp2vrlnXEolndt6
                wjGlIk2rKOeKR8OGEdEUlrRNwCxCTn85Z1RMU+//+GRhQynvYGRxx6W045jUjITyQcgbei2L7lNKJRarTjlBApiXec
                EJDzIaf4JZmWfAeFG04jBoI38gY7/tWyX7wOth1xHoHIDISjRih6smjDWfG/a7zhjIJxTuOMlOkPR5xZQm6o4gXOfs
                d5hOGnNt0o4tC2PM4jFEWCEy4jGMUHw5GC/Ld4x0XxtPW04zJCkttDHpcRlH65My6+jt7gCIP9BO+GGw5sq9KlY8tB
                HpcRjfiM6/5uTLSgMNlpxxW9JD3U6prwZC6N6wiC6nTGdc6PGx6BEObVTaCLWFCsK8pEnMcV4SiHQ25r2dgWCNqnnb
                fc8KK4Wt3QWcqUx22EIefljNtaO28CochBK25IkLhWt442eEjkhm7ajofc554SLsGLUlxH7uiyZarVfcTBbMnkjkjs
                h9z3onlTyJC4I3f0DjkU645umo6Z3L9z5uGQjYrjhtBl09SRbcQhy1KuDbViz2RDcvTglO1JcVlFZTt0ZEPlaMdybY
                jJk+oyNIRJdv0ITidVLkG1XmXXpRAhu+66EnIqEl5XRpxj5XVFIfE8hGg/a6+roYQ9ia9rxEbFq6/L8Hs2K06vQz0O
                Ib53Z4EatRRUboEgbRKmtUCTJj2cuMhJcXAFmu1DhxZoUzFXvgViVObUFuhRK5vaXssHGbwoQZsW6NJkYQkXSNNSDu
                ktUKcln0/9KFD9mor67HYOTVrmOi6Qpd3qunOb98d7xt5kyMkUxpVFwy2HWi5QqWLHNBcI1fJ46E6rEkMmzU1bUpve
                UOJowdEdy5ZM8JesSI6QFZdxEY+7jByrukCzPuc6ZGvq/thzJNEEUjVfS/8WqNW6X6UFirW1KNchWpvE5x7qVs/LXZ
                sP+4J6LU8FXiBgR5Mght487bzMVZf4iEjrWx8XCNecogoP7WoS5zrkqx5P/SBh/Qp5beYCIavJV3goV5svXwLxmnU9
                9bpWWzJQKjXo6AIVaxZXeAjZfsx2aNlSzqd+lLN+jdwCkBjqzHzTFsjYW2YSz+gj+7m3vc6SQ1xy3NkhadOxxkPVFj
                tnO4Tto1IXp22JibshEEWfLmuRh6R19xAyiEp47j3qzWSRR8fODnlb5FzloXDl6WImELnjdseZUjhHM/FXSMKYEOw1
                HuK2h9kOfZt7fOr2ouegctN17uwQuo+XcIHWzW2appm7/HOcRn3rUVkGDGQUFTSap13JTzFWEtOSk3zXg9D1KyDmnu
                YtCrE7hjbERjCqzEM1yNu+nrkuAtczsgygPIfmk8ISr5C5crqtKYRu0eOhq7wP1xRit1fX2BXq9nuoRxSlZU11hcJ1
                k0NOUfcrMjmZ5pMri7JyupwrpK6VY6orxG57HKU6uUvse0Y/tXaFwpW1xCs0rlrd927LbNmPkKP2Q1bcBDvi0ZTLsc
                Qr5O7j5FwheNt07tMwligyaG3tmtriC5BBg07h+Nwm92Gdnz9P3hRiN6dja1fI3fTkk2hOP1YLISRTn489x4pOoXH1
                2jq7QuVqdGdX6FxpcbpD6dppzKoHretXSPgX5jV6PwMxb3IRzdMeia8ll0x1MVy5wN0i2cMzI29vp36Uu34NfS9i6t
                5UorPjRTxPmeCZ80ROIXRbDVu71tjlIt/fsr1aWC9m04gVh5h3v4jqVNGIr74Xmewq5spFAwWyNazR5NtblYfcNXvK
                9kYnjI6Z70xEZw+MuE6dzzO7/UUu3501eKr+7I4qxO5Td+8t1Afzmn4rDGLeEqNdGI/o1FYzjIw6hbRykQ1GNoeajP
                yrqoPgleupu9ttjxHqTocSnY0xWqVe5Xp8N8TI6a2hAyfziq0w8vlFx6ej4PVr6n2XIOYtMqLdX1UIL94YPeJV5nou
                csXIanjzIp9e7m4Jcrfpw5En2Sd06XuaW6fOnmT2yYj36T7rmd0ho0EeeUFkY2+MvL7c2ZOm8NY/r8n33ICYL79E6z
                SXIL7aZWS6m3usXGSU8fOAeNJCXl5mNQlyt5eHEp8SDTRi2c2XiMZ+aoLIzXtrT2k3zcj1ez4WPVVsl/HbiLcZXcoS
                TvnmNXrPCYl5G41onuaQxE+KLn3PcoOd58g4I9vDqSp5e5nLpqPa9WvoqBFTN0smOjtpxPM0q/bMXmfJ1XsWHj1V7J
                yR7y/z+FQsnOjP38Tw3SHm3TSiOnkOxFcXjUx2nsbKPU3oEqTu5qKQby8+TILcrY/ZXmmp8YsgX2eITlYaYZ2cKc/s
                Fhq5/GN8Bc/UYueMfH3x3lJroXs3r+m3/0fM2Wn8Fir+4C311UYjo869XLnIPiObI7uU9JvfmiB102Nn73TUiHXnER
                OdnTR+CHYa0SXbHTRyenvcwVNZes51CN0Hnz3Z/6HnIHbNfx2VzLtpRPv0LQHx1UX741+sk+3l
                """, count: 11033),
        Stream(
            testDescription: "fixed codes",
            base64: """
                eAErSk3OL0pRMFDIT1MwsFLgKoLwDUF8S0NLK4XEJJiYEUjMzNwMJIYQNQaJGpkbQkQR4iYgcXMDE5g4QsYUbLa5KU
                IGIWcGkrMwQZZCSJqDJI0NUSUR0hZgvYZm6PIIFZYgFSbGlkj+BHvc0sAA2aOGYN8bWlqi+tQQHADGxmboXjU0hjjM
                ENOvhuBgMDQyweZZQ3BImKOGBJI0ODCMzExwedgQHCCmloa4fWwIDhRzUzMkL1tChFDjFhwOZpBwQBI2hMSuJbqXjc
                BhYW5phullI3BoAABrgbVL
                """, count: 600),
        Stream(
            testDescription: "stored",
            base64: """
                eAEBZACb/3JlY29yZCAwIG9mIDA6IApyZWNvcmQgMSBvZiA5MTk6IGFiCnJlY29yZCAyIG9mIDY3NjogYWJhYgpyZW
                NvcmQgMyBvZiAyNzE6IGFiYWJhYgpyZWNvcmQgNCBvZiA3MDQ6IGHMYh0H
                """, count: 100),
    ]

    @Test(arguments: streams)
    func `what zlib packed is unpacked, and what is cut up to the cut`(_ stream: Stream) throws {
        let expected = Array(Self.text.prefix(stream.count))
        let packed = stream.octets
        let whole = try #require(ZlibStream.inflate(packed[...], atMost: 1 << 20))
        #expect(whole.octets == expected && whole.isComplete)
        var before = 0
        for end in stride(from: packed.count - 6, to: 2, by: packed.count > 1000 ? -13 : -1).reversed() {
            let cut = try #require(ZlibStream.inflate(packed[..<end], atMost: 1 << 20))
            #expect(!cut.isComplete)
            #expect(cut.octets.count >= before && cut.octets.elementsEqual(expected.prefix(cut.octets.count)))
            before = cut.octets.count
        }
        #expect(before > expected.count - 12)
    }

    @Test(arguments: streams)
    func `damage gives an end and no more than the limit`(_ stream: Stream) {
        let packed = stream.octets
        for place in stride(from: 2, to: min(packed.count, 400), by: 5) {
            for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                var damaged = packed
                damaged[place] = value
                let unpacked = ZlibStream.inflate(damaged[...], atMost: 20_000)
                #expect((unpacked?.octets.count ?? 0) < 20_000 + (64 << 10))
            }
        }
    }
}
