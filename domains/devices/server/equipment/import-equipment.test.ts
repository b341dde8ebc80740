import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importsOver } from "../../../imports/server/index.ts";
import { checkLines, getImport, listImportRows, runImport, startImport } from "../../../imports/contract.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { addEquipment, listEquipment } from "../../contract/index.ts";
import { bindingImport, equipmentImport } from "./import-equipment.ts";

const imports = importsOver([equipmentImport, bindingImport]);
let world: World;
let tokens: Record<"admin" | "sp01" | "sp02", string>;
beforeAll(async () => {
  world = await openWorld(imports.routes);
  tokens = { admin: await world.signIn("admin"), sp01: await world.signIn("sp01"), sp02: await world.signIn("sp02") };
});
afterAll(() => world.close());

/** A sheet's way: checked, what is wrong told by line, and the rest made. */
async function bring(login: keyof typeof tokens, source: string, rows: readonly Readonly<Record<string, string | undefined>>[]) {
  const token = tokens[login];
  const { id } = await world.call(startImport, token, { requestId: randomUUID(), source, fileName: "设备.xlsx" });
  await world.call(checkLines, token, { id, lines: rows.map((cells, at) => ({ line: at + 2, cells: JSON.stringify(cells) })) });
  const bad = (await world.call(listImportRows, token, { importId: id, status: 0, pageSize: 100 })).items.map(({ line, errors }) => [
    line,
    errors,
  ]);
  const before = (await world.call(getImport, token, { id })).counts;
  if (before.ready > 0) {
    await world.call(runImport, token, { id });
    await world.services.runJobs();
  }
  return { bad, counts: (await world.call(getImport, token, { id })).counts };
}
const stateOf = async (sn: string) =>
  (await world.truth("select state, service_provider_id as provider from equipment where sn = $1", [sn]))[0];

test("a provider's sheet takes in what is new, says what stands at others without saying where, and the same sheet again does nothing", async () => {
  await world.call(addEquipment, tokens.sp02, { requestId: randomUUID(), model: "XY-L1", sns: ["SHEET-OTHER"] });
  await world.call(addEquipment, tokens.sp01, { requestId: randomUUID(), model: "XY-L1", sns: ["SHEET-OWN"] });
  const sheet = [
    { sn: "SHEET-1", model: "XY-L1", batch: "B1" },
    { sn: "SHEET-OTHER", model: "XY-L1" },
    { sn: "SHEET-OWN", model: "XY-L1" },
    { sn: "SHEET-2", model: "没有的型号" },
    { sn: "!", model: "XY-L1" },
  ];
  const first = await bring("sp01", "equipment", sheet);
  expect(first.bad).toEqual([
    [3, { sn: "SHEET-OTHER 已由平台登记在别处，不能自行入库；设备确在你处的，请联系平台划拨" }],
    [5, { model: expect.stringContaining("型号为") }],
    [6, { sn: expect.stringContaining("设备编号为") }],
  ]);
  expect(first.counts).toMatchObject({ made: 1, there: 1, bad: 3 });
  expect(await stateOf("SHEET-1")).toEqual({ state: 0, provider: world.tree.providers.sp01 });
  expect((await bring("sp01", "equipment", sheet)).counts).toMatchObject({ made: 0, there: 2 });
  const moves = await world.truth(
    "select kind, by_name from equipment_moves v join equipment e on e.id = v.equipment_id where e.sn = 'SHEET-1'",
  );
  expect(moves).toHaveLength(1);
});

test("devices are bound by sheet out of the stock of the provider and of the merchant, each to its own store", async () => {
  const store = world.tree.merchants.mch01.stores[0]!;
  const [{ number }] = (await world.truth("select number from stores where id = $1", [store.id])) as [{ number: string }];
  const [{ number: foreign }] = (await world.truth("select number from stores where id = $1", [
    world.tree.merchants.mch02.stores[0]!.id,
  ])) as [{ number: string }];
  await world.call(addEquipment, tokens.sp01, { requestId: randomUUID(), model: "XY-L1", sns: ["BIND-1", "BIND-2"] });
  const line = (more: Record<string, string>) => ({ sn: "BIND-1", storeNumber: number, name: "前台", ...more });
  const sheet = [
    line({ mode: "自助" }),
    line({ sn: "BIND-2", storeNumber: foreign }),
    line({ sn: "BIND-3" }),
    line({ sn: store.devices[0]!.sn }),
    line({ sn: "BIND-4", mode: "随便" }),
  ];
  const { bad, counts } = await bring("sp01", "device-bindings", sheet);
  expect(bad).toEqual([
    [3, { storeNumber: `没有在用的门店「${foreign}」` }],
    [4, { sn: "库存里没有设备「BIND-3」" }],
    [6, { mode: expect.stringContaining("收银方式为") }],
  ]);
  expect(counts).toMatchObject({ made: 1, there: 1, bad: 3 });
  expect(await world.truth("select store_id, cashier_mode, name from devices where sn = 'BIND-1'")).toEqual([
    { store_id: store.id, cashier_mode: 1, name: "前台" },
  ]);
  const { items } = await world.call(listEquipment, tokens.sp01, { keyword: "BIND-1" });
  expect(items[0]).toMatchObject({ state: 1, storeName: "春熙路店" });
});
