// BR/EDR protocols, service classes and profiles. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let serviceClassesLines: StaticString = """
        0001 SDP~UDP~RFCOMM~TCP~TCS-BIN~TCS-AT~ATT~OBEX~IP~FTP
        000C HTTP
        000E WSP~BNEP~UPNP~HID Protocol~HardcopyControlChannel
        0014 HardcopyDataChannel
        0016 HardcopyNotificationChannel~AVCTP
        0019 AVDTP
        001B CMTP
        001E MCAP Control Channel~MCAP Data Channel
        0100 L2CAP
        1000 ServiceDiscoveryServerServiceClassID~BrowseGroupDescriptorServiceClassID
        1101 SerialPort~LANAccessUsingPPP~Dial-Up Networking~IrMCSync~OBEXObjectPush~OBEX File Transfer
        1107 IrMCSyncCommand~Headset~CordlessTelephony~Audio Source~Audio Sink~A/V Remote Control Target
        110D Advanced Audio Distribution~A/V Remote Control~A/V Remote Control Controller~Intercom~Fax
        1112 Headset Audio Gateway~WAP~WAP_CLIENT~PANU~NAP~GN~DirectPrinting~ReferencePrinting~Imaging
        111B Imaging Responder~Imaging Automatic Archive~Imaging Referenced Objects~Hands-Free~AG Hands-Free
        1120 DirectPrintingReferencedObjectsService~ReflectedUI~BasicPrinting~PrintingStatus~HID
        1125 HardcopyCableReplacement~HCR_Print~HCR_Scan~Common_ISDN_Access
        112D SIM Access~Phonebook Access Client~Phonebook Access Server~Phonebook Access Profile
        1131 Headset - HS~Message Access Server~Message Notification Server~Message Access Profile~GNSS
        1136 GNSS_Server~3D Display~3D Glasses~3D Synch Profile~Multi Profile Specification~MPS
        113C CTN Access Service~CTN Notification Service~Calendar Tasks and Notes Profile
        1200 PnPInformation~Generic Networking~GenericFileTransfer~Generic Audio~GenericTelephony
        1205 UPNP_Service~UPNP_IP_Service
        1300 ESDP_UPNP_IP_PAN~ESDP_UPNP_IP_LAP~ESDP_UPNP_L2CAP~Video Source~Video Sink~Video Distribution
        1400 HDP~HDP Source~HDP Sink
        1600 Ambient Light Sensor NLC Profile 1.0~Basic Lightness Controller NLC Profile 1.0
        1602 Basic Scene Selector NLC Profile 1.0~Dimming Control NLC Profile 1.0
        1604 Energy Monitor NLC Profile 1.0~Occupancy Sensor NLC Profile 1.0
        1606 HVAC Integration NLC Profile 1.0
        """
}
