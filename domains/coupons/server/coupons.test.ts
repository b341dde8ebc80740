import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import { addCoupon, listCoupons } from "../contract.ts";
import { coupons } from "./index.ts";

let world: World;
let [own, other] = ["", ""];
beforeAll(async () => {
  world = await openWorld(coupons.routes);
  [own, other] = [await world.signIn("mch01"), await world.signIn("mch02")];
});
afterAll(() => world.close());

const named = (name: string) => ({ requestId: randomUUID(), name });
const namesOf = async (token: string) => (await world.call(listCoupons, token, {})).items.map((row) => row.name);

test("a merchant adds its own, another one sees nothing of it, and a name stands once in a merchant", async () => {
  await world.call(addCoupon, own, named("甲"));
  expect(await namesOf(own)).toEqual(["甲"]);
  expect(await namesOf(other)).toEqual([]);
  expect((await world.refused(addCoupon, own, named("甲"))).fields).toEqual({ name: "名称已存在" });
  await world.call(addCoupon, other, named("甲"));
  expect(await namesOf(other)).toEqual(["甲"]);
});

test("whoever may not is refused, the same request twice is one, and what was done is in the audit", async () => {
  expect((await world.refused(addCoupon, await world.signIn("sp01"), named("丙"))).status).toBe(403);
  const once = named("乙");
  const first = await world.call(addCoupon, own, once);
  expect(await world.call(addCoupon, own, once)).toEqual(first);
  expect(await world.truth("select 1 from audit_log where target_id = $1", [first.id])).toHaveLength(1);
});
