import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, done, id, instant, line, listInput, listOutput, oneOf, wholeNumber } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { deviceModel } from "../../devices/contract/index.ts";
import { itemType, PLATFORM_ID } from "../../level-config/contract/index.ts";
import { adPriority, adStatus, playPeriod } from "./ad-words.ts";
import { materialKind } from "./materials.ts";
import { whyNotWords } from "./plays.ts";
import { DAY_MINUTES } from "./schedule.ts";

const nodeGiven = z.object({ item_type: wholeNumber(0, 9_999), item_id: z.union([id, z.literal(PLATFORM_ID)]) });
const minute = z.int().min(0).max(DAY_MINUTES);
const periods = z
  .array(z.tuple([minute, minute]))
  .min(1, "请选择播放时段")
  .max(12, "一天最多 12 个时段")
  .refine((all) => all.every(([from, to]) => from < to), "时段的结束须晚于开始")
  .refine((all) => {
    const sorted = all.toSorted((a, b) => a[0] - b[0]);
    return sorted.every(([from], at) => at === 0 || from >= (sorted[at - 1]?.[1] ?? 0));
  }, "时段不能重叠");
const once = (all: readonly unknown[]): boolean => new Set(all).size === all.length;

/** What an ad is, as it is written. Days, weekdays (1 Monday to 7 Sunday) and minutes of the day are Asia/Shanghai. */
const adFields = {
  name: line(40, 1, "请填写名称"),
  /** In the order in which they are shown. */
  materials: z
    .array(
      z.object({
        material_id: id,
        /** How long a picture stays; null as the ad configuration says. A video takes its own length. */
        seconds: z.int().min(1, "停留 1 到 300 秒").max(300, "停留 1 到 300 秒").nullable().default(null),
      }),
    )
    .min(1, "请选择素材")
    .max(20, "最多 20 个素材")
    .refine((all) => once(all.map(({ material_id }) => material_id)), "同一素材只能选择一次"),
  starts_on: day,
  ends_on: day,
  weekdays: z.array(z.int().min(1).max(7)).min(1, "请选择星期").max(7).refine(once, "星期重复"),
  /** Pairs of minutes of the day, the second excluded: [[540, 720]] is 9:00 to 12:00. */
  periods,
  targets: z
    .array(nodeGiven)
    .min(1, "请选择投放范围")
    .max(200, "最多 200 个投放节点")
    .refine((all) => once(all.map(({ item_id }) => item_id)), "投放节点重复"),
  /** Empty is all. */
  models: z.array(oneOf(deviceModel)).max(20).refine(once, "型号重复"),
  /** Codes of provinces (2 digits) and cities (4 digits) of the store; empty is all. */
  regions: z
    .array(z.string().regex(/^\d{2}(\d{2})?$/, "地区代码为 2 或 4 位数字"))
    .max(100, "最多 100 个地区")
    .refine(once, "地区重复"),
  /** 1 to 9: the highest that is in its period plays; 9 is the platform's. */
  priority: oneOf(adPriority),
  /** How often it comes in a round of those of its priority. */
  weight: z.int().min(1, "占比为 1 到 10").max(10, "占比为 1 到 10"),
};
const partly = z.object(adFields).partial();
const node = z.object({ item_type: oneOf(itemType), item_id: z.string(), item_name: z.string() });
const materialShown = z.object({
  material_id: z.string(),
  name: z.string(),
  kind: oneOf(materialKind),
  /** 0 未审核, 1 已通过, 2 不确定, 3 已拒绝; a material that was removed is 3. */
  status: z.int(),
  seconds: z.int().nullable(),
  duration_ms: z.int().nullable(),
  thumb_url: z.string().nullable(),
  url: z.string(),
});
const adRow = z.object({
  id: z.string(),
  ad_id: z.string(),
  name: z.string(),
  /** The first one shown. */
  material_id: z.string().nullable(),
  materials: z.array(materialShown),
  starts_on: z.string(),
  ends_on: z.string(),
  weekdays: z.array(z.int()),
  periods: z.array(z.tuple([z.int(), z.int()])),
  /** The nearest three by name, and how many there are. */
  targets: z.array(node),
  target_count: z.int(),
  models: z.array(z.string()),
  regions: z.array(z.string()),
  priority: oneOf(adPriority),
  weight: z.int(),
  status: oneOf(adStatus),
  /** 播放时段标志: whether it is inside its days, weekdays and periods now, Asia/Shanghai. */
  play_period: oneOf(playPeriod),
  /** Why it can't be enabled now, in words; null where it can. */
  blocked: z.string().nullable(),
  service_provider_id: z.string().nullable(),
  owner_name: z.string(),
  revision: z.int(),
  created_by: z.string(),
  updated_by: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
});
const LEGACY = "/ad/api/Ad";
const list = "/ad/list";

/** What the list is narrowed by, also for its file. */
export const adFilters = {
  keyword: line(64).optional(),
  status: oneOf(adStatus).optional(),
  material_id: id.optional(),
  priority: wholeNumber(1, 9).optional(),
  /** Whether it is in its period at this minute. */
  play_period: oneOf(playPeriod).optional(),
  /** Shanghai days on which it plays. */
  from: day.optional(),
  to: day.optional(),
  serviceProviderId: id.optional(),
};
export const getAds = read({
  path: `${LEGACY}/get_ads`,
  title: "广告列表",
  access: list,
  envelope: "bare",
  input: listInput(adFilters, ["-created_at"]),
  output: listOutput(adRow),
});
export const summariseAds = read({
  path: "/api/ads/summary",
  title: "广告汇总",
  access: list,
  input: z.object(adFilters),
  output: z.object({ count: z.int(), enabled: z.int(), paused: z.int(), in_period: z.int() }),
});
export const getAdById = read({
  path: `${LEGACY}/get_ad_by_id`,
  title: "广告详情",
  access: list,
  envelope: "bare",
  input: z.object({ ad_id: id }),
  output: adRow.extend({
    region_names: z.array(z.object({ code: z.string(), name: z.string() })),
    history: z.array(z.object({ id: z.string(), at: instant, by: z.string(), title: z.string(), what: z.string() })),
  }),
});
export const createAd = write({
  path: `${LEGACY}/create_ad`,
  title: "新建广告",
  access: "/ad/list/edit",
  envelope: "bare",
  idempotent: "requestId",
  input: z
    .object({
      requestId: id.optional(),
      ...adFields,
      models: adFields.models.default([]),
      regions: adFields.regions.default([]),
      priority: adFields.priority.default(3),
      weight: adFields.weight.default(1),
      status: oneOf(adStatus).default(0),
    })
    .refine(({ starts_on, ends_on }) => starts_on <= ends_on, { path: ["ends_on"], message: "结束日期不能早于开始日期" }),
  output: z.object({ ad_id: z.string() }),
});
/** Only what is named is changed. */
export const updateAdInfo = write({
  path: `${LEGACY}/update_ad_info`,
  title: "修改广告",
  access: "/ad/list/edit",
  envelope: "bare",
  input: z.object({
    ad_id: id,
    /** What was seen; a change by somebody else since is refused, and said. */
    revision: z.int().optional(),
    ...partly.shape,
  }),
  output: done.extend({ revision: z.int() }),
});
/** One ad by `ad_id`, refused in words where it may not; or several by `ad_ids`, of which those that may are changed. */
export const updateAdPlayStatus = write({
  path: `${LEGACY}/update_ad_play_status`,
  title: "启用或暂停广告",
  access: "/ad/list/edit",
  envelope: "bare",
  input: z.object({
    ad_id: id.optional(),
    ad_ids: z.array(id).min(1).max(100, "一次最多 100 个广告").optional(),
    status: oneOf(adStatus),
  }),
  output: done.extend({
    changed: z.int(),
    refused: z.array(z.object({ ad_id: z.string(), name: z.string(), reason: z.string() })),
  }),
});
/** It plays nowhere any more; what was played of it stays. */
export const removeAd = write({
  path: "/api/ads/remove",
  title: "删除广告",
  access: "/ad/list/edit",
  input: z.object({ ad_id: id }),
  output: done,
});

/** The share of device time, from 0 to 1, of an hour of the week. */
const share = z.number().min(0).max(1);
/** What a draft would do, or an ad that is there: its reach, and a week hour by hour. */
export const previewAd = read({
  verb: "POST",
  path: "/api/ads/preview",
  title: "预览广告投放",
  access: list,
  input: z.object({
    /** An ad that is there: what is not named is taken from it, and it is no rival of itself. */
    ad_id: id.optional(),
    ...partly.omit({ name: true, materials: true }).shape,
  }),
  output: z.object({
    devices: z.int(),
    /** By the level of the target that reaches them. */
    by_level: z.array(z.object({ item_type: oneOf(itemType), devices: z.int() })),
    by_model: z.array(z.object({ model: z.string(), devices: z.int() })),
    /** Devices that show no ads. */
    off: z.int(),
    /** The first of the seven days: today, or the day on which it begins. */
    from: z.string(),
    /** Hours in which it is in its period. */
    cells: z.array(
      z.object({
        day: z.string(),
        hour: z.int(),
        /** Minutes in which it is in its period. */
        minutes: z.int(),
        /** Of the devices' time in them: it plays, alone or with others. */
        plays: share,
        /** Where it plays, how much of the round is its own. */
        share,
        displaced: share,
        displaces: share,
        /** No ads at all: they are off, or it is not the hour. */
        closed: share,
      }),
    ),
    conflicts: z.array(
      z.object({
        ad_id: z.string(),
        name: z.string(),
        owner_name: z.string(),
        priority: z.int(),
        kind: z.enum(["displaced_by", "displaces", "shares"]),
        /** On how many devices, and for how many minutes of the week on one of them. */
        devices: z.int(),
        minutes: z.int(),
      }),
    ),
  }),
});

/** What a device shows now and in the coming week, and why; also an account below the ad's owner sees what plays on its devices. */
export const getDeviceAds = read({
  path: "/api/ads/on-device",
  title: "设备广告",
  access: "/ad/deviceAds",
  input: z.object({ device_id: id }),
  output: z.object({
    device: z.object({
      id: z.string(),
      sn: z.string(),
      name: z.string(),
      model: z.string(),
      store_name: z.string(),
      merchant_name: z.string(),
      provider_name: z.string(),
    }),
    settings: z.object({ on: z.boolean(), from_hour: z.int(), to_hour: z.int(), most: z.int() }),
    /** The Shanghai day and minute of the answer. */
    now: z.object({ day: z.string(), minute: z.int() }),
    slots: z.array(z.object({ day: z.string(), from: z.int(), to: z.int(), playing: z.array(z.string()) })),
    ads: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** 4 the platform's, 3 a provider's. */
        owner_type: z.union([z.literal(3), z.literal(4)]),
        owner_name: z.string(),
        status: oneOf(adStatus),
        priority: oneOf(adPriority),
        weight: z.int(),
        starts_on: z.string(),
        ends_on: z.string(),
        weekdays: z.array(z.int()),
        periods: z.array(z.tuple([z.int(), z.int()])),
        materials: z.array(materialShown.pick({ material_id: true, name: true, kind: true, thumb_url: true })),
        /** The target by which it reaches the device; null where it does not. */
        by: z.object({ item_type: oneOf(itemType), item_name: z.string() }).nullable(),
        /** What keeps it from playing at this minute; null where it plays. */
        why_not: oneOf(whyNotWords).nullable(),
        week_minutes: z.int(),
      }),
    ),
  }),
});
