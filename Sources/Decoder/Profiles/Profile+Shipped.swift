extension Profile {
    /// The texts of the profiles that come with the program, by name.
    public static let shippedDocuments: KeyValuePairs<String, String> = [
        "ant": text(PackageResources.ant_json),
        "ble-link-manager": text(PackageResources.ble_link_manager_json),
        "daly": text(PackageResources.daly_json),
        "eswiftble": text(PackageResources.eswiftble_json),
        "fitness-machine": text(PackageResources.fitness_machine_json),
        "gap-gatt": text(PackageResources.gap_gatt_json),
        "jbd": text(PackageResources.jbd_json),
        "jk": text(PackageResources.jk_json),
        "mi-band": text(PackageResources.mi_band_json),
        "peripheral-clock": text(PackageResources.peripheral_clock_json),
        "sig": text(PackageResources.sig_json),
    ]

    /// Returns the text of a file, without its last line break.
    private static func text(_ file: [UInt8]) -> String { String(decoding: file.dropLast(), as: UTF8.self) }

    /// Returns the profile with this name that comes with the program; nil if absent.
    public static func shipped(named name: String) -> Profile? {
        ProfileSource.shipped.first { $0.name == name }?.profile
    }
}
