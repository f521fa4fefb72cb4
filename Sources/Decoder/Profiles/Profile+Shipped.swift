extension Profile {
    /// The texts of the profiles that come with the program, by name.
    public static let shippedDocuments: KeyValuePairs<String, String> = [
        "ant": text(PackageResources.ant_json),
        "apple-continuity": text(PackageResources.apple_continuity_json),
        "bj-led": text(PackageResources.bj_led_json),
        "ble-link-manager": text(PackageResources.ble_link_manager_json),
        "bthome": text(PackageResources.bthome_json),
        "daly": text(PackageResources.daly_json),
        "eddystone": text(PackageResources.eddystone_json),
        "elk-bledom": text(PackageResources.elk_bledom_json),
        "eswiftble": text(PackageResources.eswiftble_json),
        "exposure-notification": text(PackageResources.exposure_notification_json),
        "fast-pair": text(PackageResources.fast_pair_json),
        "find-hub": text(PackageResources.find_hub_json),
        "fitness-machine": text(PackageResources.fitness_machine_json),
        "gap-gatt": text(PackageResources.gap_gatt_json),
        "govee-lamp": text(PackageResources.govee_lamp_json),
        "govee-sensor": text(PackageResources.govee_sensor_json),
        "ibeacon": text(PackageResources.ibeacon_json),
        "jbd": text(PackageResources.jbd_json),
        "jk": text(PackageResources.jk_json),
        "mi-band": text(PackageResources.mi_band_json),
        "mibeacon": text(PackageResources.mibeacon_json),
        "microsoft": text(PackageResources.microsoft_json),
        "peripheral-clock": text(PackageResources.peripheral_clock_json),
        "ruuvi": text(PackageResources.ruuvi_json),
        "sig": text(PackageResources.sig_json),
        "triones": text(PackageResources.triones_json),
        "victron": text(PackageResources.victron_json),
        "zengge": text(PackageResources.zengge_json),
    ]

    /// Returns the text of a file, without its last line break.
    private static func text(_ file: [UInt8]) -> String { String(decoding: file.dropLast(), as: UTF8.self) }

    /// Returns the profile with this name that comes with the program; nil if absent.
    public static func shipped(named name: String) -> Profile? {
        ProfileSource.shipped.first { $0.name == name }?.profile
    }
}
