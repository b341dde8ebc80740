import { type CouponTerms, daysWords, hoursWords, percentWords, redemption, validityUnit } from "../../contract/index.ts";
import { counted, endOf, type Limits, minute, plainYuan } from "./campaign-words.ts";

/** A part of a sentence, and the field that it comes from. */
export interface Phrase {
  readonly text: string;
  readonly field?: string;
}
type Mark = readonly [field: string, text: string];

/** What the sentence of terms may say, with the field that says it. */
export function marksOf(terms: CouponTerms, levelNames: Readonly<Record<number, string>>): Mark[] {
  const { validity, minCents, offCents, capCents, priceCents, percent, maxUnits } = terms;
  const hours = hoursWords({ ...terms, weekdays: [], excluded: [] });
  return [
    ["newOnly", "从没下过单的新客"],
    ["levels", terms.levels.map((rank) => levelNames[rank] ?? `${rank} 级会员`).join("、")],
    ["memberTags", `标签 ${terms.memberTags.join("、")} 的会员`],
    ...(validity.mode === 2
      ? ([
          ["validity.from", validity.from],
          ["validity.to", validity.to],
        ] as const)
      : ([
          ["validity.wait", "从第二天起"],
          ["validity.count", `${validity.count} ${validityUnit.label(validity.unit)}内`],
        ] as const)),
    ["weekdays", daysWords(terms.weekdays)],
    ["windows", hours],
    ["excluded", `除 ${terms.excluded.join("、")}`],
    ["storeIds", `指定的 ${terms.storeIds.length} 家门店`],
    ["minCents", `满 ${plainYuan(minCents)} 元`],
    ["capCents", `最多减 ${plainYuan(capCents ?? 0)} 元`],
    ["offCents", `减 ${plainYuan(offCents ?? 0)} 元`],
    ["percent", percentWords(percent ?? 100)],
    ["priceCents", `${plainYuan(priceCents ?? 0)} 元换购`],
    ["maxUnits", `最贵的 ${maxUnits} 件`],
    ["methods", terms.methods.map((one) => redemption.label(one)).join("、")],
    ["without", "同享"],
    ["graceDays", `顺延 ${terms.graceDays} 天`],
  ];
}
/** What the sentence of limits may say. */
export const limitMarks = ({ total, perPerson, perPersonDay, perDay, beginsAt, endsAt }: Limits): Mark[] => [
  ["beginsAt", beginsAt ? minute(beginsAt) : ""],
  ["endsAt", endsAt ? endOf(endsAt).trim() : ""],
  ["perPerson", `每人最多 ${counted(perPerson ?? 0)} 张`],
  ["perPersonDay", `每人每天 ${counted(perPersonDay ?? 0)} 张`],
  ["perDay", `每天共发 ${counted(perDay ?? 0)} 张`],
  ["total", `共 ${counted(total ?? 0)} 张`],
];

/**
 * Cuts a sentence into its phrases. The sentence stays as it is: what no mark finds is plain text.
 * @example phrasesOf("满 80 元，可减 20 元。", [["minCents", "满 80 元"]]) // [{ text: "满 80 元", field: "minCents" }, { text: "，可减 20 元。" }]
 */
export function phrasesOf(said: string, marks: readonly Mark[]): Phrase[] {
  const taken: { readonly from: number; readonly to: number; readonly field: string }[] = [];
  for (const [field, text] of marks) {
    if (text === "") continue;
    const from = said.indexOf(text);
    const to = from + text.length;
    if (from >= 0 && !taken.some((one) => from < one.to && one.from < to)) taken.push({ from, to, field });
  }
  const phrases: Phrase[] = [];
  let at = 0;
  for (const { from, to, field } of taken.toSorted((a, b) => a.from - b.from)) {
    if (from > at) phrases.push({ text: said.slice(at, from) });
    phrases.push({ text: said.slice(from, to), field });
    at = to;
  }
  if (at < said.length) phrases.push({ text: said.slice(at) });
  return phrases;
}
