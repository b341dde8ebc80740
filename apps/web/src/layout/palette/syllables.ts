/** How the characters in titles of screens and acts are read, as they mostly are first; pinyin.test.ts says which one is missing. */
export const SYLLABLES =
  "ba:叭 ban:板班 bang:绑 bao:包报 bei:备 ben:本 bi:比 bian:编 biao:表标 bie:别 bing:并 bo:播 bu:补布不步部 cai:材菜 can:参 " +
  "cang:藏 cao:操 ce:测 ceng:层 cha:查差 chang:常 che:撤 cheng:城称程 chong:充重冲 chu:储出础除处 chuan:传 chuang:创 ci:次 " +
  "cun:存 da:打 dai:代 dan:单 dao:导道到 de:的 deng:登 di:地 dian:店电 ding:订定 dong:动冻 dou:抖 dui:对队兑 e:额 fa:发 fan:范 " +
  "fang:放方 fei:费废 fen:份分粉 fu:服付复 gai:概改 gang:岗 gao:告 gei:给 geng:更 gong:工功 gou:购 guan:管官关 guang:广 gui:规归 " +
  "guo:果 hao:号 he:核合和 hong:红 hou:后 hu:户护 huan:换 hui:惠汇回会恢 huo:活或货获 ji:记计积集机即基级辑 jia:价加架 jian:建荐件 " +
  "jiang:奖 jiao:交 jie:结解接 jin:进金 jing:经 ju:据拒具 jue:绝角 ka:卡 kai:开 kan:看 kong:控 ku:库 kuai:快 kuan:款 " +
  "kuang:况 la:喇 lan:览 li:理礼例立 lian:联 liang:量 liao:料 lie:列 ling:零领令 liu:流 lu:录 lv:率 ma:码 mai:卖 men:门 " +
  "meng:盟 mi:密 mian:面 ming:明名命 neng:能 pai:牌 pei:配 pi:批 pian:片 piao:票 pin:品 ping:评平 qi:其启期 qian:签钱 " +
  "qing:请情清 qu:区取渠 quan:全券权 que:确 qun:群 ren:任人认 ri:日 ru:入 run:润 sao:扫 se:色 shan:删 shang:商上 she:设 " +
  "shen:申审 sheng:省生 shi:市试识适 shou:收售授手 shu:数属束 shua:刷 si:丝 song:送 su:素 ta:他 tai:台 ti:提 tian:添填天 tiao:调条 " +
  "tie:贴 ting:停 tong:统同通 tou:投 tu:图 tuan:团 tui:推退 wai:外 wan:完 wang:网 wei:微维围位 wo:我 wu:务 xi:细息 xia:下 " +
  "xian:现限 xiang:详 xiao:销消小 xie:写 xin:新心信 xing:醒行 xiu:修 xun:询 yan:延验 yao:钥摇要 ye:业 yi:益异一移 yin:印银音隐 " +
  "ying:应 yong:用 you:优有 yu:域与余预 yuan:员远 yun:云 zai:再载 zan:暂 ze:则 zeng:增 zhang:账 zheng:整证 zhi:支值置智志制止址 " +
  "zhong:中 zhu:注 zhuan:转 zi:资子 zong:总 zu:组 zuo:作做昨 cen:参 chan:单 diao:调 hang:行 heng:行 kuai:会 ou:区 san:参 " +
  "shan:单 shen:参 zhong:重 zhou:调";
