import WireBytes

extension HCICommandTable {
    /// Link policy commands (OGF 2).
    ///
    /// Source: Vol 4, Part E, 7.2.
    static let linkPolicy = PDUTable(
        trusting: """
            0801 7.2.1 Hold Mode
            > connection_handle hold_mode_max_interval:2*625us hold_mode_min_interval:2*625us
            0803 7.2.2 Sniff Mode
            > connection_handle sniff_max_interval:2*625us sniff_min_interval:2*625us sniff_attempt:2
              sniff_timeout:2
            0804 7.2.3 Exit Sniff Mode
            > connection_handle
            0805 Park State
            > ?
            0806 Exit Park State
            > ?
            0807 7.2.6 QoS Setup
            > connection_handle unused:1x service_type:1=service_type token_rate:4 peak_bandwidth:4
              latency:4*us delay_variation:4*us
            0809 7.2.7 Role Discovery
            > connection_handle
            < status connection_handle current_role:1=role
            080B 7.2.8 Switch Role
            > bd_addr role:1=role
            080C 7.2.9 Read Link Policy Settings
            > connection_handle
            < status connection_handle link_policy_settings:2|link_policy
            080D 7.2.10 Write Link Policy Settings
            > connection_handle link_policy_settings:2|link_policy
            < status connection_handle
            080E 7.2.11 Read Default Link Policy Settings
            < status default_link_policy_settings:2|link_policy
            080F 7.2.12 Write Default Link Policy Settings
            > default_link_policy_settings:2|link_policy
            < status
            0810 7.2.13 Flow Specification
            > connection_handle unused:1x flow_direction:1=flow_direction service_type:1=service_type
              token_rate:4 token_bucket_size:4 peak_bandwidth:4 access_latency:4*us
            0811 7.2.14 Sniff Subrating
            > connection_handle max_latency:2*625us min_remote_timeout:2*625us min_local_timeout:2*625us
            < status connection_handle
            """)
}
