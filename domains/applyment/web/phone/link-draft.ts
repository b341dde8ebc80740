import { ofTab } from "@zhangfang/web/window/storage.ts";
import { fieldOf } from "../../contract/words.ts";
import type { Typed } from "../form/state/dossier-state.ts";

const keyOf = (token: string): string => `zhangfang_fill:${token}`;

/** What was typed at a link and could not be brought to the server yet: kept in this tab through a reload, secrets nowhere. */
export const linkDraft = {
  /** @param paths the fields of the link */
  read(token: string, paths: readonly string[]): Typed {
    try {
      const kept = JSON.parse(ofTab.getItem(keyOf(token)) ?? "{}") as Typed;
      return Object.fromEntries(paths.flatMap((path) => (kept[path] ? [[path, { value: kept[path].value, over: kept[path].over }]] : [])));
    } catch {
      return {};
    }
  },
  /** Nothing is left of it once everything arrived. */
  keep(token: string, typed: Typed): void {
    const plain = Object.entries(typed).filter(([path]) => !fieldOf(path)?.secret);
    if (plain.length > 0) ofTab.setItem(keyOf(token), JSON.stringify(Object.fromEntries(plain)));
    else ofTab.removeItem(keyOf(token));
  },
};
