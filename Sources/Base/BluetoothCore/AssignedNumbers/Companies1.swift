// Company identifiers. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let companiesLines1: StaticString = """
        0000 Ericsson AB~Nokia Mobile Phones~Intel Corp.~IBM Corp.~Toshiba Corp.~3Com~Microsoft~Lucent
        0008 Motorola~Infineon Technologies AG~Qualcomm Technologies International, Ltd. (QTIL)~Silicon Wave
        000C Digianswer A/S~Texas Instruments Inc.~Parthus Technologies Inc.~Broadcom Corporation
        0010 Mitel Semiconductor~Widcomm, Inc.~Zeevo, Inc.~Atmel Corporation~Mitsubishi Electric Corporation
        0015 RTX A/S~KC Technology Inc.~Newlogic~Transilica, Inc.~Rohde & Schwarz GmbH & Co. KG
        001A TTPCom Limited~Signia Technologies, Inc.~Conexant Systems Inc.~Qualcomm~Inventel~AVM Berlin
        0020 BandSpeed, Inc.~Mansella Ltd~NEC Corporation~WavePlus Technology Co., Ltd.~Alcatel~NXP B.V.
        0026 C Technologies~Open Interface~R F Micro Devices~Hitachi Ltd~Symbol Technologies, Inc.~Tenovis
        002C Macronix International Co. Ltd.~GCT Semiconductor~Norwood Systems~MewTel Technology Inc.
        0030 ST Microelectronics~Synopsys, Inc.~Red-M (Communications) Ltd~Commil Ltd
        0034 Computer Access Technology Corporation (CATC)~Eclipse (HQ Espana) S.L.
        0036 Renesas Electronics Corporation~Mobilian Corporation~Syntronix Corporation
        0039 Integrated System Solution Corp.~Panasonic Holdings Corporation~Gennum Corporation
        003C BlackBerry Limited~IPextreme, Inc.~Systems and Chips, Inc~Bluetooth SIG, Inc
        0040 Seiko Epson Corporation~Integrated Silicon Solution Taiwan, Inc.
        0042 CONWISE Technology Corporation Ltd~PARROT AUTOMOTIVE SAS~Socket Mobile
        0045 Atheros Communications, Inc.~MediaTek, Inc.~Bluegiga~Marvell Technology Group Ltd.
        0049 3DSP Corporation~Accel Semiconductor Ltd.~AUMOVIO Systems, Inc.~Apple, Inc.
        004D Staccato Communications, Inc.~Avago Technologies~APT Ltd.~SiRF Technology, Inc.
        0051 Tzero Technologies, Inc.~J&M Corporation~Free2move AB~3DiJoy Corporation~Plantronics, Inc.
        0056 Sony Ericsson Mobile Communications~Harman International Industries, Inc.~Vizio, Inc.
        0059 Nordic Semiconductor ASA~EM Microelectronic-Marin SA~Ralink Technology Corporation
        005C Belkin International, Inc.~Realtek Semiconductor Corporation~Stonestreet One, LLC
        005F Wicentric, Inc.~RivieraWaves S.A.S~RDA Microelectronics~Gibson Guitars~MiCommand Inc.
        0064 Band XI International, LLC~HP, Inc.
        0067 GN Hearing~General Motors~A&D Engineering, Inc.~LTIMINDTREE LIMITED~Polar Electro OY
        006C Beautiful Enterprise Co., Ltd.
        006E Summit Data Communications, Inc.~Sound ID~Monster, LLC~connectBlue AB
        0072 ShangHai Super Smart Electronics Co. Ltd.~Group Sense Ltd.~Zomm, LLC
        0075 Samsung Electronics Co. Ltd.~Creative Technology Ltd.~Laird Connectivity LLC~Nike, Inc.
        0079 lesswire AG~MStar Semiconductor, Inc.~Hanlynn Technologies
        007D Seers Technology Co., Ltd.~Sports Tracking Technologies Ltd.~Autonet Mobile
        0080 DeLorme Publishing Company, Inc.~WuXi Vimicro~DSEA A/S~TimeKeeping Systems, Inc.
        0084 Ludus Helsinki Ltd.~BlueRadios, Inc.~Equinux AG~Garmin International, Inc.~Ecotest
        0089 GN Hearing A/S~Jawbone~Topcon Positioning Systems, LLC~Gimbal Inc.~Zscan Software~Quintic Corp
        008F Telit Wireless Solutions GmbH~Funai Electric Co., Ltd.~Advanced PANMOBIL systems GmbH & Co. KG
        0092 ThinkOptics, Inc.~Universal Electronics, Inc.~Airoha Technology Corp.~NEC Lighting, Ltd.
        0096 ODM Technology, Inc.~ConnecteDevice Ltd.~zero1.tv GmbH~i.Tech Dynamic Global Distribution Ltd.
        009A Alpwise~Jiangsu Toppower Automotive Electronics Co., Ltd.~Colorfy, Inc.~Geoforce Inc.
        009E Bose Corporation~Suunto Oy~Kensington Computer Products Group~SR-Medizinelektronik
        00A2 Vertu Corporation Limited~Meta Watch Ltd.~LINAK A/S~OTL Dynamics LLC~Panda Ocean Inc.
        00A7 Visteon Corporation~ARP Devices Limited~MARELLI EUROPE S.P.A.~CAEN RFID srl
        00AB Ingenieur-Systemgruppe Zahn GmbH~Green Throttle Games~Peter Systemtechnik GmbH~Omegawave Oy
        00AF Cinetix~Passif Semiconductor Corp~Saris Cycling Group, Inc~Bekey A/S
        00B3 Clarinox Technologies Pty. Ltd.~BDE Technology Co., Ltd.~Swirl Networks~Meso international
        00B7 TreLab Ltd~Qualcomm Innovation Center, Inc. (QuIC)~Johnson Controls, Inc.
        00BA Starkey Hearing Technologies~S-Power Electronics Limited~Ace Sensor Inc~Aplix Corporation
        00BE AAMP of America~Stalmart Technology Limited~AMICCOM Electronics Corporation
        00C1 Shenzhen Excelsecu Data Technology Co.,Ltd~Geneq Inc.~adidas AG~LG Electronics
        00C5 Onset Computer Corporation~Selfly BV~Quuppa Oy.~GeLo Inc~Evluma~MC10~Binauric SE
        00CC Beats Electronics~Microchip Technology Inc.~Eve Systems GmbH~ARCHOS SA~Dexcom, Inc.
        00D1 Polar Electro Europe B.V.~Renesas Design Netherlands B.V.~Taixingbang Technology (HK) Co,. LTD.
        00D5 Austco Communication Systems~Timex Group USA, Inc.~Qualcomm Technologies, Inc.
        00D8 Qualcomm Connected Experiences, Inc.~Voyetra Turtle Beach~txtr GmbH~Snuza (Pty) Ltd
        00DC Procter & Gamble~Hosiden Corporation~Muzik LLC~Misfit Wearables Corp~Google~Danlers Ltd
        00E2 Semilink Inc~inMusic Brands, Inc~L.S. Research, Inc.~Eden Software Consultants Ltd.
        00E7 KS Technologies~ACTS Technologies~Vtrack Systems~Nielsen-Kellerman~Server Technology Inc.
        00EC BioResearch Associates~Jolly Logic, LLC~Above Average Outcomes, Inc.~Bitsplitters GmbH
        00F0 PayPal, Inc.~Witron Technology Limited~Morse Project Inc.~Kent Displays Inc.~Nautilus Inc.
        00F5 Smartifier Oy~Elcometer Limited~VSN Technologies, Inc.~AceUni Corp., Ltd.
        00FA Crystal Alarm AB~KOUKAAM a.s.~Delphi Corporation~ValenceTech Limited~Stanley Black and Decker
        00FF Typo Products, LLC~TomTom International BV~Fugoo, Inc.~Keiser Corporation~Bang & Olufsen A/S
        0104 PLUS Location Systems Pty Ltd~Ubiquitous Computing Technology Corporation
        0106 Innovative Yachtter Solutions~Demant A/S~Chicony Electronics Co., Ltd.~Atus BV~Codegate Ltd
        010B ERi, Inc~Transducers Direct, LLC~DENSO TEN Limited~Audi AG~HiSilicon Technologies CO., LIMITED
        0110 Nippon Seiki Co., Ltd.~Steelseries ApS~Visybl Inc.~Openbrain Technologies, Co., Ltd.
        0115 e.solutions~10AK Technologies~Wimoto Technologies Inc~Radius Networks, Inc.
        011A Qualcomm Labs, Inc.~Hewlett Packard Enterprise~Baidu~Arendi AG~Skoda Auto a.s.~Volkswagen AG
        0120 Porsche AG~Sino Wealth Electronic Ltd.~AirTurn, Inc.~Kinsa, Inc~HID Global~SEAT es
        0126 Promethean Ltd.~Salutica Allied Solutions~GPSI Group Pty Ltd~Nimble Devices Oy
        012A Changzhou Yongse Infotech Co., Ltd.~SportIQ~TEMEC Instruments B.V.~Sony Corporation~ASSA ABLOY
        012F Clarion Co. Inc.~Warehouse Innovations~Cypress Semiconductor~MADS Inc~Blue Maestro Limited
        0134 Resolution Products, Ltd.~Aireware LLC~Silvair, Inc.~Prestigio Plaza Ltd.~NTEO Inc.
        0139 Focus Systems Corporation~Tencent Holdings Ltd.~Allegion~Murata Manufacturing Co., Ltd.
        013D WirelessWERX~Nod, Inc.
        0140 Alpine Electronics (China) Co., Ltd~FedEx Services~Grape Systems Inc.~Bkon Connect~Lintech GmbH
        0145 Novatel Wireless~Ciright~Mighty Cast, Inc.~Ambimat Electronics~Perytons Ltd.~Tivoli Audio, LLC
        014B Master Lock~Mesh-Net Ltd~HUIZHOU DESAY SV AUTOMOTIVE CO., LTD.~Tangerine, Inc.~B&W Group Ltd.
        0150 Pioneer Corporation~OnBeep~Vernier Software & Technology~ROL Ergo~Pebble Technology~NETATMO
        0156 Accumulate AB~Anhui Huami Information Technology Co., Ltd.~Inmite s.r.o.~ChefSteps, Inc.
        015A micas AG~Biomedical Research Ltd.~Pitius Tec S.L.~Estimote, Inc.~Unikey Technologies, Inc.
        015F Timer Cap Co.~AwoX~yikes~MADSGlobalNZ Ltd.~PCH International
        0164 Qingdao Yeelink Information Technology Co., Ltd.~Milwaukee Electric Tools~MISHIK Pte Ltd
        0167 Ascensia Diabetes Care US Inc.~Spicebox LLC~emberlight~Copeland Cold Chain LP~Qblinks~MYSPHERA
        016D LifeScan Inc~Volantic AB~Podo Labs, Inc~Roche Diabetes Care AG~Amazon.com Services LLC
        0172 Connovate Technology Private Limited~Kocomojo, LLC~Everykey Inc.~Dynamic Controls~SentriLock
        0177 I-SYST inc.~CASIO COMPUTER CO., LTD.~LAPIS Semiconductor Co.,Ltd~Telemonitor, Inc.~taskit GmbH
        017C Mercedes-Benz Group AG~BatAndCat~BluDotz Ltd~XTel Wireless ApS~Gigaset Technologies GmbH
        0181 Gecko Health Innovations, Inc.~HOP Ubiquitous~Walt Disney~Nectar
        0186 CORE Lighting Ltd~Seraphim Sense Ltd~Unico RBC~Physical Enterprises Inc.
        018A Able Trend Technology Limited~Konica Minolta, Inc.~Wilo SE~Extron Design Services~Google LLC
        0190 Intelletto Technologies Inc.~FDK CORPORATION~Cloudleaf, Inc~Maveric Automation LLC
        0194 Acoustic Stream Corporation~Zuli~Paxton Access Ltd~WiSilica Inc.
        0198 VENGIT Korlatolt Felelossegu Tarsasag~SALTO SYSTEMS S.L.~TRON Forum~CUBETECH s.r.o.
        019C Cokiya Incorporated~CVS Health~Ceruus~Strainstall Ltd~Channel Enterprises (HK) Ltd.~FIAMM
        01A2 GIGALANE.CO.,LTD~EROAD~MSA Innovation, LLC~Icon Health and Fitness~Wille Engineering
        01A7 ENERGOUS CORPORATION~Taobao~Canon Inc.~Geophysical Technology Inc.~Meta Platforms, Inc.
        01AC Trividia Health, Inc.~FlightSafety International
        01AF Sunrise Micro Devices, Inc.~Star Micronics Co., Ltd.~Netizens Sp. z o.o.~Nymi Inc.~Nytec, Inc.
        01B4 Trineo Sp. z o.o.~Nest Labs Inc.~LM Technologies Ltd~General Electric Company~i+D3 S.L.
        01B9 HANA Micron~Stages Cycling LLC~Cochlear Bone Anchored Solutions AB~SenionLab AB
        01BD Syszone Co., Ltd~Pulsate Mobile Ltd.~Hongkong OnMicro Electronics Limited
        01C1 BRADATECH Corp.~Transenergooil AG
        01C4 DME Microelectronics~Bitcraze AB~HASWARE Inc.~Abiogenix Inc.~Poly-Control ApS~Avi-on
        01CA Laerdal Medical AS~Fetch My Pet~Sam Labs Ltd.~Chengdu Synwing Technology Ltd
        01CE HOUWA SYSTEM DESIGN, k.k.~BSH~Primus Inter Pares Ltd~August Home, Inc~Gill Electronics
        01D3 Sky Wave Design~Newlab S.r.l.~ELAD srl~G-wearables inc.
        01D8 Code Corporation~Savant Systems LLC~Logitech International SA~Innblue Consulting~iParking Ltd.
        01DD Koninklijke Philips N.V.~Minelab Electronics Pty Limited~Bison Group Ltd.~Widex A/S~Jolla Ltd
        01E3 Caterpillar Inc~Freedom Innovations~Dynamic Devices Ltd~Technology Solutions (UK) Ltd
        01EA Advanced Application Design, Inc.
        01EC Spreadtrum Communications Shanghai Ltd~CuteCircuit LTD~Valeo Service
        01EF Fullpower Technologies, Inc.~KloudNation~Zebra Technologies Corporation~Itron, Inc.
        01F3 The University of Tokyo~UTC Fire and Security~Cool Webthings Limited~DJO Global
        01F7 Gelliner Limited~Anyka (Guangzhou) Microelectronics Technology Co, LTD~Medtronic Inc.
        01FA Gozio Inc.~Form Lifting, LLC~Wahoo Fitness, LLC~Kontakt Micro-Location Sp. z o.o.
        01FE Radio Systems Corporation~Freescale Semiconductor, Inc.~Verifone Systems Pte Ltd. Taiwan Branch
        0201 AR Timing~Rigado LLC~Kemppi Oy
        0206 Otter Products, LLC~STEMP Inc.~LumiGeek LLC~InvisionHeart Inc.~Macnica Inc.
        020B Jaguar Land Rover Limited~CoroWare Technologies, Inc
        020E Omron Healthcare Co., LTD~Comodule GMBH~ikeGPS~Telink Semiconductor Co. Ltd~Interplan Co., Ltd
        0213 Wyler AG~IK Multimedia Production srl~Lukoton Experience Oy~MTI Ltd~Tech4home, Lda
        0219 DOTT Limited~Blue Speck Labs, LLC~Cisco Systems, Inc~Mobicomm Inc~Edamic~Goodnet, Ltd
        021F Luster Leaf Products Inc~Manus Machina BV~Mobiquity Networks Inc~Praxis Dynamics
        0223 Philip Morris Products S.A.~Comarch SA~Nestlé Nespresso S.A.~Merlinia A/S~LifeBEAM Technologies
        0228 Twocanoes Labs, LLC~Muoverti Limited~Stamer Musikanlagen GMBH~Tesla, Inc.~Pharynks Corporation
        022D Lupine~Siemens AG
        0230 Foster Electric Company, Ltd~ETA SA~x-Senso Solutions Kft~Shenzhen SuLong Communication Ltd
        0234 FengFan (BeiJing) Technology Co, Ltd~Qrio Inc~Pitpatpet Ltd~MSHeli s.r.l.~Trakm8 Ltd
        0239 JIN CO, Ltd~Alatech Tehnology~Beijing CarePulse Electronic Technology Co, Ltd
        023D ViCentra B.V.~Raven Industries~WaveWare Technologies Inc.~Argenox Technologies~Bragi GmbH
        0243 Masimo Corp~Iotera Inc~Endress+Hauser~ACKme Networks, Inc.~FiftyThree Inc.~Parker Hannifin Corp
        024A Uwatec AG~Orlan LLC~Blue Clover Devices~M-Way Solutions GmbH~Microtronics Engineering GmbH
        024F Schneider Schreibgeräte GmbH~Sapphire Circuits LLC~Lumo Bodytech Inc.~UKC Technosolution
        0253 Xicato Inc.~Playbrush~Dai Nippon Printing Co., Ltd.~G24 Power Limited
        0257 AdBabble Local Commerce Inc.~Devialet SA~ALTYOR
        025A University of Applied Sciences Valais/Haute Ecole Valaisanne~Five Interactive, LLC dba Zendo
        025C NetEase（Hangzhou）Network co.Ltd.~Lexmark International Inc.~Fluke Corporation
        025F Yardarm Technologies
        0261 SECVRE GmbH~Glacial Ridge Technologies~Identiv, Inc.~DDS, Inc.~SMK Corporation
        0266 Schawbel Technologies LLC~XMI Systems SA~Cerevo~Torrox GmbH & Co KG~Gemalto
        026B DEKA Research & Development Corp.~Domster Tadeusz Szydlowski~Technogym SPA~FLEURBAEY BVBA
        026F Aptcode Solutions~LSI ADL Technology~Animas Corp~Alps Alpine Co., Ltd.~OCEASOFT~Motsai Research
        0275 Geotab~E.G.O. Elektro-Geraetebau GmbH~bewhere inc~Johnson Outdoors Inc
        0279 steute Schaltgerate GmbH & Co. KG~Ekomini inc.~DEFA AS~Aseptika Ltd
        027D HUAWEI Technologies Co., Ltd.~HabitAware, LLC~ruwido austria gmbh~ITEC corporation~StoneL
        0282 Sonova AG~Maven Machines, Inc.~Synapse Electronics~WOWTech Canada Ltd.~RF Code, Inc.
        0287 Wally Ventures S.L.
        0289 SK Telecom~Jetro AS~Code Gears LTD~NANOLINK APS
        028E RF Digital Corp~Church & Dwight Co., Inc~Multibit Oy~CliniCloud Inc
        0293 Blue Bite~ELIAS GmbH~Sivantos GmbH~Petzl~storm power ltd~EISST Ltd~Inexess Technology Simma KG
        029A Currant, Inc.~C2 Development, Inc.~Blue Sky Scientific, LLC~ALOTTAZS LABS, LLC
        029E Kupson spol. s r.o.~Areus Engineering GmbH~Impossible Camera GmbH
        02A2 Sera4 Ltd.~Itude~Pacific Lock Company~Tendyron Corporation~Robert Bosch GmbH
        02A7 Illuxtron international B.V.~miSport Ltd.~Chargelib~Doppler Lab~BBPOS Limited
        02AC RTB Elektronik GmbH & Co. KG~Rx Networks, Inc.~WeatherFlow, Inc.~Technicolor USA Inc.
        02B0 Bestechnic(Shanghai),Ltd~Raden Inc~Oura Health Oy~CLABER S.P.A.~Hyginex, Inc.
        02B5 HANSHIN ELECTRIC RAILWAY CO.,LTD.~Schneider Electric~Oort Technologies LLC~Chrono Therapeutics
        02B9 Rinnai Corporation~Swissprime Technologies AG~YOKOWO CO., LTD.~Genevac Ltd~Chemtronics
        02BE Seguro Technology Sp. z o.o.~Redbird Flight Simulations~Dash Robotics~LINE Corporation
        02C2 Guillemot Corporation~Techtronic Power Tools Technology Limited~Wilson Sporting Goods
        02C5 Lenovo (Singapore) Pte Ltd.~Ayatan Sensors~Electronics Tomorrow Limited~OneSpan~PayRange Inc.
        02CA ABOV Semiconductor~AINA-Wireless Inc.
        02CD BMA ergonomics b.v.~Teva Branded Pharmaceutical Products R&D, Inc.~Anima~3M~Empatica Srl
        02D2 Afero, Inc.~Powercast Corporation~Secuyou ApS~OMRON Corporation~Send Solutions
        02D7 NIPPON SYSTEMWARE CO.,LTD.~Neosfar~Fliegl Agrartechnik GmbH~Gilvader~Digi International Inc (R)
        02DC DeWalch Technologies, Inc.~Flint Rehabilitation Devices, LLC~Samsung SDS Co., Ltd.
        02DF Blur Product Development~University of Michigan~Victron Energy BV~NTT docomo
        02E3 Carmanah Technologies Corp.~Bytestorm Ltd.~Espressif Systems (Shanghai) Co., Ltd.~Unwire
        02E7 Connected Yard, Inc.~American Music Environments~Sensogram Technologies, Inc.~Fujitsu Limited
        02EB Ardic Technology~Delta Systems, Inc~HTC Corporation~Citizen Holdings Co., Ltd.
        02EF SMART-INNOVATION.inc~Blackrat Software~The Idea Cave, LLC~GoPro, Inc.~AuthAir, Inc~Vensi, Inc.
        02F5 Indagem Tech LLC~Intemo Technologies
        02F8 Runteq Oy Ltd~IMAGINATION TECHNOLOGIES LTD
        02FB Clarius Mobile Health Corp.~Shanghai Frequen Microelectronics Co., Ltd.
        02FE Lierda Science & Technology Group Co., Ltd.~Silicon Laboratories~World Moto Inc.
        0301 Giatec Scientific Inc.~Loop Devices, Inc~IACA electronique~Oura Health Ltd~Swipp ApS
        0306 Life Laboratory Inc.~FUJI INDUSTRIAL CO.,LTD.~Surefire, LLC~Dolby Labs~Ellisys
        030B Magnitude Lighting Converters~Hilti AG~Devdata S.r.l.
        030F Shortcut Labs~SGL Italia S.r.l.~PEEQ DATA~Ducere Technologies Pvt Ltd~DiveNav, Inc.
        0314 RIIG AI Sp. z o.o.~Thermo Fisher Scientific~AG Measurematics Pvt. Ltd.
        0317 CHUO Electronics CO., LTD.~Aspenta International~Eugster Frismag AG
        031A Wurth Elektronik eiSos GmbH & Co. KG~HQ Inc~Lab Sensor Solutions~Enterlab ApS~Eyefi, Inc.
        031F MetaSystem S.p.A.~SONO ELECTRONICS. CO., LTD
        0323 Rotor Bike Components~Astro, Inc.~Amotus Solutions~Healthwear Technologies (Changzhou)Ltd
        0327 Essex Electronics~Grundfos A/S~Eargo, Inc.~Electronic Design Lab~ESYLUX~NIPPON SMT.CO.,Ltd
        032D BM innovations GmbH~indoormap~OttoQ Inc~North Pole Engineering~3flares Technologies Inc.
        0333 Mul-T-Lock~Airthings ASA~Enlighted Inc~GISTIC~AJP2 Holdings, LLC~COBI GmbH
        0339 Blue Sky Scientific, LLC~Appception, Inc.~Courtney Thorne Limited~Virtuosys
        033D TPV Technology Limited~Monitra SA~Automation Components, Inc.~Letsense s.r.l.
        0341 Etesian Technologies LLC~GERTEC BRASIL LTDA.~Drekker Development Pty. Ltd.~Whirl Inc
        0345 Locus Positioning~Acuity Brands Lighting, Inc~Prevent Biometrics
        0349 VersaMe
        034B Libratone A/S~HM Electronics, Inc.~TASER International, Inc.
        034F Heartland Payment Systems~Bitstrata Systems Inc.~Pieps GmbH~iRiding(Xiamen)Technology Co.,Ltd.
        0353 Alpha Audiotronics, Inc.~TOPPAN FORMS CO.,LTD.~Sigma Designs, Inc.~Spectrum Brands, Inc.
        0357 Polymap Wireless~MagniWare Ltd.~Novotec Medical GmbH~Phillips-Medisize A/S~Matrix Inc.
        035C Eaton Corporation~KYS~Naya Health, Inc.~Acromag~Insulet Corporation~Wellinks Inc.
        0362 ON Semiconductor~FREELAP SA~Favero Electronics Srl~BioMech Sensor LLC
        0366 BOLTT Sports technologies Private limited
        0368 Metormote AB~littleBits~SetPoint Medical~BRControls Products BV~Zipcar~AirBolt Pty Ltd
        036E MOTIVE TECHNOLOGIES, INC.~Motiv, Inc.~Wazombi Labs OÜ
        0372 Nixie Labs, Inc.~AppNearMe Ltd~Holman Industries~Expain AS
        0376 Electronic Temperature Instruments Ltd~Plejd AB~Propeller Health
        0379 Shenzhen iMCO Electronic Technology Co.,Ltd~Algoria~Apption Labs Inc.~Cronologics Corporation
        037D MICRODIA Ltd.~lulabytes S.L.~Société des Produits Nestlé S.A.~LLC "MEGA-F service"
        0381 Sharp Corporation~Precision Outcomes Ltd~Kronos Incorporated
        0385 Embedded Electronic Solutions Ltd. dba e2Solutions~Aterica Inc.~BluStor PMC, Inc.
        0388 Kapsch TrafficCom AB~ActiveBlu Corporation~Kohler Mira Limited~Noke~Appion Inc.~Resmed Ltd
        038E Crownstone B.V.~Xiaomi Inc.~INFOTECH s.r.o.~Thingsquare AB~T&D~LAVAZZA S.p.A.
        0395 SDATAWAY~BLOKS GmbH~LEGO System A/S~Thetatronics Ltd~Nikon Corporation~NeST
        039B South Silicon Valley Microelectronics~ALE International~CareView Communications, Inc.
        039E SchoolBoard Limited~Molex Corporation~IVT Wireless Limited~Alpine Labs LLC~Candura Instruments
        03A3 SmartMovt Technology Co., Ltd~Token Zero Ltd~ACE CAD Enterprise Co., Ltd. (ACECAD)~Medela, Inc
        03A7 AeroScout~Esrille Inc.
        03AA Exon Sp. z o.o.~Meizu Technology Co., Ltd.
        03AD XiQ~Allswell Inc.~Comm-N-Sense Corp DBA Verigo~VIBRADORM GmbH~Otodata Wireless Network Inc.
        03B2 Propagation Systems Limited~Midwest Instruments & Controls~Alpha Nodus, inc.~petPOMM, Inc
        03B6 Mattel~Airbly Inc.~A-Safe Limited~FREDERIQUE CONSTANT SA
        03BA Maxscend Microelectronics Company Limited~Abbott~ASB Bank Ltd~amadas~Applied Science, Inc.
        03BF iLumi Solutions Inc.~Arch Systems Inc.~Ember Technologies, Inc.~Snapchat Inc
        03C3 Casambi Technologies Oy~Pico Technology Inc.~St. Jude Medical, Inc.~Intricon
        03C7 Structural Health Systems, Inc.~Avvel International~Gallagher Group
        03CA In2things Automation Pvt. Ltd.~SYSDEV Srl~Vonkil Technologies Ltd~Wynd Technologies, Inc.
        03CE CONTRINEX S.A.~MIRA, Inc.~Watteam Ltd~Density Inc.~IOT Pot India Private Limited
        03D3 Sigma Connectivity AB~PEG PEREGO SPA~Wyzelink Systems Inc.~Yota Devices LTD~FINSECUR
        03D8 Zen-Me Labs Ltd~3IWare Co., Ltd.~EnOcean GmbH~Instabeat, Inc~Nima Labs
        03DD Andreas Stihl AG & Co. KG~Nathan Rhoades LLC~Grob Technologies, LLC~Actions Technology Co.,Ltd
        03E1 SPD Development Company Ltd~Sensoan Oy~Qualcomm Life Inc~Chip-ing AG~ffly4u~IoT Instruments Oy
        03E7 TRUE Fitness Technology~Reiner Kartengeraete GmbH & Co. KG.
        03E9 SHENZHEN LEMONJOY TECHNOLOGY CO., LTD.~Hello Inc.~Ozo Edu, Inc.~Jigowatts Inc.
        03ED BASIC MICRO.COM,INC.~CUBE TECHNOLOGIES~foolography GmbH~CLINK~Hestan Smart Cooking Inc.
        03F2 WindowMaster A/S
        03F4 PAL Technologies Ltd~WHERE, Inc.~Iton Technology Corp.~Owl Labs Inc.~Rockford Corp.
        03F9 Becon Technologies Co.,Ltd.~Vyassoft Technologies Inc~Nox Medical~Kimberly-Clark~Trimble Inc.
        03FE Littelfuse~Withings~i-developer IT Beratung UG~Relations Inc.~Sears Holdings Corporation
        0403 Gantner Electronic GmbH~Authomate Inc~Vertex International, Inc.
        0407 Swiss Audio SA~ToGetHome Inc.~RYSE INC.~ZF OPENMATICS s.r.o.~Jana Care Inc.~Senix Corporation
        040D NorthStar Battery Company, LLC~SKF (U.K.) Limited~CO-AX Technology, Inc.
        0410 Fender Musical Instruments~Luidia Inc~SEFAM~Wireless Cables Inc
        0416 SODA GmbH~Fatigue Science
        0419 Novalogy LTD~Friday Labs Limited~OrthoAccel Technologies~WaterGuru, Inc.
        041D Benning Elektrotechnik und Elektronik GmbH & Co. KG~Dell Computer Corporation~Kopin Corporation
        0420 TecBakery GmbH~Backbone Labs, Inc.~DELSEY SA~Chargifi Limited~Trainesense Ltd.
        0425 Unify Software and Solutions GmbH & Co. KG~Husqvarna AB~Focus fleet and fuel management inc
        0428 SmallLoop, LLC~Prolon Inc.~BD Medical~iMicroMed Incorporated~Ticto N.V.~Meshtech AS
        042E MemCachier Inc.~Danfoss A/S~SnapStyk Inc.~Alticor Inc.~Silk Labs, Inc.~Pillsy Inc.
        0434 Hatch Baby, Inc.~Blocks Wearables Ltd.~Drayson Technologies (Europe) Limited~eBest IOT Inc.
        0438 Helvar Ltd~Radiance Technologies~Nuheara Limited~Appside co., ltd.
        043D Coiler Corporation~Thermomedics, Inc.~Tentacle Sync GmbH~Valencell, Inc.
        0442 SECOM CO., LTD.~Tucker International LLC~Metanate Limited~Kobian Canada Inc.~NETGEAR, Inc.
        0447 Fabtronics Australia Pty Ltd~Grand Centrix GmbH~1UP USA.com llc~SHIMANO INC.~Nain Inc.
        044C LifeStyle Lock, LLC~VEGA Grieshaber KG~Xtrava Inc.~TTS Tooltechnic Systems AG & Co. KG
        0450 Teenage Engineering AB~Tunstall Nordic AB~Svep Design Center AB~Qorvo Utrecht B.V.
        0454 Sphinx Electronics GmbH & Co KG~Atomation~Nemik Consulting Inc~RF INNOVATION
        0458 Mini Solution Co., Ltd.
        045A 2048450 Ontario Inc
        045C Delta T Corporation~Boston Scientific Corporation~Nuviz, Inc.~Real Time Automation, Inc.
        0460 Kolibree~vhf elektronik GmbH~Bonsai Systems GmbH~Fathom Systems Inc.~Bellman & Symfon Group AB
        0465 International Forte Group LLC
        0467 Codenex Oy~Kynesim Ltd~Palago AB~INSIGMA INC.~PMD Solutions
        046C Qingdao Realtime Technology Co., Ltd.~BEGA Gantenbrink-Leuchten KG~Pambor Ltd.
        046F Develco Products A/S~iDesign s.r.l.~TiVo Corp~Control-J Pty Ltd~Steelcase, Inc.
        0474 iApartment co., ltd.~Icom inc.
        0477 Blue Spark Technologies~FarSite Communications Limited~mywerk system GmbH
        047A Sinosun Technology Co., Ltd.~MIYOSHI ELECTRONICS CORPORATION~POWERMAT LTD~Occly LLC
        047E OurHub Dev IvS~Pro-Mark, Inc.
        0481 Quintrax Limited~POS Tuning Udo Vosshenrich GmbH & Co. KG
        0484 Revol Technologies Inc~SKIDATA AG
        0486 DEV TECNOLOGIA INDUSTRIA, COMERCIO E MANUTENCAO DE EQUIPAMENTOS LTDA. - ME
        0487 Centrica Connected Home~Automotive Data Solutions Inc~Igarashi Engineering~Taelek Oy
        048C Vectronix AG~S-Labs Sp. z o.o.~Companion Medical, Inc.~BlueKitchen GmbH~Matting AB
        0491 SOREX - Wireless Solutions GmbH~ADC Technology, Inc.~Lynxemi Pte Ltd
        0494 SENNHEISER electronic GmbH & Co. KG
        0496 Polymorphic Labs LLC~Cochlear Limited~METER Group, Inc. USA~Ruuvi Innovations Ltd.~Situne AS
        049B nVisti, LLC~DyOcean~Uhlmann & Zacher GmbH~AND!XOR LLC~Popper Pay AB
        04A2 ovrEngineered, LLC~GT-tronics HK Ltd~Herbert Waldmann GmbH & Co. KG
        04A5 Guangzhou FiiO Electronics Technology Co.,Ltd~Vinetech Co., Ltd~Dallas Logic Corporation
        04A8 BioTex, Inc.
        04AA LINKIO SAS~Harbortronics, Inc.~Undagrid B.V.~Shure Inc~ERM Electronic Systems LTD
        04AF BIOROWER Handelsagentur GmbH
        04B1 Kartographers Technologies Pvt. Ltd.~The Shadow on the Moon~mobike (Hong Kong) Limited
        04B4 Inuheat Group AB~Swiftronix AB~Diagnoptics Technologies~Analog Devices, Inc.~Soraa Inc.
        04B9 CSR Building Products Limited~Crestron Electronics, Inc.~Neatebox Ltd~Draegerwerk AG & Co. KGaA
        04BD AlbynMedical~Averos FZCO~VIT Initiative, LLC~Statsports International~Sospitas, s.r.o.
        04C2 Dmet Products Corp.~Mantracourt Electronics Limited~TeAM Hutchins AB
        04C5 Seibert Williams Glass, LLC~Insta GmbH~Svantek Sp. z o.o.
        04C8 Shanghai Flyco Electrical Appliance Co., Ltd.~Thornwave Labs Inc~Steiner-Optik GmbH
        04CB Novo Nordisk A/S
        04CD Safetech Products LLC~GOOOLED S.R.L.~DOM Sicherheitstechnik GmbH & Co. KG~Olympus Corporation
        04D1 KTS GmbH~Anloq Technologies Inc.~Queercon, Inc~TASKA PROSTHETICS LIMITED~Gooee Limited
        04D6 LUGLOC LLC~Blincam, Inc.~FUJIFILM Corporation~RM Acquisition LLC~Franceschi Marina snc
        04DB Engineered Audio, LLC.~IOTTIVE (OPC) PRIVATE LIMITED~4MOD Technology
        04DE Lutron Electronics Co., Inc.~Emerson Electric Co.~Guardtec, Inc.~REACTEC LIMITED
        04E3 Under Armour~Woodenshark~Avack Oy~Smart Solution Technology, Inc.
        04E8 STABILO International~Busch Jaeger Elektro GmbH~Pacific Bioscience Laboratories, Inc
        04EB Bird Home Automation GmbH~Motorola Solutions
        04EE Auxivia~DaisyWorks, Inc~Kosi Limited~Theben AG~InDreamer Techsol Private Limited
        04F3 Cerevast Medical~ZanCompute Inc.~Pirelli Tyre S.P.A.~McLear Limited
        04F7 Shenzhen Goodix Technology Co., Ltd~Convergence Systems Limited~Interactio~Androtec GmbH
        04FB Benchmark Drives GmbH & Co. KG~SwingLync L. L. C.~Tapkey GmbH~Woosim Systems Inc.
        04FF Microsemi Corporation~Wiliot LTD.~Polaris IND~Specifi-Kali LLC~Locoroll, Inc~PHYPLUS Inc
        0505 InPlay, Inc.~Hager~Yellowcog~Axes System sp. z o. o.~Garage Smart, Inc.~Shake-on B.V.
        050B Vibrissa Inc.~OSRAM GmbH~TRSystems GmbH~Yichip Microelectronics (Hangzhou) Co.,Ltd.
        050F Foundation Engineering LLC~UNI-ELECTRONICS, INC.~Brookfield Equinox LLC~Soprod SA
        0513 9974091 Canada Inc.~FIBRO GmbH~RB Controls Co., Ltd.~Footmarks~Amtronic Sverige AB~MAMORIO.inc
        0519 Tyto Life LLC~Leica Camera AG
        051C EDPS~OFF Line Co., Ltd.~Detect Blue Limited~Setec Pty Ltd~Target Corporation~IAI Corporation
        0522 NS Tech, Inc.~MTG Co., Ltd.~Hangzhou iMagic Technology Co., Ltd
        0525 HONGKONG NANO IC TECHNOLOGIES CO., LIMITED~Honeywell International Inc.~Albrecht JUNG
        0528 Lunera Lighting Inc.~Lumen UAB~Keynes Controls Ltd~Novartis AG~Geosatis SA~EXFO, Inc.
        052E LEDVANCE GmbH~Center ID Corp.~Adolene, Inc.~D&M Holdings Inc.~CRESCO Wireless, Inc.
        0533 Nura Operations Pty Ltd~Frontiergadget, Inc.~Smart Component Technologies Limited
        0536 ZTR Control Systems LLC~MetaLogics Corporation~Medela AG~OPPLE Lighting Co., Ltd
        053A Savitech Corp.,~prodigy~Screenovate Technologies Ltd~TESA SA~CLIM8 LIMITED~Silergy Corp
        0540 SilverPlus, Inc~Sharknet srl~Mist Systems, Inc.~MIWA LOCK CO.,Ltd~OrthoSensor, Inc.
        0546 Apexar Technologies S.A.~LOGICDATA Electronic & Software Entwicklungs GmbH
        0548 Knick Elektronische Messgeraete GmbH & Co. KG~Smart Technologies and Investment Limited
        054A Linough Inc.~Advanced Electronic Designs, Inc.~Carefree Scott Fetzer Co Inc~Sensome
        054E FORTRONIK storitve d.o.o.~Sinnoz
        0551 Sylero~Avempace SARL~Nintendo Co., Ltd.~National Instruments~KROHNE Messtechnik GmbH
        0556 Otodynamics Ltd~Arwin Technology Limited~benegear, inc.~Newcon Optik~CANDY HOUSE, Inc.
        055B FRANKLIN TECHNOLOGY INC~Lely~Valve Corporation~Hekatron Vertriebs GmbH
        055F PROTECH S.A.S. DI GIRARDI ANDREA & C.~Sarita CareTech APS~Finder S.p.A.~Thalmic Labs Inc.
        0563 Steinel Vertrieb GmbH~Beghelli Spa
        0566 CORE TRANSPORT TECHNOLOGIES NZ LIMITED~Xiamen Everesports Goods Co., Ltd~Bodyport Inc.
        056A Flipnavi Co.,Ltd.~Rion Co., Ltd.~Long Range Systems, LLC~Redmond Industrial Group LLC
        056E VIZPIN INC.~BikeFinder AS~Consumer Sleep Solutions LLC~PSIKICK, INC.~AntTail.com
        0573 Lighting Science Group Corp.~AFFORDABLE ELECTRONICS INC~Integral Memroy Plc~Globalstar, Inc.
        0577 True Wearables, Inc.~Wellington Drive Technologies Ltd
        057A OMNI Remotes~Duracell U.S. Operations Inc.~Toor Technologies LLC~Instinct Performance~Beco, Inc
        057F Scuf Gaming International, LLC
        0581 LYS TECHNOLOGIES LTD~Breakwall Analytics, LLC~Code Blue Communications
        0584 Gira Giersiepen GmbH & Co. KG~Hearing Lab Technology~LEGRAND~Derichs GmbH~ALT-TEKNIK LLC
        0589 Star Technologies~START TODAY CO.,LTD.~Maxim Integrated Products~Fracarro Radioindustrie SRL
        058D Jungheinrich Aktiengesellschaft~Meta Platforms Technologies, LLC~HENDON SEMICONDUCTORS PTY LTD
        0590 Pur3 Ltd~Viasat Group S.p.A.~IZITHERM~Spaulding Clinical Research~Kohler Company
        0595 Inor Process AB~My Smart Blinds~RadioPulse Inc~rapitag GmbH~Lazlo326, LLC.
        059A Teledyne Lecroy, Inc.~Dataflow Systems Limited~Macrogiga Electronics~Tandem Diabetes Care
        059E Polycom, Inc.~Fisher & Paykel Healthcare~Dream Devices Technologies Oy
        05A1 Shanghai Xiaoyi Technology Co.,Ltd.~ADHERIUM(NZ) LIMITED~Axiomware Systems Incorporated
        05A4 O. E. M. Controls, Inc.~Kiiroo BV~Telecon Mobile Limited~Sonos Inc~Tom Allebrandi Consulting
        05A9 Monidor~Tramex Limited~Nofence AS~GoerTek Dynaudio Co., Ltd.~INIA~CARMATE MFG.CO.,LTD
        05AF OV LOOP, INC.~NewTec GmbH~Medallion Instrumentation Systems~CAREL INDUSTRIES S.P.A.
        05B3 Parabit Systems, Inc.~White Horse Scientific ltd~verisilicon~Elecs Industry Co.,Ltd.
        05B7 Beijing Pinecone Electronics Co.,Ltd.~Ambystoma Labs Inc.~Suzhou Pairlink Network Technology
        05BA igloohome~Oxford Metrics plc~Leviton Mfg. Co., Inc.~ULC Robotics Inc.
        05BF Real-World-Systems Corporation~Nalu Medical, Inc.~P.I.Engineering~Grote Industries
        05C3 Runtime, Inc.~Codecoup sp. z o.o. sp. k.~SELVE GmbH & Co. KG
        05C7 Lippert Components, INC~SOMFY SAS~TBS Electronics B.V.~MHL Custom Inc~LucentWear LLC
        05CC WATTS ELECTRONICS~RJ Brands LLC~V-ZUG Ltd~Biowatch SA~Anova Applied Electronics~Lindab AB
        05D2 frogblue TECHNOLOGY GmbH~Acurable Limited~LAMPLIGHT Co., Ltd.~TEGAM, Inc.
        05D6 Zhuhai Jieli technology Co.,Ltd~modum.io AG~Farm Jenny LLC~Toyo Electronics Corporation
        05DA Applied Neural Research Corp~Avid Identification Systems, Inc.~Petronics Inc.~essentim GmbH
        05DE QT Medical INC.~VIRTUALCLINIC.DIRECT LIMITED~Viper Design LLC~Human, Incorporated
        05E2 stAPPtronics GmbH~Elemental Machines, Inc.~Taiyo Yuden Co., Ltd~INEO ENERGY& SYSTEMS
        05E6 Motion Instruments Inc.~PressurePro~COWBOY~iconmobile GmbH~ACS-Control-System GmbH
        05EB Bayerische Motoren Werke AG~Gycom Svenska AB~Fuji Xerox Co., Ltd
        05EF SIKOM AS~beken~The Linux Foundation~Try and E CO.,LTD.~SeeScan~Clearity, LLC~GS TAG~DPTechnics
        05F7 TRACMO, INC.~Anki Inc.~Hagleitner Hygiene International GmbH~Konami Sports Life Co., Ltd.
        05FB Arblet Inc.~Masbando GmbH~Innoseis~Niko nv~Wellnomics Ltd~iRobot Corporation
        0601 Schrader Electronics~Geberit International AG~Fourth Evolution Inc
        0605 FMW electronic Futterer u. Maier-Wolf OHG~John Deere~Rookery Technology Ltd~KeySafe-Cloud
        0609 BUCHI Labortechnik AG~IQAir AG~Triax Technologies Inc~Vuzix Corporation~TDK Corporation
        060E Blueair AB~Signify Netherlands B.V.~ADH GUARDIAN USA LLC~Beurer GmbH~Playfinity AS
        0613 Hans Dinslage GmbH~OnAsset Intelligence, Inc.~INTER ACTION Corporation
        0616 OS42 UG (haftungsbeschraenkt)~WIZCONNECTED COMPANY LIMITED~Audio-Technica Corporation
        0619 Six Guys Labs, s.r.o.~R.W. Beckett Corporation~silex technology, inc.~Univations Limited
        061D SENS Innovation ApS~Diamond Kinetics, Inc.~Phrame Inc.~Forciot Oy~Noordung d.o.o.
        0622 Beam Labs, LLC
        0624 Biovotion AG~Square Panda, Inc.~Amplifico~WEG S.A.~Ensto Oy~PHONEPE PVT LTD
        062B MinebeaMitsumi Inc.~ASPion GmbH~Vossloh-Schwabe Deutschland GmbH~Procept~ONKYO Corporation
        0630 Asthrea D.O.O.~Fortiori Design LLC~Hugo Muller GmbH & Co KG~Wangi Lai PLT~Fanstel Corp
        0635 Crookwood~ELECTRONICA INTEGRAL DE SONIDO S.A.~GiP Innovation Tools GmbH
        0638 LX SOLUTIONS PTY LIMITED~Shenzhen Minew Technologies Co., Ltd.~Prolojik Limited
        063B Kromek Group Plc~Contec Medical Systems Co., Ltd.~Xradio Technology Co.,Ltd.
        063E The Indoor Lab, LLC~LDL TECHNOLOGY~Dish Network LLC~Revenue Collection Systems FRANCE SAS
        0642 Bluetrum Technology Co.,Ltd~makita corporation~Apogee Instruments~BM3
        0646 SGV Group Holding GmbH & Co. KG~MED-EL~Ultune Technologies~Ryeex Technology Co.,Ltd.
        064A Open Research Institute, Inc.~Scale-Tec, Ltd~Zumtobel Group AG~iLOQ Oy
        064E KRUXWorks Technologies Private Limited~Digital Matter Pty Ltd~Coravin, Inc.~Stasis Labs, Inc.
        0652 ITZ Innovations- und Technologiezentrum GmbH~Meggitt SA~Ledlenser GmbH & Co. KG~Renishaw PLC
        0656 ZhuHai AdvanPro Technology Company Limited~Meshtronix Limited~Payex Norge AS
        0659 UnSeen Technologies Oy~Marshall Group AB~Sesam Solutions BV~PixArt Imaging Inc.~Panduit Corp.
        065E Alo AB~Ricoh Company Ltd~RTC Industries, Inc.~Mode Lighting Limited~Particle Industries, Inc.
        0663 Advanced Telemetry Systems, Inc.~RHA TECHNOLOGIES LTD~Pure International Limited
        0666 WTO Werkzeug-Einrichtungen GmbH~Spark Technology Labs Inc.~Bleb Technology srl
        0669 Livanova USA, Inc.~Brady Worldwide Inc.~DewertOkin GmbH~Ztove ApS~Venso EcoSolutions AB
        066E Eurotronik Kranj d.o.o.~Hug Technology Ltd~Gema Switzerland GmbH~Buzz Products Ltd.~Kopi
        0673 Innova Ideas Limited~BeSpoon
        0676 Expai Solutions Private Limited~Innovation First, Inc.~SABIK Offshore GmbH
        0679 4iiii Innovations Inc.~The Energy Conservatory, Inc.~I.FARM, INC.~Tile, Inc.
        067D Form Athletica Inc.
        067F NETGRID S.N.C. DI BISSOLI MATTEO, CAMPOREALE SIMONE, TOGNETTI FEDERICO~Mannkind Corporation
        0681 Trade FIDES a.s.~Photron Limited~Eltako GmbH~Dermalapps, LLC~Greenwald Industries
        0686 inQs Co., Ltd.~Cherry GmbH~Amsted Digital Solutions Inc.~Tacx b.v.~Raytac Corporation
        068B Jiangsu Teranovo Tech Co., Ltd.
        068E Razer Inc.~JRM Group Limited~Eccrine Systems, Inc.~Curie Point AB~Georg Fischer AG
        0693 Hach - Danaher~T&A Laboratories LLC~Koki Holdings Co., Ltd.~Gunakar Private Limited
        0697 Stemco Products Inc~Wood IT Security, LLC~RandomLab SAS~Adero, Inc.~Dragonchip Limited~Noomi AB
        069E Delta Electronics, Inc.~FlowMotion Technologies AS~OBIQ Location Technology Inc.
        06A1 Cardo Systems, Ltd~Globalworx GmbH~Nymbus, LLC~LIMNO Co. Ltd.~TEKZITEL PTY LTD
        06A6 Roambee Corporation~Chipsea Technologies (ShenZhen) Corp.
        06A8 GD Midea Air-Conditioning Equipment Co., Ltd.~Soundmax Electronics Limited~Produal Oy
        06AB HMS Industrial Networks AB~Ingchips Technology Co., Ltd.~InnovaSea Systems Inc.~SenseQ Inc.
        06AF Shoof Technologies~BRK Brands, Inc.~SimpliSafe, Inc.~Tussock Innovation 2013 Limited
        06B4 Sencilion Oy~Wabilogic Ltd.~Sociometric Solutions, Inc.~iCOGNIZE GmbH~ShadeCraft, Inc
        06B9 Beflex Inc.~Beaconzone Ltd~Leaftronix Analogic Solutions Private Limited~TWS Srl~ABB Oy
        06BE HitSeed Oy
        06C0 CAME S.p.A.~Alarm.com Holdings, Inc~Measurlogic Inc.~King I Electronics.Co.,Ltd~Dream Labs GmbH
        06C5 Urban Compass, Inc~Simm Tronic Limited~Somatix Inc~Storz & Bickel GmbH & Co. KG~MYLAPS B.V.
        06CA Shenzhen Zhongguang Infotech Technology Development Co., Ltd~Dyeware, LLC
        06CC Dongguan SmartAction Technology Co.,Ltd.~DIG Corporation~FIOR & GENTZ
        06D0 Etekcity Corporation~Meyer Sound Laboratories, Incorporated~CeoTronics AG
        06D4 DYNAKODE TECHNOLOGY PRIVATE LIMITED~Sensirion AG~JCT Healthcare Pty Ltd
        06D7 FUBA Automotive Electronics GmbH~AW Company~Shanghai Mountain View Silicon Co.,Ltd.
        06DA Zliide Technologies ApS~Automatic Labs, Inc.~Industrial Network Controls, LLC
        06DD Intellithings Ltd.~Navcast, Inc.~HLI Solutions Inc.~Avaya Inc.~Milestone AV Technologies LLC
        06E2 Alango Technologies Ltd~Spinlock Ltd~Aluna~OPTEX CO.,LTD.~NIHON DENGYO KOUSAKU~VELUX A/S
        06E8 Almendo Technologies GmbH~Zmartfun Electronics, Inc.~SafeLine Sweden AB~Houston Radar LLC~Sigur
        """
}
