import { withLevelNames } from "@zhangfang/contract/level-names.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { EMBEDDED_PAGES } from "../../contract/menu-tree.ts";
import { heldItems, shownItems, type MenuItem } from "../../contract/menu.ts";
import { listUserItems } from "../../contract/self.ts";
import { holderOf, sessionOf } from "../session/read-session.ts";
import { levelNamesOf } from "./level-names-of.ts";

/** The menu and the buttons of the caller: what is held and whose screen exists, in the names that the provider has for its levels. */
export const listUserItemsRoute = implement(listUserItems, async (ctx) => {
  const names = await levelNamesOf(ctx.tx, ctx.scope.provider);
  return shownItems(heldItems(holderOf(sessionOf(ctx.principal)))).map((held) => {
    const item = { ...held, name: withLevelNames(held.name, names) };
    return { id: item.id, parentId: item.parentId, name: item.name, path: item.path, type: item.type, para: paraOf(item) };
  });
});

function paraOf(item: MenuItem): string | null {
  if (item.type === "button") return null;
  const html = item.screen && EMBEDDED_PAGES[item.screen];
  return JSON.stringify({
    versions: "1",
    title: item.name,
    ...(item.icon && { icon: item.icon }),
    ...(item.screen && { component: item.screen }),
    ...(html && { html }),
  });
}
