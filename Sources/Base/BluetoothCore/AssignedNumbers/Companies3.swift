// Company identifiers. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let companiesLines3: StaticString = """
        0D4D Optec, LLC~NIKAT SOLUTIONS PRIVATE LIMITED~Movano Inc.~NINGBO FOTILE KITCHENWARE CO., LTD.
        0D51 Genetus inc.~DIVAN TRADING CO., LTD.~Luxottica Group S.p.A~ISEKI FRANCE S.A.S
        0D55 NO CLIMB PRODUCTS LTD~Wellang.Co,.Ltd~Nanjing Xinxiangyuan Microelectronics Co., Ltd.
        0D58 ifm electronic gmbh~HYUPSUNG MACHINERY ELECTRIC CO., LTD.~Gunnebo Aktiebolag
        0D5B Axis Communications AB
        0D5D Stogger B.V.~Pella Corp~SiChuan Homme Intelligent Technology co.,Ltd.
        0D60 Smart Products Connection, S.A.~F.I.P. FORMATURA INIEZIONE POLIMERI - S.P.A.~MEBSTER s.r.o.
        0D63 SKF France~Southco~Molnlycke Health Care AB~Hendrickson USA , L.L.C
        0D67 BLACK BOX NETWORK SERVICES INDIA PRIVATE LIMITED~Status Audio LLC
        0D69 AIR AROMA INTERNATIONAL PTY LTD~Helge Kaiser GmbH~Crane Payment Innovations, Inc.
        0D6C Ambient IoT Pty Ltd~DYNAMOX S/A~Look Cycle International~Closed Joint Stock Company NVP BOLID
        0D70 Kindhome~Kiteras Inc.~Earfun Technology (HK) Limited~iota Biosciences, Inc.~ANUME s.r.o.
        0D75 Indistinguishable From Magic, Inc.~i-focus Co.,Ltd~DualNetworks SA~MITACHI CO.,LTD.
        0D79 VIVIWARE JAPAN, Inc.~Xiamen Intretech Inc.~MindMaze SA
        0D7C BeiJing SmartChip Microelectronics Technology Co.,Ltd~Taiko Audio B.V.~Daihatsu Motor Co., Ltd.
        0D7F Konova~Gravaa B.V.~Beyerdynamic GmbH & Co. KG~VELCO
        0D83 ATLANTIC SOCIETE FRANCAISE DE DEVELOPPEMENT THERMIQUE~Testo SE & Co. KGaA
        0D85 SEW-EURODRIVE GmbH & Co KG~ROCKWELL AUTOMATION, INC.~Quectel Wireless Solutions Co., Ltd.
        0D89 Nanohex Corp~Simply Embedded Inc.~Software Development, LLC
        0D8C Ultimea Technology (Shenzhen) Limited~RF Electronics Limited~Optivolt Labs, Inc.
        0D8F Canon Electronics Inc.~LAAS ApS~Beamex Oy Ab~TACHIKAWA CORPORATION~HagerEnergy GmbH
        0D95 Hunter Industries Incorporated~NEOKOHM SISTEMAS ELETRONICOS LTDA
        0D97 Zhejiang Huanfu Technology Co., LTD~E.F. Johnson Company~Caire Inc.
        0D9A Yeasound (Xiamen) Hearing Technology Co., Ltd~Boxyz, Inc.~Skytech Creations Limited~Cear, Inc.
        0D9E Impulse Wellness LLC~MML US, Inc~SICK AG~Fen Systems Ltd.~KIWI.KI GmbH~Airgraft Inc.~HP Tuners
        0DA5 PIXELA CORPORATION~Generac Corporation~Novoferm tormatic GmbH~Airwallet ApS~Inventronics GmbH
        0DAA Shenzhen EBELONG Technology Co., Ltd.~Efento~ITALTRACTOR ITM S.P.A.
        0DAE TITUM AUDIO, INC.~Hexagon Aura Reality AG~Invisalert Solutions, Inc.
        0DB1 TELE System Communications Pte. Ltd.~Whirlpool~SHENZHEN REFLYING ELECTRONIC CO., LTD
        0DB4 Franklin Control Systems~Djup AB~SAFEGUARD EQUIPMENT, INC.~Morningstar Corporation
        0DB8 Shenzhen Chuangyuan Digital Technology Co., Ltd~CompanyDeep Ltd~Veo Technologies ApS
        0DBB Nexis Link Technology Co., Ltd.~Felion Technologies Company Limited~MAATEL
        0DBE HELLA GmbH & Co. KGaA~HWM-Water Limited~Shenzhen Jahport Electronic Technology Co., Ltd.
        0DC1 NACHI-FUJIKOSHI CORP.~Cirrus Research plc~GEARBAC TECHNOLOGIES INC.
        0DC4 Hangzhou NationalChip Science & Technology Co.,Ltd~DHL~Levita~MORNINGSTAR FX PTE. LTD.
        0DC8 ETO GRUPPE TECHNOLOGIES GmbH~farmunited GmbH~Aptener Mechatronics Private Limited~GEOPH, LLC
        0DCC Trotec GmbH~Astra LED AG~NOVAFON - Electromedical devices limited liability company
        0DCF KUBU SMART LIMITED~ESNAH~OrangeMicro Limited~Fresh n Rebel B.V.~Global Satellite Engineering
        0DD4 KOQOON GmbH & Co.KG~BEEPINGS~MODULAR MEDICAL, INC.~Xiant Technologies, Inc.
        0DD9 SCHELL GmbH & Co. KG~Minebea Intec GmbH~KAGA FEI Co., Ltd.
        0DDC AUTHOR-ALARM, razvoj in prodaja avtomobilskih sistemov proti kraji, d.o.o.~Tozoa LLC
        0DDE SHENZHEN DNS INDUSTRIES CO., LTD.~Shenzhen Lunci Technology Co., Ltd~KNOG PTY. LTD.
        0DE1 Outshiny India Private Limited~TAMADIC Co., Ltd.~Shenzhen MODSEMI Co., Ltd~EMBEINT INC
        0DE5 Ehong Technology Co.,Ltd~DEXATEK Technology LTD~Dendro Technologies, Inc.~Vivint, Inc.
        0DE9 General Laser GmbH~Kathrein Solutions GmbH~Fitz Inc.~ATEGENOS PHARMACEUTICALS INC
        0DED Flextronic GmbH~Safety Swim LLC~SING SUN TECHNOLOGY (INTERNATIONAL) LIMITED
        0DF0 Woncan (Hong Kong) Limited~iFLYTEK (Suzhou) Technology Co., Ltd.~Weber-Stephen Products LLC
        0DF3 hDrop Technologies Inc.~REEKON TOOLS INC.~Delta Faucet Company~Mutrack Co., Ltd
        0DF7 Hangzhou Zhaotong Microelectronics Co., Ltd.~Chengdu CSCT Microelectronics Co., Ltd.
        0DF9 Belusun Technology Ltd.~Shenzhen Matches IoT Technology Co., Ltd.
        0DFB Beidou Intelligent Connected Vehicle Technology Co., Ltd.~SOJI ELECTRONICS JOINT STOCK COMPANY
        0DFD BH Technologies~Haptech, Inc.~WaveRF, Corp.~SHENZHEN SOUNDSOUL INFORMATION TECHNOLOGY CO.,LTD
        0E01 Wuhu Mengbo Technology Co., Ltd.~PROSYS DEV LIMITED~Shenzhen eMeet technology Co.,Ltd~Doro AB
        0E05 SUREPULSE MEDICAL LIMITED~iodyne, LLC~Pinpoint GmbH~Heinrich Kopp GmbH~Evolutive Systems SL
        0E0B Sounding Audio Industrial Ltd.~Yuanfeng Technology Co., Ltd.~FrontAct Co., Ltd.
        0E0F SenseWorks Tecnologia Ltda.~Eko Health, Inc.~Wanzl GmbH & Co. KGaA
        0E12 CLEVER LOGGER TECHNOLOGIES PTY LIMITED~ASYSTOM~Heilongjiang Tianyouwei Electronics Co.,Ltd.
        0E15 Eastern Partner Limited~Xiamen RUI YI Da Electronic Technology Co.,Ltd~Ad Hoc Electronics, llc.
        0E18 Hangzhou Microimage Software Co.,Ltd.~Hive-Zox International SA~Sensovo GmbH
        0E1B Time Location Systems AS~SHENZHEN DIGITECH CO., LTD~Capte B.V.~9512-5837 QUEBEC INC.~Blecon Ltd
        0E20 CFLAB TEKNOLOJI TICARET LIMITED SIRKETI~FOGO~HITO INC~MS kajak7 UG (limited liability)
        0E24 Avedis Zildjian Co.~Hangzhou Hikvision Digital Technology Co., Ltd.
        0E26 LIHJOEN SPEED METER CO., LTD.~NextSense, Inc.~PatchRx, Inc.~Flipper Devices Inc.
        0E2A Huizhou Foryou General Electronics Co., Ltd.~JE electronic a/s~9313-7263 Quebec inc.
        0E2D ECARX (Hubei) Tech Co.,Ltd.~NIHON KOHDEN CORPORATION~ONWI~Primax Electronics Ltd.
        0E31 AlphaTheta Corporation~PACIFIC INDUSTRIAL CO., LTD.~Crescent NV~Vermis, software solutions llc
        0E35 SNAPPWISH LLC~Cousins and Sears LLC~CESYS Gesellschaft für angewandte Mikroelektronik mbH
        0E38 SLOC GmbH~IRES Infrarot Energie Systeme GmbH~OFIVE LIMITED~Swift IOT Tech (Shenzhen) Co., LTD.
        0E3C Viselabs~Walmart Inc.~VANBOX~Wiser Devices, LLC~WKD Labs Ltd~Asustek Computer Inc.
        0E42 Z-ONE Technology Co., Ltd.~InnoVision Medical Technologies, LLC~QUANTATEC~Filo Srl~SOUNDUCT
        0E47 Hosiden Besson Limited~KARLUNA MUHENDISLIK SANAYI VE TICARET ANONIM SIRKETI
        0E49 Deone (Shanghai) Communication & Technology Co., Ltd~Nitto Denko Corporation
        0E4B PUDSEY DIAMOND ENGINEERING LIMITED~Luxshare Precision Industry Co., Ltd.~Brooksee, Inc.
        0E4E QSC, LLC~eBet Gaming Sytems Pty Limited~Zhejiang Desman Intelligent Technology Co., Ltd.
        0E51 Dyaco International Inc.~Aquana, LLC~MINIRIG~Relief Technologies AS
        0E55 New Cosmos Electric Co., Ltd.~INEPRO Metering B.V.~Altina Inc.~Urban Armor Gear, LLC
        0E59 Loewe Technology GmbH~OmniWave Microelectronics Shanghai Co., Ltd
        0E5B Wuhu Hongjing Electronic Co.,Ltd~Rocoto Ltd~L.T.H. Electronics Limited~SHAPER TOOLS, INC.
        0E5F Ruptela~Ant Group Co., Ltd.~Queclink Wireless Solutions Co., Ltd.~GOKI PTY LTD~LAST LOCK INC.
        0E64 HuiTong intelligence Company Limited~Daikin Industries, LTD
        0E66 Shenzhen Baseus Technology Co., Ltd.~NEXT DEVICES LTDA~EarTex Ltd
        0E69 Megatronix (Beijing) Technology Co., Ltd~Hyena Inc.
        0E6B Shenzhen Goodocom Information Technology Co., Ltd.~RIGH, INC.~FEVOS LIMITED
        0E6F OpConnect, Inc.~Powerstick.com~ENABLEWEAR LLC~TOR.AI LIMITED
        0E73 Adventures of the Persistently Impaired (and other tales) Limited~Rocky Radios LLC
        0E75 Le Touch (Shenzhen) Electronics Co., Ltd.~Guangdong Nanguang Photo&Video Systems Co., Ltd.
        0E77 MOBILE TECH, INC.~HONG KONG COMMUNICATIONS COMPANY LIMITED~Neptune First OU~Vivago Oy~Circular
        0E7C final Inc.~Jiangsu XinTongda Electric Technology Co.,Ltd.~Archon Controls LLC~SZR-Dev UG
        0E80 IQNEXXT Solutions GmbH~Guangdong Hengqin Xingtong Technology Co.,ltd.~CHEVALIER TECH LIMITED
        0E83 SPRiNTUS GmbH~Tymphany HK Ltd~TigerLight, Inc.
        0E86 Mercury Marine, a division of Brunswick Corporation~OpenTech Alliance, Inc.
        0E88 Skewered Fencing, LLC~Brudden~Tele-Radio i Lysekil AB~Allgon AB~Gopod Group Holding Limited
        0E8D Celebrities Management Private Limited~Nobest Inc~Avetos Design LLC~RainMaker Solutions, Inc.
        0E91 Identita Inc.~Glutz AG~MIV ELECTRONICS, LTD~Tactrix~Viaanix, Inc.~Skeed,co,Ltd.~kokoromil Inc.
        0E98 Chromatic Inc.~Medibound, Inc.~Scanbro OU~Panasonic Automotive Systems Co., Ltd.
        0E9C Andrews & Arnold Ltd~Audinor ApS~Travelxp India Private Limited~Owlet Baby Care Inc.
        0EA0 ENLESS WIRELESS~Culligan International Company~QIKCONNEX LLC~OLIS ELECTRONICS, LLC
        0EA4 BiTECH Automotive (Wuhu) Co.,Ltd~EasyReach Solutions Private Limited~AMG Lab LLC~BrickXter GmbH
        0EA8 Dongguan Trangjan Industrial Co., Ltd~Makichie Co., Ltd.~Hive Soundz inc.~STEYR Sport GmbH
        0EAC Dynetrex Solutions Inc.~OPTRON Co., Ltd.~BHClears Microelectronics (Shanghai) Co., Ltd.
        0EAF Unfolded Circle ApS~FactorySense~WearNex Limited~PRADCO Outdoor Brands~Zucchetti Axess
        0EB4 BLUEFIN DATA, LLC~Preseed Japan Corporation~Server Products, Inc.~Embedded Solutions LLC
        0EB8 PARAGON ID~egojin co,.ltd~THERMY LTD~Asahi Denso Co.,Ltd.~GP Acoustics International Limited
        0EBD Tongfang Health Technology (Beijing) Co., Ltd.~Deity Acoustic Technology Co.
        0EBF Schulte-Schlagbaum AG~WEST inx Ltd.~Crossdoor~High Entropy, LLC~Herschel Infrared Ltd
        0EC4 PACIFIC MARINE BATTERIES PTY. LIMITED~Alibaba (China) Co., Ltd.~AuthGate B.V.
        0EC7 Canyon Bicycles GmbH~Codie LLC~NeuroPace Inc~NexRev LLC
        0ECB Zhong Shan City Richsound Electronic Industrial Ltd.~Shenzhen NEOECO Technology Co., Ltd.
        0ECD Nature Inc.~Guangzhou Honor Microelectronic Co.,Ltd.~GGEC America, Inc.~Gibson, Inc.
        0ED1 VINYL MATT MEDIA LIMITED~SHENZHEN BESTWAY ELECTRONICS CO.,LTD~Lichens Innovation inc.
        0ED4 Goerdyna Group Co., Ltd~Relish Technologies Limited~Quintessential Design, Inc.
        0ED7 CS INSTRUMENTS GmbH & Co.KG~DORAN MFG. LLC~Overhead Door Corporation~Kodira GmbH
        0EDB ShenZhen BoYiChuangXin~Shenzhen Zoqin Technology Co., Ltd.~Ceridwen Limited
        0EDE Sony Honda Mobility Inc.~Dynaudio A/S~MAERSK CONTAINER INDUSTRY A/S~MA MICRO LIMITED
        0EE2 shenzhen hongever technology Co,. Ltd~TAMRON Co., Ltd.~CAPTEMP, LDA~Ambient Life Inc.
        0EE6 NOCTRIX HEALTH, INC~RICKARD AIR DIFFUSION (PTY) LTD~SG Armaturen AS
        0EE9 PIXEL TI IND. E COM PROD ELETRONICOS~Core Devices LLC~Fujita Electric Works, Ltd
        0EEC Willow Laboratories, Inc.~BBC Bircher AG~ELLEA INGEGNERIA SRL UNIPERSONALE~Q42 Internet B.V.
        0EF0 Seaward Electronic~Wuxi Does IOT Co., Ltd~CAPTAIN BLINK~Monil AS
        0EF5 LS ELECTRIC Co., Ltd.~Shenzhen Cyber Innovation Technology Co., Ltd.~Trackonomy Systems, Inc.
        0EF8 IoT Solutions Malta Limited~Aseptico, Inc.~Sensear Pty Ltd~BLUEPROVIDERZ LLC~Jano Life Inc.
        0EFD PRIMES GmbH~Teledyne Instruments, Inc.~Healthcare Technology Limited~TRACERCO LIMITED
        0F01 HAPPLABS SOFTWARE PRIVATE LIMITED~GE HEALTHCARE TECHNOLOGIES INC.~Olibra LLC
        0F04 Lumen Labs (HK) Ltd~SHENZHEN GWSTAI TECHNOLOGY CO.,LTD~SHENZHEN POWEROAK NEWENER CO., LTD
        0F07 Tech OVN Private Limited~Lezyne USA Inc.~ANC CHINA LIMITED~LION GROUP, INC.
        0F0B Brightway Innovation Intelligent Technology (Suzhou) Co., Ltd.
        0F0C Hitachi Industrial Equipment Systems Co.,Ltd.~Maennl Elektronik GmbH
        0F0E IDEATRONIK Limited Liability Company~caive Inc.
        0F10 ShenZhen Doctors of Intelligence & Technology Co.,Ltd~Deep and Steep LLC~Endur ID, Inc.
        0F13 Freshape SA~PreEvnt, LLC~Oval Corporation~ADHD Friendly co.Ltd~RORENTECH Co., Ltd.
        0F18 iKeyless, LLC~Shenzhen SuperSound Technology Co.,Ltd~FLO SCIENCES, LLC~PalatiumCare LLC
        0F1C Edge Semiconductors Inc.~ZIMMERMANN PV-Steel Group GmbH & Co. KG~Yolni Inc.
        0F1F Ninebot (Changzhou) Tech Co., Ltd.~Beijing Spring Creation Technology Co., Ltd.~Rokk Limited
        0F22 ONESPACE TECHNOLOGIES (PTY) LTD~Yuquan Semiconductor (Xiamen) Co., Ltd.~Easy Measure Co., Ltd.
        0F25 Sichuan Changhong Neonet Technologies Co.,Ltd.~Centromere Holding B.V.
        0F27 Global Link Distribution Corp.~Amp Fit Israel LTD~Trezor Company s.r.o.
        0F2A KELLER Druckmesstechnik AG~ElitEngineering LLC~Vision Group Inc.~ClipsClips LLC
        0F2E BRITZ INTERNATIONAL CO.,LTD~ThingCo Limited~Opal Camera, Inc.~TECHNOLOGIES FOR FREERIDE s.r.o
        0F32 FLINTEC UK LIMITED~TETNET~NINGBO SHARKWARD ELECTRONICS CO.,LTD~Audeze LLC
        0F36 NODER Joint Stock Company~Schueco International KG~GILL INSTRUMENTS LIMITED~Seitron Spa
        0F3A Southern Audio Services, Inc~SANWA NEWTEC CO.,LTD.~Mobile Technology Solutions LLC
        0F3D Vitio Medical S.L.~Salyx Medical Inc.~Landig + Lava GmbH & Co. KG~Health Data Insight C.I.C.
        0F41 BONX INC.~LINKEDCHIP TECHNOLOGY INC~12mm Health Technology (Hainan) Co., Ltd.
        0F44 MAVERICK ENERGY SOLUTIONS INTERNATIONAL,INC~Tactica Defense LLC
        0F46 Huizhou Meicanxin Electronics Technology Co.,Ltd~Lodestar Technology Inc.
        0F48 Shenzhen Xinfeiyi Technology Co., Ltd.~IYO INC.~Mitsubishi Motors Corporation~desamisCo.,Ltd.
        0F4C JL WORLD CORPORATION LIMITED~Qulinda AB~Ningbo Dooya Mechanic & Electronic Technology Co., Ltd
        0F4F G-Vision GmbH~Lantern Innovations Incorporated~ebm-papst Mulfingen GmbH & Co. KGaA & Co. KG
        0F52 Shenzhen Yunke Intelligent Co.Ltd~Fledt & Meiton Marin AB~ContiTech Deutschland GmbH
        0F55 Sensoteq Ltd~Astute Access Group Limited~Silverlake Technologies
        0F58 Shenzhen Guo-link Technology Co.,Ltd.~Silicon Vandals PTY LTD~Vibe Energy B.V.
        0F5B shanghai fudan electronics group company Co. Ltd~Micro Technology Services, Inc.~Leapcraft ApS
        0F5E WUXI WEIDA INTELLIGENT ELECTRONICS CO.,LTD.~ROBSON SRL~Quilt Systems, Inc.~HyolimXE Co., Ltd.
        0F62 Kehwin Technologies Co. Ltd.~WATTER, Inc.~SafeNow GmbH~CZV, Inc~BIGREDBEE, LLC
        0F67 White Eagle Sonic Technologies, Inc.~Navico~Ancoe Industry Corporation~Roam Devices LLC
        0F6B Skywalk Inc.~Biogents AG~MODRETRO, INC.~iSi Wearable Safety GmbH~onanoff limited
        0F70 TECHFLITTER SOLUTIONS PRIVATE LIMITED~PIRITIZ LLC~FLORLINK, INC.~Keycafe Inc.~Sperry Labs LLC
        0F75 Senseonics, Incorporated~simatec ag~CROSS BRAIN CO.,Ltd.~Also, Inc.
        0F79 Walter Mueller Inc. for Industrial Electronics~SHENZHEN GUANG QI GUO CHUANG TECHNOLOGY CO.,LTD
        0F7B SKYROAM, INC.~Polk Audio~eQ-3 AG~shenzhen Holyiot Technology Co.,Ltd~Badass eBikes GmbH
        0F80 Hydro Electronic Devices, Inc.~IN Phase International lTD~Amon Co.Ltd.~Calpeda S.p.A.
        0F84 KT Micro, Inc.~Hangzhou Sciener Smart Technology Co., Ltd.~Lakecrest Pty Ltd~Anacove Inc.
        0F88 Kohler Ventures, Inc.~STOREIO TECHNOLOGIES LTD~Innogando S.L.~A.Y. McDonald Mfg. Co.
        0F8C ROYAL PARTS CO.,LTD~JUREN CO., LTD.~Biceek Inc~SIGNUM INTELLIGENCE LTD
        0F90 MOBI7 TECNOLOGIA EM MOBILIDADE S.A.~Valostra Digital Ventures LLP~Ethos Group, Inc.
        0F93 Aktiebolaget Ebeco~IDX Company, Ltd.~Dongguang Huasoo Automation Technology Company Limited
        0F96 SEIKOIST, INC~SPX Aids to Navigation Oy~Fitnexa Inc~DEZINE GROUP LLC
        0F9A Eiritsu Electronics Industry Co., Ltd.~Hanshow Technology Co.,Ltd.~WePower Technologies LLC
        0F9D IRTrans GmbH~Hibino Corporation~Seiko Future Creation Inc.~DP IOT~PALRED RETAIL PRIVATE LIMITED
        0FA2 BIA NEUROSCIENCE INC.~B.E.G. Brueck Electronic GmbH~Nice Spa~Avanos Medical, Inc.
        0FA6 Ugreen Group Limited~spheretek japan~Senti Technologies Private Limited~Ranch Systems, Inc.
        0FAA Suzhou Fanxi Technology Co., Ltd.~Geo Radar AI Private Limited~Flitsmeister B.V.
        0FAD The AI Toy Company~Capacite~Terasite Technologies~General Resistance, LLC~Avivomed Inc.
        0FB2 PLAUD Inc.~Hooked Society Oy Ltd~StoneDevices~Hangzhou Nano IC Technologies Co,. Ltd
        0FB6 TQ-Systems GmbH~Hapn Holdings, LLC~SITERWELL ELECTRONICS CO.,LIMITED
        0FB9 Shenzhen Mutual Technology Co., Ltd~Cosonic Intelligent Technologies Co., Ltd.
        0FBB Rollease Acmeda, Inc.~ATANS TECHNOLOGY INC.~Locus Robotics Corp.~TaigaIoT~Tridentify AB
        0FC0 Littlebird Connected Care, Inc.~Air Automotive tracking Inc.~ISSPRO, INC
        0FC3 Shenzhen Jimi loT Co.,Ltd~FulScience Automotive Electronics Co., Ltd.~Hypershell Co., Ltd
        0FC6 ASD Lighting PLC~Pharox B.V.~Eforthink Technology Co., Ltd.~Zirbel Bike GmbH~Legato Audio, Inc.
        0FCB Biocorp Production~Neurotherapeutics Ltd~Wimate Technology Solutions Pvt Ltd~NOJA Power
        0FCF Nestlab AS~Stark Future SL~Auranova LLC~Domteknika S.A~YDIIT Co., Ltd~QRITAGYA LLP~Telemacy Ltd
        0FD6 LIOTYS~Hondata, Inc.~SIVA Inotec Limited~REMDEVICE S.R.L.~NIVELCO PROCESS CONTROL CO.
        0FDC Beijing Hongsi Electronic Technology Co.,Ltd.
        103A FOSS Analytical A/S
        103D Blahaj Ltd~Nextorage Corporation~infyni~Raspberry Pi
        1041 Shenzhen Huasheng Jiaye Technology Co., Ltd~Namara Water Technologies, Inc
        1043 Shanghai Holychip Electronic Co., Ltd.~Rotarex S.A.~VOTRONIC Elektronik-Systeme GmbH
        1046 EXELIO S.R.L.~Yamaha Motor eBike Systems GmbH~Ferrari s.p.a.
        1049 Anhui Ubico Advanced Manufacture Co., Ltd.~Mueller-BBM Rail Technologies GmbH~Yoto Limited
        104C LAUMAS Elettronica S.r.l.~BUND MEDIA PTY. LTD.~LSC Control Systems Pty Ltd
        104F Safety Lighting Research Pty Ltd~Hangzhou Sneuro Medical Co., Ltd.~UnlimitedIRL LLC
        1052 CHOZEN International CO., LTD.~Sensorworx, Inc.~Romcor Pty Ltd~NewNet, Inc.~CLM-Solutions
        1057 RSA Security LLC~Gravity (Shenzhen)Space Technology Co., Ltd~Shenzhen Shuye Technology Co.,Ltd.
        105A ArjoHuntleigh AB~Fairbanks Scales Inc.~YANMAR HOLDINGS CO., LTD.~Williams Sound, LLC
        105E Zuuka Limited~Chip-pump Microelectronics~TOMOE VALVE CO.,LTD~VCS Vision Control Solutions GmbH
        1062 Framason Audio S.A~Field Line Automation Ltd~Shearwater Research Inc.
        1065 HIGH HIT ENTERPRISE CO., LTD.~Algiz AS~Shenzhen FHX Precision Hardware & Plastic Co., Ltd.
        1068 Hotron Co., Ltd.~Remoticom B.V.~OSKEY~GORDON MURRAY GROUP LIMITED~Global Electronics
        106D Rokstar Holdings Limited~STRYDE LIMITED~Prosaris Solutions Ltd.~TLV Co.,LTD.~IZYBAT
        1072 ALTESSA SOLUTIONS INC.~Hong Kong Future lntelligent Technology Co., Limited~CenTrak, Inc.
        1075 TM-TECHNOLOGIES, JSC~ALPHADIF~Shenzhen Muyu Technology Co., Ltd.~augment AI Inc.
        1079 Digimax Innovative Products LTD.~CodaHD LLC~E.J. Brooks Company~Martin.Care GmbH~IMPACT-BZ LTD
        107E Belford investment holdings pty ltd~Anton Paar ConsumerTec GmbH~Knit Sound Company
        1081 Australis Scientific Pty Ltd.~AIR PRODUCTS AND CHEMICALS, INC.~SYSTEM LOCO LTD~24x8, LLC
        1085 FUTURE INTELLIGENCE TECHNOLOGY SINGAPORE PTE. LTD.~M3SH TECHNOLOGY INC.~Matisse Interactif inc.
        1088 Sesame AI, Inc.~DEER MANAGEMENT SYSTEMS, LLC~Grayhill Inc.~PERUN TECH SP. Z O.O.
        108C Tiny Displays Inc.~DEWINE Labs GmbH~Industrial Computing Limited~SkyCell AG
        1090 NAGANO KEIKI CO., LTD.~COSEL ELEKTRONIK OTOMASYON SISTEMLERI SANAYI VE TICARET LIMITED SIRKETI
        1092 BXB DIGITAL PTY LIMITED~Mindspire Limited~Personal Products Co., Ltd.~CardiaMetrics~Aktv8 LLC
        1097 Knox Associates, Inc.~smart-TEC GmbH & Co. KG~Selco GmbH~MONNIT CORPORATION~Tensoli GmbH~KIBLE
        109D terumo~SHIBAURA ELECTRONICS CO., LTD.~Shenzhen Hali-Power Industrial Co., Ltd.~inContAlert GmbH
        10A1 flexlog GmbH~Audio Research Corporation~BQT Solutions (NZ) Limited
        10A4 RAPIDISE TECHNOLOGY PRIVATE LIMITED~Cebreo Medical A/S~Lightnovo ApS~Pedigree Technologies, LLC
        10A8 Zhejiang Wanyou Intelligent Technology Co., Ltd.~Mallow~Sigenergy Technology Co., Ltd.
        10AB ObjectSpectrum, LLC~ATsens Co.,Ltd.~CoreHW Semiconductor Oy~Raycon Inc.
        """
}
