import { z } from "zod";
import type { Labelled } from "./labelled.ts";

/** An opaque identifier. Not-found and not-allowed are one answer, so it tells nothing. */
export const id = z.uuid("编号格式不正确");
/** Money: whole cents, CNY. Branded so that a money cell refuses any other number. */
export const cents = z.int("金额须为整数分").min(-9_000_000_000_000).max(9_000_000_000_000).brand<"Cents">();
export type Cents = z.output<typeof cents>;
/** Money that somebody asks to move: at least one cent, at most 9,999,999.99 yuan. */
export const positiveCents = z
  .int("金额须为整数分")
  .min(1, "金额须大于 0")
  .max(999_999_999, "金额不能超过 9,999,999.99 元")
  .brand<"Cents">();
/** A rate in parts per 100,000: 0.38 % is 380. */
export const rate = z.int().min(0).max(100_000);
/** A moment, ISO 8601 in UTC. Shown in Asia/Shanghai. */
export const instant = z.iso.datetime({ precision: undefined }).brand<"Instant">();
export type Instant = z.output<typeof instant>;
/** A calendar day in Asia/Shanghai, YYYY-MM-DD, between 1970 and 2100. */
export const day = z.iso.date("日期格式应为 YYYY-MM-DD").refine((text) => text >= "1970-01-01" && text <= "2100-12-31", "日期超出范围");
/** One line of text that a person types: trimmed, no control characters, at most `max` characters. */
export const line = (max = 64, min = 0, message = "请填写") => z.string().trim().min(min, message).max(max, `不能超过 ${max} 个字`);
/** A member of a labelled set; from a query string it arrives as text. */
export function oneOf<K extends string | number>(set: Labelled<K>) {
  return (
    z
      .union([z.string().max(64), z.number()], "请选择")
      .transform((given) => set.values.find((value) => String(value) === String(given)) ?? given)
      .refine((given) => (set.values as readonly unknown[]).includes(given), "不在可选范围内")
      // For the API's description: a transform has none of its own.
      .meta({
        enum: [...set.values],
        description: set.values.map((value) => `${value} ${set.label(value)}`).join("，"),
      }) as unknown as z.ZodType<K, K>
  );
}
/** A whole number that may arrive as text in a query string. */
export const wholeNumber = (min: number, max: number) =>
  z
    .union([
      z.int(),
      z
        .string()
        .regex(/^-?\d{1,15}$/, "须为整数")
        .transform(Number),
    ])
    .pipe(z.int().min(min).max(max)) as unknown as z.ZodType<number, number>;
/** Cents that may arrive as text in a query string. */
export const queryCents = wholeNumber(0, 9_000_000_000_000);
/** Yes or no that may arrive as text in a query string. */
export const flag = z
  .union([z.boolean(), z.enum(["true", "false", "1", "0", ""])])
  .transform((given) => given === true || given === "true" || given === "1") as unknown as z.ZodType<boolean, boolean>;
/** An answer that says only that it is done. */
export const done = z.object({ ok: z.literal(true) });

/** Page sizes that spec.md section 9 allows. */
export const PAGE_SIZES = [10, 20, 30, 50, 100] as const;
const pageSize = wholeNumber(10, 100).refine(
  (size) => (PAGE_SIZES as readonly number[]).includes(size),
  "每页条数须为 10、20、30、50 或 100",
);

/**
 * The input of a list: its filters plus cursor, page size and sort.
 * @param sorts the columns that have an index behind them, best first; a leading `-` is descending
 */
export function listInput<F extends z.ZodRawShape, const S extends readonly [string, ...string[]]>(filters: F, sorts: S) {
  return z.object({
    ...filters,
    cursor: z.string().max(400).optional(),
    pageSize: pageSize.default(10),
    sort: z.enum(sorts).default(sorts[0] as never),
    withTotal: flag.optional(),
  });
}
/** How many rows a filter matches: exact up to 10,000, `more` beyond. */
export const total = z.object({ count: z.int(), more: z.boolean() });
/** The answer of a list: the rows, the cursor of the next page, and the total where it was asked for. */
export const listOutput = <R extends z.ZodType>(row: R) =>
  z.object({ items: z.array(row), next: z.string().nullable(), total: total.optional() });
/** A Shanghai date range that a list filters on; both ends included. */
export const dateRange = { from: day.optional(), to: day.optional() };
/** The levels below the user that a list narrows to. */
export const scopeFilter = {
  serviceProviderId: id.optional(),
  agentId: id.optional(),
  businessTeamId: id.optional(),
  merchantId: id.optional(),
  storeId: id.optional(),
};
