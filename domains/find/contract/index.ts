import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { line } from "@zhangfang/contract/fields.ts";

export { readDays, type Days } from "./read-days.ts";
export { asPasted, centsOf, digitsOf } from "./read-numbers.ts";

/** So many of a kind are shown; the rest has its list. */
export const MOST_OF_A_KIND = 8;
/** No text is longer. */
export const LONGEST_TEXT = 64;
/** An amount is looked for among what was made in so many days, and among so many of those, the newest. */
export const AMOUNT_DAYS = 3;
export const AMOUNT_ROWS = 5_000;

/** One thing: what it is called, a line about it, the address that opens it. */
export const foundThing = z.object({
  title: z.string(),
  hint: z.string(),
  to: z.string(),
  /** 0 its whole name or number, 1 what it begins or ends with, 2 a part of it. */
  near: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** Where acts begin that it is ready for, by their names: `refund`. */
  acts: z.record(z.string(), z.string()),
});

/** What somebody means by a text, among all that they may see. Without a text: what may be looked for at all. */
export const find = read({
  path: "/api/find",
  title: "搜索",
  access: "signed-in",
  bearsDelay: true,
  // No statement of it is worth waiting for: somebody types on.
  deadline_ms: 2_000,
  input: z.object({ text: line(LONGEST_TEXT).default("") }),
  output: z.object({
    groups: z.array(z.object({ kind: z.string(), title: z.string(), items: z.array(foundThing) })),
    /** Kinds that could not be asked. */
    failed: z.array(z.string()),
    /** Kinds of which only those made last were looked at. */
    recent: z.array(z.string()),
    /** Kinds of which an amount was looked for: among the newest `AMOUNT_ROWS` of `AMOUNT_DAYS` days. */
    byAmount: z.array(z.string()),
    /** What this account may look for, in the words of the field that asks. */
    kinds: z.array(z.string()),
  }),
});
