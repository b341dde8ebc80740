/** The demo world's names. Figures and places are believable, nothing in it is real. */
export const DEMO_PASSWORD = "Demo#2026";

interface MerchantPlan {
  readonly name: string;
  readonly shortName: string;
  readonly trade: string;
  readonly city: readonly [province: string, city: string];
  /** Absent: still to be filled in. */
  readonly contact?: readonly [name: string, phone: string];
  readonly licenceNo?: string;
  readonly agent?: "agent01" | "agent02";
  readonly salesman?: "sale01" | "sale02" | "sale03";
  readonly feeRate: number;
  /** Cents. */
  readonly refundApprovalAbove: number | null;
  readonly stores: readonly (readonly [name: string, address: string])[];
}

/** Merchants of 禾木 (sp01); the key is the login of the root account. */
export const SP01_MERCHANTS = {
  mch01: {
    name: "成都蜀味餐饮管理有限公司",
    shortName: "蜀味川菜",
    trade: "川湘菜",
    city: ["四川省", "成都市"],
    contact: ["陈川", "13880001601"],
    licenceNo: "91510100MA6CQX1A01",
    agent: "agent01",
    salesman: "sale01",
    feeRate: 380,
    refundApprovalAbove: 50_000,
    stores: [
      ["春熙路店", "锦江区春熙路南段8号"],
      ["建设路店", "成华区建设路26号"],
      ["天府三街店", "高新区天府三街199号"],
      ["宽窄巷子店", "青羊区宽巷子21号"],
    ],
  },
  mch03: {
    name: "成都晨光便利连锁有限公司",
    shortName: "晨光便利",
    trade: "便利店",
    city: ["四川省", "成都市"],
    contact: ["吴晨", "13880001603"],
    licenceNo: "91510100MA6CQX1A03",
    agent: "agent01",
    feeRate: 300,
    refundApprovalAbove: null,
    stores: [
      ["玉林路店", "武侯区玉林南路15号"],
      ["科华路店", "武侯区科华北路62号"],
      ["双楠店", "武侯区双楠路88号"],
      ["万年场店", "成华区双林路333号"],
    ],
  },
  mch04: {
    name: "重庆麦香烘焙食品有限公司",
    shortName: "麦香烘焙",
    trade: "烘焙糕点",
    city: ["重庆市", "重庆市"],
    contact: ["夏麦", "13880001604"],
    salesman: "sale01",
    feeRate: 380,
    refundApprovalAbove: 20_000,
    stores: [
      ["解放碑店", "渝中区民权路28号"],
      ["观音桥店", "江北区观音桥步行街9号"],
      ["南坪店", "南岸区江南大道12号"],
    ],
  },
  mch05: {
    name: "绵阳百草堂大药房有限公司",
    shortName: "百草堂药房",
    trade: "医药健康",
    city: ["四川省", "绵阳市"],
    salesman: "sale02",
    feeRate: 250,
    refundApprovalAbove: null,
    stores: [
      ["临园路店", "涪城区临园路东段72号"],
      ["跃进路店", "涪城区跃进路18号"],
    ],
  },
  mch06: {
    name: "成都悦颜美容服务有限公司",
    shortName: "悦颜美容",
    trade: "美发美容",
    city: ["四川省", "成都市"],
    agent: "agent02",
    feeRate: 600,
    refundApprovalAbove: 100_000,
    stores: [["金融城店", "高新区交子大道88号"]],
  },
  mch07: {
    name: "昆明鲜果时光商贸有限公司",
    shortName: "鲜果时光",
    trade: "食品生鲜",
    city: ["云南省", "昆明市"],
    feeRate: 300,
    refundApprovalAbove: null,
    stores: [
      ["南屏街店", "五华区南屏街6号"],
      ["翠湖店", "五华区翠湖北路31号"],
    ],
  },
} as const satisfies Record<string, MerchantPlan>;

/** Merchants of 云岸 (sp02), the other tree. */
export const SP02_MERCHANTS = {
  mch02: {
    name: "杭州江南小笼餐饮有限公司",
    shortName: "江南小笼",
    trade: "小吃熟食",
    city: ["浙江省", "杭州市"],
    contact: ["方河", "13880001602"],
    licenceNo: "91330100MA2CQX1A02",
    salesman: "sale03",
    feeRate: 380,
    refundApprovalAbove: 50_000,
    stores: [
      ["河坊街店", "上城区河坊街135号"],
      ["武林广场店", "拱墅区武林路202号"],
    ],
  },
  mch08: {
    name: "宁波邻里生活超市有限公司",
    shortName: "邻里超市",
    trade: "超市",
    city: ["浙江省", "宁波市"],
    feeRate: 300,
    refundApprovalAbove: null,
    stores: [
      ["鼓楼店", "海曙区公园路55号"],
      ["东部新城店", "鄞州区宁东路269号"],
    ],
  },
} as const satisfies Record<string, MerchantPlan>;

export type MerchantLogin = keyof typeof SP01_MERCHANTS | keyof typeof SP02_MERCHANTS;
export type { MerchantPlan };

/** Three devices at each store: model, name, cashier mode. */
export const STORE_DEVICES = [
  ["T3B00", "收银机", 2],
  ["FACEPOS-F24", "刷脸自助机", 1],
  ["CCL-Z1", "扫码盒子", 3],
] as const;
/** Names of cashiers, taken in turn. */
export const CASHIER_NAMES = [
  "李秀英",
  "王伟",
  "张敏",
  "刘洋",
  "陈静",
  "杨帆",
  "赵磊",
  "黄丽",
  "周杰",
  "吴霞",
  "徐勇",
  "孙娜",
  "马超",
  "朱琳",
  "胡军",
  "郭芳",
] as const;
