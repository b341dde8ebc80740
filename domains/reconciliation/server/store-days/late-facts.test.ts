import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { getGroupBuyFigures, listGroupBuyEntries } from "../../../group-buy/contract/index.ts";
import { groupBuy } from "../../../group-buy/server/index.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import { addPlatformEntries, type PlatformEntry } from "../../../platforms/server/index.ts";
import {
  changedFigures,
  changeWords,
  closeStoreDay,
  getStoreDay,
  getStoreMonth,
  listStoreDays,
  madeOf,
  namedFigures,
  proposeStoreDay,
  reopenStoreDay,
  withdrawStoreDay,
} from "../../contract/index.ts";
import { reconciliation } from "../index.ts";

// What comes late, elsewhere or in parts must not be lost from a store's day, nor change a closed one unsaid.
let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld({ above: [groupBuy, reconciliation] })));
afterAll(() => world.close());
beforeEach(() => world.services.clock.advance(3 * 86_400_000));
const shop = () => world.tree.merchants.mch01;
const store = () => shop().stores[0]!;
const now = () => new Date(world.services.clock.now_ms()).toISOString();
const today = () => shanghaiDay(world.services.clock.now_ms());
const ROUTES = [...reconciliation.routes, ...groupBuy.routes];
const ask = async <E extends Endpoint>(endpoint: E, input: InputOf<E>, login = "mch01") =>
  (await world.ask(
    login,
    ROUTES.find((one) => one.endpoint === (endpoint as Endpoint))!,
    input as object,
  )) as OutputOf<E>;
const look = (login = "mch01", day = today()) => ask(getStoreDay, { storeId: store().id, day }, login);
const line = async (key: string, login = "mch01") => (await look(login)).figures.lines.find((one) => one.key === key);
const blocks = async (day = today(), login = "mch01") =>
  (await look(login, day)).hindrances.filter((one) => one.blocks).map(({ kind, source, count }) => [kind, source, count]);
const of = () => ({ storeId: store().id, day: today() });
const propose = async (login: string) =>
  ask(proposeStoreDay, { requestId: randomUUID(), ...of(), seen: namedFigures((await look(login)).figures) }, login);
const close = async (login: string) => {
  const { version, figures } = await look(login);
  return ask(closeStoreDay, { requestId: randomUUID(), ...of(), version, seen: namedFigures(figures) }, login);
};

let n = 0;
/** 100.00 for 88.00, of which the platform gives 5.00 and takes 4.40. */
const USE = { face_cents: 10_000, pay_cents: 8_800, merchant_ticket_cents: 200, platform_ticket_cents: 500, expected_fee_cents: 440 };
const PAID = { total_cents: 9_300, fee_cents: 450, goods_cents: 8_850 };
const add = (...entries: readonly (Partial<PlatformEntry> & Pick<PlatformEntry, "kind" | "certificate_id">)[]) =>
  withScope(world.services.pool, platformScope("facts of a test"), (tx) =>
    addPlatformEntries(
      tx,
      world.services,
      entries.map((one) => ({
        service_provider_id: shop().serviceProviderId,
        merchant_id: shop().id,
        store_id: store().id,
        platform: "meituan" as const,
        goods_kind: 1 as const,
        verify_id: one.certificate_id,
        happened_at: now(),
        ...(one.kind === "ledger" ? PAID : USE),
        ...one,
      })),
    ),
  );
const voucher = (): string => `w${++n}`;
async function openAccount(platform: string): Promise<string> {
  const account = randomUUID();
  await world.owner(
    `insert into platform_accounts (service_provider_id, id, merchant_id, platform, account_no, app_of, by_name, created_at, updated_at)
      values ($1, $2, $3, $4, $5, 'provider', 'x', now(), now())`,
    [shop().serviceProviderId, account, shop().id, platform, account],
  );
  return account;
}

describe("vouchers", () => {
  test("a use is settled by its lines, whatever day and store they stand under, also for the store itself", async () => {
    const [one, other] = [voucher(), voucher()];
    await add(
      { kind: "verify", certificate_id: one },
      { kind: "ledger", certificate_id: one, store_id: null },
      { kind: "verify", certificate_id: other },
      { kind: "ledger", certificate_id: other, store_id: shop().stores[1]!.id, day: addDays(today(), 1) },
    );
    const settled = { settled: true, incomeCents: 17_700, settledCents: 17_700, feeCents: 900 };
    expect(await line("meituan")).toMatchObject(settled);
    expect(await line("meituan", "emp01")).toMatchObject(settled);
    expect(madeOf((await look()).figures)).toEqual({ ownCents: 0, settledCents: 17_700, owedCents: 0 });
  });
  test("uses in bills count by what these say and the others by what is expected; what was taken back the same day counts nothing", async () => {
    const [billed, waiting, back] = [voucher(), voucher(), voucher()];
    await add(
      { kind: "verify", certificate_id: billed },
      { kind: "ledger", certificate_id: billed },
      { kind: "verify", certificate_id: back },
      { kind: "reverse", certificate_id: back },
    );
    expect(await line("meituan")).toMatchObject({ settled: true, incomeCents: 8_850, feeCents: 450 });
    await add({ kind: "verify", certificate_id: waiting });
    expect(await line("meituan")).toMatchObject({ settled: false, incomeCents: 8_850 + 8_860, settledCents: 8_850, feeCents: 450 + 440 });
  });
  test("half a bill settles nothing: Douyin's that broke off, and one of the two lines of a 通兑券", async () => {
    const account_id = await openAccount("dy");
    const [one, two] = [voucher(), voucher()];
    const half = { goods_cents: 4_400, fee_cents: 220, total_cents: 4_620 };
    await add(
      { kind: "verify", certificate_id: one, platform: "dy" },
      { kind: "ledger", certificate_id: one, platform: "dy", account_id },
      { kind: "verify", certificate_id: two },
      { kind: "ledger", certificate_id: two, ...half },
    );
    await world.owner(
      "insert into platform_bill_days (service_provider_id, account_id, day, merchant_id, whole, taken_at) values ($1, $2, $3, $4, false, now())",
      [shop().serviceProviderId, account_id, today(), shop().id],
    );
    expect(await line("dy")).toMatchObject({ settled: false, incomeCents: 8_860, settledCents: 0 });
    expect(await line("meituan")).toMatchObject({ settled: false, incomeCents: 8_860 });
    await world.owner("update platform_bill_days set whole = true where account_id = $1", [account_id]);
    await add({ kind: "ledger", certificate_id: two, part: 1, ...half });
    expect(await line("dy")).toMatchObject({ settled: true, incomeCents: 8_850 });
    expect(await line("meituan")).toMatchObject({ settled: true, incomeCents: 8_800, feeCents: 440 });
  });
  test("uses of before their store was mapped are its own from then on, in the day and in 团购汇总", async () => {
    const { serviceProviderId, id: merchantId } = shop();
    await add({ kind: "external", certificate_id: voucher(), platform: "ks", store_id: null, platform_store_id: "P7" });
    expect(await line("ks")).toBeUndefined();
    const dayId = randomUUID();
    await world.owner("insert into recon_days (service_provider_id, id, merchant_id, source, day) values ($1, $2, $3, 'ks', $4)", [
      serviceProviderId,
      dayId,
      merchantId,
      today(),
    ]);
    await world.owner(
      `insert into recon_differences (service_provider_id, id, merchant_id, day_id, source, day, kind, class, number, order_no, hint, found_at)
        values ($1, $2, $3, $4, 'ks', $5, 3, 'channel-only', 'U1', '', 'unmapped', now())`,
      [serviceProviderId, randomUUID(), merchantId, dayId, today()],
    );
    expect(await blocks(today(), "emp01")).toEqual([["unmapped", "ks", 1]]);
    await world.owner(
      `insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, mapped_store_id, updated_at)
        values ($1, $2, $3, 'ks', 'P7', '春熙路店', $4, now())`,
      [serviceProviderId, randomUUID(), merchantId, store().id],
    );
    for (const login of ["mch01", "emp01"]) {
      expect(await line("ks", login)).toMatchObject({ count: 1, incomeCents: 8_860 });
      const days = { from: today(), to: today(), storeId: store().id };
      expect((await ask(getGroupBuyFigures, { ...days, by: "store" }, login)).rows).toMatchObject([{ id: store().id, used: 1 }]);
      expect((await ask(listGroupBuyEntries, days, login)).items).toMatchObject([{ storeName: expect.any(String) }]);
    }
  });
  test("another mapping begins on its day: what was used before it stays with the old store, in the sums, in the day and with its bill", async () => {
    const [old, fresh] = [shop().stores[0]!, shop().stores[1]!];
    await world.owner("delete from other_stores where platform_store_id = 'P7'");
    await world.owner(
      `insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, mapped_store_id, updated_at)
        values ($1, $2, $3, 'ks', 'P7', '迁店', $4, now())`,
      [shop().serviceProviderId, randomUUID(), shop().id, old.id],
    );
    const [before, after] = [voucher(), voucher()];
    const there = { platform: "ks", store_id: null, platform_store_id: "P7" } as const;
    const first = today();
    await add({ kind: "external", certificate_id: before, ...there });
    world.services.clock.advance(86_400_000);
    await world.owner("update other_stores set mapped_store_id = $1, mapped_from = $2 where platform_store_id = 'P7'", [fresh.id, today()]);
    await add({ kind: "external", certificate_id: after, ...there });
    // The bill of the old use comes under the new mapping.
    await add({ kind: "ledger", certificate_id: before, ...there });
    const ks = async (storeId: string, day: string) =>
      (await ask(getStoreDay, { storeId, day })).figures.lines.find(({ key }) => key === "ks");
    expect(await ks(old.id, first)).toMatchObject({ count: 1, settled: true, settledCents: 8_850 });
    expect(await ks(fresh.id, today())).toMatchObject({ count: 1, settled: false, incomeCents: 8_860 });
    expect([await ks(old.id, today()), await ks(fresh.id, first)]).toEqual([undefined, undefined]);
    const sums = async (login: string) =>
      (await ask(getGroupBuyFigures, { from: first, to: today(), by: "store", platform: "ks" }, login)).rows.map(
        ({ id, used }): [string, number] => [id, used],
      );
    expect(new Map(await sums("mch01"))).toEqual(
      new Map([
        [old.id, 1],
        [fresh.id, 1],
      ]),
    );
    // The old store's people see the old use, and nothing of the new store's.
    expect(await sums("emp01")).toEqual([[old.id, 1]]);
    expect((await ask(listGroupBuyEntries, { from: first, to: today(), platform: "ks", part: "used" }, "emp01")).items).toHaveLength(1);
    // What is taken back of it stands where it stood, on the day on which that was.
    world.services.clock.advance(86_400_000);
    const unpaid = voucher();
    await add({ kind: "external", certificate_id: unpaid, ...there, happened_at: `${first}T10:00:00+08:00` });
    await add({ kind: "reverse", certificate_id: unpaid, ...there });
    const back = { from: today(), to: today(), platform: "ks", part: "reversed" } as const;
    expect((await ask(listGroupBuyEntries, { ...back, storeId: old.id })).items).toHaveLength(1);
    expect((await ask(listGroupBuyEntries, { ...back, storeId: fresh.id })).items).toEqual([]);
    expect((await ask(listGroupBuyEntries, back, "emp01")).items).toHaveLength(1);
    const { rows } = await ask(getGroupBuyFigures, { from: today(), to: today(), by: "store", platform: "ks" });
    expect(rows).toMatchObject([{ id: old.id, used: 0, reversed: 1 }]);
    expect(await ks(old.id, today())).toMatchObject({ backCount: 1 });
    expect(await ks(fresh.id, today())).toBeUndefined();
    await world.owner("delete from other_stores where platform_store_id = 'P7'");
  });
});

test("a day whose platform's account is paused says so instead of waiting for a bill", async () => {
  await add({ kind: "verify", certificate_id: voucher(), platform: "dy" });
  const told = async () => (await look()).hindrances.map(({ kind, source, blocks: forbids }) => [kind, source, forbids]);
  expect(await told()).toContainEqual(["bill", "dy", false]);
  await world.owner("update platform_accounts set state = 'paused' where platform = 'dy'");
  expect(await told()).toContainEqual(["paused", "dy", false]);
  expect(await told()).not.toContainEqual(["bill", "dy", false]);
  await world.owner("update platform_accounts set state = 'active' where platform = 'dy'");
});
test("a voucher that covers a part of an order is no 商家优惠 of it", async () => {
  const tillNo = `L${++n}`;
  const given = { tillNo, tradeType: "NATIVE", subject: "午餐", grossCents: 2_000 } as const;
  await world.till(store(), "createTillOrder", given);
  const [order] = await world.owner<{ order_no: string }>(
    "update pay_orders set gross_cents = 10500, voucher_cents = 8000, manual_cents = 500 where till_no = $1 returning order_no",
    [tillNo],
  );
  world.channel.customerPays(order!.order_no);
  world.services.clock.advance(60_000);
  await world.sweep();
  expect((await look()).figures.lines).toMatchObject([
    { band: "own", paidCents: 2_000, shopOffCents: 500, incomeCents: expect.any(Number) },
  ]);
});

describe("what hinders", () => {
  test("a payment whose end nobody knows, on its day and after it", async () => {
    const tillNo = `L${++n}`;
    await world.till(store(), "createTillOrder", { tillNo, tradeType: "NATIVE", subject: "午餐", grossCents: 2_000 });
    const day = today();
    expect(await blocks()).toContainEqual(["payment", "", 1]);
    await expect(propose("mch01")).rejects.toThrow("1 笔收款还没有结果");
    world.services.clock.advance(86_400_000);
    expect([await blocks(day), await blocks()]).toEqual([[["payment", "", 1]], [["payment", "", 1]]]);
    await world.owner("update pay_orders set status = 1, closed_at = now() where till_no = $1", [tillNo]);
    expect(await blocks(day)).toEqual([]);
  });
  test("a use that the platform holds, on its day and after it; taking one back on today", async () => {
    const { serviceProviderId, id: merchantId } = shop();
    const [attempt, ticket, hash] = [randomUUID(), randomUUID(), Buffer.alloc(32, 7)];
    const place = [serviceProviderId, merchantId, store().id, await openAccount("ks")];
    await world.owner(
      `insert into platform_vouchers (service_provider_id, merchant_id, store_id, account_id, platform, id, voucher_hash, tail, certificate_id, title, goods_kind,
          face_cents, pay_cents, created_at, updated_at) values ($1, $2, $3, $4, 'ks', $5, $6, '', 'H1', '套餐', 1, 1000, 1000, now(), now())`,
      [...place, ticket, hash],
    );
    await world.owner(
      `insert into voucher_verifications (service_provider_id, merchant_id, store_id, account_id, platform, id, voucher_id, voucher_hash, nth, batch_id, place,
          request_id, status, poi_id, certificate_id, pay_cents, by_name, started_at)
        values ($1, $2, $3, $4, 'ks', $5, $6, $7, 1, $5, 0, $5, 4, 'P1', 'H1', 1000, 'x', $8)`,
      [...place, attempt, ticket, hash, now()],
    );
    const day = today();
    world.services.clock.advance(86_400_000);
    expect([await blocks(day), await blocks()]).toEqual([[["attempt", "ks", 1]], [["attempt", "ks", 1]]]);
    await world.owner(
      "update voucher_verifications set status = 1, verify_id = 'V1', verified_at = now(), settled_at = now() where id = $1",
      [attempt],
    );
    await world.owner("update voucher_verifications set status = 5, cancel_at = $2 where id = $1", [attempt, now()]);
    expect([await blocks(day), await blocks()]).toEqual([[], [["attempt", "ks", 1]]]);
    await world.owner("update voucher_verifications set status = 6, reversed_at = now() where id = $1", [attempt]);
  });
  test("an order that a platform told of and nobody has, also after somebody asked again; not once it came by a sheet", async () => {
    const { serviceProviderId, id: merchantId } = shop();
    const account = await openAccount("ele");
    const [day, told] = [today(), now()];
    await world.owner(
      `insert into takeaway_fetches (service_provider_id, id, merchant_id, account_id, platform_order_id, wanted_at, told_at, outcome)
        values ($1, $2, $3, $4, 'LOST1', $5, $5, 'refused')`,
      [serviceProviderId, randomUUID(), merchantId, account, told],
    );
    world.services.clock.advance(86_400_000);
    await world.owner("update takeaway_fetches set wanted_at = $1 where platform_order_id = 'LOST1'", [now()]);
    expect([await blocks(day), await blocks()]).toEqual([[["unfetched", "ele", 1]], [["unfetched", "ele", 1]]]);
    const id = randomUUID();
    await world.owner(
      `insert into takeaway_orders (service_provider_id, id, merchant_id, store_id, platform, platform_order_id, status, placed_at, changed_at, source,
          original_cents, package_cents, delivery_cents, shop_off_cents, platform_off_cents, paid_cents, fee_cents, income_cents, created_at, updated_at)
        values ($1, $2, $3, $4, 'ele', 'LOST1', 1, $5, $5, 'sheet', 100, 0, 0, 0, 0, 100, 0, 100, $5, $5)`,
      [serviceProviderId, id, merchantId, store().id, told],
    );
    expect(await blocks(day)).toEqual([]);
    // It still runs: that is written down.
    for (const at of [day, today()])
      expect((await look("mch01", at)).hindrances).toContainEqual({ kind: "running", blocks: false, source: "ele", count: 1, dayId: null });
  });
});

describe("closing", () => {
  test("a bill that came between the two is told although no amount changed; invoices are among the figures", async () => {
    const no = voucher();
    await add({ kind: "verify", certificate_id: no });
    await propose("emp01");
    await add({ kind: "ledger", certificate_id: no, total_cents: 9_300, fee_cents: 440, goods_cents: 8_860 });
    await expect(close("mch01")).rejects.toThrow("美团 结算单金额 0.00 变为 88.60");
    const { figures } = await look();
    const written = { ...figures, invoices: { count: 1, cents: 500, redCount: 0, redCents: 0 }, rechargeCents: 100 };
    expect(changedFigures(namedFigures(figures), namedFigures(written as never)).map(changeWords)).toEqual([
      "充值收款 0.00 变为 1.00",
      "已开票张数 0 变为 1",
      "已开票 0.00 变为 5.00",
    ]);
  });
  test("each closing is kept as it was signed; what changed after it shows in list and month", async () => {
    const no = voucher();
    await add({ kind: "verify", certificate_id: no });
    await propose("emp01");
    await close("mch01");
    const first = await look();
    await add({ kind: "reverse", certificate_id: no });
    const [row] = (await ask(listStoreDays, { day: today(), storeId: store().id })).items;
    const { days } = await ask(getStoreMonth, { storeId: store().id, month: today().slice(0, 7) });
    const { changes, version } = await look();
    expect(changes.length).toBeGreaterThan(0);
    expect([row!.changed, days.find(({ day }) => day === today())!.changed]).toEqual([changes.length, changes.length]);

    await ask(reopenStoreDay, { ...of(), version, reason: "补撤销" });
    await propose("emp01");
    await close("mch01");
    // The same call again, late: it was about the first closing.
    await expect(ask(reopenStoreDay, { ...of(), version, reason: "补撤销" })).rejects.toMatchObject({ status: 409 });
    const kept = await world.owner(
      "select figures, proposed_by_name, closed_by_name from store_day_closings where day = $1 order by version",
      [today()],
    );
    expect(kept).toHaveLength(2);
    expect(kept[0]).toMatchObject({
      figures: { figures: first.figures },
      proposed_by_name: first.proposedBy,
      closed_by_name: first.closedBy,
    });
  });
  test("nobody below takes a proposal back, and nobody who acts for another", async () => {
    await propose("mch01");
    const { version } = await look();
    await expect(ask(withdrawStoreDay, { ...of(), version }, "emp01")).rejects.toMatchObject({ status: 403 });
    await ask(withdrawStoreDay, { ...of(), version }, "sp01");
    expect([withdrawStoreDay, reopenStoreDay, closeStoreDay].map((one) => one.closedToActing)).toEqual([true, true, true]);
  });
});
