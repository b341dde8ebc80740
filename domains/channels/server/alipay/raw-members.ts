/**
 * The members of a JSON object as the raw text of each: Alipay signs an answer's node as it stands, blanks, escapes and all.
 * @returns undefined where the text is no object, or a name comes twice
 */
export function rawMembers(text: string): ReadonlyMap<string, string> | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
  // From here on it is JSON: strings end where they end, and brackets outside of them are in pairs.
  const members = new Map<string, string>();
  const string = /"(?:[^"\\]|\\.)*"/y;
  let depth = 0;
  let name: string | undefined;
  let start = 0;
  const take = (end: number): boolean => {
    if (name === undefined) return true;
    if (members.has(name)) return false;
    members.set(name, text.slice(start, end).trim());
    name = undefined;
    return true;
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      string.lastIndex = at;
      const found = string.exec(text)?.[0] ?? "";
      if (depth === 1 && name === undefined) name = JSON.parse(found) as string;
      at += found.length - 1;
    } else if (letter === ":" && depth === 1) start = at + 1;
    else if (letter === "{" || letter === "[") depth += 1;
    else if (letter === "}" || letter === "]") {
      depth -= 1;
      if (depth === 0 && !take(at)) return undefined;
    } else if (letter === "," && depth === 1 && !take(at)) return undefined;
  }
  return members;
}
