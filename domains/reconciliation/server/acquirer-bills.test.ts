import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { PIECE_BYTES } from "../contract/index.ts";
import { readBill } from "./parse/read-bill.ts";
import { gbk } from "./testing/bill-files.ts";
import { openReconWorld, type ReconWorld } from "./testing/recon-world.ts";

const HEAD = "交易时间,商户订单号,退款单号,平台订单号,交易类型,交易状态,交易金额（元）,手续费,结算金额";
const ROWS = [
  "2026-03-10 10:00:00,P1,,T1,消费,交易成功,100.00,0.38,99.62",
  "20260310110000,P1,R1,T2,退款,交易成功,-30.00,-0.11,-29.89",
  "2026/03/10 12:00:00,P2,,T3,消费,失败,55.00,0,0",
  "2026-03-10 13:00:00,P3,,T4,消费,交易成功,0.01,0,",
];
async function read(text: string | Buffer, source: "acquirer-1" | "acquirer-8" = "acquirer-1") {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const pieces = (async function* () {
    yield bytes;
  })();
  const bill = readBill(pieces, { source, type: "TRADE", day: "2026-03-10", merchants: [] });
  const rows = [];
  for await (const batch of bill.batches) rows.push(...batch);
  return { rows, ...bill.end() };
}

test("an acquirer's bill is read by its heading, whatever cuts it and whichever its encoding", async () => {
  const plain = await read([`#机构对账单`, HEAD, ...ROWS, "合计,2,,,,,70.00,0.27,"].join("\r\n"));
  expect(plain.rows).toMatchObject([
    { kind: 1, orderNo: "P1", at: "2026-03-10 10:00:00", amount_cents: 10_000, settled_cents: 10_000, fee_mills: 38_000 },
    { kind: 2, orderNo: "P1", refundNo: "R1", at: "2026-03-10 11:00:00", amount_cents: 3_000, settled_cents: -3_000, fee_mills: -11_000 },
    { kind: 1, orderNo: "P3", amount_cents: 1, settled_cents: 1, fee_mills: 0 },
  ]);
  const bars = await read(gbk([HEAD, ...ROWS].join("\n").replaceAll(",", "|")), "acquirer-8");
  expect(bars.rows).toHaveLength(3);
});

test.each([
  ["nothing", "", /空/],
  ["a column too few", [HEAD.replace(",手续费", ""), ROWS[0]!.replace(",0.38", "")].join("\n"), /缺少列：手续费/],
  ["a row of another length", [HEAD, `${ROWS[0]},x`].join("\n"), /10 列/],
  ["an amount that is none", [HEAD, ROWS[0]!.replace("100.00", "一百")].join("\n"), /不是金额/],
  ["another day", [HEAD, ROWS[0]!.replace("03-10", "03-11")].join("\n"), /不是 2026-03-10/],
  ["a refund without a number", [HEAD, ROWS[1]!.replace("R1", "")].join("\n"), /没有退款单号/],
])("a bill with %s is refused with the reason", async (_name, text, why) => {
  await expect(read(text)).rejects.toThrow(why);
});

let world: ReconWorld;
beforeAll(async () => void (world = await openReconWorld()), 60_000);
afterAll(() => world.close());

test("it is matched with what went through that acquirer, and with nothing else; it can't be fetched", async () => {
  const day = "2026-03-10";
  const numbers = [];
  for (const hour of [10, 11, 12]) numbers.push(await world.pay(`${day} ${hour}:00:00`, 10_000, { there: false }));
  const [through, missing, direct] = numbers;
  await world.till.owner("update pay_orders set channel = 1 where order_no = any($1)", [[through, missing]]);
  world.till.services.clock.set("2026-03-12T04:00:00.000Z");
  const merchantId = world.till.tree.merchants.mch01.id;
  const which = { requestId: randomUUID(), merchantId, source: "acquirer-1" as const, type: "TRADE" as const, day };
  await expect(world.as("mch01", "fetchBill", which)).rejects.toThrow(Refusal);
  const content = Buffer.from([HEAD, ROWS[0]!.replace("P1", through!)].join("\n"));
  const { id } = await world.as("mch01", "startBillUpload", {
    ...which,
    requestId: randomUUID(),
    fileName: "1.csv",
    sizeBytes: content.length,
  });
  expect(content.length).toBeLessThan(PIECE_BYTES);
  await world.as("mch01", "addBillPiece", { id, place: 0, base64: content.toString("base64") });
  await world.as("mch01", "finishBillUpload", { id });
  await world.till.runJobs();
  const { items } = await world.as("mch01", "listReconDays", { from: day, to: day, source: "acquirer-1" });
  expect(items[0]).toMatchObject({ matchedCount: 1, openCount: 1 });
  const differences = (await world.as("mch01", "listDifferences", { dayId: items[0]!.id, pageSize: 100 })).items;
  expect(differences.map((one) => [one.class, one.number])).toEqual([["ours-only", missing]]);
  expect(differences.some((one) => one.number === direct)).toBe(false);
});
