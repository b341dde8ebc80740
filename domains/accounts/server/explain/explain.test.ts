import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountLevel, explainAccess, heldPaths, MENU, setGrant } from "../../contract/index.ts";
import { openWorld, type World } from "../world-for-tests.ts";
import { itemSteps } from "./explain-rules.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

const ITEMS = MENU.filter((item) => item.parentId !== 0);
const explain = async (login: string, of: string, about: "item" | "order" | "refund" | "merchant" | "store", subject: string) =>
  world.call(explainAccess, await world.signIn(login), { id: world.tree.users[of as "mch01"], about, subject });

test("what the rules say about an item is what an account holds, for whatever level, position and grant", () => {
  const some = fc.subarray(ITEMS.map((item) => item.path));
  fc.assert(
    fc.property(
      fc.constantFrom(...accountLevel.values),
      fc.boolean(),
      fc.option(some, { nil: null }),
      fc.option(some, { nil: null }),
      fc.constantFrom(...ITEMS.filter((item) => item.path !== "/")),
      (level, root, position, granted, item) => {
        const holder = { level, root, position: root ? null : position, granted };
        expect(itemSteps(holder, item).every((step) => step.ok)).toBe(heldPaths(holder).has(item.path as "/"));
      },
    ),
    { numRuns: 3000 },
  );
});

test("an item: yes or no, and the rule that decides", async () => {
  expect(await explain("mch01", "fin01", "item", "/dataCentre/payOrder")).toMatchObject({
    allowed: true,
    subject: "数据中心 / 支付订单",
    rule: "岗位：岗位包含此项",
  });
  expect(await explain("mch01", "fin01", "item", "/dataCentre/payOrder/refund")).toMatchObject({
    allowed: false,
    rule: "岗位：岗位没有勾选此项",
  });
  expect(await explain("mch01", "fin01", "item", "/bypass/bypass")).toMatchObject({
    allowed: false,
    rule: "仅主账号：此功能只有主账号可用",
  });
  expect(await explain("sp01", "agent01", "item", "/store/area")).toMatchObject({ allowed: false, rule: "级别：代理商级别没有此功能" });
  // A provider explains a merchant's sub-account too, whose position it does not see.
  expect(await explain("sp01", "fin01", "item", "/dataCentre/payOrder")).toMatchObject({ allowed: true });
  await world.call(setGrant, await world.signIn("sp01"), { id: world.tree.users.mch01, items: ["/"] });
  expect(await explain("sp01", "fin01", "item", "/dataCentre/payOrder")).toMatchObject({
    allowed: false,
    rule: "功能范围：上级没有把此项授予其主账号",
  });
  await world.call(setGrant, await world.signIn("sp01"), { id: world.tree.users.mch01, items: null });
  await world.truth("update merchants set state = 'disabled' where id = $1", [world.tree.merchants.mch01.id]);
  expect(await explain("sp01", "fin01", "item", "/dataCentre/payOrder")).toMatchObject({
    allowed: false,
    rule: "机构状态：所属机构已停用",
  });
  await world.truth("update merchants set state = 'active' where id = $1", [world.tree.merchants.mch01.id]);
});

test("a record: every account against every store and merchant, the rules say what the fence says", async () => {
  const logins = Object.keys(world.tree.users).filter((login) => login !== "admin");
  const stores = await world.truth<{ number: string; merchant: string }>(
    "select s.number, m.number as merchant from stores s join merchants m on m.id = s.merchant_id",
  );
  const token = await world.signIn("admin");
  let [yes, no] = [0, 0];
  for (const login of logins) {
    const id = world.tree.users[login as "mch01"];
    for (const [about, subject] of [
      ...stores.map(({ number }) => ["store", number] as const),
      ...new Set(stores.map(({ merchant }) => merchant)).values().map((number) => ["merchant", number] as const),
    ]) {
      const found = await world.call(explainAccess, token, { id, about, subject });
      expect([login, about, subject, found.steps.every((step) => step.ok)]).toEqual([login, about, subject, found.allowed]);
      if (found.allowed) yes++;
      else no++;
    }
  }
  expect([yes > 50, no > 200]).toEqual([true, true]);
});

test("nobody learns of an account or a record that is not in their own sight", async () => {
  const foreign = await world.truth<{ number: string }>("select number from stores where merchant_id = $1", [
    world.tree.merchants.mch02.id,
  ]);
  const sp = await world.signIn("sp01");
  const ask = (id: string, subject: string) => world.refused(explainAccess, sp, { id, about: "store", subject });
  const unknown = await ask(world.tree.users.mch01, "ST-NOBODY");
  const hidden = await ask(world.tree.users.mch01, foreign[0]!.number);
  expect([hidden.status, hidden.message]).toEqual([unknown.status, unknown.message]);
  expect((await ask(world.tree.users.mch02, foreign[0]!.number)).status).toBe(404);
  expect(
    (await world.refused(explainAccess, sp, { id: world.tree.users.mch01, about: "item", subject: "/nothing" })).fields,
  ).toHaveProperty("subject");
});
