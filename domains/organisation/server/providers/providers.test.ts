import { randomUUID } from "node:crypto";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { authenticate, getAccount, getBrand, manualLogin } from "../../../accounts/contract/index.ts";
import { registerDevice } from "../../../devices/server/index.ts";
import { addStore } from "../../../stores/server/index.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import {
  addAgentAccount,
  addPicture,
  addProviderAccount,
  getPicture,
  getProvider,
  listProviders,
  setProviderState,
  summariseProviders,
  updateBrand,
  updateProvider,
} from "../../contract/index.ts";
import { addMerchant } from "../add/add-merchant.ts";

let world: World;
let tokens: Record<"admin" | "sp01" | "sp02" | "mch01" | "mch02", string>;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  const of = async (login: keyof typeof tokens) => [login, await world.signIn(login)] as const;
  tokens = Object.fromEntries(await Promise.all((["admin", "sp01", "sp02", "mch01", "mch02"] as const).map(of))) as typeof tokens;
});
const NONE = { merchants: null, stores: null, devices: null, accounts: null };
const fresh = (more: object = {}) => ({
  requestId: randomUUID(),
  name: "江岸支付服务有限公司",
  shortName: "江岸支付",
  contactName: "欧阳清",
  contactPhone: "13912345678",
  feeRate: 300,
  quotas: NONE,
  login: `p${randomUUID().slice(0, 12)}`,
  start: "signed" as const,
  contractFrom: "2026-01-01",
  contractUntil: "2027-01-01",
  ...more,
});
const get = (id: string) => world.call(getProvider, tokens.admin, { id });
const BRAND = {
  brandTitle: null,
  logoUrl: null,
  littleLogoUrl: null,
  faviconUrl: null,
  loginBackgroundUrl: null,
  colourLight: null,
  colourDark: null,
  icpNumber: null,
  hosts: [],
};
const brand = async (id: string, more: object) => ({ id, version: (await get(id)).version, ...BRAND, ...more });

test("a provider comes with one account whose password is told once; the same request again finds it without", async () => {
  const given = fresh();
  const first = await world.call(addProviderAccount, tokens.admin, given);
  expect(await world.call(addProviderAccount, tokens.admin, given)).toEqual({ ...first, password: null });
  const withIt = { username: given.login, password: first.password!, rememberMe: false };
  expect((await world.refused(authenticate, undefined, withIt)).message).toBe("请设置新密码");
  await world.call(authenticate, undefined, { ...withIt, newPassword: "Jiangan#2026!" });
  const found = await get(first.id);
  expect(found).toMatchObject({ contractState: "signed", accountCount: 1, merchantCount: 0, contactPhone: "139****5678" });
  expect(found.steps).toMatchObject([{ contractState: "signed", contractUntil: "2027-01-01" }]);
  const told = JSON.stringify([await world.truth("select detail from audit_log where target_id = $1", [first.id]), found]);
  expect(told).not.toMatch(/13912345678|欧阳清/);
});

test("only the platform adds, sees and changes providers; a taken login leaves none behind", async () => {
  for (const token of [tokens.sp01, tokens.mch01]) {
    expect((await world.refused(addProviderAccount, token, fresh())).status).toBe(403);
    expect((await world.refused(getProvider, token, { id: world.tree.providers.sp01 })).status).toBe(403);
  }
  expect((await world.refused(addProviderAccount, tokens.admin, fresh({ login: "mch01", name: "没有账号的" }))).fields).toHaveProperty(
    "login",
  );
  expect(await world.truth("select 1 from service_providers where name = '没有账号的'")).toEqual([]);
  expect((await world.refused(addProviderAccount, tokens.admin, fresh({ contractUntil: "2025-12-31" }))).fields).toHaveProperty(
    "contractUntil",
  );
  expect((await world.refused(addProviderAccount, tokens.admin, fresh({ contractUntil: "2026-11-19", contractFrom: null }))).message).toBe(
    "到期日不能早于今天",
  );
});

test("the list counts what stands below, and finds by name, state, contract and its end", async () => {
  const { items, total } = await world.call(listProviders, tokens.admin, { keyword: "禾木", withTotal: true });
  expect(total?.count).toBe(1);
  const [truth] = await world.truth(
    `select (select count(*)::int from merchants where service_provider_id = $1) as m, (select count(*)::int from stores where service_provider_id = $1) as s,
      (select count(*)::int from devices where service_provider_id = $1) as d, (select count(*)::int from users where service_provider_id = $1) as a`,
    [world.tree.providers.sp01],
  );
  expect(items[0]).toMatchObject({
    merchantCount: truth!["m"],
    storeCount: truth!["s"],
    deviceCount: truth!["d"],
    accountCount: truth!["a"],
  });
  const { id } = await world.call(addProviderAccount, tokens.admin, fresh({ name: "快到期", contractUntil: "2026-12-01" }));
  expect((await world.call(listProviders, tokens.admin, { expiring: true })).items.map((row) => [row.id, row.daysLeft])).toEqual([
    [id, 11],
  ]);
  expect(await world.call(summariseProviders, tokens.admin, { keyword: "快到期" })).toMatchObject({ count: 1, expiring: 1 });
});

test("an edit over an old version is told; what the form left out stays", async () => {
  const { id } = await world.call(addProviderAccount, tokens.admin, fresh());
  const edit = { id, version: 1, name: "改名支付", shortName: "改名", feeRate: 280, quotas: { ...NONE, merchants: 3 } };
  await world.call(updateProvider, tokens.admin, { ...edit, agentRatioLimit: 40_000 });
  expect((await world.refused(updateProvider, tokens.admin, edit)).status).toBe(409);
  expect(await world.truth("select contact_phone, fee_rate, agent_ratio_limit from service_providers where id = $1", [id])).toEqual([
    { contact_phone: "13912345678", fee_rate: 280, agent_ratio_limit: 40_000 },
  ]);
  await world.call(updateProvider, tokens.admin, { ...edit, version: 2 });
  expect((await get(id)).agentRatioLimit).toBe(40_000);
});

test("closing puts out the whole tree at once and nobody signs in; opening lets them", async () => {
  const id = world.tree.providers.sp02;
  const { sessionCount } = await get(id);
  const { endedSessions } = await world.call(setProviderState, tokens.admin, { id, state: "disabled" });
  expect(endedSessions).toBe(sessionCount);
  for (const token of [tokens.sp02, tokens.mch02]) expect((await world.refused(getAccount, token, {})).status).toBe(401);
  await expect(world.signIn("mch02")).rejects.toThrow("停用");
  await world.call(getAccount, tokens.sp01, {});
  await world.call(setProviderState, tokens.admin, { id, state: "active" });
  await world.call(getAccount, await world.signIn("mch02"), {});
});

test("the platform logs in as a provider, and nobody else does", async () => {
  const { loginUserId } = await get(world.tree.providers.sp01);
  await world.call(manualLogin, tokens.admin, { userId: loginUserId! });
  expect((await world.refused(manualLogin, tokens.sp02, { userId: loginUserId! })).status).toBe(404);
});

test("a domain name is one provider's: taken ones are told, also when two ask at once, and its brand follows it", async () => {
  const [one, two] = await Promise.all([fresh(), fresh()].map((given) => world.call(addProviderAccount, tokens.admin, given)));
  expect((await world.refused(updateBrand, tokens.admin, await brand(one!.id, { hosts: ["hemu.example.com"] }))).fields).toHaveProperty(
    "hosts",
  );
  const asked = await Promise.all([one!, two!].map(({ id }) => brand(id, { hosts: ["pay.jiangan.cn"], brandTitle: "江岸" })));
  const done = await Promise.allSettled(asked.map((input) => world.call(updateBrand, tokens.admin, input)));
  expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await world.call(getBrand, undefined, {}, { host: "pay.jiangan.cn" })).name).toBe("江岸");
  const winner = done[0]!.status === "fulfilled" ? one! : two!;
  await world.call(updateBrand, tokens.admin, await brand(winner.id, { brandTitle: "江岸" }));
  expect((await world.call(getBrand, undefined, {}, { host: "pay.jiangan.cn" })).name).toBe("账房");
  for (const host of ["https://a.cn", "a b.cn", "a.cn:80", "localhost", "10.0.0.1", "-a.cn", "ａ.cn"])
    expect((await world.refused(updateBrand, tokens.admin, await brand(winner.id, { hosts: [host] }))).status, host).toBe(400);
});

test("a colour that is not read at 4.5:1 is refused on the server", async () => {
  const { id } = await world.call(addProviderAccount, tokens.admin, fresh());
  for (const colours of [
    { colourLight: "#FFD54F" },
    { colourLight: "#7FD1A8" },
    { colourDark: "#1F6B4A" },
    { colourLight: "red" },
    { colourLight: "#12" },
  ])
    expect((await world.refused(updateBrand, tokens.admin, await brand(id, colours))).fields, JSON.stringify(colours)).toHaveProperty(
      Object.keys(colours)[0]!,
    );
  await world.call(updateBrand, tokens.admin, await brand(id, { colourLight: "#1f6b4a", colourDark: "#7FD1A8", hosts: ["c.jiangan.cn"] }));
  expect(await world.call(getBrand, undefined, {}, { host: "c.jiangan.cn" })).toMatchObject({
    colourLight: "#1F6B4A",
    colourDark: "#7FD1A8",
  });
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
test("a picture is a PNG or JPEG by its content, and only its own provider shows it", async () => {
  const [one, two] = [world.tree.providers.sp01, world.tree.providers.sp02];
  const { url } = await world.call(addPicture, tokens.admin, { serviceProviderId: one, base64: PIXEL });
  await world.call(updateBrand, tokens.admin, await brand(one, { logoUrl: url }));
  expect((await world.refused(updateBrand, tokens.admin, await brand(two, { logoUrl: url }))).fields).toHaveProperty("logoUrl");
  const png = Buffer.from(PIXEL, "base64");
  const wide = Buffer.from(png);
  wide.writeUInt32BE(100_000, 16);
  const bad = [
    Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
    Buffer.from("GIF89a<script>alert(1)</script>"),
    Buffer.from("<!doctype html><script>alert(1)</script>"),
    wide,
    Buffer.alloc(179_000),
  ];
  for (const bytes of bad)
    expect((await world.refused(addPicture, tokens.admin, { serviceProviderId: one, base64: bytes.toString("base64") })).status).toBe(400);
  for (const foreign of ["https://evil.example/a.png", "//evil.example/a.png", "/api/brand-pictures/../account", "javascript:alert(1)"])
    expect((await world.refused(updateBrand, tokens.admin, await brand(one, { logoUrl: foreign }))).status).toBe(400);
  const shown = (await world.call(getPicture, undefined, { id: url.split("/").at(-1)! })) as { contentType: string };
  expect(shown.contentType).toBe("image/webp");
  expect((await world.refused(getPicture, undefined, { id: randomUUID() })).status).toBe(404);
});

test.each(["merchant", "store", "device"] as const)("of many who add a %s at once just as many do as the quota leaves", async (kind) => {
  const { sp02: serviceProviderId } = world.tree.providers;
  const merchantId = world.tree.merchants.mch02.id;
  const storeId = world.tree.merchants.mch02.stores[0]!.id;
  const add: Readonly<Record<typeof kind, (tx: Transaction, n: number) => Promise<unknown>>> = {
    merchant: (tx: Transaction, n: number) =>
      addMerchant(tx, world.services, { serviceProviderId, name: `并发${n}`, shortName: `并发${n}` }),
    store: (tx: Transaction, n: number) =>
      addStore(tx, world.services, { serviceProviderId, merchantId, name: `并发${n}`, shortName: `并发${n}` }),
    device: (tx: Transaction, n: number) =>
      registerDevice(tx, world.services, { serviceProviderId, merchantId, storeId, sn: `QUOTA-${n}`, model: "TZH-L1", name: `并发${n}` }),
  };
  const count = async () =>
    (await world.truth<{ n: number }>(`select count(*)::int as n from ${kind}s where service_provider_id = $1`, [serviceProviderId]))[0]!.n;
  const most = (await count()) + 4;
  await world.truth(`update service_providers set ${kind}_quota = $2 where id = $1`, [serviceProviderId, most]);
  const all = await Promise.allSettled(
    Array.from({ length: 20 }, (_none, n) => withScope(world.services.pool, platformScope("test"), (tx) => add[kind](tx, n))),
  );
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
  expect(await count()).toBe(most);
});

test("quotas: parallel ways of adding never exceed them together, and whoever is refused is told why", async () => {
  const id = world.tree.providers.sp01;
  const { accountCount, version, name, shortName, feeRate } = await get(id);
  await world.call(updateProvider, tokens.admin, {
    id,
    version,
    name,
    shortName,
    feeRate,
    quotas: { ...NONE, accounts: accountCount + 3 },
  });
  const add = (n: number) =>
    world.call(addAgentAccount, tokens.sp01, {
      requestId: randomUUID(),
      name: `并发代理${n}`,
      contactName: "文新",
      contactPhone: "13912345678",
      profitRatio: 0,
      login: `q${randomUUID().slice(0, 12)}`,
    });
  const all = await Promise.allSettled(Array.from({ length: 12 }, (_none, n) => add(n)));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  const refused = all.find((one) => one.status === "rejected") as PromiseRejectedResult;
  expect(refused.reason).toMatchObject({ status: 409, code: "quota" });
  expect(refused.reason.message).toContain(`账号数量已达上限：最多 ${accountCount + 3} 个，已有 ${accountCount + 3} 个`);
  expect((await get(id)).accountCount).toBe(accountCount + 3);
  // A refused account leaves no agent behind.
  expect(await world.truth("select 1 from agents where name like '并发代理%'")).toHaveLength(3);
});
