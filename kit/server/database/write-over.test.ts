import { afterAll, beforeAll, expect, test } from "vitest";
import { withScope, type Transaction } from "./db.ts";
import { platformScope } from "./scope.ts";
import { testServices, type TestServices } from "../testing.ts";
import { setOver, writeOver } from "./write-over.ts";

const idOf = (n: number) => `0190b0a0-0000-7000-8000-${String(n).padStart(12, "0")}`;
const [provider, one, other] = [idOf(1), idOf(2), idOf(3)];
let services: TestServices;
const run = <T>(work: (tx: Transaction) => Promise<T>) => withScope(services.pool, platformScope("test"), work);
beforeAll(async () => {
  services = await testServices();
  await run(async (tx) => {
    await tx.insertInto("service_providers").values({ id: provider, number: "1", name: "p", short_name: "p" }).execute();
    for (const id of [one, other])
      await tx.insertInto("merchants").values({ id, service_provider_id: provider, number: id, name: "旧名", short_name: "m" }).execute();
  });
});
afterAll(() => services.close());

test("of two who read the same version the second is refused, and other rows stay", async () => {
  const rename = (name: string) =>
    run((tx) => writeOver(tx, "merchants", { service_provider_id: provider, id: one }, 1, { name }, "商户资料"));
  await rename("新名");
  await expect(rename("迟到的名")).rejects.toMatchObject({ status: 409, message: "商户资料已被其他人修改，请刷新后重试" });
  const found = await run((tx) => tx.selectFrom("merchants").select(["name", "version"]).orderBy("id").execute());
  expect(found).toEqual([
    { name: "新名", version: 2 },
    { name: "旧名", version: 1 },
  ]);
});
test("what must stand as it was read holds too", async () => {
  const key = { service_provider_id: provider, id: other, state: "disabled" };
  await expect(run((tx) => writeOver(tx, "merchants", key, 1, { name: "x" }, "商户资料"))).rejects.toMatchObject({ status: 409 });
});
test("what was never set is made once, and from then on written over", async () => {
  const set = (version: number, speaker: boolean) =>
    run((tx) =>
      setOver(
        tx,
        "merchant_settings",
        { service_provider_id: provider, merchant_id: one },
        version,
        { speaker, updated_at: "2026-11-20T00:00:00.000Z" },
        "配置",
      ),
    );
  await set(0, true);
  await expect(set(0, false)).rejects.toMatchObject({ status: 409, message: "配置已被其他人修改，请刷新后重试" });
  await set(1, false);
  await expect(set(1, true)).rejects.toMatchObject({ status: 409 });
  const found = await run((tx) => tx.selectFrom("merchant_settings").select(["merchant_id", "speaker", "version"]).execute());
  expect(found).toEqual([{ merchant_id: one, speaker: false, version: 2 }]);
});
