import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { find } from "@zhangfang/domains/find/contract/index.ts";
import { readDays } from "@zhangfang/domains/find/contract/read-days.ts";
import type { PaletteAct } from "@zhangfang/web/slots.ts";
import type { Route } from "../../menu/routes.ts";
import { matchTitle } from "./pinyin.ts";

/** A line of the command bar. */
export interface Choice {
  readonly title: string;
  readonly hint: string;
  readonly to: string;
}
export interface Group {
  readonly title: string;
  readonly items: readonly Choice[];
  /** 0 the whole, 1 the beginning, 2 a part: of its best line. */
  readonly near: 0 | 1 | 2;
}
const SCREENS = "菜单";
const ACTS = "操作";
const SHOWN = 8;
/** The best answers to what was typed, with how near they are; a subsequence or a slip is no nearer than a part. */
const best = <T>(all: readonly T[], score: (one: T) => number) =>
  all
    .map((one) => ({ one, score: score(one) }))
    .filter((found) => found.score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SHOWN);
const nearOf = (score: number): 0 | 1 | 2 => (score >= 85 ? 0 : score >= 68 ? 1 : 2);
const group = (title: string, found: readonly { one: Choice; score: number }[]): Group[] =>
  found.length === 0 ? [] : [{ title, items: found.map(({ one }) => one), near: nearOf(found[0]!.score) }];

const choiceOf = ({ title, trail, path }: Route): Choice => ({ title, hint: trail.slice(0, -1).join(" / "), to: path });
/** Screens by their title or its pinyin; without a text those that were visited last. */
export function screensFor(typed: string, routes: ReadonlyMap<string, Route>, recent: readonly string[]): Group[] {
  if (typed === "") {
    const items = recent.flatMap((path) => (routes.has(path) ? [choiceOf(routes.get(path)!)] : [])).slice(0, SHOWN);
    return items.length === 0 ? [] : [{ title: "最近访问", items, near: 0 }];
  }
  const all = [...routes.values()].filter(({ page }) => !page);
  // 会员 names the first screen of 会员管理, whatever that is called; 抖音 names no screen, and finds those of 抖音平台 after all others.
  const heads = new Set(new Map(all.toReversed().map(({ trail, path }) => [trail[0], path])).values());
  const score = ({ title, trail: [menu = ""], path }: Route): number => {
    const whole = heads.has(path) ? matchTitle(menu.replace(/管理$/, ""), typed) : 0;
    if (whole >= 85) return Math.max(matchTitle(title, typed), whole - 1);
    return matchTitle(title, typed) || (matchTitle(menu, typed) > 70 ? 1 : 0);
  };
  return group(
    SCREENS,
    best(all, score).map(({ one, score }) => ({ one: choiceOf(one), score })),
  );
}

const scoreOf = (act: PaletteAct, typed: string): number =>
  Math.max(...[act.title, ...(act.words ?? [])].map((word) => matchTitle(word, typed)));
/** An act and what it is to begin with: 退款 4871, 退款4871, tk 4871, 对账 昨天. */
interface Begun {
  readonly act: PaletteAct;
  readonly rest: string;
}
export function begunBy(typed: string, acts: readonly PaletteAct[]): Begun | undefined {
  for (const act of acts) {
    if (!act.onDays && !act.onThing) continue;
    const word = [act.title, ...(act.words ?? [])].find((one) => typed.startsWith(one) && typed.length > one.length);
    if (word !== undefined) return { act, rest: typed.slice(word.length).trim() };
    const [head = "", ...rest] = typed.split(/\s+/);
    if (rest.length > 0 && scoreOf(act, head) >= 68) return { act, rest: rest.join(" ") };
  }
  return undefined;
}
/** What an act may begin with. */
const hintOf = ({ title, onDays, onThing }: PaletteAct): string =>
  onThing ? `可加单号，如：${title} 4871` : onDays ? `可加日期，如：${title} 昨天` : "";
/** Acts by their words; one that began with days stands before all. */
export function actsFor(typed: string, acts: readonly PaletteAct[], today: string): Group[] {
  if (typed === "") return [];
  const begun = begunBy(typed, acts);
  const days = begun?.act.onDays && readDays(begun.rest, today);
  const to = days && begun?.act.onDays?.(days);
  if (to !== undefined) return group(ACTS, [{ one: { title: `${begun?.act.title} ${days?.words}`, hint: "", to }, score: 100 }]);
  return group(
    ACTS,
    best(acts, (act) => scoreOf(act, typed)).map(({ one, score }) => ({ one: { title: one.title, hint: hintOf(one), to: one.to }, score })),
  );
}

type Answer = OutputOf<typeof find>;
/** What the server found, with the things that an act may begin with before all. */
export function foundGroups({ groups }: Answer, begun: Begun | undefined): Group[] {
  const name = begun?.act.onThing;
  const ready =
    name === undefined
      ? []
      : groups.flatMap(({ items }) => items.flatMap((one) => (one.acts[name] === undefined ? [] : [{ ...one, to: one.acts[name] }])));
  const begin = ready.slice(0, SHOWN).map(({ title, hint, to }) => ({ title: `${begun?.act.title} ${title}`, hint, to }));
  return [
    ...(begin.length === 0 ? [] : [{ title: ACTS, items: begin, near: 0 as const }]),
    ...groups.map(({ title, items }) => ({ title, items, near: items[0]!.near })),
  ];
}
/** The nearest group first; of equally near ones screens and acts, then as they came. */
export const ranked = (groups: readonly Group[]): Group[] => groups.toSorted((a, b) => a.near - b.near);
