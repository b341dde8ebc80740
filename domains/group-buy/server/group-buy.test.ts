import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { sql } from "kysely";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { merchantScope, parseScope, platformScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import { addPlatformEntries, type PlatformEntry } from "../../platforms/server/index.ts";
import { getGroupBuyFigures, listGroupBuyEntries } from "../contract/index.ts";
import type { Author } from "@zhangfang/server/calls/call.ts";
import { issueWords } from "@zhangfang/contract/issue-words.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { groupBuyFigureExport } from "./group-buy-figures.ts";
import { groupBuy } from "./index.ts";
import { groupBuyEntryExport } from "./read-entries.ts";
import { storeVouchers } from "./store-vouchers.ts";
import { voucherImport } from "./import-vouchers.ts";

let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld({ above: [groupBuy] })));
beforeEach(() => emptyTables(world.owner, "platform_entries"));
afterAll(() => world.close());

type Given = Pick<PlatformEntry, "kind" | "certificate_id"> & Partial<PlatformEntry>;
const shop = () => world.tree.merchants.mch01;
const add = (...entries: readonly Given[]) =>
  withScope(world.services.pool, platformScope("facts of a test"), (tx) =>
    addPlatformEntries(
      tx,
      world.services,
      entries.map((one) => ({
        service_provider_id: shop().serviceProviderId,
        merchant_id: shop().id,
        store_id: shop().stores[0]!.id,
        platform: "dy" as const,
        goods_kind: 1 as const,
        verify_id: one.certificate_id,
        happened_at: "2026-11-18T04:00:00.000Z",
        ...one,
      })),
    ),
  );
const ask = async <E extends Endpoint>(endpoint: E, input: InputOf<E>, login = "mch01") =>
  (await world.ask(
    login,
    groupBuy.routes.find((one) => one.endpoint === (endpoint as Endpoint))!,
    input as object,
  )) as OutputOf<E>;
const figures = (more: object = {}, login?: string) =>
  ask(getGroupBuyFigures, { from: "2026-11-18", to: "2026-11-19", ...more } as InputOf<typeof getGroupBuyFigures>, login);
const entries = async (more: object, login?: string) =>
  (await ask(listGroupBuyEntries, { pageSize: 100, ...more } as InputOf<typeof listGroupBuyEntries>, login)).items;
/** 100.00 for 88.00, of which the platform gives 5.00 and takes 4.40. */
const USE = { face_cents: 10_000, pay_cents: 8_800, merchant_ticket_cents: 200, platform_ticket_cents: 500, expected_fee_cents: 440 };
const BILL = { kind: "ledger" as const, fee_cents: 300, talent_cents: 140, total_cents: 9_300, goods_cents: 8_860, day: "2026-11-18" };

describe("团购券汇总", () => {
  test("adds up by platforms.md's formulas, and a reversal counts on its own day", async () => {
    await add(
      { kind: "verify", certificate_id: "a", ...USE },
      { kind: "verify", certificate_id: "b", ...USE },
      { kind: "verify", certificate_id: "c", ...USE },
      { kind: "external", certificate_id: "d", ...USE },
      // Used at 23:59:59, reversed at half past midnight: two days.
      { kind: "verify", certificate_id: "e", ...USE, happened_at: "2026-11-18T15:59:59.000Z" },
      { kind: "reverse", certificate_id: "e", ...USE, happened_at: "2026-11-18T16:30:00.000Z" },
      { ...BILL, certificate_id: "a" },
    );
    const { total, rows } = await figures({ by: "day" });
    expect(total).toEqual({
      used: 5,
      external: 1,
      reversed: 1,
      net: 4,
      faceCents: 40_000,
      payCents: 35_200,
      merchantTicketCents: 800,
      platformTicketCents: 2_000,
      expectedFeeCents: 1_760,
      expectedCents: 35_440,
      feeCents: 440,
      settledCents: 8_860,
      pending: 3,
      pendingCents: 26_580,
      uneven: 0,
    });
    expect(rows.map(({ id, used, reversed, payCents }) => [id, used, reversed, payCents])).toEqual([
      ["2026-11-19", 0, 1, -8_800],
      ["2026-11-18", 5, 0, 44_000],
    ]);
    expect(await entries({ part: "pending" })).toHaveLength(3);
  });
  test("sums the two lines that one use may have in a bill, and shows a line that does not add up as it is", async () => {
    await add(
      { kind: "verify", certificate_id: "a", ...USE },
      { ...BILL, certificate_id: "a", goods_cents: 5_000, total_cents: 5_440, part: 0 },
      { ...BILL, certificate_id: "a", goods_cents: 3_000, total_cents: 3_500, part: 1 },
    );
    expect((await figures()).total).toMatchObject({ settledCents: 8_000, feeCents: 880, pending: 0, pendingCents: 0, uneven: 1 });
    expect(await entries({ part: "uneven" })).toMatchObject([{ incomeCents: 3_000, uneven: true }]);
  });
  test("by platform, kind and store each have the whole, and each opens its rows", async () => {
    await add(
      { kind: "verify", certificate_id: "a", ...USE },
      { kind: "verify", certificate_id: "b", ...USE, platform: "meituan", goods_kind: 2 },
      { kind: "verify", certificate_id: "c", ...USE, platform: "koubei", store_id: null },
      { kind: "verify", certificate_id: "d", ...USE, platform: "channels", store_id: shop().stores[1]!.id },
      // Takeaway is no voucher.
      { kind: "ledger", certificate_id: "e", platform: "ele", goods_cents: 1 },
    );
    for (const by of ["platform", "kind", "store", "day"] as const) {
      const { rows, total } = await figures({ by });
      expect(rows.reduce((all, { payCents }) => all + payCents, 0)).toBe(total.payCents);
      expect(total.used).toBe(4);
    }
    // The file takes no more days than the screen.
    const { input } = groupBuy.exports.find(({ name }) => name === "group-buy-figures")!;
    expect(input.safeParse({ from: "2020-01-01", to: "2026-11-19" }).success).toBe(false);
    const { rows } = await figures({ by: "store" });
    expect(rows.find(({ id }) => id === "none")).toMatchObject({ used: 1 });
    expect(await entries({ none: "store" })).toHaveLength(1);
    // A provider's stores are read from sums of their own, folded or not; narrowed to a platform from the others.
    for (const fold of [0, 1_000]) {
      await world.owner("select app.fold_voucher($1)", [fold]);
      for (const more of [{}, { platform: "meituan" }, { kind: 2 }])
        expect(await figures({ by: "store", ...more }, "sp01")).toEqual(await figures({ by: "store", ...more }));
    }
    // With as many stores as a provider has, the database plans another way than with ten.
    await world.owner(
      "insert into stores (service_provider_id, id, merchant_id, number, name, short_name) select $1, gen_random_uuid(), $2, 'many-' || n, n, n from generate_series(1, 3000) n",
      [shop().serviceProviderId, shop().id],
    );
    await world.owner("analyze stores");
    for (const login of ["mch01", "sp01"])
      expect((await figures({ by: "store" }, login)).rows.find(({ id }) => id === "none")).toBeDefined();
    expect(await entries({ kind: 2 })).toMatchObject([{ platform: "meituan", no: "b" }]);
  });
  test("tells a store of its own, a provider of its merchants, and another merchant of nothing", async () => {
    await add({ kind: "verify", certificate_id: "1234567890", ...USE }, { kind: "verify", certificate_id: "b", ...USE, store_id: null });
    expect(await entries({}, "sp01")).toHaveLength(2);
    expect(await entries({ keyword: "1234567890" }, "emp01")).toMatchObject([{ no: "7890" }]);
    expect((await figures({}, "emp01")).total.used).toBe(1);
    expect((await figures({}, "mch02")).total.used).toBe(0);
    expect((await figures({}, "sp02")).total.used).toBe(0);
  });
});

test("after a shop was mapped to another store, figures, their file, rows and the store's day say the same of each store, to the merchant and to its people", async () => {
  const { serviceProviderId, id, stores } = shop();
  const [old, fresh] = [stores[0]!.id, stores[1]!.id];
  await world.owner(
    `insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, mapped_store_id, updated_at)
      values ($1, gen_random_uuid(), $2, 'dy', 'P7', '迁店', $3, now())`,
    [serviceProviderId, id, old],
  );
  await world.owner("update other_stores set mapped_store_id = $1, mapped_from = '2026-11-19' where platform_store_id = 'P7'", [fresh]);
  const there = { ...USE, store_id: null, platform_store_id: "P7" };
  const next = { day: "2026-11-19", happened_at: "2026-11-19T04:00:00.000Z" };
  await add(
    { kind: "external", certificate_id: "a", ...there },
    { kind: "external", certificate_id: "b", ...there, ...next },
    { kind: "reverse", certificate_id: "a", ...there, ...next },
    // The reversal was told first.
    { kind: "reverse", certificate_id: "c", ...there, ...next },
  );
  await add({ kind: "external", certificate_id: "c", ...there });
  const told: Record<string, [number, number]> = { [old]: [2, 2], [fresh]: [1, 0] };
  const days = { from: "2026-11-18", to: "2026-11-19" };
  const scope = merchantScope(serviceProviderId, id);
  for (const login of ["mch01", "sp01"]) {
    const { rows } = await figures({ by: "store" }, login);
    expect(Object.fromEntries(rows.map((row) => [row.id, [row.used, row.reversed]]))).toEqual(told);
    for (const [storeId, [used, reversed]] of Object.entries(told)) {
      expect((await figures({ storeId }, login)).total).toMatchObject({ used, reversed });
      expect(await entries({ storeId, part: "used" }, login)).toHaveLength(used);
      expect(await entries({ storeId, part: "reversed" }, login)).toHaveLength(reversed);
    }
  }
  await withScope(world.services.pool, scope, async (tx) => {
    expect(await groupBuyFigureExport.count(tx, scope, { ...days, by: "store" })).toBe(2);
    const kept = await storeVouchers(tx, scope, { storeIds: [old, fresh], ...days });
    for (const [storeId, [used, reversed]] of Object.entries(told)) {
      const own = kept.filter((one) => one.storeId === storeId);
      expect(own.reduce((sum, one) => [sum[0]! + one.used, sum[1]! + one.reversed], [0, 0])).toEqual([used, reversed]);
    }
  });
  // The old store's own people.
  for (const by of ["platform", "store", "day"]) expect((await figures({ by }, "emp01")).total).toMatchObject({ used: 2, reversed: 2 });
  expect(await entries({}, "emp01")).toHaveLength(4);
  await world.owner("delete from other_stores where platform_store_id = 'P7'");
});

test("a store's use that stands in a bill waits no more, also where the bill's line stands under no store", async () => {
  await add({ kind: "verify", certificate_id: "a", ...USE }, { ...BILL, certificate_id: "a", store_id: null });
  for (const login of ["mch01", "emp01"]) {
    expect([login, (await figures({}, login)).total]).toMatchObject([login, { used: 1, pending: 0, pendingCents: 0 }]);
    expect([login, await entries({ part: "pending" }, login)]).toEqual([login, []]);
  }
});

describe("a platform's own sheet of vouchers", () => {
  const LINE = {
    platform: "美团",
    certificateId: "MT-1",
    at: "2026-11-18 12:30:00",
    kind: "团购商品",
    payCents: "88.00",
    feeCents: "7.04",
  };
  const scope = () => merchantScope(shop().serviceProviderId, shop().id);
  async function check(...lines: readonly object[]) {
    const read = lines.map((line) => voucherImport.row.safeParse(line, { error: issueWords }));
    const wrong = read.flatMap(({ error }) => error?.issues.map(({ path, message }) => `${String(path[0])}: ${message}`) ?? []);
    if (wrong.length > 0) return wrong;
    return withScope(world.services.pool, scope(), (tx) =>
      voucherImport.check(
        tx,
        scope(),
        read.map(({ data }) => data!),
        "person",
      ),
    );
  }
  async function bring(...lines: readonly object[]): Promise<void> {
    const author = { services: world.services, scope: scope(), principal: { name: "老板" }, now_ms: 0, audit: async () => {} };
    for (const verdict of await check(...lines)) {
      if (typeof verdict === "string" || !("value" in verdict)) throw new Error(JSON.stringify(verdict));
      const made = verdict.value;
      await withScope(world.services.pool, scope(), (tx) => voucherImport.create(author as unknown as Author, tx, made));
    }
  }
  test("brings uses, and with what it pays the line of a bill; again it brings nothing", async () => {
    await bring(LINE, { ...LINE, certificateId: "MT-2", goodsCents: "80.96" });
    expect((await figures()).total).toMatchObject({ used: 2, payCents: 17_600, settledCents: 8_096, feeCents: 704, pending: 1, uneven: 0 });
    expect(await check(LINE, { ...LINE, certificateId: "MT-2", goodsCents: "80.96" })).toEqual([{ there: true }, { there: true }]);
    // The bill comes in a later sheet.
    await bring({ ...LINE, entry: "结算", goodsCents: "80.00" });
    expect((await figures()).total).toMatchObject({ pending: 0, uneven: 1 });
    await bring({ ...LINE, entry: "撤销", at: "2026-11-19 09:00" });
    expect((await figures()).total).toMatchObject({ reversed: 1, net: 1, payCents: 8_800 });
  });
  test("changes no fact, and takes back only what was used", async () => {
    await bring(LINE);
    expect(await check({ ...LINE, payCents: "66.00" })).toEqual([{ errors: { payCents: "这张券已记过，金额与表里不同" } }]);
    const back = { ...LINE, entry: "撤销" };
    expect(await check({ ...back, certificateId: "none" }, { ...back, at: "2026-11-17 12:00" }, { ...back, payCents: "80.00" })).toEqual([
      { errors: { certificateId: "没有这张券的核销，请先导入核销" } },
      { errors: { at: "撤销早于核销" } },
      { errors: { payCents: "与核销时的用户实付不同" } },
    ]);
    const use = { ...LINE, certificateId: "MT-3", faceCents: "100", platformTicketCents: "5" };
    await bring(use);
    expect(await check({ ...use, entry: "撤销", platformTicketCents: "50" })).toEqual([
      { errors: { platformTicketCents: "超过核销时的金额" } },
    ]);
    expect(await check({ ...LINE, platform: "快手" })).toEqual([{ errors: { entry: "快手的核销由接口记，表格只收结算" } }]);
    expect(await check({ ...LINE, platform: "抖音", kind: "储值卡" })).toEqual([
      "platform: 平台为美团、口碑、支付宝、视频号或快手",
      "kind: 券类型为团购商品、代金券或平台次卡",
    ]);
  });
  test("takes a use back from the store that has it, whatever the reversal's row names", async () => {
    const stores = await world.owner<{ id: string; number: string }>("select id, number from stores where id = any($1)", [
      shop().stores.map(({ id }) => id),
    ]);
    const [a, b] = [0, 1].map((nth) => stores.find(({ id }) => id === shop().stores[nth]!.id)!.number);
    await bring({ ...LINE, store: a }, { ...LINE, certificateId: "MT-2" });
    const back = { ...LINE, entry: "撤销", at: "2026-11-18 13:00:00" };
    const elsewhere = { errors: { store: "与核销时的门店不同；撤销可以留空" } };
    expect(await check({ ...back, store: b }, { ...back, certificateId: "MT-2", store: a })).toEqual([elsewhere, elsewhere]);
    await bring(back);
    expect(await check({ ...back, store: a })).toEqual([{ there: true }]);
    const { rows } = await figures({ by: "store" });
    expect(Object.fromEntries(rows.map(({ id, used, reversed, payCents }) => [id, [used, reversed, payCents]]))).toEqual({
      [shop().stores[0]!.id]: [1, 1, 0],
      none: [1, 0, 8_800],
    });
  });
  test("turns no money round and takes no word for another", async () => {
    expect(await check({ ...LINE, payCents: "-88.00" }, { ...LINE, goodsCents: "-80.96" })).toEqual([
      { errors: { payCents: "核销的金额不能是负数；撤销请在事项里写撤销" } },
      { errors: { goodsCents: "核销的金额不能是负数；扣回请在事项里写结算" } },
    ]);
    for (const word of ["未核销", "已过期", "作废", "未结算"])
      expect(await check({ ...LINE, entry: word })).toEqual([`entry: 不认识的事项「${word}」`]);
    await bring({ ...LINE, goodsCents: "80.96" });
    // The platform takes back what it paid: a line of its own, with its sign.
    const back = { ...LINE, entry: "结算", payCents: "-88.00", feeCents: "-7.04", goodsCents: "-80.96" };
    await bring(back);
    expect((await figures()).total).toMatchObject({ settledCents: 0, feeCents: 0, uneven: 0 });
    expect(await check(back)).toEqual([{ there: true }]);
    await bring({ ...LINE, entry: "取消核销", payCents: "-88.00" });
    expect((await figures()).total).toMatchObject({ used: 1, reversed: 1, payCents: 0 });
  });
  test("mapped otherwise the second time counts nothing twice", async () => {
    const lines = ["1", "2", "3"].map((n) => ({ ...LINE, certificateId: `MT-${n}`, at: `2026-11-18 12:30:0${n}` }));
    await bring(...lines);
    const other = { errors: { verifyId: expect.any(String) } };
    expect(await check(...lines.map((line) => ({ ...line, verifyId: `V-${line.certificateId}` })))).toEqual([other, other, other]);
    expect(await check({ ...lines[0], entry: "结算", verifyId: "V-1", goodsCents: "80" })).toEqual([other]);
    const like = { errors: { certificateId: expect.stringContaining("像是已用别的券号导入过") } };
    expect(await check(...lines.map((line) => ({ ...line, certificateId: `X-${line.certificateId}` })))).toEqual([like, like, like]);
    // Two vouchers of one guest, used in one second.
    expect(await check({ ...lines[0], certificateId: "MT-4" })).toMatchObject([{ value: [{ certificate_id: "MT-4" }] }]);
  });
  test("tells a use that came again from the first", async () => {
    await bring(LINE);
    const again = { errors: { verifyId: "同一券号又有一次核销，请选核销编号列" } };
    expect(await check({ ...LINE, at: "2026-11-19 12:30:00" })).toEqual([again]);
    const card = { ...LINE, certificateId: "MT-2" };
    expect(await check(card, { ...card, at: "2026-11-19 12:30:00" }, card)).toMatchObject([{ value: [{}] }, again, { there: true }]);
  });
  test("brings nothing into a day that is closed", async () => {
    await bring(LINE);
    await world.owner(
      `insert into recon_days (service_provider_id, id, merchant_id, source, day, status, has_bill, closed_at, matched_at)
        values ($1, gen_random_uuid(), $2, 'meituan', '2026-11-18', 'closed', true, now(), now())`,
      [shop().serviceProviderId, shop().id],
    );
    const shut = { errors: { at: "2026-11-18 已关账，要记入请先在对账里撤销关账" } };
    const other = { ...LINE, certificateId: "MT-9" };
    expect(
      await check(
        LINE,
        other,
        { ...LINE, entry: "结算", goodsCents: "80.00" },
        { ...other, at: "2026-11-19 12:30:00" },
        { ...other, platform: "口碑" },
      ),
    ).toMatchObject([{ there: true }, shut, shut, { value: [{}] }, { value: [{}] }]);
    await emptyTables(world.owner, "recon_differences, recon_days");
  });
  test("of 快手 settles the use that its interface brought, and nothing else", async () => {
    await add({ kind: "verify", certificate_id: "KS-1", verify_id: "V-1", platform: "ks", ...USE });
    const bill = { ...LINE, platform: "快手", entry: "结算", certificateId: "KS-1", goodsCents: "80.96" };
    expect(await check(bill, { ...bill, verifyId: "V-2" })).toEqual([
      { errors: { verifyId: "快手的结算须有核销编号，才能对上它的核销" } },
      { errors: { verifyId: "没有这次核销，请核对券号和核销编号" } },
    ]);
    await bring({ ...bill, verifyId: "V-1" });
    expect((await figures()).total).toMatchObject({ pending: 0, settledCents: 8_096 });
  });
});

test("own times cards are shown where they are asked for, in the same shape, for whoever sees their uses, and in no sum beside platforms'", async () => {
  const { serviceProviderId, id, stores } = shop();
  const use = (store: number, cents: number, at: string, back: string) =>
    `('${serviceProviderId}', gen_random_uuid(), '${id}', '${stores[store]!.id}', gen_random_uuid(), '123456789012', '洗车卡', '${stores[0]!.id}', gen_random_uuid(), 2, ${cents},
      '小周', '${at}', ${back})`;
  // A card's order and member are beside the point here.
  await world.owner(`set session_replication_role = replica; insert into times_uses (service_provider_id, id, merchant_id, store_id, card_id, card_no, name, sold_store_id,
      member_id, times, value_cents, by_name, at, reversed_at, reversed_by, reversed_value_cents) values
      ${use(0, 4_167, "2026-11-18T04:00:00Z", "'2026-11-19T01:00:00Z', '店长', 4166")}, ${use(1, 5_000, "2026-11-18T05:00:00Z", "null, null, null")};
    set session_replication_role = origin`);
  await add({ kind: "verify", certificate_id: "a", ...USE });
  expect((await figures()).total).toMatchObject({ used: 1, payCents: 8_800 });
  const { total, rows } = await figures({ platform: "times", by: "store" });
  expect(total).toMatchObject({
    used: 2,
    reversed: 1,
    net: 1,
    payCents: 5_001,
    expectedCents: 5_001,
    settledCents: 0,
    pending: 0,
    pendingCents: 0,
  });
  expect(new Map(rows.map(({ id: store, payCents }) => [store, payCents]))).toEqual(
    new Map([
      [stores[0]!.id, 1],
      [stores[1]!.id, 5_000],
    ]),
  );
  expect((await figures({ platform: "times", storeId: stores[1]!.id })).total).toMatchObject({ used: 1, payCents: 5_000 });
  expect((await figures({ platform: "times", by: "store" }, "emp01")).rows).toMatchObject([{ id: stores[0]!.id, used: 1, reversed: 1 }]);
  expect((await figures({ platform: "coupon", by: "store", storeId: stores[0]!.id })).total).toMatchObject({ used: 0 });
  const listed = await entries({ platform: "times" });
  expect(listed.map(({ platform, entry, title, no, payCents, byName }) => [platform, entry, title, no, payCents, byName])).toEqual([
    ["times", "reverse", "洗车卡 2 次", "9012", 4_166, "店长"],
    ["times", "verify", "洗车卡 2 次", "9012", 5_000, "小周"],
    ["times", "verify", "洗车卡 2 次", "9012", 4_167, "小周"],
  ]);
  expect(new Set(listed.map(({ id: row }) => row)).size).toBe(3);
  expect(await entries({ platform: "times", part: "pending" })).toEqual([]);
  // Of stores what was used there; a provider does not see uses of times cards, nor another merchant these.
  expect(await entries({ platform: "times" }, "emp01")).toHaveLength(2);
  expect(await entries({ platform: "times" }, "mch02")).toEqual([]);
  await expect(entries({ platform: "times" }, "sp01")).rejects.toMatchObject({ status: 403 });
  await expect(figures({ platform: "times" }, "sp01")).rejects.toMatchObject({ status: 403 });
  await withScope(world.services.pool, merchantScope(serviceProviderId, id), async (tx) =>
    expect(() =>
      groupBuyFigureExport.count(tx, merchantScope(serviceProviderId, id), {
        from: "2026-11-18",
        to: "2026-11-19",
        by: "day",
        platform: "times",
      }),
    ).toThrow("导出"),
  );
  await emptyTables(world.owner, "times_uses");
});

test("of a large table the figures of a merchant, of a store and of a store's day read that merchant's sums by an index, and no fact at all", async () => {
  const { serviceProviderId, id } = shop();
  // Twenty merchants or so, each with 92 days; a tenth of the uses stand under no store.
  const fill = (kind: string, where: string, goods: number) =>
    world.owner(
      `insert into platform_entries (service_provider_id, id, merchant_id, store_id, platform, kind, goods_kind, certificate_id, verify_id, pay_cents, face_cents,
          goods_cents, total_cents, happened_at, day, added_at)
        select m.service_provider_id, gen_random_uuid(), m.id, case when n % 10 > 0 then (select s.id from stores s where s.merchant_id = m.id order by s.id limit 1) end,
          'dy', '${kind}', 1, n, n, 8800, 10000, ${goods}, ${goods}, d + interval '4 hours', d, now()
        from merchants m cross join generate_series(1, 1196) n cross join lateral (select '2026-08-20'::date + n % 92 as d) x where ${where}`,
    );
  await fill("verify", "true", 0);
  await fill("reverse", "n % 50 = 0", 0);
  await fill("ledger", "n % 50 > 0", 8_800);
  await world.owner("select upkeep.rebuild_voucher()");
  await world.owner("analyze platform_entries");
  const scope = merchantScope(serviceProviderId, id);
  const count = async (tx: Transaction) => {
    const { rows } = await sql<{ facts: number; seq: number; idx: number }>`select
        sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) filter (where relname = 'platform_entries')::int as facts,
        sum(seq_tup_read) filter (where relname = 'voucher_sums_folded')::int as seq, sum(idx_tup_fetch) filter (where relname = 'voucher_sums_folded')::int as idx
      from pg_stat_xact_user_tables where relname in ('platform_entries', 'voucher_sums_folded')`.execute(tx);
    return rows[0]!;
  };
  /** Rows that a reading takes: facts, and sums one after the other and by an index. */
  const reads = (read: (tx: Transaction) => Promise<unknown>, as: Scope = scope) =>
    withScope(world.services.pool, as, async (tx) => {
      const before = await count(tx);
      await read(tx);
      const after = await count(tx);
      return { facts: after.facts - before.facts, seq: after.seq - before.seq, idx: after.idx - before.idx };
    });
  const [store] = await world.owner<{ id: string }>("select id from stores where merchant_id = $1 order by id limit 1", [id]);
  const week = { from: "2026-11-12", to: "2026-11-18" };
  // Of each day one row of the store, of most one of no store.
  for (const by of ["platform", "store", "day"] as const) {
    const { facts, seq, idx } = await reads((tx) => groupBuyFigureExport.count(tx, scope, { ...week, by }));
    expect([by, facts, seq, idx >= 7, idx < 40]).toEqual([by, 0, 0, true, true]);
  }
  // Of thousands of uses two wait for their bill: no other is read, whoever asks.
  await world.owner(
    "delete from platform_entries where kind = 'ledger' and merchant_id = $1 and store_id is not null and day = '2026-11-16' and certificate_id in (select certificate_id from platform_entries where kind = 'ledger' and merchant_id = $1 and store_id is not null and day = '2026-11-16' limit 2)",
    [id],
  );
  const people = parseScope(`AE|${serviceProviderId}|||||${id}|{${store!.id}}|`);
  for (const who of [scope, people]) {
    const waiting = await reads((tx) => groupBuyEntryExport.count(tx, who, { part: "pending", ...week }), who);
    expect([who.level, waiting.facts]).toEqual([who.level, 0]);
    expect(await withScope(world.services.pool, who, (tx) => groupBuyEntryExport.count(tx, who, { part: "pending", ...week }))).toBe(2);
  }
  const day = { from: "2026-11-18", to: "2026-11-18" };
  const { facts, seq, idx } = await reads(async (tx) => {
    const [sum] = await storeVouchers(tx, scope, { storeIds: [store!.id], ...day });
    expect(sum).toMatchObject({ platform: "dy", settledCents: sum!.billed * 8_800 });
    expect(sum!.billed).toBeGreaterThan(8);
  });
  expect([facts, seq, idx > 0, idx < 10]).toEqual([0, 0, true, true]);
});
