import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, id, instant, oneOf, wholeNumber } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

/** A device is told so many days ahead, today included: so long it plays without the server. */
export const DAYS_AHEAD = 7;
/** A play may be told so late. */
export const LATE_DAYS = 7;
/** So many plays in one report at most. */
export const PLAYS_MOST = 500;

const item = z.object({
  ad_id: z.string(),
  material_id: z.string(),
  kind: z.enum(["picture", "video"]),
  url: z.string(),
  sha256: z.string(),
  size: z.int(),
  /** How long it stays; a video's length. */
  seconds: z.number(),
});

/** What a device shows in the coming days (docs/devices.md). */
export const getOwnAds = read({
  path: "/api/device/ads",
  title: "设备取广告",
  access: "device",
  rate: "poll",
  outside: true,
  waits: true,
  deadline_ms: 45_000,
  input: z.object({
    /** Seconds to wait for a change where the tag that was sent still holds; 0 answers at once. */
    wait: wholeNumber(0, 30).default(0),
  }),
  output: z.object({
    /** Names what follows, and the day; the same stands in the ETag, between quotes. */
    tag: z.string(),
    /** What a device may have to load: each once. */
    items: z.array(item),
    /** Stretches of the coming days; in what is missing nothing plays. */
    slots: z.array(
      z.object({
        day,
        /** Minutes of the Shanghai day, the second excluded. */
        from: z.int(),
        to: z.int(),
        /** Places in `items`, in their order, again and again. */
        round: z.array(z.int()),
      }),
    ),
    settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    now: instant,
  }),
});

/** Why a play was not taken; the device forgets it, for it would not be taken later either. */
export const playRefusal = labelled({
  malformed: "格式不正确",
  future: "时间在未来",
  old: `超过 ${LATE_DAYS} 天`,
  unknown: "没有这个广告或素材",
});
export const play = z.object({
  /** The device's own number for this showing: the same one counts once, however often it is told. */
  play_id: id,
  ad_id: id,
  material_id: id,
  started_at: z.iso.datetime({ offset: true }),
  ms: z.int().min(0).max(3_600_000),
  /** Whether it was shown to its end. */
  finished: z.boolean(),
});
/** `outside`, so that no audit row is written for every report. */
export const reportPlays = write({
  path: "/api/device/ad-plays",
  title: "上报广告播放",
  access: "device",
  rate: "poll",
  outside: true,
  most_keys: PLAYS_MOST * 12,
  input: z.object({
    /** What is wrong with one of them is no reason to refuse the others. */
    plays: z
      .array(z.union([play, z.unknown()]))
      .min(1)
      .max(PLAYS_MOST),
  }),
  output: z.object({
    accepted: z.int(),
    /** Those that were told before. */
    known: z.int(),
    refused: z.array(
      z.object({
        /** Its place in the report. */
        at: z.int(),
        play_id: z.string().nullable(),
        reason: oneOf(playRefusal),
        message: z.string(),
      }),
    ),
    now: instant,
  }),
});
