import { afterAll, beforeAll, expect, test } from "vitest";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import { addStore } from "../../stores/server/index.ts";
import { addArea, addBusinessTeam, addMerchant, addSalesman, addServiceProvider, openChannelSecrets, setChannelSettings } from "./index.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
const inPlatform = <T>(fn: (tx: Transaction) => Promise<T>) => withScope(world.services.pool, platformScope("test"), fn);

test("a merchant takes its team and group from the salesman who brought it", async () => {
  const { providers, salesmen, teams, groups } = world.tree;
  const id = await inPlatform((tx) =>
    addMerchant(tx, world.services, { serviceProviderId: providers.sp01, name: "新店", shortName: "新店", salesmanId: salesmen.sale01 }),
  );
  expect(await world.truth("select salesman_id, business_team_id, business_group_id, agent_id from merchants where id = $1", [id])).toEqual(
    [{ salesman_id: salesmen.sale01, business_team_id: teams.team01, business_group_id: groups.group01, agent_id: null }],
  );
});

test("parts of different trees can't be put together, by the code or, past it, by the database", async () => {
  const { providers, salesmen, teams, groups, merchants } = world.tree;
  const { services } = world;
  await expect(
    inPlatform((tx) =>
      addMerchant(tx, services, { serviceProviderId: providers.sp01, name: "越界", shortName: "越界", salesmanId: salesmen.sale03 }),
    ),
  ).rejects.toMatchObject({ fields: { salesmanId: expect.any(String) } });
  await expect(
    inPlatform((tx) =>
      addMerchant(tx, services, {
        serviceProviderId: providers.sp01,
        name: "越界",
        shortName: "越界",
        businessTeamId: teams.team02,
        salesmanId: salesmen.sale01,
      }),
    ),
  ).rejects.toMatchObject({ fields: { salesmanId: expect.any(String) } });
  await expect(
    inPlatform((tx) => addSalesman(tx, services, { serviceProviderId: providers.sp01, name: "越界", businessTeamId: teams.team03 })),
  ).rejects.toMatchObject({ status: 400 });
  await expect(
    inPlatform((tx) => addBusinessTeam(tx, services, { serviceProviderId: providers.sp02, name: "越界", businessGroupId: groups.group01 })),
  ).rejects.toMatchObject({ code: "23503" });
  await expect(
    inPlatform((tx) =>
      addStore(tx, services, { serviceProviderId: providers.sp02, merchantId: merchants.mch01.id, name: "越界", shortName: "越界" }),
    ),
  ).rejects.toMatchObject({ code: "23503" });
  await expect(
    inPlatform((tx) =>
      addArea(tx, services, {
        serviceProviderId: providers.sp01,
        merchantId: merchants.mch01.id,
        name: "越界",
        storeIds: [merchants.mch03.stores[0]!.id],
      }),
    ),
  ).rejects.toMatchObject({ code: "23503" });
});

test("a brand's picture is one of ours, its feedback link is https, and the customer-service phone follows the rule", async () => {
  const { services } = world;
  const base = { name: "某服务商", shortName: "某服务商" };
  for (const [field, value] of [
    ["logoUrl", "https://evil.example/x.png"],
    ["logoUrl", "//evil.example/x.png"],
    ["littleLogoUrl", "javascript:alert(1)"],
    ["feedbackUrl", "http://example.com"],
    ["feedbackUrl", "javascript:alert(1)"],
  ] as const)
    await expect(
      inPlatform((tx) => addServiceProvider(tx, services, { ...base, [field]: value })),
      `${field} ${value}`,
    ).rejects.toMatchObject({ status: 400 });
  await expect(
    inPlatform((tx) => addMerchant(tx, services, { serviceProviderId: world.tree.providers.sp01, ...base, servicePhone: "16612345678x" })),
  ).rejects.toMatchObject({ message: "请输入正确的客服电话" });
});

test("a channel's secrets are sealed for their row: they open there and nowhere else, and a second setting replaces them", async () => {
  const { services, tree } = world;
  const settings = {
    serviceProviderId: tree.providers.sp01,
    merchantId: tree.merchants.mch01.id,
    mode: "partner" as const,
    appId: "wx1234567890abcdef",
    mchId: "1900000001",
    subMchId: "1900000002",
    certSerial: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1",
    privateKeyPem: "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----",
    apiV3Key: "0123456789abcdef0123456789abcdef",
    platformKeys: {},
    baseUrl: "http://127.0.0.1:8090/",
  };
  const id = await inPlatform((tx) => setChannelSettings(tx, services, settings));
  const read = async () =>
    (
      await world.truth<Parameters<typeof openChannelSecrets>[1] & { base_url: string }>("select * from channel_settings where id = $1", [
        id,
      ])
    )[0]!;
  const row = await read();
  expect(JSON.stringify(row)).not.toContain(settings.apiV3Key);
  expect(openChannelSecrets(services, row)).toEqual({ privateKeyPem: settings.privateKeyPem, apiV3Key: settings.apiV3Key });
  expect(() => openChannelSecrets(services, { ...row, id: tree.merchants.mch01.id })).toThrow();
  expect(() => openChannelSecrets(services, { ...row, api_v3_key_sealed: row.private_key_sealed })).toThrow();
  expect(await inPlatform((tx) => setChannelSettings(tx, services, { ...settings, apiV3Key: "f".repeat(32) }))).toBe(id);
  expect(openChannelSecrets(services, await read()).apiV3Key).toBe("f".repeat(32));
  await expect(inPlatform((tx) => setChannelSettings(tx, services, { ...settings, subMchId: undefined }))).rejects.toMatchObject({
    fields: { subMchId: "服务商模式须填子商户号" },
  });
});
