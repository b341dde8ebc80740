// The titles of screens, in the browser: a dictionary that knows every word would be a megabyte; names are read on the server.
/** The first hanzi of each initial, in the order of pinyin; the browser's own collation knows the rest. */
const FIRST = "阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥扨它穵夕丫帀";
const LETTERS = "ABCDEFGHJKLMNOPQRSTWXYZ";
/** Readings that the collation guesses wrongly in the words of menus. */
const SPOKEN: Readonly<Record<string, string>> = {
  行: "XH",
  重: "CZ",
  会: "HK",
  长: "CZ",
  乐: "LY",
  参: "CS",
  单: "DS",
  调: "DT",
  还: "HX",
  区: "Q",
  仇: "CQ",
  曾: "ZC",
  厦: "XS",
};
const collator = new Intl.Collator("zh-Hans-CN-u-co-pinyin");

/** The possible initials of a character: one for most, several for some, itself for a letter. */
export function initialsOf(character: string): string {
  if (/[a-z0-9]/i.test(character)) return character.toUpperCase();
  const spoken = SPOKEN[character];
  if (spoken) return spoken;
  if (!/\p{Script=Han}/u.test(character)) return "";
  for (let at = FIRST.length - 1; at >= 0; at--) if (collator.compare(character, FIRST[at] ?? "") >= 0) return LETTERS[at] ?? "";
  return "";
}

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
