import { ofTab } from "../window/storage.ts";
import { user } from "../api/user.ts";

const key = (name: string): string => `zhangfang_draft:${user().login}:${name}`;

/** What somebody typed and has not sent, kept in this tab through a reload and a new login of the same account. */
export const drafts = {
  read(name: string): Record<string, unknown> | undefined {
    try {
      const text = ofTab.getItem(key(name));
      return text === null ? undefined : (JSON.parse(text) as Record<string, unknown>);
    } catch {
      return undefined;
    }
  },
  write: (name: string, values: object): void => ofTab.setItem(key(name), JSON.stringify(values)),
  remove: (name: string): void => ofTab.removeItem(key(name)),
};
