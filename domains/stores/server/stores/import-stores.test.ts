import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { checkLines, getImport, listImportRows, runImport, startImport } from "../../../imports/contract.ts";
import { importsOver } from "../../../imports/server/index.ts";
import { storeImport } from "./import-stores.ts";

let world: World;
let tokens: Record<"sp01" | "agent01" | "mch01", string>;
beforeAll(async () => void (world = await openWorld(importsOver([storeImport]).routes)));
afterAll(() => world.close());
beforeEach(async () => {
  tokens = { sp01: await world.signIn("sp01"), agent01: await world.signIn("agent01"), mch01: await world.signIn("mch01") };
});
const numberOf = async (merchant: "mch01" | "mch02" | "mch05"): Promise<string> =>
  (await world.truth<{ number: string }>("select number from merchants where id = $1", [world.tree.merchants[merchant].id]))[0]!.number;
async function bring(token: string, sheet: readonly Record<string, string>[]) {
  const { id } = await world.call(startImport, token, { requestId: randomUUID(), source: "stores", fileName: "门店.xlsx" });
  await world.call(checkLines, token, { id, lines: sheet.map((cells, at) => ({ line: at + 2, cells: JSON.stringify(cells) })) });
  const { items } = await world.call(listImportRows, token, { importId: id, pageSize: 100 });
  if (items.some(({ status }) => status === 1)) await world.call(runImport, token, { id });
  await world.services.runJobs();
  return { said: items.map(({ errors }) => errors), counts: (await world.call(getImport, token, { id })).counts };
}

test("a merchant brings its stores, and the same sheet again brings none", async () => {
  const sheet: Record<string, string>[] = [
    {
      name: "蜀味川菜金牛店",
      shortName: "金牛店",
      province: "四川",
      city: "成都",
      district: "金牛区",
      phone: "028-86001234",
      hours: "9:00-22:00",
    },
    { name: "蜀味川菜双流店", shortName: "双流店", number: "SL-01" },
  ];
  expect((await bring(tokens.mch01, sheet)).counts).toMatchObject({ made: 2, bad: 0 });
  const [store] = await world.truth("select merchant_id, province, city, opening from stores where short_name = '金牛店'");
  expect(store).toMatchObject({ merchant_id: world.tree.merchants.mch01.id, province: "四川省", city: "成都市" });
  expect((store!["opening"] as { from: string }[])[6]).toEqual({ from: "09:00", to: "22:00" });
  expect((await bring(tokens.mch01, sheet)).counts).toMatchObject({ made: 0, there: 2 });
});

test("wrong lines say what is wrong at their column", async () => {
  const { said } = await bring(tokens.mch01, [
    { name: "甲店", shortName: "甲", hours: "早上到晚上" },
    { name: "乙店", shortName: "乙", city: "成都" },
    { name: "丙店", shortName: "丙", number: "SL-01" },
    { name: "丁店", shortName: "丁", number: "D-1" },
    { name: "戊店", shortName: "戊", number: "D-1" },
  ]);
  expect(said).toEqual([
    { hours: "营业时间写成 09:00-22:00" },
    { province: "填了城市，也请填省份" },
    { number: "门店编号已存在" },
    {},
    { number: "门店编号与第 5 行重复" },
  ]);
});

test("those above name a merchant that they look after, and no other", async () => {
  const [own, foreign, others] = [await numberOf("mch01"), await numberOf("mch02"), await numberOf("mch05")];
  const sheet = [own, foreign, others, ""].map((merchantNumber, at) => ({ name: `上级店${at}`, shortName: `店${at}`, merchantNumber }));
  const { said } = await bring(tokens.agent01, sheet);
  expect(said).toEqual([
    {},
    { merchantNumber: `没有在用的商户「${foreign}」` },
    { merchantNumber: `没有在用的商户「${others}」` },
    { merchantNumber: "请填写商户编号" },
  ]);
  expect(await world.truth("select merchant_id from stores where name like '上级店%'")).toEqual([
    { merchant_id: world.tree.merchants.mch01.id },
  ]);
});
