import { afterAll, beforeAll, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import { remindMerchants } from "../../organisation/contract/index.ts";
import { countUnread, listMessages, readMessages } from "../contract.ts";
import { tell, type Told, messages } from "./index.ts";

let world: World;
beforeAll(async () => void (world = await openWorld(messages.routes)));
afterAll(() => world.close());
const say = (to: Told, more: object = {}): Promise<number> =>
  withScope(world.services.pool, platformScope("test"), (tx) =>
    tell(tx, to, {
      kind: "refundFailed",
      title: "退款 1.00 元失败",
      href: "/dataCentre/payRefund",
      item: "/dataCentre/payRefund",
      at: new Date(world.services.clock.now_ms()).toISOString(),
      ...more,
    }),
  );
const titles = async (token: string) => (await world.call(listMessages, token, {})).items.map(({ title }) => title);

test("everybody in use at a node is told, nobody else, and an occasion once", async () => {
  const { tree } = world;
  const to: Told = { level: "MCH", provider: tree.providers.sp01, node: tree.merchants.mch01.id };
  const people = await world.truth("select 1 from users where merchant_id = $1 and level = 'MCH' and state = 'active'", [to.node]);
  expect(await say(to, { title: "一次", once: "one" })).toBe(people.length);
  expect(await say(to, { title: "一次", once: "one" })).toBe(0);
  expect(await titles(await world.signIn("mch01"))).toEqual(["一次"]);
  for (const login of ["mch02", "sp01", "emp01", "admin"] as const) expect(await titles(await world.signIn(login))).toEqual([]);
  expect(await say({ level: "ADMIN" }, { title: "平台" })).toBe(1);
  expect(await say({ level: "SP", provider: tree.providers.sp02 }, { title: "云岸" })).toBe(1);
  expect(await titles(await world.signIn("sp01"))).toEqual([]);
});

test("reading one's own leaves everybody else's unread; an id of somebody else reads nothing", async () => {
  const to: Told = { level: "MCH", provider: world.tree.providers.sp01, node: world.tree.merchants.mch03.id };
  await say(to, { title: "甲" });
  world.services.clock.advance(1000);
  await say(to, { title: "乙" });
  const mch03 = await world.signIn("mch03");
  const { items } = await world.call(listMessages, mch03, {});
  expect(await world.call(readMessages, await world.signIn("mch02"), { ids: items.map(({ id }) => id) })).toEqual({ read: 0 });
  expect(await world.call(countUnread, mch03, {})).toEqual({ count: 2 });
  expect(await world.call(readMessages, mch03, { ids: [items[0]!.id] })).toEqual({ read: 1 });
  expect((await world.call(listMessages, mch03, { only: "unread" })).items.map(({ title }) => title)).toEqual(["甲"]);
  expect(await world.call(readMessages, mch03, {})).toEqual({ read: 1 });
  expect(await world.call(countUnread, mch03, {})).toEqual({ count: 0 });
});

test("a message whose list the account may not open is not shown to it", async () => {
  const [fin] = await world.truth<{ login: string }>("select login from users where login <> root_login and level = 'MCH' limit 1");
  expect(fin).toBeDefined();
  await say(
    { level: "MCH", provider: world.tree.providers.sp01, node: world.tree.merchants.mch01.id },
    { title: "密钥", item: "/merchants/v3Secret", href: "/merchants/v3Secret" },
  );
  expect(await titles(await world.signIn("mch01"))).toContain("密钥");
  expect(await titles(await world.signIn(fin!.login))).not.toContain("密钥");
});

test("a merchant that lacks something is told so when it is reminded, with what", async () => {
  const { id } = world.tree.merchants.mch02;
  await world.truth("update merchants set address = null where id = $1", [id]);
  const provider = (await world.truth<{ p: string }>("select service_provider_id::text as p from merchants where id = $1", [id]))[0]!.p;
  const login = provider === world.tree.providers.sp01 ? "sp01" : "sp02";
  expect(await world.call(remindMerchants, await world.signIn(login), { ids: [id] })).toMatchObject({ reminded: 1 });
  const [told] = (await world.call(listMessages, await world.signIn("mch02"), {})).items;
  expect(told).toMatchObject({ kind: "fullIn", href: "/merchants/info", readAt: null, body: expect.stringContaining("地址") });
});

test("old messages go", async () => {
  world.services.clock.advance(91 * 86_400_000);
  await messages.jobs[0]!.run(world.services, {});
  expect(await world.truth("select 1 from messages")).toEqual([]);
});
