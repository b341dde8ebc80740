import type { ConfigKey, ConfigValue, ItemType } from "../../level-config/contract/index.ts";
import type { AdSettings } from "./schedule.ts";

const EVERYWHERE: readonly ItemType[] = [0, 1, 2, 3, 4];
/** Down to the store: its screens show alike. */
const STORES: readonly ItemType[] = [1, 2, 3, 4];

type Given = Pick<ConfigKey, "ckey" | "name" | "valueType" | "valueRange" | "defaultValue"> & Partial<ConfigKey>;
const group = (name: string, keys: readonly Given[]): ConfigKey[] =>
  keys.map((key) => ({ levels: EVERYWHERE, unit: "", note: "", ...key, group: name }));

/** Every key of the ad configuration. What it says of when ads play is read by `settingsOf`, the rest by the device. */
export const AD_KEYS: readonly ConfigKey[] = [
  ...group("播放", [
    { ckey: "play", name: "播放广告", valueType: "switch", valueRange: "", defaultValue: true },
    {
      ckey: "from_hour",
      name: "每天几点开始",
      valueType: "int",
      valueRange: "0-23",
      defaultValue: 0,
      unit: "点",
      levels: STORES,
    },
    {
      ckey: "to_hour",
      name: "每天几点结束",
      valueType: "int",
      valueRange: "1-24",
      defaultValue: 24,
      unit: "点",
      levels: STORES,
      note: "不晚于开始时间则全天不播",
    },
    {
      ckey: "most",
      name: "一轮最多几个广告",
      valueType: "int",
      valueRange: "1-30",
      defaultValue: 10,
      unit: "个",
      levels: STORES,
      note: "超出时占比高的先播",
    },
    {
      ckey: "idle_seconds",
      name: "空闲多久后开始播放",
      valueType: "int",
      valueRange: "0-600",
      defaultValue: 15,
      unit: "秒",
      note: "0 为收款后立即播放",
    },
    {
      ckey: "while_paying",
      name: "收款时继续播放",
      valueType: "switch",
      valueRange: "",
      defaultValue: false,
      note: "只在有顾客屏的设备上",
    },
  ]),
  ...group("画面和声音", [
    {
      ckey: "picture_seconds",
      name: "图片停留",
      valueType: "int",
      valueRange: "3-300",
      defaultValue: 10,
      unit: "秒",
      note: "广告里没有单独设置停留时间的图片",
    },
    {
      ckey: "fit",
      name: "画面比例不符时",
      valueType: "select",
      valueRange: [
        ["contain", "留边显示完整"],
        ["cover", "铺满并裁切"],
      ],
      defaultValue: "contain",
    },
    { ckey: "volume", name: "视频音量", valueType: "int", valueRange: "0-100", defaultValue: 30, note: "0 为静音" },
    {
      ckey: "standby_picture",
      name: "没有广告时显示",
      valueType: "image",
      valueRange: "",
      defaultValue: "",
      note: "PNG 或 JPEG，没有时显示设备自己的待机画面",
    },
  ]),
];

/** When ads play at all, of the values that hold for a device. */
export function settingsOf(values: Readonly<Record<string, ConfigValue>>): AdSettings {
  const of = (ckey: string): ConfigValue | undefined => values[ckey] ?? AD_KEYS.find((key) => key.ckey === ckey)?.defaultValue;
  return { on: of("play") === true, hours: [Number(of("from_hour")), Number(of("to_hour"))], most: Number(of("most")) };
}
