import { initials } from "@zhangfang/contract/pinyin.ts";

/** What a store's names are found by, in pinyin. */
export const pinyinOf = (name: string, shortName: string): string => [...new Set([initials(shortName), initials(name)])].join(" ").trim();
