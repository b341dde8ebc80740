import { read } from "@zhangfang/contract/endpoint.ts";
import { dateRange, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { onlineState } from "../../devices/contract/index.ts";
import { itemType } from "../../level-config/contract/index.ts";

export const playState = labelled({ 1: ["播放中", "good"], 2: ["未播放", "ended"] });
/** Why an ad does not play on a device, in words (contract/schedule.ts). */
export const whyNotWords = labelled({
  paused: "广告已暂停",
  unapproved: "没有审核通过的素材",
  before: "还没到开始日期",
  after: "已过结束日期",
  weekday: "不在投放的星期",
  period: "不在播放时段",
  target: "不在投放范围",
  model: "设备型号不符",
  region: "门店地区不符",
  off: "设备已关闭广告",
  hours: "设备此时不播广告",
  priority: "有更高优先级的广告",
  most: "轮播数量已满",
});

/** Statistics look back so many days at most. */
export const STATISTICS_DAYS = 366;
/** What the devices of an ad are narrowed by, also for their files; the days are those of the figures. */
export const adDeviceFilters = {
  /** Without one there is nothing to show yet. */
  ad_id: id.optional(),
  ...dateRange,
  playing: oneOf(playState).optional(),
  online: oneOf(onlineState).optional(),
  keyword: line(64).optional(),
  serviceProviderId: id.optional(),
  merchantId: id.optional(),
};
const figures = { plays: z.int(), finished: z.int(), seconds: z.int() };
/** Plays that were told of and could not have been shown there then: they are in none of the other figures. */
const unverified = z.int();
const access = "/ad/adDevices";

export const listAdDevices = read({
  path: "/api/ad-devices",
  title: "广告设备",
  jumps: false,
  access,
  input: listInput(adDeviceFilters, ["-createdAt"]),
  output: listOutput(
    z.object({
      id: z.string(),
      sn: z.string(),
      name: z.string(),
      model: z.string(),
      online: oneOf(onlineState),
      lastSeenAt: instant.nullable(),
      playing: oneOf(playState),
      why: oneOf(whyNotWords).nullable(),
      /** The level of the target by which the ad reaches the device. */
      by: oneOf(itemType),
      storeName: z.string(),
      merchantName: z.string(),
      providerName: z.string(),
      /** When the last play that it told of began, whatever the days. */
      lastPlayAt: instant.nullable(),
      createdAt: instant,
      ...figures,
      unverified,
    }),
  ),
});
/** The devices that the ad reaches, and all that was played in these days, also on devices that it reaches no more. */
export const summariseAdDevices = read({
  path: "/api/ad-devices/summary",
  title: "广告设备汇总",
  access,
  input: z.object(adDeviceFilters),
  output: z.object({ count: z.int(), playing: z.int(), online: z.int(), ...figures, unverified }),
});
export const statisticsBy = labelled({ day: "按日", store: "按门店", device: "按设备" });
export const getAdStatistics = read({
  path: "/api/ad-statistics",
  title: "广告播放统计",
  bearsDelay: true,
  access,
  input: z.object({ ...adDeviceFilters, by: oneOf(statisticsBy).default("day") }),
  /** Days in their order, without gaps; of stores and devices the twenty with the most plays. */
  output: z.array(z.object({ key: z.string(), name: z.string(), devices: z.int(), ...figures })),
});
/** Ads whose plays the caller may look at, by name: its own, and those of the platform, which play with it. */
export const seekAds = read({
  path: "/api/ads/lookup",
  title: "广告下拉",
  access: [access, "/ad/list"],
  input: z.object({ search: line(64).optional(), id: id.optional() }),
  output: z.array(z.object({ id: z.string(), name: z.string(), ownerName: z.string() })),
});
