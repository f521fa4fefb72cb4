// Service UUIDs that belong to members. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let memberServicesLines: StaticString = """
        FC39 Harman International~C.O.B.O. SpA~BONX INC.~Eforthink Technology Co., Ltd.~Reelables, Inc.
        FC3E Google LLC~Milwaukee Electric Tools
        FC41 Yoto Limited
        FC43 Atmosic Technologies, Inc.~Block, Inc.~Mitsubishi Electric Corporation~Xiaomi
        FC47 Shanghai Ingeek Technology Co., Ltd.~Michelin~Golioth, Inc.~Shenzhen Shokz Co.,Ltd.
        FC4B WinMagic Inc.~HP Inc.~Lodestar Technology Inc.~Lodestar Technology Inc.~WaveRF, Corp.
        FC50 Ant Group Co., Ltd.~Ant Group Co., Ltd.~LG Electronics Inc.~LEGIC Identsystems AG
        FC54 Shenzhen Yinwang Intelligent Technologies Co., Ltd.~BYD Company Limited~Google LLC
        FC57 Ambient Life Inc.~Shenzhen Minew Technologies Co., Ltd.~Ant Group Co., Ltd.~LAST LOCK INC.
        FC5B Time Location Systems AS~PLASTIC RESEARCH AND DEVELOPMENT CORPORATION
        FC5D GP Acoustics International Limited~KUBU SMART LIMITED~PI-CRYSTAL INC.
        FC60 Ohme Operations UK Limited~QIKCONNEX LLC~SPRiNTUS GmbH~Volvo Technology AB~Volvo Technology AB
        FC65 Robor Electronics B.V.~Xiaomi Inc.~Guangdong Hengqin Xingtong Technology Co.,ltd.~RIGH, INC.
        FC69 Harman International~Sonos Inc~Sonos Inc~Powerstick.com~MOTIVE TECHNOLOGIES, INC.~stryker
        FC6F NextSense, Inc.~MOTIVE TECHNOLOGIES, INC.~Hive-Zox International SA~iodyne, LLC~Google LLC
        FC74 EMBEINT INC~Xiaomi Inc.~Weber-Stephen Products LLC~SING SUN TECHNOLOGY (INTERNATIONAL) LIMITED
        FC78 DHL~LG Electronics Inc.~Outshiny India Private Limited~Testo SE & Co. KGaA
        FC7C Motorola Mobility, LLC~MML US, Inc~Harman International~Southco
        FC80 TELE System Communications Pte. Ltd.~Axon Enterprise, Inc.~Zwift, Inc.~iHealth Labs, Inc.
        FC84 NINGBO FOTILE KITCHENWARE CO., LTD.~Zhejiang Huanfu Technology Co., LTD~Samsara Networks, Inc
        FC87 Samsara Networks, Inc~CCC del Uruguay~Intel Corporation~Intel Corporation
        FC8B Kaspersky Lab Middle East FZ-LLC~VusionGroup~Caire Inc.~Blue Iris Labs, Inc.~Bose Corporation
        FC90 Wiliot LTD.~Samsung Electronics Co., Ltd.~Furuno Electric Co., Ltd.~Komatsu Ltd.~Apple Inc.
        FC95 Hippo Camp Software Ltd.~LEGO System A/S~Japan Display Inc.~Ruuvi Innovations Ltd.~Badger Meter
        FC9A Koppli AB~Merry Electronics (S) Pte Ltd
        FC9D Lenovo (Singapore) Pte Ltd.~Dell Computer Corporation~Delta Development Team, Inc~Apple Inc.
        FCA1 PF SCHWEISSTECHNOLOGIE GMBH~Meizu Technology Co., Ltd.~Gunnebo Aktiebolag~HP Inc.
        FCA5 HAYWARD INDUSTRIES, INC.~Hubble Network Inc.~Hubble Network Inc.~Medtronic Inc.~Medtronic Inc.
        FCAA Spintly, Inc.~IRISS INC.~IRISS INC.~Beijing 99help Safety Technology Co., Ltd
        FCAE Imagine Marketing Limited~AltoBeam Inc.~Ford Motor Company~Google LLC~Apple Inc.~SWEEN
        FCB4 OMRON HEALTHCARE Co., Ltd.~OMRON HEALTHCARE Co., Ltd.~OMRON HEALTHCARE Co., Ltd.~T-Mobile USA
        FCB8 Ribbiot, INC.~Lumi United Technology Co., Ltd~BlueID GmbH~SharkNinja Operating LLC
        FCBC Drowsy Digital, Inc.~Toshiba Corporation~Musen Connect, Inc.
        FCBF ASSA ABLOY Opening Solutions Sweden AB~Xiaomi Inc.~TIMECODE SYSTEMS LIMITED
        FCC2 Qualcomm Technologies, Inc.~HP Inc.~OMRON(DALIAN) CO,.LTD.~OMRON(DALIAN) CO,.LTD.~Wiliot LTD.
        FCC7 PB INC.~Allthenticate, Inc.~SkyHawke Technologies~Cosmed s.r.l.~TOTO LTD.
        FCCD Marshall Group AB~Luna Health, Inc.~Google LLC~Laerdal Medical AS
        FCD1 Shenzhen Benwei Media Co.,Ltd.~Allterco Robotics ltd~Fisher & Paykel Healthcare
        FCD4 OMRON HEALTHCARE~Nortek Security & Control~SWISSINNO SOLUTIONS AG~PowerPal Pty Ltd
        FCD8 Appex Factory S.L.~Huso, INC~Draeger~aconno GmbH~Amazon.com Services, LLC~Mobilaris AB
        FCDE ARCTOP, INC.~NIO USA, Inc.~Akciju sabiedriba "SAF TEHNIKA"~Sony Group Corporation
        FCE2 Baracoda Daily Healthtech~Smith & Nephew Medical Limited~Samsara Networks, Inc
        FCE5 Samsara Networks, Inc~Guard RFID Solutions Inc.~TKH Security B.V.~ITT Industries
        FCE9 MindRhythm, Inc.~Chess Wise B.V.~Avi-On~Griffwerk GmbH~Workaround Gmbh~Velentium, LLC
        FCEF Divesoft s.r.o.~Security Enhancement Systems, LLC~Google LLC~Bitwards Oy~Armatura LLC~Allegion
        FCF5 Trident Communication Technology, LLC~The Linux Foundation~Honor Device Co., Ltd.
        FCF8 Honor Device Co., Ltd.~Leupold & Stevens, Inc.~Leupold & Stevens, Inc.
        FCFB Shenzhen Benwei Media Co., Ltd.~Barrot Technology Co.,Ltd.~Barrot Technology Co.,Ltd.
        FCFE Sonova Consumer Hearing GmbH~701x~FUTEK Advanced Sensor Technology, Inc.
        FD01 Sanvita Medical Corporation~LEGO System A/S~Quuppa Oy~Shure Inc.~Qualcomm Technologies, Inc.
        FD06 RACE-AI LLC~Swedlock AB~Bull Group Incorporated Company~Cousins and Sears LLC~Luminostics, Inc.
        FD0B Luminostics, Inc.~OSM HK Limited~Blecon Ltd~HerdDogg, Inc~AEON MOTOR CO.,LTD.
        FD10 AEON MOTOR CO.,LTD.~AEON MOTOR CO.,LTD.~AEON MOTOR CO.,LTD.~BRG Sports, Inc.~BRG Sports, Inc.
        FD15 Panasonic Corporation~Sensitech, Inc.~LEGIC Identsystems AG~LEGIC Identsystems AG
        FD19 Smith & Nephew Medical Limited~CSIRO~Helios Sports, Inc.~Brady Worldwide Inc.
        FD1D Samsung Electronics Co., Ltd~Plume Design Inc.~3M~GN Hearing A/S~Huawei Technologies Co., Ltd.
        FD22 Huawei Technologies Co., Ltd.~DOM Sicherheitstechnik GmbH & Co. KG
        FD24 GD Midea Air-Conditioning Equipment Co., Ltd.~GD Midea Air-Conditioning Equipment Co., Ltd.
        FD26 Novo Nordisk A/S~Integrated Illumination Systems, Inc.~Julius Blum GmbH~Asahi Kasei Corporation
        FD2A Sony Corporation~The Access Technologies~The Access Technologies~Xiaomi Inc.
        FD2E Bitstrata Systems Inc.~Bitstrata Systems Inc.~Sesam Solutions BV~LG Electronics Inc.
        FD32 Gemalto Holding BV~DashLogic, Inc.~Aerosens LLC.~Transsion Holdings Limited~Google LLC
        FD37 TireCheck GmbH~Danfoss A/S~PREDIKTAS~Verkada Inc.~Verkada Inc.~Redline Communications Inc.
        FD3D Woan Technology (Shenzhen) Co., Ltd.~Pure Watercraft, inc.~Cognosos, Inc~Beflex Inc.
        FD41 Amazon Lab126~Globe (Jiangsu) Co.,Ltd~Apple Inc.~Apple Inc.~GB Solution co.,Ltd~Lemco IKE
        FD47 Liberty Global Inc.~Geberit International AG~Panasonic Corporation~Sigma Elektro GmbH
        FD4B Samsung Electronics Co., Ltd.~Adolf Wuerth GmbH & Co KG~70mai Co.,Ltd.~70mai Co.,Ltd.
        FD4F SONITOR TECHNOLOGIES AS~Hangzhou Tuya Information Technology Co., Ltd~UTC Fire and Security
        FD52 UTC Fire and Security~PCI Private Limited~Qingdao Haier Technology Co., Ltd.
        FD55 Braveheart Wireless, Inc.~Resmed Ltd~Volvo Car Corporation~Volvo Car Corporation
        FD59 Samsung Electronics Co., Ltd.~Samsung Electronics Co., Ltd.~V2SOFT INC.~React Mobile
        FD5D maxon motor ltd.~Tapkey GmbH~Meta Platforms Technologies, LLC~Sercomm Corporation~Arendi AG
        FD62 Google LLC~Google LLC~INRIA~Razer Inc.~Zebra Technologies Corporation~Montblanc Simplo GmbH
        FD68 Ubique Innovation AG~Samsung Electronics Co., Ltd~Emerson~rapitag GmbH
        FD6C Samsung Electronics Co., Ltd.~Sigma Elektro GmbH~Polidea sp. z o.o.~Apple, Inc.
        FD70 GuangDong Oppo Mobile Telecommunications Corp., Ltd~GN Hearing A/S~Logitech International SA
        FD73 BRControls Products BV~BRControls Products BV~Insulet Corporation~Insulet Corporation~Withings
        FD78 Withings~Withings~Withings~WYZE LABS, INC.~Toshiba Information Systems(Japan) Corporation
        FD7D Center for Advanced Research Wernher Von Braun~Samsung Electronics Co., Ltd.~Husqvarna AB
        FD80 Phindex Technologies, Inc~CANDY HOUSE, Inc.~Sony Corporation~iNFORM Technology GmbH~Tile, Inc.
        FD85 Husqvarna AB~Abbott~Google LLC~Urbanminded LTD~Urbanminded LTD~Signify Netherlands B.V.
        FD8B Jigowatts Inc.~Google LLC~quip NYC Inc.~Motorola Solutions
        FD90 Guangzhou SuperSound Information Technology Co.,Ltd~Groove X, Inc.
        FD92 Qualcomm Technologies International, Ltd. (QTIL)~Bayerische Motoren Werke AG
        FD94 Hewlett Packard Enterprise~Rigado~Google LLC~June Life, Inc.~Disney Worldwide Services, Inc.
        FD99 ABB Oy~Huawei Technologies Co., Ltd.~Huawei Technologies Co., Ltd.
        FD9C Huawei Technologies Co., Ltd.~Gastec Corporation~The Coca-Cola Company~VitalTech Affiliates LLC
        FDA0 Secugen Corporation~Groove X, Inc~Groove X, Inc~Inseego Corp.~Inseego Corp.~Neurostim OAB, Inc.
        FDA6 WWZN Information Technology Company Limited~WWZN Information Technology Company Limited
        FDA8 PSA Peugeot Citroën~Rhombus Systems, Inc.~Xiaomi Inc.~Xiaomi Inc.~Tentacle Sync GmbH
        FDAD Houwa System Design, k.k.~Houwa System Design, k.k.~Wiliot LTD~Oura Health Ltd~Oura Health Ltd
        FDB2 Portable Multimedia Ltd~Audiodo AB~HP Inc~ECSG~GWA Hygiene GmbH~LivaNova USA Inc.
        FDB8 LivaNova USA Inc.
        FDBB Profoto~Emerson~Clover Network, Inc.~California Things Inc.~California Things Inc.
        FDC0 Hunter Douglas~Hunter Douglas~Baidu Online Network Technology (Beijing) Co., Ltd
        FDC3 Baidu Online Network Technology (Beijing) Co., Ltd~Simavita (Aust) Pty Ltd~Automatic Labs
        FDC6 Eli Lilly and Company~Eli Lilly and Company~Hach – Danaher~Busch-Jaeger Elektro GmbH
        FDCA Fortin Electronic Systems~Meggitt SA~Shoof Technologies~Qingping Technology (Beijing) Co., Ltd.
        FDCE SENNHEISER electronic GmbH & Co. KG~Nalu Medical, Inc~Huawei Technologies Co., Ltd
        FDD1 Huawei Technologies Co., Ltd~Bose Corporation~FUBA Automotive Electronics GmbH
        FDD4 LX Solutions Pty Limited~Brompton Bicycle Ltd~Ministry of Supply~Copeland Cold Chain LP
        FDD8 Jiangsu Teranovo Tech Co., Ltd.~Jiangsu Teranovo Tech Co., Ltd.~MHCS
        FDDB Samsung Electronics Co., Ltd.~4iiii Innovations Inc.~Arch Systems Inc~Noodle Technology Inc.
        FDDF Harman International~John Deere~Fortin Electronic Systems~Google LLC~Abbott Diabetes Care
        FDE4 JUUL Labs, Inc.~SMK Corporation~Intelletto Technologies Inc~SECOM Co., LTD~Robert Bosch GmbH
        FDE9 Spacesaver Corporation~SeeScan, Inc~Syntronix Corporation~Mannkind Corporation~Pole Star
        FDEE Huawei Technologies Co., Ltd.~ART AND PROGRAM, INC.~Google LLC~LAMPLIGHT Co.,Ltd
        FDF2 AMICCOM Electronics Corporation~Amersports~O. E. M. Controls, Inc.~Milwaukee Electric Tools
        FDF6 AIAIAI ApS~HP Inc.~Onvocal~INIA~Tandem Diabetes Care~Tandem Diabetes Care~Optrel AG
        FDFD RecursiveSoft Inc.~ADHERIUM(NZ) LIMITED~OSRAM GmbH~Amazon.com Services, Inc.
        FE01 Duracell U.S. Operations Inc.~Robert Bosch GmbH~Amazon.com Services, Inc.
        FE04 Motorola Solutions, Inc.~CORE Transport Technologies NZ Limited~Qualcomm Technologies, Inc.
        FE07 Sonos, Inc.~Microsoft~Pillsy, Inc.~ruwido austria gmbh~ruwido austria gmbh~Procter & Gamble
        FE0D Procter & Gamble~Setec Pty Ltd~Signify Netherlands B.V. (formerly Philips Lighting B.V.)
        FE10 LAPIS Technology Co., Ltd.~GMC-I Messtechnik GmbH~M-Way Solutions GmbH~Apple Inc.
        FE14 Flextronics International USA Inc.~Amazon.com Services, Inc..~Footmarks, Inc.
        FE17 Telit Wireless Solutions GmbH~Runtime, Inc.~Google LLC~Tyto Life LLC~Tyto Life LLC
        FE1C NetMedia, Inc.~Illuminati Instrument Corporation~LAMPLIGHT Co., Ltd.~Garmin International, Inc.
        FE20 Emerson~Bose Corporation~Zoll Medical Corporation~Zoll Medical Corporation~August Home Inc
        FE25 Apple, Inc.~Google LLC~Google LLC~Ayla Networks~Gibson Innovations~DaisyWorks, Inc.
        FE2B ITT Industries~Google LLC~LAMPLIGHT Co., Ltd.~ERi,Inc.~CRESCO Wireless, Inc~Volkswagen AG
        FE31 Volkswagen AG~Pro-Mark, Inc.~CHIPOLO d.o.o.~SmallLoop LLC~HUAWEI Technologies Co., Ltd
        FE36 HUAWEI Technologies Co., Ltd
        FE39 TTS Tooltechnic Systems AG & Co. KG~TTS Tooltechnic Systems AG & Co. KG~Dolby Laboratories
        FE3C alibaba~BD Medical~BD Medical~Friday Labs Limited~Inugo Systems Limited~Inugo Systems Limited
        FE42 Nets A/S~Andreas Stihl AG & Co. KG~SK Telecom~Snapchat Inc~B&O Play A/S~General Motors
        FE48 General Motors~SenionLab AB~OMRON HEALTHCARE Co., Ltd.
        FE4B Signify Netherlands B.V. (formerly Philips Lighting B.V.)~Volkswagen AG~Casambi Technologies Oy
        FE4E NTT docomo~Molekule, Inc.~Google LLC~SRAM~SetPoint Medical~3M~Motiv, Inc.~Google LLC~Google LLC
        FE57 Dotted Labs~Nordic Semiconductor ASA~Nordic Semiconductor ASA~Cronologics Corporation
        FE5B GT-tronics HK Ltd~million hunters GmbH~Grundfos A/S~Plastc Corporation~Eyefi, Inc.
        FE60 Lierda Science & Technology Group Co., Ltd.~Logitech International SA~Indagem Tech LLC
        FE63 Connected Yard, Inc.~Siemens AG~CHIPOLO d.o.o.~Intel Corporation~Lab Sensor Solutions
        FE68 Capsle Technologies Inc.~Capsle Technologies Inc.~Kontakt Micro-Location Sp. z o.o.
        FE6B TASER International, Inc.~TASER International, Inc.~The University of Tokyo
        FE6E The University of Tokyo~LINE Corporation~Beijing Jingdong Century Trading Co., Ltd.
        FE71 Plume Design Inc~Abbott (formerly St. Jude Medical, Inc.)
        FE73 Abbott (formerly St. Jude Medical, Inc.)~unwire~TangoMe~TangoMe~Hewlett-Packard Company
        FE78 Hewlett-Packard Company~Zebra Technologies~Bragi GmbH~Orion Labs, Inc.
        FE7C Telit Wireless Solutions (Formerly Stollmann E+V GmbH)~Aterica Health Inc.~Awear Solutions Ltd
        FE7F Doppler Lab~Doppler Lab~Medtronic Inc.~Medtronic Inc.~Blue Bite~RF Digital Corp~RF Digital Corp
        FE86 HUAWEI Technologies Co., Ltd~Qingdao Yeelink Information Technology Co., Ltd. ( 青岛亿联客信息技术有限公司 )
        FE88 SALTO SYSTEMS S.L.~B&O Play A/S~Apple, Inc.~Apple, Inc.~TRON Forum~Interaxon Inc.~ARM Ltd~CSR
        FE90 JUMA~Shanghai Imilab Technology Co.,Ltd~Jarden Safety & Security~OttoQ In~OttoQ In~Xiaomi Inc.
        FE96 Tesla Motors Inc.~Tesla Motors Inc.~Currant Inc~Currant Inc~Estimote~Samsara Networks, Inc
        FE9C GSI Laboratories, Inc.~Mobiquity Networks Inc~Renesas Design Netherlands B.V.~Google LLC
        FEA0 Google LLC
        FEA3 ITT Industries~Paxton Access Ltd~GoPro, Inc.~GoPro, Inc.~UTC Fire and Security
        FEA8 Savant Systems LLC~Savant Systems LLC~Google LLC~Nokia~Nokia~Nokia~Nokia~Nest Labs Inc
        FEB0 Nest Labs Inc~Electronics Tomorrow Limited~Microsoft Corporation~Taobao~WiSilica Inc.
        FEB5 WiSilica Inc.~Vencer Co., Ltd~Meta Platforms, Inc.~Meta Platforms, Inc.~LG Electronics
        FEBA Tencent Holdings Limited~adafruit industries~Dexcom Inc~Clover Network, Inc~Bose Corporation
        FEBF Nod, Inc.~KDDI Corporation~KDDI Corporation~Blue Spark Technologies, Inc.~360fly, Inc.
        FEC4 PLUS Location Systems~Realtek Semiconductor Corp.~Kocomojo, LLC~Apple, Inc.~Apple, Inc.
        FEC9 Apple, Inc.~Apple, Inc.~Apple, Inc.~Apple, Inc.~Apple, Inc.~Apple, Inc.~Apple, Inc.~Apple, Inc.
        FED1 Apple, Inc.~Apple, Inc.~Apple, Inc.~Apple, Inc.~Plantronics Inc.~Broadcom~Broadcom~Google LLC
        FED9 Pebble Technology Corporation~ISSC Technologies Corp.~Perka, Inc.~Jawbone~Jawbone~Coin, Inc.
        FEE0 Anhui Huami Information Technology Co., Ltd.~Anhui Huami Information Technology Co., Ltd.
        FEE2 Anki, Inc.~Anki, Inc.~Nordic Semiconductor ASA~Nordic Semiconductor ASA~Silvair, Inc.
        FEE7 Tencent Holdings Limited.~Quintic Corp.~Quintic Corp.~Swirl Networks, Inc.~Swirl Networks, Inc.
        FEEC Tile, Inc.~Tile, Inc.~Polar Electro Oy~Polar Electro Oy~Intel~CSR~CSR~Google LLC~Google LLC
        FEF5 Dialog Semiconductor GmbH~Wicentric, Inc.~Aplix Corporation~Aplix Corporation~PayPal, Inc.
        FEFA PayPal, Inc.~Telit Wireless Solutions (Formerly Stollmann E+V GmbH)~Gimbal, Inc.~Gimbal, Inc.
        FEFE GN Hearing A/S~GN Netcom
        """
}
