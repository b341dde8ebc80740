import type { z } from "zod";
import type { grantable } from "../../../contract/grants.ts";
import { shownItems, type MenuItem } from "../../../contract/menu.ts";

/** Items as a tree to tick: entries, the screens that exist, and their buttons. */
export const treeOf = (held: readonly MenuItem[]): z.input<typeof grantable>[] =>
  shownItems(held).map(({ id, parentId, name, path, type }) => ({ id, parentId, name, path, type }));
