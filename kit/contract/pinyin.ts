/** The first hanzi of each initial, in the order of pinyin; the browser's own collation knows the rest. */
const FIRST = "阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥扨它穵夕丫帀";
const LETTERS = "ABCDEFGHJKLMNOPQRSTWXYZ";
/** Readings that the collation guesses wrongly in the words of menus and names. */
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
 * The initials of a name, for finding it by them: every reading that its characters allow, at most eight, lower case.
 * @example initials("重庆麦香") // "cqmx zqmx"
 */
export function initials(name: string): string {
  let found = [""];
  for (const character of name) {
    const letters = initialsOf(character).toLowerCase();
    if (letters === "") continue;
    found = found.flatMap((before) =>
      [...(found.length * letters.length > 8 ? letters.slice(0, 1) : letters)].map((letter) => before + letter),
    );
  }
  return found.join(" ");
}
