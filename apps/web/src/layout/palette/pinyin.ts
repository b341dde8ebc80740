// The titles of screens and acts, in the browser: a dictionary that knows every word would be a megabyte; names are read on the server.
import { SYLLABLES } from "./syllables.ts";

/** The first hanzi of each initial, in the order of pinyin; the browser's own collation knows the characters that `SYLLABLES` does not. */
const FIRST = "阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥扨它穵夕丫帀";
const LETTERS = "abcdefghjklmnopqrstwxyz";
const collator = new Intl.Collator("zh-Hans-CN-u-co-pinyin");
const known = new Map<string, string[]>();
for (const [syllable = "", characters = ""] of SYLLABLES.split(" ").map((one) => one.split(":")))
  for (const character of characters) known.set(character, [...(known.get(character) ?? []), syllable]);

/** How a character is read: whole where it is known, else its initial; a letter or digit is itself. */
export function readingsOf(character: string): readonly string[] {
  if (/[a-z0-9]/i.test(character)) return [character.toLowerCase()];
  const own = known.get(character);
  if (own) return own;
  if (!/\p{Script=Han}/u.test(character)) return [];
  for (let at = FIRST.length - 1; at >= 0; at--) if (collator.compare(character, FIRST[at] ?? "") >= 0) return [LETTERS[at] ?? ""];
  return [];
}

/** As it is heard where people do not tell zh from z and ng from n. */
const loose = (letters: string): string => letters.replaceAll(/([zcs])h/g, "$1").replaceAll(/([nN])g(?![aeiou])/g, "$1");
/** Whether letters are some of each reading's first letters, one after the other, from a place on; how many readings they took. */
function takenBy(letters: string, readings: readonly (readonly string[])[], from: number, most = Infinity): number | undefined {
  if (letters === "") return from;
  for (const reading of readings[from] ?? [])
    for (let length = Math.min(reading.length, letters.length, most); length > 0; length--) {
      if (!reading.startsWith(letters.slice(0, length))) continue;
      const to = takenBy(letters.slice(length), readings, from + 1, most);
      if (to !== undefined) return to;
    }
  return undefined;
}
/** Whether one letter more, less, other or in its neighbour's place makes the one from the other. */
function nearly(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

/**
 * How well a title answers what was typed, in hanzi, initials, whole pinyin or parts of it, a slip of one letter forgiven: 0 not at all,
 * higher is better.
 * @example matchTitle("支付订单", "zfdd") // best; "dd" good; "zhifu", "zhfu", "zifu" good; "zhifudignd" as well
 */
export function matchTitle(title: string, typed: string): number {
  const text = typed.trim().toLowerCase().replaceAll(/\s+/g, "");
  if (text === "") return 0;
  const lower = title.toLowerCase();
  if (lower === text) return 100;
  if (lower.startsWith(text)) return 90 - lower.length / 10;
  if (lower.includes(text)) return 70 - lower.length / 10;
  if (!/^[a-z0-9]+$/.test(text)) return 0;
  const readings = [...title].map(readingsOf).filter((one) => one.length > 0);
  const length = readings.length / 10;
  const spelt = (letters: string, of: readonly (readonly string[])[], most?: number): number => {
    for (let from = 0; from < of.length; from++) {
      const to = takenBy(letters, of, from, most);
      if (to !== undefined) return (from === 0 ? 80 : 50) - length + (from === 0 && to === of.length ? 8 : 0);
    }
    return 0;
  };
  const exact = spelt(text, readings, 1) || spelt(text, readings) - 2;
  if (exact > 0) return exact;
  const heard =
    text.length < 3
      ? 0
      : spelt(
          loose(text),
          readings.map((one) => one.map(loose)),
        ) - 10;
  if (heard > 0) return heard;
  let at = 0;
  for (const own of readings) if (own.some((reading) => reading[0] === text[at])) at++;
  if (at === text.length) return 20 - length;
  return text.length >= 4 && slipped(text, readings) ? 15 - length : 0;
}
/** A slip in the whole pinyin, from any character on. */
function slipped(text: string, readings: readonly (readonly string[])[]): boolean {
  return readings.some((_one, from) => {
    const whole = readings
      .slice(from)
      .map(([reading]) => reading)
      .join("");
    return [text.length - 1, text.length, text.length + 1].some((length) => length <= whole.length && nearly(text, whole.slice(0, length)));
  });
}
