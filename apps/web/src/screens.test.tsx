import { expect, test } from "vitest";
import { BUILT_SCREENS } from "@zhangfang/domains/accounts/contract/menu-tree.ts";
import { DOORS, screens } from "./screens.ts";

test("every built screen stands in exactly one door, and no door has another", () => {
  const named = DOORS.flatMap((door) => Object.keys(door));
  expect(named.toSorted()).toEqual([...BUILT_SCREENS].toSorted());
  expect(Object.keys(screens)).toHaveLength(BUILT_SCREENS.length);
});
