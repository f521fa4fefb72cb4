extension Profile {
    /// The profiles that come with the program as JSON in UTF-8, by name.
    public static let shippedDocuments: KeyValuePairs<String, [UInt8]> = [
        "ant": PackageResources.ant_json,
        "ble-link-manager": PackageResources.ble_link_manager_json,
        "daly": PackageResources.daly_json,
        "eswiftble": PackageResources.eswiftble_json,
        "fitness-machine": PackageResources.fitness_machine_json,
        "gap-gatt": PackageResources.gap_gatt_json,
        "jbd": PackageResources.jbd_json,
        "jk": PackageResources.jk_json,
        "mi-band": PackageResources.mi_band_json,
        "peripheral-clock": PackageResources.peripheral_clock_json,
        "sig": PackageResources.sig_json,
    ]

    /// Returns the profile with this name that comes with the program; nil if absent.
    public static func shipped(named name: String) -> Profile? {
        ProfileSource.shipped.first { $0.name == name }?.profile
    }
}
