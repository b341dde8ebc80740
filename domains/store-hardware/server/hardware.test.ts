import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { signIn, type DemoStore } from "../../../apps/demo/tree/tree.ts";
import { doors } from "../../accounts/server/world-for-tests.ts";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import { updateMerchantSettings } from "../../organisation/contract/index.ts";
import { organisation } from "../../organisation/server/index.ts";
import {
  bindPrinter,
  bindSpeaker,
  listOutputs,
  listPrinters,
  listSpeakers,
  reprintOrder,
  reprintVoucher,
  testPrinter,
  testSpeaker,
  unbindPrinter,
  unbindSpeaker,
  updatePrinter,
} from "../contract/index.ts";
import { setVendorAccount, storeHardware } from "./index.ts";
import { ACCOUNTS, startMakers, type Makers } from "./testing/makers.ts";

let makers: Makers;
let world: TillWorld;
beforeAll(async () => {
  makers = await startMakers();
  world = await openTillWorld({ above: [storeHardware], config: { demo: true, simulator_port: makers.port } });
  world.services.clock.set(new Date().toISOString());
  await world.look(async (tx) => {
    for (const [vendor, account] of Object.entries(ACCOUNTS))
      await setVendorAccount(tx, world.services, vendor as "feie", { ...account, baseUrl: makers.urlOf(vendor as "feie") });
  });
});
afterAll(async () => {
  await world.close();
  await makers.stop();
});
// The makers look at the time of day.
const byTheirClock = () => world.services.clock.set(new Date().toISOString());
afterEach(async () => {
  byTheirClock();
  await makers.ask("POST", "forget");
  await emptyTables(world.owner, "hardware_outputs, store_hardware, merchant_settings");
  await emptyTables(world.owner, "voucher_verifications, platform_vouchers, platform_goods, platform_accounts");
});

async function as<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
  const route = storeHardware.routes.find((one) => one.endpoint === (endpoint as Endpoint))!;
  return callAs(world.services, doors, { ...route, endpoint }, await signIn(world.services, login), input);
}
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => "went through",
    (error: unknown) => (error instanceof Refusal ? `${error.status} ${error.message}` : Promise.reject(error)),
  );
const stores = () => world.tree.merchants.mch01.stores;
let taken = 0;
/** Binds a printer at a store, of those that nobody has yet. */
async function printerAt(store: DemoStore, vendor: "feie" | "yilian" = "feie", more: object = {}): Promise<string> {
  const { sn, key } = await makers.device(vendor, taken++ % 10);
  return (await as("mch01", bindPrinter, { storeId: store.id, vendor, sn, key, name: "前台", ...more })).id;
}
let speakers = 0;
async function speakerAt(store: DemoStore, more: object = {}): Promise<string> {
  const { sn } = await makers.device("borui", speakers++ % 10);
  return (await as("mch01", bindSpeaker, { storeId: store.id, sn, name: "收银台", ...more })).id;
}
let tills = 0;
/** An order that its customer pays; the notification brings it. */
async function paid(store: DemoStore, cents = 1_250): Promise<{ orderNo: string; id: string }> {
  const made = await world.till(store, "createTillOrder", {
    tillNo: `H${++tills}`,
    tradeType: "NATIVE",
    subject: "午餐<CUT>",
    grossCents: cents,
  });
  const mchId = world.settings.get(store.merchantId)!.account.mchId;
  const transaction = world.channel.customerPays(made.orderNo);
  const notice = world.channel.notice(`H${tills}`, mchId, { transaction });
  await world.notify(store.merchantId, notice);
  // The channel tells twice.
  await world.notify(store.merchantId, notice);
  const [row] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [made.orderNo]);
  return { orderNo: made.orderNo, id: row!.id };
}
const shown = async () => (await makers.outputs()).map(({ vendor, shown: text }) => `${vendor} ${text.replaceAll(/\s+/g, " ")}`);
const statuses = () =>
  world.owner<{ cause: string; status: number; tries: number }>(
    "select cause, status, tries from hardware_outputs order by created_at, id",
  );

test("a printer is bound with its number and key, tried, changed and unbound; the key stands nowhere in the clear", async () => {
  const { sn, key } = await makers.device("feie", 0);
  const given = { storeId: stores()[0]!.id, vendor: "feie" as const, sn, name: "前台" };
  expect(await refusal(as("mch01", bindPrinter, { ...given, key: "wrong0" }))).toBe("400 飞鹅：识别码不正确");
  const { id } = await as("mch01", bindPrinter, { ...given, key });
  expect((await as("mch01", listPrinters, {})).items).toMatchObject([
    { id, sn, keyTail: key.slice(-4), storeName: "春熙路店", copies: 1, merchantOff: false },
  ]);
  for (const table of ["store_hardware", "audit_log", "device_vendors"]) {
    const text = JSON.stringify(await world.owner(`select * from ${table}`));
    expect([table, text.includes(key), text.includes(ACCOUNTS.feie.secret)]).toEqual([table, false, false]);
  }
  expect(await as("mch01", testPrinter, { id })).toEqual({ status: 2, message: null });
  expect(await shown()).toEqual([expect.stringContaining("测试打印")]);
  const change = { id, version: 1, name: "后厨", template: "brief" as const, paperWidth: 80 as const, copies: 3 };
  await as("mch01", updatePrinter, change);
  expect(await refusal(as("mch01", updatePrinter, change))).toBe("409 设备设置已被其他人修改，请刷新后重试");
  expect(await refusal(as("mch03", bindPrinter, { ...given, storeId: world.tree.merchants.mch03.stores[0]!.id, key }))).toBe(
    "409 该设备已绑定到门店，请先在原门店解绑",
  );
  expect(await as("mch01", unbindPrinter, { id })).toEqual({ released: true });
  expect((await makers.device("feie", 0)).bound).toBe(false);
  await as("mch03", bindPrinter, { ...given, storeId: world.tree.merchants.mch03.stores[0]!.id, key });
  await makers.ask("POST", "accounts", { vendor: "feie", ...ACCOUNTS.feie });
});

test("an employee sees and steers the devices of the own store alone", async () => {
  const [own, other] = [await printerAt(stores()[0]!), await printerAt(stores()[2]!)];
  expect((await as("emp01", listPrinters, {})).items.map((row) => row.id)).toEqual([own]);
  expect((await as("emp01", testPrinter, { id: own })).status).toBe(2);
  expect(await refusal(as("emp01", testPrinter, { id: other }))).toMatch(/^404/);
  expect(await refusal(as("emp01", unbindPrinter, { id: other }))).toMatch(/^404/);
  expect(await refusal(as("mch02", unbindPrinter, { id: own }))).toMatch(/^404/);
  await as("mch01", testPrinter, { id: other });
  expect((await as("emp01", listOutputs, {})).items).toMatchObject([{ cause: "test", hardwareName: "前台", status: 2 }]);
  expect((await as("mch01", listOutputs, { hardwareId: other })).items).toHaveLength(1);
});

test("a paid order is printed and said once by each device that wants it, and its refund by those that want that", async () => {
  const store = stores()[0]!;
  await printerAt(store, "feie", { onRefund: true, copies: 2 });
  await printerAt(store, "yilian", { onPayment: false });
  await speakerAt(store);
  await speakerAt(stores()[1]!);
  const { id } = await paid(store);
  await world.runJobs();
  expect((await shown()).toSorted()).toEqual([
    "borui 微信收款 12.50 元",
    expect.stringMatching(/^feie 春熙路店.*实收 12.50 元.*午餐＜CUT＞/),
  ]);
  const refund = await world.as("mch01", "refundOrder", {
    requestId: world.services.ids.uuid(0),
    orderId: id,
    amountCents: 250,
    reason: "退菜",
  });
  await world.runJobs();
  await world.notify(
    store.merchantId,
    world.channel.notice("HR", world.settings.get(store.merchantId)!.account.mchId, {
      refund: world.channel.decide(refund.refundNo, "success"),
    }),
  );
  await world.runJobs();
  expect((await makers.outputs()).map((output) => [output.vendor, output.copies])).toEqual(expect.arrayContaining([["feie", 2]]));
  expect((await shown())[0]).toMatch(/退款 2.50 元/);
  expect((await statuses()).map(({ cause, status }) => `${cause} ${status}`).toSorted()).toEqual(["payment 2", "payment 2", "refund 2"]);
});

test("a platform's voucher that was used is printed once by each printer that prints payments, with what to serve", async () => {
  const store = stores()[0]!;
  await printerAt(store);
  await printerAt(store, "yilian", { onPayment: false });
  await speakerAt(store);
  await used(store, "双人冷锅串串套餐<CUT>", "串串 2 份；酸梅汤 2 杯");
  await world.sweep("print-vouchers");
  await world.runJobs();
  expect(await shown()).toEqual([
    expect.stringMatching(/^feie 春熙路店.*核销凭证.*双人冷锅串串套餐.*＜CUT＞.*串串 2 份.*酸梅汤 2 杯.*抖音.*尾号 8020.*88\.00.*小周/),
  ]);
  await world.sweep("print-vouchers");
  expect(await statuses()).toEqual([{ cause: "voucher", status: 2, tries: 1 }]);
  expect((await as("mch01", listOutputs, {})).items).toMatchObject([{ cause: "voucher", orderNo: null, status: 2 }]);
  // A printer that is bound, or switched on for payments, after the use prints none of it.
  world.services.clock.advance(1_000);
  await printerAt(store);
  const off = (await as("mch01", listPrinters, {})).items.find(({ onPayment }) => !onPayment)!;
  const { id, version, name, onRefund, template, paperWidth, copies } = off;
  await as("mch01", updatePrinter, { id, version, name, onPayment: true, onRefund, template, paperWidth, copies });
  await world.sweep("print-vouchers");
  expect(await statuses()).toHaveLength(1);
  // What was used long ago is printed by nobody.
  await emptyTables(world.owner, "hardware_outputs");
  world.services.clock.advance(660_000);
  await world.sweep("print-vouchers");
  expect(await statuses()).toEqual([]);
});
test("a use is printed again by hand as often as somebody asks, on all printers of its store, and once a request", async () => {
  const store = stores()[0]!;
  await printerAt(store);
  await printerAt(store, "yilian", { onPayment: false });
  const attemptId = await used(store, "双人套餐", "串串 2 份");
  // Asked for before its own paper came: both are printed.
  const request = { requestId: world.services.ids.uuid(3), attemptId };
  expect(await as("emp01", reprintVoucher, request)).toEqual({ printers: 2 });
  expect(await as("emp01", reprintVoucher, request)).toEqual({ printers: 2 });
  await world.sweep("print-vouchers");
  await world.runJobs();
  expect((await shown()).toSorted()).toEqual([
    expect.stringMatching(/^feie .*核销凭证 .*双人套餐/),
    expect.stringMatching(/^feie .*核销凭证（补打）.*双人套餐.*串串 2 份/),
    expect.stringMatching(/^yilian .*核销凭证（补打）/),
  ]);
  expect(await as("mch01", reprintVoucher, { ...request, requestId: world.services.ids.uuid(4) })).toEqual({ printers: 2 });
  expect(await statuses()).toHaveLength(5);
  const again = (login: string) => refusal(as(login, reprintVoucher, { ...request, requestId: crypto.randomUUID() }));
  expect(await again("mch02")).toMatch(/^404/);
  await world.owner("update voucher_verifications set status = 5");
  expect(await again("mch01")).toBe("409 这次核销还没有成功，不能补打");
  await world.owner("update voucher_verifications set status = 6, reversed_at = now()");
  expect(await again("mch01")).toBe("409 这次核销已撤销，不能补打");
  expect(await statuses()).toHaveLength(5);
});
test("a use that is taken back while it is asked for again, or before its paper comes, is not printed again", async () => {
  const store = stores()[0]!;
  await printerAt(store);
  const attemptId = await used(store, "双人套餐", "串串 2 份");
  const ask = () => refusal(as("mch01", reprintVoucher, { requestId: crypto.randomUUID(), attemptId }));
  // Somebody is about to take it back: whoever asks waits for them.
  const other = new pg.Client(world.services.owner);
  await other.connect();
  await other.query("begin");
  await other.query("update voucher_verifications set status = 5");
  let answered = false;
  const asked = ask().finally(() => (answered = true));
  const waits = "select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()";
  try {
    await expect.poll(async () => answered || (await world.owner(waits)).length > 0, { timeout: 20_000 }).toBe(true);
  } finally {
    await other.query("commit");
    await other.end();
  }
  expect(await asked).toBe("409 这次核销还没有成功，不能补打");
  expect(await statuses()).toEqual([]);
  // It stood when it was asked for, and no more when the paper would come.
  await world.owner("update voucher_verifications set status = 1");
  expect(await ask()).toBe("went through");
  await world.owner("update voucher_verifications set status = 5");
  await world.runJobs();
  expect(await shown()).toEqual([]);
  expect((await as("mch01", listOutputs, {})).items).toMatchObject([
    { cause: "reprint", status: 3, message: "这次核销已撤销或正在撤销，没有打印" },
  ]);
});
test("receipts that the merchant switched on after a use print none of it", async () => {
  const store = stores()[0]!;
  await printerAt(store);
  const settings = {
    memberAtPay: true,
    printReceipt: false,
    speaker: true,
    profitSharing: false,
    refundApprovalAbove: null,
    refundDailyLimit: null,
  };
  const settingsRoute = organisation.routes.find(({ endpoint }) => endpoint === updateMerchantSettings)!;
  const set = (more: object) => world.ask("mch01", settingsRoute, { ...settings, ...more });
  await set({ version: 0 });
  await used(store, "双人套餐", "串串 2 份");
  world.services.clock.advance(1_000);
  await set({ version: 1, printReceipt: true });
  await world.sweep("print-vouchers");
  expect(await statuses()).toEqual([]);
  // Saved again as it is, it holds from when it was switched on.
  await world.owner("update voucher_verifications set settled_at = $1", [new Date(world.services.clock.now_ms()).toISOString()]);
  world.services.clock.advance(1_000);
  await set({ version: 2, printReceipt: true });
  await world.sweep("print-vouchers");
  expect((await statuses()).map(({ cause }) => cause)).toEqual(["voucher"]);
});
async function used({ serviceProviderId, merchantId, id: store }: DemoStore, title: string, serve: string): Promise<string> {
  const [account, voucher, attempt] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const now = new Date(world.services.clock.now_ms()).toISOString();
  await world.owner(
    `insert into platform_accounts (service_provider_id, id, merchant_id, platform, account_no, app_of, by_name, created_at, updated_at)
      values ($1, $2, $3, 'dy', 'LK-PRINT', 'provider', 'x', $4, $4)`,
    [serviceProviderId, account, merchantId, now],
  );
  await world.owner(
    `insert into platform_goods (service_provider_id, id, merchant_id, account_id, platform, goods_id, title, goods_kind, status, price_cents, market_cents, serve, seen_at)
      values ($1, gen_random_uuid(), $2, $3, 'dy', 'G1', $4, 1, 1, 8800, 10000, $5, $6)`,
    [serviceProviderId, merchantId, account, title, serve, now],
  );
  await world.owner(
    `insert into platform_vouchers (service_provider_id, merchant_id, store_id, account_id, platform, id, voucher_hash, tail, goods_id, certificate_id, title, goods_kind, face_cents, pay_cents, created_at, updated_at)
      values ($1, $2, $3, $4, 'dy', $5, '\\x01', '8020', 'G1', 'c1', $6, 1, 10000, 8800, $7, $7)`,
    [serviceProviderId, merchantId, store, account, voucher, title, now],
  );
  await world.owner(
    `insert into voucher_verifications (service_provider_id, merchant_id, store_id, account_id, platform, id, voucher_id, voucher_hash, nth, batch_id, place, request_id, status, poi_id, certificate_id, verify_id, pay_cents, by_name, started_at, verified_at, settled_at)
      values ($1, $2, $3, $4, 'dy', $5, $6, '\\x01', 1, gen_random_uuid(), 0, gen_random_uuid(), 1, '66', 'c1', 'v1', 8800, '小周', $7, $7, $7)`,
    [serviceProviderId, merchantId, store, account, attempt, voucher, now],
  );
  return attempt;
}

test("what the merchant has switched off, and what is unbound, stays silent", async () => {
  const [store] = stores();
  await printerAt(store!);
  await speakerAt(store!);
  await world.look((tx) =>
    tx
      .insertInto("merchant_settings")
      .values({
        service_provider_id: store!.serviceProviderId,
        merchant_id: store!.merchantId,
        print_receipt: false,
        updated_at: new Date().toISOString(),
      })
      .execute(),
  );
  // Another merchant of the provider has its own switches.
  await world.owner("insert into merchant_settings (service_provider_id, merchant_id, speaker, updated_at) values ($1, $2, false, now())", [
    store!.serviceProviderId,
    world.tree.merchants.mch03.id,
  ]);
  await as("mch01", unbindPrinter, { id: await printerAt(store!, "yilian") });
  await as("mch01", unbindSpeaker, { id: await speakerAt(store!) });
  await paid(store!);
  await world.runJobs();
  expect(await shown()).toEqual(["borui 微信收款 12.50 元"]);
  expect(await statuses()).toHaveLength(1);
  expect((await as("mch01", listPrinters, {})).items[0]!.merchantOff).toBe(true);
  expect((await as("mch01", listSpeakers, {})).items[0]!).toMatchObject({ merchantOff: false, lastStatus: 2 });
});

test("a refusal is tried again until it prints; silence is not, and somebody prints it anew by hand", async () => {
  const store = stores()[0]!;
  await printerAt(store);
  await makers.fault("feie", "refuse", 2);
  await paid(store);
  await world.runJobs();
  expect(await statuses()).toEqual([{ cause: "payment", status: 0, tries: 1 }]);
  for (const seconds of [15, 30]) {
    world.services.clock.advance(seconds * 1000);
    await world.runJobs();
  }
  expect([await statuses(), (await shown()).length]).toEqual([[{ cause: "payment", status: 2, tries: 3 }], 1]);

  await makers.fault("feie", "lost-reply");
  const second = await paid(store);
  await world.runJobs();
  world.services.clock.advance(3_600_000);
  await world.runJobs();
  byTheirClock();
  // It had printed.
  expect([(await statuses()).at(-1)!.status, (await shown()).length]).toEqual([4, 2]);
  const request = { requestId: world.services.ids.uuid(1), orderId: second.id };
  expect(await as("emp01", reprintOrder, request)).toEqual({ printers: 1 });
  expect(await as("emp01", reprintOrder, request)).toEqual({ printers: 1 });
  await world.runJobs();
  expect((await shown()).filter((text) => text.includes("（补打）"))).toHaveLength(1);
  expect(await refusal(as("mch02", reprintOrder, { ...request, requestId: world.services.ids.uuid(2) }))).toMatch(/^404/);
});

test("a run that ends in the middle of the call prints nothing twice, and an old announcement is not made", async () => {
  const store = stores()[0]!;
  await printerAt(store);
  await speakerAt(store);
  await paid(store);
  await world.owner("update hardware_outputs set status = 1, tries = 1, sent_at = created_at where kind = 'printer'");
  world.services.clock.advance(11 * 60_000);
  await world.runJobs();
  expect(await shown()).toEqual([]);
  expect((await as("mch01", listOutputs, {})).items.map((row) => `${row.kind} ${row.status}`).toSorted()).toEqual([
    "printer 4",
    "speaker 3",
  ]);
});

test("the platform's accounts are the platform's: an address elsewhere is refused, and no tenant reads a row", async () => {
  const set = (baseUrl: string) => refusal(world.look((tx) => setVendorAccount(tx, world.services, "feie", { ...ACCOUNTS.feie, baseUrl })));
  for (const baseUrl of [
    "http://api.feieyun.cn",
    "https://127.0.0.1",
    "https://open-api.10ss.net",
    "https://api.feieyun.cn@evil.example",
    "x",
  ])
    expect(await set(baseUrl)).toMatch(/^400 地址须为/);
  const scopes = ["SP|", "MCH|"].map((level) => ({ ...platformScope("test"), text: `${level}${world.tree.providers.sp01}|||||||` }));
  for (const scope of scopes)
    expect(await withScope(world.services.pool, scope as never, (tx) => tx.selectFrom("device_vendors").selectAll().execute())).toEqual([]);
  expect((await as("mch01", testSpeaker, { id: await speakerAt(stores()[0]!) })).status).toBe(2);
});
