import { MENU_TREE } from "@zhangfang/domains/accounts/contract/menu-tree.ts";
import { hashPath } from "@zhangfang/web/window/hash-query.ts";
import type { Screen } from "@zhangfang/web/screen.ts";
import { screens } from "./screens.ts";

/**
 * Fetches the page of an address while the session is still being asked for, so that the one does not wait for the other.
 * A page is a script without anybody's data: whether it may be shown is decided later. Home is another page for each level
 * and waits.
 */
export function preload(hash: string): void {
  const path = hashPath(hash);
  if (path === "/") return;
  const row = MENU_TREE.flatMap((top) => top.screens as readonly (readonly [string, string, string, ...string[]])[]).find(
    ([, , address]) => address === path,
  );
  // Where it fails, the page itself will say so.
  const screen = new Map<string, Screen>(Object.entries(screens)).get(row?.[0] ?? "");
  screen?.load().catch(() => {});
}
