// Service UUIDs of other standards organizations. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let organizationServicesLines: StaticString = """
        FCCC Wi-Fi Easy Connect Specification
        FFEF Wi-Fi Direct Specification~Public Key Open Credential (PKOC)~ICCE Digital Key~Aliro
        FFF3 FiRa Consortium~FiRa Consortium~Car Connectivity Consortium, LLC~Matter Profile ID
        FFF7 Zigbee Direct~Mopria Alliance BLE~FIDO2 secure client-to-authenticator transport~ASTM Remote ID
        FFFB Direct Thread Commissioning~Wireless Power Transfer (WPT)~Universal Second Factor Authenticator
        FFFE Wireless Power Transfer
        """
}
