import { expect, test } from "vitest";
import { MENU } from "@zhangfang/domains/accounts/contract/menu.ts";
import { FIXED_MENU } from "./fixed-menu.ts";

test("the fixed list is the server's: the same 29 entries, ids, paths and order", () => {
  expect(FIXED_MENU).toHaveLength(29);
  expect(FIXED_MENU).toEqual(MENU.filter((item) => item.parentId === 0).map(({ id, name, path }) => ({ id, title: name, path })));
});
