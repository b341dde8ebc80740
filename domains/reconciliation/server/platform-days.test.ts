import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import { placeInAccount, sealKey } from "../../platforms/server/testing/seal.ts";
import { addPlatformEntries, givePlatforms, type PlatformEntry } from "../../platforms/server/index.ts";
import {
  closeReconDay,
  decideWriteOff,
  getDifference,
  getReconDay,
  linkDifferences,
  listDifferences,
  listReconDays,
  type PlatformSource,
  proposeWriteOff,
  recordUnknown,
  rematchReconDay,
  reopenReconDay,
  repairDifferences,
  retakeReconDay,
  startBillUpload,
} from "../contract/index.ts";
import { matchDay } from "./days/match-day.ts";
import { matchPlatformDays, retakeDay } from "./days/platform-days.ts";
import { reconciliation } from "./index.ts";

let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld({ above: [reconciliation] })));
beforeEach(async () => {
  await emptyTables(
    world.owner,
    "platform_calls, platform_entries, platform_day_uses, platform_bill_days, takeaway_orders, takeaway_fetches, recon_differences, recon_days",
  );
  await world.owner("delete from platform_accounts");
  await world.owner("delete from messages");
  await world.owner("delete from other_stores");
  world.services.clock.set(`${addDays(DAY, 1)}T02:00:00.000Z`);
});
afterAll(() => world.close());

const DAY = "2026-11-18";
const SCOPE = platformScope("facts of a test");
const shop = () => world.tree.merchants.mch01;
const whose = () => ({ service_provider_id: shop().serviceProviderId, merchant_id: shop().id });
const at = (time: string, day = DAY) => new Date(`${day}T${time}+08:00`).toISOString();
/** 100.00 for 88.00, of which the platform gives 5.00 and takes 4.40: 88.60 come. */
const USE = { face_cents: 10_000, pay_cents: 8_800, merchant_ticket_cents: 200, platform_ticket_cents: 500, expected_fee_cents: 440 };
const PAID = { kind: "ledger" as const, fee_cents: 300, talent_cents: 140, total_cents: 9_300, goods_cents: 8_860 };
type Given = Pick<PlatformEntry, "kind" | "certificate_id"> & Partial<PlatformEntry>;
const add = (...entries: readonly Given[]) =>
  withScope(world.services.pool, SCOPE, (tx) =>
    addPlatformEntries(
      tx,
      world.services,
      entries.map((one) => ({
        ...whose(),
        store_id: shop().stores[0]!.id,
        platform: "dy" as const,
        goods_kind: 1 as const,
        verify_id: `v-${one.certificate_id}`,
        happened_at: at("12:00:00"),
        ...(one.kind === "ledger" ? { day: DAY } : USE),
        ...one,
      })),
    ),
  );
/** What 抖音 has on record, of which days. */
let account = "";
async function open(platform = "dy"): Promise<void> {
  account = randomUUID();
  await world.owner(
    `insert into platform_accounts (service_provider_id, id, merchant_id, platform, account_no, app_of, by_name, created_at, updated_at)
      values ($1, $2, $3, $4, $5, 'provider', 'x', now(), now())`,
    [shop().serviceProviderId, account, shop().id, platform, account],
  );
}
async function taken(day = DAY, whole = true, taken_at = new Date(world.services.clock.now_ms()).toISOString()): Promise<void> {
  await world.owner(
    `insert into platform_bill_days (service_provider_id, account_id, day, merchant_id, whole, taken_at, uses_taken_at) values ($1, $2, $3, $4, $5, $6, $6)`,
    [shop().serviceProviderId, account, day, shop().id, whole, taken_at],
  );
}
/** 抖音 itself, with one use on record of 11-18, and what signs for the account there. */
async function playDouyin() {
  const days: string[] = [];
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    const say = (data: object) => void reply.writeHead(200).end(JSON.stringify({ data: { error_code: 0, ...data } }));
    if (url.pathname.endsWith("/client_token/")) return say({ access_token: "t", expires_in: 7_200 });
    if (!url.pathname.endsWith("/verify_record/query/")) return say({ ledger_records: [], has_more: false });
    const day = shanghaiDay(Number(url.searchParams.get("start_time")) * 1_000);
    if (url.searchParams.get("cursor") === "0") days.push(day);
    const use = {
      verify_id: "v-a",
      certificate_id: "a",
      status: 1,
      verify_time: Date.parse(at("12:00:00")) / 1_000,
      amount: { pay_amount: 8_800 },
    };
    say({ records: day === DAY && url.searchParams.get("cursor") === "0" ? [use] : [] });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  givePlatforms(world.services, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const secret = sealKey(
    world.services,
    placeInAccount("secret", { service_provider_id: shop().serviceProviderId, id: account }),
    "secret",
  );
  await world.owner("update platform_accounts set state = 'active', app_of = 'merchant', app_key = 'app', secret_sealed = $1", [secret]);
  return { asked: () => days, close: () => new Promise((closed) => server.close(closed)) };
}
interface There {
  readonly pay?: number;
  readonly at?: string;
  readonly day?: string;
  readonly reversedAt?: string;
}
const there = (id: string, { pay = 8_800, at: used = at("12:00:00"), day = DAY, reversedAt }: There = {}) =>
  world.owner(
    `insert into platform_day_uses (service_provider_id, account_id, day, certificate_id, verify_id, merchant_id, face_cents, pay_cents, merchant_ticket_cents,
        platform_ticket_cents, used_at, reversed, reversed_at) values ($1, $2, $3, $4, $5, $6, 10000, $7, 200, 500, $8, $9, $10)`,
    [shop().serviceProviderId, account, day, id, `v-${id}`, shop().id, pay, used, reversedAt !== undefined, reversedAt ?? null],
  );
const match = (source: PlatformSource = "dy", day = DAY) =>
  withScope(world.services.pool, SCOPE, (tx) =>
    matchDay(tx, { ...whose(), source, day }, new Date(world.services.clock.now_ms()).toISOString()),
  );
const ask = async <E extends Endpoint>(endpoint: E, input: InputOf<E>, login = "mch01") =>
  (await world.ask(
    login,
    reconciliation.routes.find((one) => one.endpoint === (endpoint as Endpoint))!,
    input as object,
  )) as OutputOf<E>;
const dayOf = async (source: PlatformSource = "dy", day = DAY) =>
  (await ask(listReconDays, { source, from: day, to: day } as InputOf<typeof listReconDays>)).items[0]!;
const rows = async (more: object = {}) => (await ask(listDifferences, { pageSize: 100, ...more } as InputOf<typeof listDifferences>)).items;
const byWords = (one: readonly unknown[], other: readonly unknown[]) => one.join().localeCompare(other.join());
const shown = async (more: object = {}) =>
  (await rows(more))
    .map(({ number, kind, class: of, hint, gapCents }) => [number, kind, of, hint, Number(gapCents)] as const)
    .toSorted(byWords);

describe("核销账单", () => {
  test("uses that both sides have fit, also those that were made at the platform, and nothing closes before the bill pays them", async () => {
    await open();
    await taken();
    await add({ kind: "verify", certificate_id: "a" }, { kind: "external", certificate_id: "b" }, { ...PAID, certificate_id: "a" });
    for (const id of ["a", "b"]) await there(id);
    await match();
    const day = await dayOf();
    expect(day).toMatchObject({
      state: "partial",
      ours: { payCount: 2, payCents: 17_600, refundCount: 0, feeCents: 880 },
      bill: { payCount: 2, payCents: 17_600, feeCents: 440 },
      settledCents: 8_860,
      matchedCount: 2,
      openCount: 0,
      platform: { externalCount: 1, pendingCount: 1, pendingCents: 8_860, hasVerify: true, hasLedger: false },
    });
    await expect(ask(closeReconDay, { requestId: randomUUID(), id: day.id, version: day.version })).rejects.toThrow("账单还不全");
    await add({ ...PAID, certificate_id: "b" });
    await match();
    const paid = await dayOf();
    expect(paid).toMatchObject({ state: "ready", settledCents: 17_720, platform: { pendingCount: 0, pendingCents: 0, hasLedger: true } });
    await ask(closeReconDay, { requestId: randomUUID(), id: paid.id, version: paid.version });
    await expect(match()).rejects.toThrow("已关账");
  });
  test("what only one side has, another amount, a reversal that only one side knows", async () => {
    await open();
    await taken(DAY, true, at("02:10:00", addDays(DAY, 1)));
    await add(
      { kind: "verify", certificate_id: "mine" },
      { kind: "verify", certificate_id: "dear" },
      { kind: "verify", certificate_id: "kept" },
      { kind: "verify", certificate_id: "back" },
      { kind: "reverse", certificate_id: "back", happened_at: at("12:30:00") },
      { kind: "verify", certificate_id: "late" },
      // Taken back after the platform was asked: its record is older.
      { kind: "reverse", certificate_id: "late", happened_at: at("09:00:00", addDays(DAY, 1)) },
    );
    await there("dear", { pay: 9_000 });
    await there("kept", { reversedAt: at("12:40:00") });
    await there("back");
    await there("late");
    await there("theirs");
    await match();
    expect(await shown()).toEqual([
      ["v-back", 4, "status", null, 0],
      ["v-dear", 3, "amount", null, 200],
      ["v-kept", 4, "status", null, 0],
      ["v-mine", 3, "ours-only", null, -8_800],
      ["v-theirs", 3, "channel-only", "unknown", 8_800],
    ]);
    const { ours, bill, openCount, state } = await dayOf();
    expect([ours.refundCount, bill.refundCount, openCount, state]).toEqual([1, 1, 5, "differing"]);
  });
  test("over midnight: a use that the platform tells of the next day fits there, and a reversal at half past counts on the second day", async () => {
    const next = addDays(DAY, 1);
    await open();
    await taken();
    await add(
      { kind: "verify", certificate_id: "edge", happened_at: at("23:59:59") },
      { kind: "verify", certificate_id: "night", happened_at: at("23:58:00") },
      { kind: "reverse", certificate_id: "night", happened_at: at("00:30:00", next) },
    );
    await there("night", { at: at("23:58:00"), reversedAt: at("00:30:00", next) });
    await match();
    expect(await shown()).toEqual([["v-edge", 3, "ours-only", "midnight", -8_800]]);
    world.services.clock.set(`${addDays(DAY, 2)}T02:00:00.000Z`);
    await taken(next);
    await there("edge", { day: next, at: at("00:00:01", next) });
    await match("dy", next);
    expect(await rows({ status: "open" })).toEqual([]);
    expect(await dayOf("dy", next)).toMatchObject({
      ours: { payCount: 0, refundCount: 1, refundCents: 8_800 },
      bill: { payCount: 1, refundCount: 1, refundCents: 8_800 },
      matchedCount: 1,
      boundaryCount: 1,
    });
    await match();
    expect(await dayOf()).toMatchObject({ openCount: 0, ours: { payCount: 2, refundCount: 0 }, bill: { payCount: 1, refundCount: 0 } });
  });
  test("a use at a store of the platform's that is mapped to none waits for the mapping", async () => {
    await open();
    await taken();
    await add({ kind: "external", certificate_id: "x", store_id: null, platform_store_id: "66" });
    await there("x");
    await match();
    const [unmapped] = await rows();
    expect(unmapped).toMatchObject({ class: "channel-only", hint: "unmapped", number: "v-x", storeName: null });
    await expect(ask(recordUnknown, { requestId: randomUUID(), ids: [unmapped!.id], looker: "王会计" })).rejects.toMatchObject({
      fields: { ids: "只有本地没有单号的通道收款可以登记为未知收款" },
    });
    await world.owner(
      `insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, mapped_store_id, updated_at)
        values ($1, gen_random_uuid(), $2, 'dy', '66', '抖音门店', $3, now())`,
      [shop().serviceProviderId, shop().id, shop().stores[0]!.id],
    );
    expect(await ask(rematchReconDay, { id: (await dayOf()).id })).toEqual({ openCount: 0 });
  });
  test("a use that stands here on another day is known, and no 未知收款", async () => {
    await open();
    await taken();
    await add({ kind: "verify", certificate_id: "far", happened_at: at("12:00:00", addDays(DAY, -5)) });
    await there("far");
    await match();
    const [known] = await rows();
    expect(known).toMatchObject({ class: "channel-only", hint: "other-day", orderId: null });
    await expect(ask(recordUnknown, { requestId: randomUUID(), ids: [known!.id], looker: "王会计" })).rejects.toMatchObject({
      status: 400,
      fields: { ids: "只有本地没有单号的通道收款可以登记为未知收款" },
    });
  });
  test("the platform's record goes ninety days later, and without it the day is not matched until it is taken anew", async () => {
    await open();
    await taken();
    await add({ kind: "verify", certificate_id: "a" }, { ...PAID, certificate_id: "a" });
    for (const id of ["a", "b"]) await there(id);
    await match();
    const records = () => world.owner<{ of: string }>("select certificate_id as of from platform_day_uses order by 1");
    const pass = async (days: number) => {
      world.services.clock.advance(days * 86_400_000);
      await world.sweep("clear-platform-records");
    };
    const begun_ms = world.services.clock.now_ms();
    await pass(92);
    // Something of it is open.
    expect(await records()).toHaveLength(2);
    await world.owner("update recon_differences set status = 'resolved', resolution = 'vanished', resolved_at = now()");
    await pass(0);
    expect(await records()).toEqual([]);
    const before = await dayOf();
    await expect(match()).rejects.toThrow("平台的核销记录已清，请先重新取账单");
    expect(await dayOf()).toEqual(before);
    world.services.clock.advance(begun_ms - world.services.clock.now_ms());
  });
  test("a day of months ago that is opened again is taken anew with the days beside it, matched and closed", async () => {
    const [before, after] = [addDays(DAY, -1), addDays(DAY, 1)];
    const begun_ms = world.services.clock.now_ms();
    await open();
    for (const day of [before, DAY, after]) await taken(day);
    await add({ kind: "verify", certificate_id: "a" }, { ...PAID, certificate_id: "a" });
    await there("a");
    await match();
    const first = await dayOf();
    await ask(closeReconDay, { requestId: randomUUID(), id: first.id, version: first.version });
    world.services.clock.advance(95 * 86_400_000);
    await world.sweep("clear-platform-records");
    const records = () => world.owner<{ day: string }>("select day::text from platform_bill_days where cleared_at is null order by day");
    expect(await records()).toEqual([]);
    await ask(reopenReconDay, { id: first.id, reason: "平台补数据" });
    const retake = async () => {
      await ask(retakeReconDay, { id: first.id });
      await retakeDay.run(world.services, { ...whose(), source: "dy", day: DAY });
    };
    const told = () => world.owner<{ body: string }>("select body from messages where title like '%没有取全%' order by created_at");
    // Nothing signs for the merchant: it is told so.
    await retake();
    expect((await told())[0]!.body).toBe("平台账号没有启用，取不到账单");
    const platform = await playDouyin();
    await retake();
    expect(platform.asked()).toEqual([before, DAY, after]);
    expect(await records()).toHaveLength(3);
    // Nor does the next round clear what was just taken.
    await world.sweep("clear-platform-records");
    await ask(rematchReconDay, { id: first.id });
    const again = await dayOf();
    expect(again).toMatchObject({ state: "ready", matchedCount: 1, openCount: 0 });
    await ask(closeReconDay, { requestId: randomUUID(), id: again.id, version: again.version });
    expect((await dayOf()).state).toBe("closed");
    await platform.close();
    world.services.clock.advance(begun_ms - world.services.clock.now_ms());
  });
  test("a record stays while a day beside it is opened again and waits for its match", async () => {
    const begun_ms = world.services.clock.now_ms();
    await open();
    for (const day of [DAY, addDays(DAY, 1)]) await taken(day);
    await add({ kind: "verify", certificate_id: "a" }, { ...PAID, certificate_id: "a" });
    await there("a");
    await match();
    const day = await dayOf();
    await ask(closeReconDay, { requestId: randomUUID(), id: day.id, version: day.version });
    await ask(reopenReconDay, { id: day.id, reason: "平台补数据" });
    world.services.clock.advance(95 * 86_400_000);
    await world.sweep("clear-platform-records");
    expect(await world.owner("select 1 from platform_bill_days where cleared_at is not null")).toEqual([]);
    await match();
    world.services.clock.advance(begun_ms - world.services.clock.now_ms());
  });
  test("a store that is mapped later is counted at the next round, without anybody asking", async () => {
    await open();
    await taken();
    await add({ kind: "external", certificate_id: "a", store_id: null, platform_store_id: "POI-9" }, { ...PAID, certificate_id: "a" });
    await there("a");
    await match();
    expect(await shown()).toMatchObject([["v-a", 3, "channel-only", "unmapped", 8_800]]);
    await taken(addDays(DAY, 1));
    await there("b", { day: addDays(DAY, 1), at: at("12:00:00", addDays(DAY, 1)) });
    world.services.clock.advance(2 * 86_400_000);
    await match("dy", addDays(DAY, 1));
    await world.sweep("match-platform-days");
    await world.owner(
      "insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, mapped_store_id, updated_at) values ($1, $2, $3, 'dy', 'POI-9', '春熙路店', $4, $5)",
      [shop().serviceProviderId, randomUUID(), shop().id, shop().stores[0]!.id, new Date(world.services.clock.now_ms()).toISOString()],
    );
    const other = await dayOf("dy", addDays(DAY, 1));
    await world.sweep("match-platform-days");
    expect(await shown({ status: "open" })).toMatchObject([["v-b", 3, "channel-only", "unknown", 8_800]]);
    // One that waits for no mapping is not matched for it.
    expect((await dayOf("dy", addDays(DAY, 1))).version).toBe(other.version);
    await world.owner("delete from other_stores where platform_store_id = 'POI-9'");
  });
  test("a day whose record of uses did not come is not held against it", async () => {
    await open();
    await add({ kind: "verify", certificate_id: "a" }, { ...PAID, certificate_id: "a" });
    await match();
    // Nor does a line count that may be one of two.
    expect(await dayOf()).toMatchObject({
      state: "partial",
      openCount: 0,
      platform: { hasVerify: false, hasLedger: false, pendingCount: 1 },
    });
  });
  test("rows that nobody can read are a difference after eight days, and the day is closed over it", async () => {
    await open();
    await taken(DAY, false);
    await world.owner("update platform_bill_days set came = true, unread = 3");
    await add({ kind: "verify", certificate_id: "a" }, { ...PAID, certificate_id: "a" });
    await there("a");
    world.services.clock.set(`${addDays(DAY, 7)}T12:00:00.000Z`);
    await match();
    expect(await dayOf()).toMatchObject({ state: "partial", openCount: 0 });
    world.services.clock.set(`${addDays(DAY, 8)}T00:00:00.000Z`);
    await match();
    expect(await shown()).toEqual([["3 条读不懂", 3, "channel-only", "unreadable", 0]]);
    const [difference] = await rows();
    await ask(proposeWriteOff, { requestId: randomUUID(), ids: [difference!.id], reason: "平台测试数据" });
    await ask(decideWriteOff, { requestId: randomUUID(), ids: [difference!.id], approve: true }, "sp01");
    expect(await dayOf()).toMatchObject({ state: "ready", platform: { hasVerify: true, hasLedger: true } });
  });
});

describe("结算账单", () => {
  beforeEach(async () => {
    await open();
    await taken();
  });
  const use = async (id: string, more: Partial<PlatformEntry> = {}) => {
    await add({ kind: "verify", certificate_id: id, ...more });
    await there(id);
  };
  test("通兑券's two lines are one; what does not add up, another commission, and a line that nobody knows are differences", async () => {
    await use("two");
    await add({ ...PAID, certificate_id: "two", goods_cents: 5_000, total_cents: 5_440 });
    await add({ ...PAID, certificate_id: "two", part: 1, fee_cents: 0, talent_cents: 0, goods_cents: 3_860, total_cents: 3_860 });
    await use("odd");
    await add({ ...PAID, certificate_id: "odd", goods_cents: 8_660 });
    await use("fee");
    await add({ ...PAID, certificate_id: "fee", fee_cents: 400, goods_cents: 8_760 });
    await use("cent");
    await add({ ...PAID, certificate_id: "cent", fee_cents: 301, goods_cents: 8_859 });
    // Nobody said what the platform takes.
    await use("free", { expected_fee_cents: 0 });
    await add({ ...PAID, certificate_id: "free" });
    await use("undone");
    await add({ kind: "reverse", certificate_id: "undone" }, { ...PAID, certificate_id: "undone" });
    await add({ ...PAID, certificate_id: "stray" });
    await match();
    expect(await shown({ status: "open" })).toEqual(
      [
        ["v-fee", 5, "fee", null, 100],
        ["v-odd", 5, "uneven", null, -200],
        ["v-stray", 5, "channel-only", "unknown", 8_860],
        ["v-undone", 4, "status", null, 0],
        ["v-undone", 5, "status", "still-paid", 0],
      ].toSorted(byWords),
    );
    expect(await dayOf()).toMatchObject({
      toleratedCents: 1,
      settledCents: 8_860 + 8_660 + 8_760 + 8_859 + 8_860 + 8_860 + 8_860,
      platform: { pendingCount: 0, hasLedger: true },
    });
  });
  test("what is asked for while somebody waits stays within a call; a longer day is taken in the background", async () => {
    await add(...Array.from({ length: 1_001 }, (_, n) => ({ kind: "verify" as const, certificate_id: `many-${n}` })));
    await match();
    const [one] = await rows();
    expect(await ask(repairDifferences, { ids: [one!.id] })).toMatchObject({
      repaired: 0,
      message: "仍不一致：核销很多，已在后台重新取账单，取完自动对账",
    });
  });
  test("half of what a 通兑券 brings is waited for like none, and a difference from the eighth day on", async () => {
    await use("two");
    await add({ ...PAID, certificate_id: "two", goods_cents: 5_000, total_cents: 5_440 });
    await match();
    expect(await dayOf()).toMatchObject({
      state: "partial",
      openCount: 0,
      platform: { pendingCount: 1, pendingCents: 8_860, hasLedger: false },
    });
    world.services.clock.set(`${addDays(DAY, 8)}T00:00:00.000Z`);
    await match();
    expect(await shown()).toEqual([["v-two", 5, "amount", null, -3_860]]);
    await add({ ...PAID, certificate_id: "two", part: 1, fee_cents: 0, talent_cents: 0, goods_cents: 3_860, total_cents: 3_860 });
    await match();
    expect(await dayOf()).toMatchObject({ state: "ready", openCount: 0, settledCents: 8_860 });
  });
  test("what no bill pays is waited for, and a difference from the eighth day on", async () => {
    await use("slow");
    world.services.clock.set(`${addDays(DAY, 7)}T12:00:00.000Z`);
    await match();
    expect(await dayOf()).toMatchObject({ state: "partial", platform: { pendingCount: 1, pendingCents: 8_860 } });
    world.services.clock.set(`${addDays(DAY, 8)}T00:00:00.000Z`);
    await match();
    expect(await shown()).toEqual([["v-slow", 5, "ours-only", "unsettled", -8_860]]);
    expect(await dayOf()).toMatchObject({ state: "differing", platform: { pendingCount: 0, hasLedger: true } });
    const day = await dayOf();
    await expect(ask(closeReconDay, { requestId: randomUUID(), id: day.id, version: day.version })).rejects.toThrow("还有 1 条差异");
    // It comes all the same: the difference goes by itself.
    await add({ ...PAID, certificate_id: "slow" });
    await match();
    expect(await dayOf()).toMatchObject({ state: "ready", openCount: 0 });
  });
  test("a write-off by two stays while both sides say the same, and a line is linked to the use that it pays", async () => {
    await use("odd");
    await add({ ...PAID, certificate_id: "odd", goods_cents: 8_660 });
    await match();
    const [odd] = await rows();
    await ask(proposeWriteOff, { requestId: randomUUID(), ids: [odd!.id], reason: "平台活动扣款" });
    await expect(ask(decideWriteOff, { requestId: randomUUID(), ids: [odd!.id], approve: true })).rejects.toThrow("申请人以外");
    await ask(decideWriteOff, { requestId: randomUUID(), ids: [odd!.id], approve: true }, "sp01");
    await match();
    expect(await dayOf()).toMatchObject({ state: "ready", differenceCount: 1, openCount: 0 });
    world.services.clock.set(`${addDays(DAY, 8)}T00:00:00.000Z`);
    await use("mine");
    await add({ ...PAID, certificate_id: "other" });
    await match();
    const [ours, theirs] = ["ours-only", "channel-only"].map(async (of) => (await rows({ class: of }))[0]!);
    const { candidates, about } = await ask(getDifference, { id: (await ours!).id });
    expect([candidates.map(({ number }) => number), about?.voucherId]).toEqual([["v-other"], null]);
    await ask(linkDifferences, { requestId: randomUUID(), id: (await ours!).id, otherId: (await theirs!).id, reason: "平台换了券号" });
    expect(await dayOf()).toMatchObject({ openCount: 0 });
  });
});

test("a platform by sheet is whole with its uses and lines; a code is told by its last four, and no file is taken", async () => {
  const sheet = { platform: "meituan" as const, verify_id: "202611180001", certificate_id: "202611180001" };
  await add({ kind: "verify", ...sheet }, { ...PAID, ...sheet, goods_cents: 8_000 });
  await match("meituan");
  expect(await dayOf("meituan")).toMatchObject({
    state: "differing",
    bill: { payCount: 1 },
    platform: { hasVerify: true, hasLedger: true },
  });
  const [uneven] = await rows();
  expect([uneven!.number, uneven!.channelNo, uneven!.class]).toEqual(["···0001", "···0001", "uneven"]);
  expect((await rows({ keyword: "202611180001" })).map(({ id }) => id)).toEqual([uneven!.id]);
  expect(await ask(repairDifferences, { ids: [uneven!.id] })).toMatchObject({
    repaired: 0,
    message: "仍不一致：这个平台没有接口，请导入它的账单表格",
  });
  await expect(ask(retakeReconDay, { id: (await dayOf("meituan")).id })).rejects.toThrow("没有接口");
  const file = { requestId: randomUUID(), source: "meituan" as const, type: "TRADE" as const, day: DAY, fileName: "a.csv", sizeBytes: 3 };
  await expect(ask(startBillUpload, file)).rejects.toMatchObject({ fields: { source: expect.stringContaining("不是文件") as string } });
});

const takeawayOrder = (no: string, more: Record<string, unknown> = {}) => {
  const row: Record<string, unknown> = {
    ...whose(),
    id: randomUUID(),
    store_id: shop().stores[0]!.id,
    platform: "ele",
    platform_order_id: no,
    status: 2,
    placed_at: at("11:00:00"),
    completed_at: at("12:00:00"),
    changed_at: at("12:00:00"),
    original_cents: 4_200,
    package_cents: 200,
    delivery_cents: 0,
    shop_off_cents: 300,
    platform_off_cents: 0,
    paid_cents: 3_900,
    fee_cents: 500,
    income_cents: 3_600,
    parts_cents: 3_600,
    source: "platform",
    created_at: at("12:00:00"),
    updated_at: at("12:00:00"),
    ...more,
  };
  const names = Object.keys(row);
  return world.owner(
    `insert into takeaway_orders (${names.join(", ")}) values (${names.map((_, n) => `$${n + 1}`).join(", ")})`,
    Object.values(row),
  );
};

describe("外卖", () => {
  const fetch = (no: string, next: string | null) =>
    world.owner(
      `insert into takeaway_fetches (service_provider_id, id, merchant_id, account_id, platform_order_id, told_at, wanted_at, next_at, outcome, tries)
        values ($1, gen_random_uuid(), $2, $3, $4, $5, $5, $6, 'unknown', 3)`,
      [shop().serviceProviderId, shop().id, account, no, at("13:00:00"), next],
    );
  const unfetched = async () =>
    await world.owner("select distinct day::text from app.stray_takeaway($1, $2, daterange($3::date - 1, $3::date + 2)) order by 1", [
      shop().serviceProviderId,
      shop().id,
      DAY,
    ]);
  test("an order that nobody could fetch stays on the day on which it was told of, however often it is asked for", async () => {
    await open("ele");
    await fetch("1006", null);
    await match("ele");
    await world.owner("update takeaway_fetches set wanted_at = $1, next_at = $1, tries = 0", [at("12:00:00", addDays(DAY, 8))]);
    world.services.clock.set(`${addDays(DAY, 8)}T05:00:00.000Z`);
    await match("ele");
    expect(await shown({ status: "open" })).toEqual([["1006", 6, "channel-only", "unfetched", 0]]);
    expect((await dayOf("ele")).platform).toMatchObject({ hasVerify: false });
    // Of a store's day it hinders its own and each after it: it may have been completed on any.
    expect(await unfetched()).toEqual([{ day: DAY }, { day: addDays(DAY, 1) }]);
    // A sheet brought it.
    await takeawayOrder("1006");
    await world.owner("update takeaway_fetches set next_at = null");
    await match("ele");
    expect([await shown({ status: "open" }), await unfetched()]).toEqual([[], []]);
  });
  test("income is held against its parts; unmapped, unfetched and forgotten orders keep the day open", async () => {
    await open("ele");
    await takeawayOrder("1001", { refund_cents: 1_000, shop_refund_cents: 600 });
    await takeawayOrder("1002", { income_cents: 3_500 });
    await takeawayOrder("1003", { store_id: null });
    await takeawayOrder("1004", { status: 1, completed_at: null });
    await takeawayOrder("1005", { status: 3 });
    await fetch("1006", at("09:00:00", addDays(DAY, 2)));
    await match("ele");
    expect(await shown()).toEqual([
      ["1002", 6, "uneven", null, -100],
      ["1003", 6, "channel-only", "unmapped", 3_600],
      ["1006", 6, "channel-only", "unfetched", 0],
    ]);
    expect(await dayOf("ele")).toMatchObject({
      state: "differing",
      ours: { payCount: 3, payCents: 10_800, refundCount: 1, refundCents: 600 },
      bill: { payCount: 3, payCents: 10_700 },
      settledCents: 10_100,
      platform: { hasVerify: false },
    });
    await world.owner("update takeaway_fetches set next_at = null, outcome = 'ok'");
    world.services.clock.set(`${addDays(DAY, 3)}T00:00:00.000Z`);
    await match("ele");
    expect((await shown({ status: "open" })).map(([number, , of, hint]) => [number, of, hint])).toEqual([
      ["1002", "uneven", null],
      ["1003", "channel-only", "unmapped"],
      ["1004", "status", "running"],
    ]);
    expect((await dayOf("ele")).platform).toMatchObject({ hasVerify: true, hasLedger: true });
  });
});

test("every ten minutes days that were told something new are matched, at night those that are due, and closed ones never", async () => {
  await open();
  await world.owner("update platform_accounts set state = 'active'");
  world.services.clock.set(at("02:20:00", addDays(DAY, 1)));
  await add({ kind: "verify", certificate_id: "s", platform: "koubei" }, { ...PAID, certificate_id: "s", platform: "koubei" });
  world.services.clock.set(at("02:30:00", addDays(DAY, 1)));
  await matchPlatformDays.run(world.services, {});
  const days = async () =>
    (await ask(listReconDays, { from: DAY, to: DAY, pageSize: 50 } as InputOf<typeof listReconDays>)).items
      .map(({ source, version }) => [source, version])
      .toSorted(byWords);
  expect(await days()).toEqual([["koubei", 1]]);
  world.services.clock.set(at("02:40:00", addDays(DAY, 1)));
  await matchPlatformDays.run(world.services, {});
  expect(await days()).toEqual([
    ["dy", 1],
    ["koubei", 1],
  ]);
  // Nothing was told since: the night matches nobody twice.
  world.services.clock.set(at("02:50:00", addDays(DAY, 1)));
  await matchPlatformDays.run(world.services, {});
  expect(await days()).toEqual([
    ["dy", 1],
    ["koubei", 1],
  ]);
});

test("an asked platform's day waits for the night, and its eighth day is made up for where it was missed", async () => {
  await open();
  await world.owner("update platform_accounts set state = 'active'");
  const run = async (time: string, day: string) => {
    world.services.clock.set(at(time, day));
    await matchPlatformDays.run(world.services, {});
  };
  const version = async () => (await ask(listReconDays, { from: DAY, to: DAY } as InputOf<typeof listReconDays>)).items[0]?.version;
  const next = addDays(DAY, 1);
  world.services.clock.set(at("23:58:00"));
  await add({ kind: "verify", certificate_id: "a" });
  await run("00:00:00", next);
  expect(await version()).toBeUndefined();
  world.services.clock.set(at("02:11:00", next));
  await taken();
  await there("a");
  await run("02:20:00", next);
  await run("02:40:00", next);
  await run("02:50:00", next);
  expect(await version()).toBe(1);
  await run("02:40:00", addDays(DAY, 3));
  expect(await version()).toBe(1);
  // The job did not run on the eighth day.
  await run("03:00:00", addDays(DAY, 10));
  expect((await shown()).map(([, , , hint]) => hint)).toEqual(["unsettled"]);
  await run("03:20:00", addDays(DAY, 10));
  expect(await version()).toBe(2);
});

test("a reversal that comes days later tells the day of its use too", async () => {
  const sheet = { platform: "koubei" as const, certificate_id: "s" };
  await add({ kind: "verify", ...sheet });
  world.services.clock.set(at("02:30:00", addDays(DAY, 1)));
  await matchPlatformDays.run(world.services, {});
  expect((await dayOf("koubei")).platform).toMatchObject({ pendingCount: 1 });
  const later = addDays(DAY, 5);
  world.services.clock.set(at("11:00:00", later));
  await add({ kind: "reverse", ...sheet, happened_at: at("10:00:00", later) });
  world.services.clock.set(at("11:10:00", later));
  await matchPlatformDays.run(world.services, {});
  expect((await dayOf("koubei")).platform).toMatchObject({ pendingCount: 0, hasLedger: true });
});

test("what is told of a closed day changes none of its figures, is kept beside them, and whoever closed it is told once", async () => {
  const sheet = { platform: "koubei" as const, certificate_id: "s" };
  world.services.clock.set(at("02:20:00", addDays(DAY, 1)));
  await add({ kind: "verify", ...sheet }, { ...PAID, ...sheet });
  await match("koubei");
  const before = await dayOf("koubei");
  await ask(closeReconDay, { requestId: randomUUID(), id: before.id, version: before.version });
  const run = async (time: string) => {
    world.services.clock.set(at(time, addDays(DAY, 1)));
    await matchPlatformDays.run(world.services, {});
    return (await ask(getReconDay, { id: before.id })).day;
  };
  expect((await run("02:50:00")).platform).toMatchObject({ lateCount: 0, lateCents: 0 });
  await add({ kind: "verify", platform: "koubei", certificate_id: "late" }, { ...PAID, platform: "koubei", certificate_id: "late" });
  const changed = await run("04:00:00");
  expect(changed).toMatchObject({
    state: "closed",
    version: before.version,
    ours: before.ours,
    settledCents: before.settledCents,
    platform: { lateCount: 1, lateCents: 8_800, lateSettledCents: 8_860 },
  });
  expect((await dayOf("koubei")).platform).toMatchObject({ lateCount: 1 });
  await run("05:00:00");
  const told = await world.owner<{ title: string; login: string }>(
    "select m.title, u.login from messages m join users u on u.id = m.owner_user_id where m.kind = 'dayChanged'",
  );
  expect(told).toEqual([{ title: `${DAY} 口碑关账后有变动`, login: "mch01" }]);
  expect(await rows()).toEqual([]);
  await ask(reopenReconDay, { id: before.id, reason: "平台补数据" });
  // It cannot be closed over the old figures once more.
  const reopened = await dayOf("koubei");
  expect(reopened.state).toBe("partial");
  await expect(ask(closeReconDay, { requestId: randomUUID(), id: reopened.id, version: reopened.version })).rejects.toThrow("账单还不全");
  world.services.clock.set(at("09:20:00", addDays(DAY, 6)));
  await matchPlatformDays.run(world.services, {});
  expect(await dayOf("koubei")).toMatchObject({ ours: { payCount: 2 }, platform: { lateCount: 0, lateCents: 0, lateSettledCents: 0 } });
});

test("a refund that a customer gets after takeaway's day was closed is told of it", async () => {
  await open("ele");
  await takeawayOrder("1001");
  await match("ele");
  const day = await dayOf("ele");
  await ask(closeReconDay, { requestId: randomUUID(), id: day.id, version: day.version });
  world.services.clock.set(at("10:20:00", addDays(DAY, 2)));
  await world.owner("update takeaway_orders set refund_cents = 500, shop_refund_cents = 500, updated_at = $1", [
    at("10:20:00", addDays(DAY, 2)),
  ]);
  world.services.clock.set(at("10:30:00", addDays(DAY, 2)));
  await matchPlatformDays.run(world.services, {});
  expect(await dayOf("ele")).toMatchObject({
    state: "closed",
    settledCents: day.settledCents,
    platform: { lateCount: 1, lateCents: -500, lateSettledCents: -500 },
  });
});
