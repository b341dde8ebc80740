import { yuan } from "@zhangfang/contract/money.ts";
import type { ExportedList } from "@zhangfang/web/exported-lists.ts";

type Filter = Readonly<Record<string, unknown>>;

/**
 * A filter in words, without the organisation: 日期 2026-11-01 至 2026-11-19, 状态 已完成.
 * A name that nobody knows is left out rather than shown as code.
 */
export function filterWords(filter: Filter, list: ExportedList | undefined): string[] {
  const dates = range(text(filter, "from"), text(filter, "to"));
  const amounts = range(amount(filter, "minCents"), amount(filter, "maxCents"));
  const own = Object.entries(list?.filters ?? {}).flatMap(([name, [label, set]]) => {
    const codes = Array.isArray(filter[name]) ? filter[name].map(String) : text(filter, name).split(",").filter(Boolean);
    return codes.length === 0
      ? []
      : [`${label} ${codes.map((code) => set?.options.find(({ value }) => String(value) === code)?.label ?? code).join("、")}`];
  });
  const keyword = text(filter, "keyword");
  const ticked = Array.isArray(filter["ids"]) && `勾选的 ${filter["ids"].length} 条`;
  return [dates && `日期 ${dates}`, keyword && `关键字 ${keyword}`, ...own, amounts && `金额 ${amounts}`, ticked].filter(
    (words): words is string => typeof words === "string" && words !== "",
  );
}

/** A filter as the query of its list's address. */
export function filterQuery(filter: Filter): string {
  return new URLSearchParams(
    Object.keys(filter).flatMap((name) => (name === "ids" || text(filter, name) === "" ? [] : [[name, text(filter, name)]])),
  ).toString();
}

function text(filter: Filter, name: string): string {
  const given = filter[name];
  if (Array.isArray(given)) return given.map(String).join(",");
  return typeof given === "string" || typeof given === "number" || typeof given === "boolean" ? String(given) : "";
}
const amount = (filter: Filter, name: string): string => (text(filter, name) === "" ? "" : `¥${yuan(Number(text(filter, name)))}`);

function range(low: string, high: string): string {
  if (low && high) return low === high ? low : `${low} 至 ${high}`;
  return low ? `${low} 起` : high ? `截至 ${high}` : "";
}
