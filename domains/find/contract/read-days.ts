import { addDays, addMonths, weekdayOf } from "@zhangfang/contract/time.ts";

/** Some days, both ends included, in the words that they are shown in. */
export interface Days {
  readonly from: string;
  readonly to: string;
  readonly words: string;
}

const NEAR: Readonly<Record<string, number>> = { 今天: 0, 今日: 0, 昨天: 1, 昨日: 1, 前天: 2, 大前天: 3 };
const SPELT: Readonly<Record<string, string>> = {
  jintian: "今天",
  jt: "今天",
  zuotian: "昨天",
  zt: "昨天",
  qiantian: "前天",
  qt: "前天",
  benzhou: "本周",
  bz: "本周",
  shangzhou: "上周",
  sz: "上周",
  benyue: "本月",
  by: "本月",
  shangyue: "上月",
  sy: "上月",
};
const WEEKDAYS = "一二三四五六日";

/**
 * The days that somebody means: 昨天, 上周六, 11月3日, 2026-11-03, 11-3, 20261103, 上月, 近7天, zuotian. Never days to come: without a year the
 * last time that there was such a day.
 * @param today the Shanghai day
 */
export function readDays(text: string, today: string): Days | undefined {
  const words = SPELT[text.toLowerCase()] ?? text.replaceAll(/\s/g, "");
  const one = (day: string | undefined): Days | undefined =>
    day !== undefined && day <= today ? { from: day, to: day, words: `${words.includes("-") ? "" : `${words} `}${day}`.trim() } : undefined;
  const near = NEAR[words];
  if (near !== undefined) return one(addDays(today, -near));
  const ago = /^(\d{1,3})天前$/.exec(words);
  if (ago) return one(addDays(today, -Number(ago[1])));
  return weekday(words, today, one) ?? span(words, today) ?? calendar(words, today, one);
}

// A week begins on Monday. 周六 is the last Saturday that there was, today included.
function weekday(words: string, today: string, one: (day: string) => Days | undefined): Days | undefined {
  const named = /^(上|上个|本|这|这个)?(?:周|星期|礼拜)([一二三四五六日天])$/.exec(words);
  if (!named) return undefined;
  const wanted = WEEKDAYS.indexOf(named[2] === "天" ? "日" : named[2]!) + 1;
  const monday = addDays(today, 1 - weekdayOf(today));
  const here = addDays(monday, wanted - 1);
  if (named[1]?.startsWith("上")) return one(addDays(here, -7));
  return one(named[1] === undefined && here > today ? addDays(here, -7) : here);
}

function span(words: string, today: string): Days | undefined {
  const to = (from: string, until: string): Days => ({
    from,
    to: until < today ? until : today,
    words: `${words} ${from} 至 ${until < today ? until : today}`,
  });
  const monday = addDays(today, 1 - weekdayOf(today));
  const month = `${today.slice(0, 7)}-01`;
  if (/^(本周|这周|本星期)$/.test(words)) return to(monday, today);
  if (/^(上周|上个?星期)$/.test(words)) return to(addDays(monday, -7), addDays(monday, -1));
  if (/^(本月|这个月)$/.test(words)) return to(month, today);
  if (/^(上月|上个月)$/.test(words)) return to(addMonths(month, -1), addDays(month, -1));
  const last = /^(?:近|最近)(\d{1,2})天$/.exec(words);
  if (last && Number(last[1]) > 0) return to(addDays(today, 1 - Number(last[1])), today);
  const whole = /^(?:(20\d\d)[年-])?(\d{1,2})月份?$/.exec(words);
  if (!whole || Number(whole[2]) < 1 || Number(whole[2]) > 12) return undefined;
  const first = (year: number) => `${year}-${whole[2]!.padStart(2, "0")}-01`;
  const year = Number(whole[1] ?? today.slice(0, 4));
  const from = whole[1] === undefined && first(year) > today ? first(year - 1) : first(year);
  return from <= today ? to(from, addDays(addMonths(from, 1), -1)) : undefined;
}

function calendar(words: string, today: string, one: (day: string | undefined) => Days | undefined): Days | undefined {
  const full = /^(20\d\d)(?:[-/.年])(\d{1,2})(?:[-/.月])(\d{1,2})[日号]?$/.exec(words) ?? /^(20\d\d)(\d\d)(\d\d)$/.exec(words);
  if (full) return one(dayOf(full[1]!, full[2]!, full[3]!));
  const short = /^(\d{1,2})(?:月|[-/])(\d{1,2})[日号]?$/.exec(words);
  if (!short) return undefined;
  const year = Number(today.slice(0, 4));
  return one(dayOf(String(year), short[1]!, short[2]!)) ?? one(dayOf(String(year - 1), short[1]!, short[2]!));
}
function dayOf(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text ? undefined : text;
}
