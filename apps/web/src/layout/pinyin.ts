import { initialsOf } from "@zhangfang/contract/pinyin.ts";

/**
 * How well a title answers what was typed, in hanzi or initials: 0 not at all, higher is better.
 * @example matchTitle("支付订单", "zfdd") // best; matchTitle("支付订单", "dd") // good
 */
export function matchTitle(title: string, typed: string): number {
  const text = typed.trim().toUpperCase();
  if (text === "") return 0;
  const upper = title.toUpperCase();
  if (upper === text) return 100;
  if (upper.startsWith(text)) return 90 - upper.length / 10;
  if (upper.includes(text)) return 70 - upper.length / 10;
  const initials = [...title].map(initialsOf).filter((initial) => initial !== "");
  for (let from = 0; from < initials.length; from++) {
    if ([...text].every((letter, at) => initials[from + at]?.includes(letter)))
      return (from === 0 ? 80 : 50) - initials.length / 10 + (initials.length === text.length ? 8 : 0);
  }
  let at = 0;
  for (const initial of initials) if (initial.includes(text[at] ?? " ")) at++;
  return at === text.length ? 20 - initials.length / 10 : 0;
}
