import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { parseScope, platformScope } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { sealKey, placeInAccount, placeInApp } from "../accounts/account-keys.ts";
import { addPlatformEntries, platformAccountOf } from "../index.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
const ALL = platformScope("test platforms");

test("a fact counts once, however often a bill brings it, and its day is Shanghai's", async () => {
  const { id: merchant_id, serviceProviderId: service_provider_id, stores } = world.tree.merchants.mch01;
  const line = {
    service_provider_id,
    merchant_id,
    store_id: stores[0]!.id,
    platform: "dy",
    kind: "verify",
    goods_kind: 1,
    certificate_id: "c1",
    verify_id: "v1",
    pay_cents: 9_800,
    happened_at: "2026-11-25T16:00:00.000Z",
  } as const;
  const second = { ...line, verify_id: "v2", store_id: null, happened_at: "2026-11-25T15:59:59.000Z" };
  const add = (rows: Parameters<typeof addPlatformEntries>[2]) =>
    withScope(world.services.pool, ALL, (tx) => addPlatformEntries(tx, world.services, rows));
  expect(await add([line])).toEqual([line]);
  expect(await add([line, second, { ...line, kind: "ledger", pay_cents: 0, goods_cents: 9_000 }])).toHaveLength(2);
  expect(await world.truth("select kind, verify_id, day::text from platform_entries order by kind, verify_id")).toEqual([
    { kind: "ledger", verify_id: "v1", day: "2026-11-26" },
    { kind: "verify", verify_id: "v1", day: "2026-11-26" },
    { kind: "verify", verify_id: "v2", day: "2026-11-25" },
  ]);
  // Another merchant's people see nothing of it, and a store sees its own facts and those of no store.
  const { mch02 } = world.tree.merchants;
  const seen = (scope: string) =>
    withScope(world.services.pool, parseScope(scope), (tx) => tx.selectFrom("platform_entries").select("verify_id").execute());
  expect(await seen(`MCH|${mch02.serviceProviderId}|||||${mch02.id}||`)).toEqual([]);
  expect(await seen(`AE|${service_provider_id}|||||${merchant_id}|{${stores[1]!.id}}|`)).toEqual([]);
  expect(await seen(`AE|${service_provider_id}|||||${merchant_id}|{${stores[0]!.id}}|`)).toHaveLength(2);
});

test("an account opens with the application that signs for it: its own, or its provider's", async () => {
  const { id: merchant_id, serviceProviderId: service_provider_id } = world.tree.merchants.mch01;
  const id = randomUUID();
  const { services } = world;
  const own = sealKey(services, placeInAccount("secret", { service_provider_id, id }), "own-secret");
  const providers = sealKey(services, placeInApp("secret", { service_provider_id, platform: "dy" }), "provider-secret");
  await world.truth(
    `insert into platform_accounts (service_provider_id, id, merchant_id, platform, account_no, app_of, app_key, secret_sealed, by_name, created_at, updated_at)
      values ($1, $2, $3, 'dy', 'lk-1', 'merchant', 'own-key', $4, 'x', now(), now())`,
    [service_provider_id, id, merchant_id, own],
  );
  await world.truth(
    "insert into platform_apps (service_provider_id, platform, app_key, secret_sealed, by_name, updated_at) values ($1, 'dy', 'sp-key', $2, 'x', now())",
    [service_provider_id, providers],
  );
  const of = { service_provider_id, merchant_id, platform: "dy" as const };
  const read = () => withScope(services.pool, ALL, (tx) => platformAccountOf(tx, services, of));
  expect(await read()).toMatchObject({ id, accountNo: "lk-1", appKey: "own-key", secret: "own-secret", signSecret: "own-secret" });
  await world.truth("update platform_accounts set app_of = 'provider', app_key = null, secret_sealed = null");
  expect(await read()).toMatchObject({ appKey: "sp-key", secret: "provider-secret", active: true });
  expect(await withScope(services.pool, ALL, (tx) => platformAccountOf(tx, services, { ...of, platform: "ks" }))).toBeUndefined();
});
