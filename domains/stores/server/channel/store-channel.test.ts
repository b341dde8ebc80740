import { afterAll, beforeAll, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { giveStoreChannel, wechatStores } from "../../../channels/server/index.ts";
import { startSimulator, testTransport, type TestSimulator } from "../../../channels/server/simulator-for-tests.ts";
import { setChannelSettings } from "../../../organisation/server/index.ts";
import {
  addGuide,
  linkWxStore,
  listGuides,
  listWxStores,
  openStore,
  retryGuide,
  submitWxStore,
  syncWxStore,
  updateGuide,
} from "../../contract/index.ts";

let world: World;
let simulator: TestSimulator;
let own: string;
beforeAll(async () => {
  world = await openWorld();
  simulator = await startSimulator();
  const { id: merchantId, serviceProviderId } = world.tree.merchants.mch01;
  const { channel: _channel, ...account } = await simulator.register();
  await withScope(world.services.pool, platformScope("settings of the test"), (tx) =>
    setChannelSettings(tx, world.services, { serviceProviderId, merchantId, ...account }),
  );
  giveStoreChannel(world.services, wechatStores(testTransport));
  own = await world.signIn("mch01");
});
afterAll(async () => {
  await simulator.stop();
  await world.close();
});
const store = async (shortName: string): Promise<string> =>
  (
    await world.call(openStore, own, {
      requestId: crypto.randomUUID(),
      name: `蜀味川菜${shortName}`,
      shortName,
      province: "四川省",
      city: "成都市",
      district: "锦江区",
      address: "红星路三段1号",
    })
  ).id;
const rowOf = async (id: string) => (await world.call(listWxStores, own, { pageSize: 100 })).items.find((row) => row.id === id)!;
const calls = async (id: string) =>
  (await world.truth<{ operation: string; outcome: string | null }>("select operation, outcome from store_calls where store_id = $1", [id]))
    .map(({ operation, outcome }) => `${operation} ${outcome}`)
    .toSorted((a, b) => a.localeCompare(b));
const sorted = (...told: string[]) => told.toSorted((a, b) => a.localeCompare(b));
const person = (storeId: string, code: string) => ({
  storeId,
  code,
  name: "欧阳小清",
  phone: "13912345678",
  corpId: "ww2ab68e2468a1ec23",
  wecomUserId: `wecom-${code}`,
  qrCode: "https://open.work.weixin.qq.com/wwopen/userQRCode?vcode=vcf7",
  avatar: "https://wework.qpic.cn/head/1",
});

test("a store is told to the channel once, and its audit is asked for", async () => {
  const id = await store("红星路店");
  expect(await rowOf(id)).toMatchObject({ status: "none", wxStoreId: null });
  expect(await world.call(submitWxStore, own, { id })).toEqual({ status: "auditing", message: null });
  expect((await world.refused(submitWxStore, own, { id })).status).toBe(409);
  expect(await world.call(syncWxStore, own, { id })).toEqual({ status: "passed", message: null });
  expect(await rowOf(id)).toMatchObject({ status: "passed", wxStoreId: expect.stringMatching(/^\d+$/) });
  expect(await calls(id)).toEqual(sorted("open-store ok", "find-store ok"));
  const back = await store("退回店");
  await world.call(submitWxStore, own, { id: back });
  expect(await world.call(syncWxStore, own, { id: back })).toEqual({ status: "rejected", message: "地址核实不通过" });
});

test("no answer is not a no: the store waits for somebody to look, who links it or sends it again", async () => {
  const id = await store("没有应答店");
  await simulator.control("POST faults", { kind: "lost-reply", operation: "open-store" });
  expect((await world.call(submitWxStore, own, { id })).status).toBe("unsure");
  expect((await rowOf(id)).wxStoreId).toBeNull();
  expect((await world.refused(linkWxStore, own, { id, wxStoreId: "999999" })).fields).toHaveProperty("wxStoreId");
  const other = await store("已有的店");
  await world.call(submitWxStore, own, { id: other });
  const { wxStoreId } = await rowOf(other);
  expect((await world.refused(linkWxStore, own, { id, wxStoreId: wxStoreId! })).fields).toHaveProperty("wxStoreId");
  await simulator.control("POST faults", {
    kind: "refuse",
    operation: "open-store",
    status: 400,
    code: "PARAM_ERROR",
    message: "名称有误",
  });
  expect(await world.call(submitWxStore, own, { id })).toEqual({ status: "failed", message: "PARAM_ERROR：名称有误" });
  expect((await world.call(submitWxStore, own, { id })).status).toBe("auditing");
  expect(await calls(id)).toEqual(sorted("open-store unknown", "find-store refused", "open-store refused", "open-store ok"));
});

test("nobody sends a store without an address, without keys, or one of somebody else", async () => {
  const { merchants } = world.tree;
  const { id } = await world.call(openStore, own, { requestId: crypto.randomUUID(), name: "没有地址", shortName: "没有地址" });
  expect((await world.refused(submitWxStore, own, { id })).message).toContain("地区和详细地址");
  expect((await world.refused(submitWxStore, await world.signIn("mch02"), { id })).status).toBe(404);
  const bare = await world.signIn("mch03");
  expect((await world.refused(submitWxStore, bare, { id: merchants.mch03.stores[0]!.id })).message).toContain("密钥");
  expect((await world.refused(submitWxStore, await world.signIn("sp01"), { id })).status).toBe(403);
});

test("a member of the staff is registered sealed, found again after a lost answer, and changed where the channel knows them", async () => {
  const storeId = await store("服务店");
  expect((await world.refused(addGuide, own, person(storeId, "G1"))).message).toContain("微信门店");
  await world.call(submitWxStore, own, { id: storeId });
  const made = await world.call(addGuide, own, person(storeId, "G1"));
  expect(made).toMatchObject({ status: "active", message: null });
  expect((await world.refused(addGuide, own, person(storeId, "G1"))).fields).toHaveProperty("code");
  const [row] = (await world.call(listGuides, own, {})).items;
  expect(row).toMatchObject({ code: "G1", name: "欧**", phone: "****5678", guideId: expect.any(String), version: 1 });
  const book =
    JSON.stringify(await world.truth("select * from guides")) + JSON.stringify(await world.truth("select detail from audit_log"));
  expect(book).not.toContain("13912345678");

  await simulator.control("POST faults", { kind: "lost-reply", operation: "register-guide" });
  const lost = await world.call(addGuide, own, person(storeId, "G2"));
  expect(lost.status).toBe("unsure");
  expect((await world.call(retryGuide, own, { id: lost.id })).status).toBe("active");
  const edit = { id: made.id, version: 1, name: "欧阳清", qrCode: row!.qrCode, avatar: "https://wework.qpic.cn/head/2" };
  expect((await world.call(updateGuide, own, edit)).status).toBe("active");
  expect((await world.refused(updateGuide, own, edit)).status).toBe(409);
  expect(await calls(storeId)).toEqual(
    sorted(
      "open-store ok",
      "find-guide ok",
      "register-guide ok",
      "find-guide ok",
      "register-guide unknown",
      "find-guide ok",
      "update-guide ok",
      "update-guide ok",
    ),
  );
  expect((await world.call(listGuides, await world.signIn("mch02"), {})).items).toEqual([]);
  expect((await world.refused(retryGuide, await world.signIn("mch02"), { id: made.id })).status).toBe(404);
});
