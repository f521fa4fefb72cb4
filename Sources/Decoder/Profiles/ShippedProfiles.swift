// Made by tools/embed-documents from profiles/*.json.

extension Profile {
    /// The texts of the profiles that come with the program, by name.
    public static let shippedDocuments: KeyValuePairs<String, String> = [
        "ble-link-manager": #"""
        {
          "$schema": "../docs/profile.schema.json",
          "name": "ble-link-manager",
          "title": "BLELinkManager: the frame with a number of base 100, and the texts that answer it",
          "channels": [
            {
              "name": "frame",
              "attributes": [
                { "service": "FFE0", "characteristic": "FFE1", "operations": ["write"] },
                { "valuePrefix": "aa031272", "operations": ["write"] }
              ],
              "framing": { "prefix": "aa031272", "trailer": "01723055" },
              "messages": [
                { "name": "speed", "fields": [{ "name": "number", "type": "base100", "length": 2 }] }
              ]
            },
            {
              "name": "command",
              "attributes": [
                { "valuePrefix": "0abaaa031272", "operations": ["write"] },
                { "valuePrefix": "0babaa031272", "operations": ["write"] },
                { "valuePrefix": "0cdcaa031272", "operations": ["write"] },
                { "valuePrefix": "0dcdaa031272", "operations": ["write"] }
              ],
              "framing": { "trailer": "01723055" },
              "messages": [
                {
                  "name": "command",
                  "fields": [
                    {
                      "name": "type",
                      "type": "u16",
                      "enum": { "0x0ABA": "ABA", "0x0BAB": "BAB", "0x0CDC": "CDC", "0x0DCD": "DCD" }
                    },
                    { "name": "start", "type": "bytes", "equals": "aa031272" },
                    { "name": "speed", "type": "base100", "length": 2, "unit": "octets/s" }
                  ]
                }
              ]
            },
            {
              "name": "answer",
              "attributes": [
                { "service": "FFE0", "characteristic": "FFE1", "operations": ["notify", "read"] }
              ],
              "messages": [{ "name": "text", "fields": [{ "name": "text", "type": "utf8" }] }]
            }
          ],
          "pairs": [{ "request": "speed", "response": "text", "by": "order" }]
        }
        """#,
        "eswiftble": #"""
        {
          "$schema": "../docs/profile.schema.json",
          "name": "eswiftble",
          "title": "eswiftBLE's example device Mobike: the greatest, least and mean level",
          "channels": [
            {
              "name": "max",
              "attributes": [
                { "service": "FFEE", "characteristic": "FFE1", "operations": ["read", "notify"] }
              ],
              "messages": [{ "name": "max", "fields": [{ "name": "level", "type": "u8" }] }]
            },
            {
              "name": "min",
              "attributes": [
                { "service": "FFEE", "characteristic": "FFE2", "operations": ["read", "write"] }
              ],
              "messages": [{ "name": "min", "fields": [{ "name": "level", "type": "u8" }] }]
            },
            {
              "name": "avg",
              "attributes": [{ "service": "FFEE", "characteristic": "FFE3", "operations": ["read"] }],
              "messages": [{ "name": "avg", "fields": [{ "name": "level", "type": "u8" }] }]
            }
          ]
        }
        """#,
        "mi-band": #"""
        {
          "$schema": "../docs/profile.schema.json",
          "name": "mi-band",
          "title": "The band named MI: the battery command and its answer",
          "channels": [
            {
              "name": "command",
              "attributes": [
                { "service": "FEE0", "characteristic": "FF02", "operations": ["write"] },
                { "valuePrefix": "1b9901", "operations": ["write"] }
              ],
              "framing": { "prefix": "1b" },
              "select": { "at": 0, "width": 2 },
              "messages": [
                {
                  "name": "battery-query",
                  "value": "0x9901",
                  "fields": [{ "name": "command", "type": "u16", "equals": "0x9901", "display": "hex" }]
                }
              ]
            },
            {
              "name": "answer",
              "attributes": [
                { "service": "FEE0", "characteristic": "FF01", "operations": ["notify"] },
                { "valuePrefix": "567b", "operations": ["notify"] }
              ],
              "framing": { "prefix": "567b" },
              "checksum": { "name": "sum8-complement" },
              "messages": [
                {
                  "name": "battery",
                  "fields": [{ "name": "level", "type": "u8", "scale": 10, "unit": "%" }]
                }
              ]
            },
            {
              "name": "name",
              "attributes": [{ "service": "FEE0", "characteristic": "FF01", "operations": ["read"] }],
              "messages": [{ "name": "text", "fields": [{ "name": "text", "type": "utf8" }] }]
            }
          ],
          "pairs": [{ "request": "battery-query", "response": "battery", "by": "order" }]
        }
        """#,
        "peripheral-clock": #"""
        {
          "$schema": "../docs/profile.schema.json",
          "name": "peripheral-clock",
          "title": "the phone as a peripheral: the time every two seconds, a text that can be written, and one that can't",
          "channels": [
            {
              "name": "time",
              "attributes": [{ "service": "FFF0", "characteristic": "FFF1", "operations": ["notify"] }],
              "messages": [
                { "name": "time", "fields": [{ "name": "time", "type": "utf8", "length": 17 }] }
              ]
            },
            {
              "name": "text",
              "attributes": [
                { "service": "FFF0", "characteristic": "FFF2", "operations": ["read", "write"] }
              ],
              "messages": [{ "name": "text", "fields": [{ "name": "text", "type": "utf8" }] }]
            },
            {
              "name": "fixed",
              "attributes": [{ "service": "FFE0", "characteristic": "FFF3", "operations": ["read"] }],
              "messages": [{ "name": "fixed", "fields": [{ "name": "text", "type": "utf8" }] }]
            }
          ]
        }
        """#,
    ]
}
