import { addDays, dayStart, shanghaiDay, shanghaiTime, weekdayName } from "@zhangfang/contract/time.ts";
import { seededIds } from "@zhangfang/server/clock.ts";

/** How a kind of shop takes money: orders on a usual day, cents of a usual order, and the shape of the day. */
export interface Rhythm {
  readonly perDay: number;
  readonly median_cents: number;
  /** How far amounts spread around the median; 1 means a third to three times. */
  readonly spread: number;
  /** Weight of each hour from 0 to 23. */
  readonly hours: readonly number[];
  readonly weekend: number;
  readonly subjects: readonly string[];
}
const MEALS = [0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 4, 14, 18, 9, 4, 3, 4, 12, 18, 14, 8, 4, 1, 0];
const ALL_DAY = [1, 0, 0, 0, 0, 1, 4, 9, 8, 6, 6, 8, 9, 7, 6, 6, 7, 9, 10, 9, 8, 6, 4, 2];
const SHOP = [0, 0, 0, 0, 0, 0, 0, 1, 4, 7, 9, 9, 7, 7, 8, 9, 9, 10, 9, 7, 4, 1, 0, 0];
/** By trade of the merchant. */
export const RHYTHMS: Readonly<Record<string, Rhythm>> = {
  餐饮: {
    perDay: 15,
    median_cents: 8_800,
    spread: 0.8,
    hours: MEALS,
    weekend: 1.45,
    subjects: ["堂食套餐", "火锅双人餐", "外带餐食", "小吃"],
  },
  便利店: { perDay: 18, median_cents: 1_850, spread: 1, hours: ALL_DAY, weekend: 0.9, subjects: ["日用百货", "饮料零食", "早餐"] },
  烘焙: { perDay: 10, median_cents: 4_600, spread: 0.9, hours: SHOP, weekend: 1.3, subjects: ["面包", "生日蛋糕", "下午茶"] },
  药房: { perDay: 7, median_cents: 6_200, spread: 1, hours: SHOP, weekend: 0.95, subjects: ["非处方药", "保健品", "医疗器械"] },
  美容: { perDay: 4, median_cents: 36_800, spread: 0.9, hours: SHOP, weekend: 1.6, subjects: ["护理项目", "美容套餐"] },
  生鲜水果: { perDay: 12, median_cents: 3_300, spread: 0.8, hours: ALL_DAY, weekend: 1.2, subjects: ["时令水果", "果切", "礼盒"] },
  超市: { perDay: 14, median_cents: 7_400, spread: 1, hours: ALL_DAY, weekend: 1.35, subjects: ["生鲜食品", "日用百货", "粮油调味"] },
};

export interface PlannedOrder {
  readonly at_ms: number;
  readonly gross_cents: number;
  readonly coupon_cents: number;
  readonly tradeType: "NATIVE" | "JSAPI" | "MICROPAY";
  readonly face: boolean;
  readonly device: number;
  readonly cashier: number;
  readonly subject: string;
  readonly paid: boolean;
  /** A refund afterwards: part of the whole in per mille, and the minutes between. */
  readonly refund?: { readonly part: number; readonly after_min: number; readonly fails: boolean };
}

/**
 * What one store took in the days before `now_ms`, in the order it happened. The same seed and day give the same plan;
 * shares of tools, refunds (two in a hundred) and orders that nobody paid (three in a hundred) are believable, not measured.
 */
export function planStore(rhythm: Rhythm, { seed, now_ms, days }: { seed: number; now_ms: number; days: number }): PlannedOrder[] {
  const random = seededIds(seed);
  const today = shanghaiDay(now_ms);
  const hour = Number(shanghaiTime(now_ms).slice(11, 13));
  const size = 0.75 + random.next() * 0.5;
  const orders: PlannedOrder[] = [];
  for (let back = days; back >= 0; back--) {
    const day = addDays(today, -back);
    // Shops that grow: a quarter ago they took a quarter of today, which also keeps the first start short.
    const growth = 1.15 * Math.exp(-back / 65);
    const weekday = ["周六", "周日"].includes(weekdayName(day)) ? rhythm.weekend : 1;
    const expected = 0.7 * rhythm.perDay * size * growth * weekday * (0.85 + random.next() * 0.3);
    const weight = rhythm.hours.reduce((sum, one) => sum + one, 0);
    for (const [h, share] of rhythm.hours.entries()) {
      if (back === 0 && h >= hour) break;
      const count = Math.floor((expected * share) / weight + random.next());
      for (let n = 0; n < count; n++)
        orders.push(planOrder(rhythm, random, Date.parse(dayStart(day)) + h * 3600_000 + Math.floor(random.next() * 3600_000)));
    }
  }
  return orders.toSorted((a, b) => a.at_ms - b.at_ms);
}

function planOrder(rhythm: Rhythm, random: { next(): number }, at_ms: number): PlannedOrder {
  const factor = Math.exp((random.next() + random.next() - 1) * rhythm.spread * 1.5);
  const gross_cents = Math.max(100, Math.round((rhythm.median_cents * factor) / 10) * 10 - (random.next() < 0.4 ? 10 : 0));
  const way = random.next();
  const refund = random.next();
  const coupon = random.next();
  const paid = random.next() > 0.03;
  return {
    at_ms,
    gross_cents,
    coupon_cents: coupon < 0.08 ? Math.min(gross_cents - 10, 500 * Math.ceil(random.next() * 4)) : 0,
    tradeType: way < 0.58 ? "MICROPAY" : way < 0.86 ? "NATIVE" : "JSAPI",
    face: way < 0.05,
    device: way < 0.05 ? 1 : way < 0.86 ? 0 : 2,
    cashier: random.next() < 0.6 ? 0 : 1,
    subject: rhythm.subjects[Math.floor(random.next() * rhythm.subjects.length)] ?? "商品",
    paid,
    ...(paid &&
      refund < 0.02 && {
        refund: {
          part: refund < 0.012 ? 1000 : 200 + Math.floor(random.next() * 500),
          after_min: 5 + Math.floor(random.next() * 2000),
          fails: refund > 0.0193,
        },
      }),
  };
}
