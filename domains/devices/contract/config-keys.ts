import type { ConfigKey, ItemType } from "../../level-config/contract/index.ts";

const EVERYWHERE: readonly ItemType[] = [0, 1, 2, 3, 4];
/** Down to the store: all devices of a store behave alike. */
const STORES: readonly ItemType[] = [1, 2, 3, 4];
/** What only a provider or the platform decides. */
const PROVIDERS: readonly ItemType[] = [3, 4];

type Given = Pick<ConfigKey, "ckey" | "name" | "valueType" | "valueRange" | "defaultValue"> & Partial<ConfigKey>;
const group = (name: string, keys: readonly Given[]): ConfigKey[] =>
  keys.map((key) => ({ levels: EVERYWHERE, unit: "", note: "", ...key, group: name }));

/** Every key of a device's configuration; what a device does without one is its default. */
export const DEVICE_KEYS: readonly ConfigKey[] = [
  ...group("显示", [
    { ckey: "screen_brightness", name: "屏幕亮度", valueType: "int", valueRange: "10-100", defaultValue: 80, unit: "%" },
    {
      ckey: "screen_theme",
      name: "界面主题",
      valueType: "select",
      valueRange: [
        ["light", "浅色"],
        ["dark", "深色"],
      ],
      defaultValue: "light",
    },
    { ckey: "welcome_text", name: "欢迎语", valueType: "text", valueRange: "0-40", defaultValue: "欢迎光临" },
    { ckey: "logo", name: "待机标志", valueType: "image", valueRange: "", defaultValue: "", note: "PNG 或 JPEG，空闲时显示在屏幕上方" },
    {
      ckey: "standby_minutes",
      name: "空闲多久后待机",
      valueType: "int",
      valueRange: "0-120",
      defaultValue: 5,
      unit: "分钟",
      note: "0 为从不",
    },
  ]),
  ...group("声音", [
    { ckey: "volume", name: "音量", valueType: "int", valueRange: "0-100", defaultValue: 60 },
    { ckey: "announce", name: "到账播报", valueType: "switch", valueRange: "", defaultValue: true },
    {
      ckey: "announce_text",
      name: "播报内容",
      valueType: "select",
      valueRange: [
        [1, "收款金额"],
        [2, "收款方式和金额"],
        [3, "只有提示音"],
      ],
      defaultValue: 1,
    },
  ]),
  ...group("收款", [
    {
      ckey: "amount_input",
      name: "金额输入",
      valueType: "select",
      valueRange: [
        [1, "收银员输入"],
        [2, "顾客输入"],
        [3, "由收银系统传入"],
      ],
      defaultValue: 1,
      levels: STORES,
    },
    { ckey: "face_pay", name: "刷脸支付", valueType: "switch", valueRange: "", defaultValue: true },
    { ckey: "confirm_seconds", name: "支付结果停留", valueType: "int", valueRange: "1-30", defaultValue: 3, unit: "秒" },
    { ckey: "refund_here", name: "允许在设备上退款", valueType: "switch", valueRange: "", defaultValue: true, levels: STORES },
    { ckey: "print_receipt", name: "自动打印小票", valueType: "switch", valueRange: "", defaultValue: true },
    { ckey: "receipt_copies", name: "小票份数", valueType: "int", valueRange: "1-3", defaultValue: 1, unit: "份" },
  ]),
  ...group("运行", [
    {
      ckey: "offline_alert_minutes",
      name: "离线多久后提醒",
      valueType: "int",
      valueRange: "5-1440",
      defaultValue: 60,
      unit: "分钟",
      levels: STORES,
      note: "营业时间内离线超过这么久，给门店和商户发消息",
    },
    {
      ckey: "update_channel",
      name: "软件更新",
      valueType: "select",
      valueRange: [
        ["stable", "正式版"],
        ["preview", "预览版"],
        ["off", "不更新"],
      ],
      defaultValue: "stable",
      levels: PROVIDERS,
    },
    { ckey: "update_hour", name: "更新时刻", valueType: "int", valueRange: "0-23", defaultValue: 4, unit: "点", levels: PROVIDERS },
  ]),
];
