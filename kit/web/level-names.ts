import { DEFAULT_LEVEL_NAMES, withLevelNames, type LevelKey, type LevelNames } from "@zhangfang/contract/level-names.ts";

let own: LevelNames = {};
/** What the signed-in account's provider calls its levels; the shell sets it before anything is drawn. */
export function setLevelNames(names: LevelNames): void {
  own = names;
}
/** What a level is called here. @example levelName("agent") // 代理商, or the provider's own name */
export const levelName = (level: LevelKey): string => own[level] ?? DEFAULT_LEVEL_NAMES[level];

/**
 * Words of ours with the provider's own names of levels in them. As a tag it leaves what is put in as it is: a merchant
 * called 商户通 keeps its name. Labels of fields, filters, columns, groups, buttons and titles of lists need no call.
 * @example levelWords("新建代理商")
 * @example levelWords`停用商户「${name}」？`
 */
export function levelWords(text: string | TemplateStringsArray, ...put: readonly unknown[]): string {
  if (typeof text === "string") return Object.keys(own).length === 0 ? text : withLevelNames(text, own);
  return text.map((part, at) => levelWords(part) + (at < put.length ? String(put[at]) : "")).join("");
}
/** The title of a form: the act that we named, then after a space what somebody else did. */
export const formTitle = (title: string): string => title.replace(/^\S+/, (act) => levelWords(act));
/** `levelWords` where the words may be more than text. */
export const shownWords = <T>(words: T): T | string => (typeof words === "string" ? levelWords(words) : words);
/** What the server says, with the provider's own names; what stands between 「 and 」 somebody else has typed. */
export const saidWords = (text: string): string =>
  text.replaceAll(/「[^」]*」|[^「]+/g, (part) => (part.startsWith("「") ? part : levelWords(part)));
