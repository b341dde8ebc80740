import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Endpoint, InputOf } from "@zhangfang/contract/endpoint.ts";
import { dayStart, addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Ctx, Route } from "@zhangfang/server/calls/call.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { merchantScope, platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { savePlatformAccount, startPlatformSync, type VoucherPlatform } from "@zhangfang/domains/platforms/contract/index.ts";
import { addPlatformEntries, type PlatformEntry, platforms } from "@zhangfang/domains/platforms/server/index.ts";
import { pastCtx } from "../past-ctx.ts";
import type { DemoTree } from "../tree/tree.ts";

const DAYS = 30;
const RATE = 2_500;
/** The simulator's goods, by their numbers there. */
const GOODS = [
  {
    id: "1801000000000000001",
    title: "双人冷锅串串套餐",
    kind: 1,
    pay: 9_500,
    face: 16_800,
    serve: "冷锅串串 2 份，冰粉 2 碗，酸梅汤 1 壶",
  },
  { id: "1801000000000000002", title: "100 元代金券", kind: 2, pay: 8_200, face: 10_000, serve: "抵 100.00 元，可叠加" },
  { id: "1801000000000000004", title: "四人火锅套餐", kind: 1, pay: 26_500, face: 39_800, serve: "锅底 1 份，荤菜 4 份，素菜 4 份" },
] as const;
/** Three uses, each worth its part. */
const CARD = { id: "1801000000000000003", title: "单人小面三次卡", kind: 3, pay: 900, face: 1_400, serve: "小面 1 碗" } as const;
const CARD_TIMES = 3;
const STAFF = ["小周", "小李", "小陈"] as const;
const SCOPE = platformScope("demo vouchers");

/** 抖音 and 快手 of the first merchant: accounts, stores, goods from the simulator, and a month of vouchers in every state. */
export async function fillPlatforms(services: Services, tree: DemoTree): Promise<void> {
  for (const platform of ["dy", "ks"] as const) {
    const account_id = await connect(services, tree, platform);
    await liveAMonth(services, tree, platform, account_id);
  }
}
async function connect(services: Services, tree: DemoTree, platform: VoucherPlatform): Promise<string> {
  const merchant = tree.merchants.mch01;
  const own = merchantScope(merchant.serviceProviderId, merchant.id);
  const by = { kind: "user" as const, id: tree.users.mch01, name: "陈伟" };
  const does = <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<{ id: string }> => {
    const route: Route = platforms.routes.find((one) => one.endpoint === endpoint)!;
    return withScope(services.pool, own, async (tx) => {
      // The merchant's root holds what its level has.
      const principal = { ...by, scope: own, holds: () => true };
      const ctx = { ...pastCtx(services, endpoint, merchant.stores[0]!, by), principal, scope: own, tx, note: () => {} } as unknown as Ctx;
      return (await route.handler(ctx, endpoint.input.parse(input) as never)) as { id: string };
    });
  };
  const { id } = await does(savePlatformAccount, {
    platform,
    revision: 0,
    accountNo: platform === "dy" ? "7100000000000000001" : "3559238",
    appOf: "merchant",
    appKey: platform === "dy" ? "awdemo0000000001" : "ks697000000000001",
    secret: randomUUID(),
    takeRate: RATE,
    ...(platform === "ks" && { refreshToken: randomUUID(), signSecret: randomUUID() }),
  });
  await does(startPlatformSync, { platform });
  await platforms.jobs.find(({ name }) => name === "load-platform-goods")!.run(services, {});
  await withScope(services.pool, SCOPE, async (tx) => {
    for (const { id: goods_id, serve } of [...GOODS, CARD])
      await sql`update platform_goods set serve = ${serve}, served_by = '陈伟' where account_id = ${id} and goods_id = ${goods_id}`.execute(
        tx,
      );
    // Two of the three are mapped: the third waits for somebody.
    for (const [n, store] of merchant.stores.slice(0, 2).entries())
      await sql`update other_stores set mapped_store_id = ${store.id}, is_primary = true where service_provider_id = ${merchant.serviceProviderId}
        and merchant_id = ${merchant.id} and platform = ${platform} and platform_store_id = ${`720000000000000000${n + 1}`}`.execute(tx);
  });
  return id;
}

/** One voucher of the past. */
interface Past {
  readonly n: number;
  readonly at: string;
  readonly status: number;
}
async function liveAMonth(services: Services, tree: DemoTree, platform: VoucherPlatform, account_id: string): Promise<void> {
  const now_ms = services.clock.now_ms();
  const today = shanghaiDay(now_ms);
  const past: Past[] = [];
  const each = platform === "dy" ? 6 : 2;
  for (let day = DAYS; day >= 0; day--)
    for (let n = 0; n < each; n++) {
      const ms = Date.parse(dayStart(addDays(today, -day))) + (11 * 60 + ((day * 37 + n * 83) % 540)) * 60_000;
      if (ms < now_ms)
        past.push({ n: past.length, at: new Date(ms).toISOString(), status: past.length % 23 === 7 ? 6 : past.length % 31 === 11 ? 2 : 1 });
    }
  // The last hour at both mapped stores: one that may still be taken back, one that 抖音 checks, one of which nobody knows, one on its way back.
  for (const [minutes, status] of [
    [5, 1],
    [22, 4],
    [40, 3],
    [50, 5],
  ] as const)
    for (const store of [0, 1])
      past.push({ n: 10_000 + minutes * 2 + store, at: new Date(now_ms - (minutes + store) * 60_000).toISOString(), status });
  await withScope(services.pool, SCOPE, async (tx) => {
    const rows = past.map((one) => rowsOf(tree, platform, account_id, one, now_ms));
    await tx
      .insertInto("platform_vouchers")
      .values(rows.map(({ voucher }) => voucher))
      .execute();
    await tx
      .insertInto("voucher_verifications")
      .values(rows.map(({ attempt }) => attempt))
      .execute();
    await addPlatformEntries(
      tx,
      services,
      rows.flatMap((one) => one.facts),
    );
  });
}
const MESSAGES: Readonly<Record<number, string>> = { 2: "已在别处核销", 3: "没有应答", 4: "交易存在风险，平台核实中" };
/** Attempts that were a use: it stands, is on its way back, or was taken back. */
const USED: readonly number[] = [1, 5, 6];
/** What became of a voucher: of those that were taken back one is free again, the next is over, the third was refunded by 抖音. */
function becameOf({ n, at, status }: Past, times: number, now_ms: number): { readonly status: number; readonly ends_ms: number } {
  const [at_ms, day_ms] = [Date.parse(at), 86_400_000];
  const free = { status: status === 6 ? 2 : (status === 1 || status === 5) && times === 1 ? 1 : 0, ends_ms: at_ms + 40 * day_ms };
  const turn = Math.floor(n / 23) % 3;
  if (status !== 6 || turn === 0 || at_ms + 2 * day_ms > now_ms) return free;
  return turn === 1 ? { status: 3, ends_ms: at_ms + day_ms } : { ...free, status: 4 };
}
/** What its three rows have in common. */
function baseOf(tree: DemoTree, platform: VoucherPlatform, account_id: string, { n, at, status }: Past) {
  const { serviceProviderId: service_provider_id, id: merchant_id, stores } = tree.merchants.mch01;
  const goods = n % 29 === 4 ? CARD : GOODS[n % GOODS.length]!;
  const long = (first: string) => `${first}${String(n).padStart(17, "0")}${platform === "dy" ? 1 : 2}`;
  return {
    where: { service_provider_id, merchant_id, store_id: stores[n % 2]!.id, account_id, platform },
    goods,
    bought: { goods_id: goods.id, title: goods.title, goods_kind: goods.kind },
    worth: { face_cents: goods.face, pay_cents: goods.pay, platform_ticket_cents: 300 },
    times: goods === CARD ? CARD_TIMES : 1,
    used: USED.includes(status),
    verify_id: USED.includes(status) ? long("5") : null,
    certificate_id: long("7"),
    reversed_at: status === 6 ? new Date(Date.parse(at) + 9 * 60_000).toISOString() : null,
    expected_fee_cents: Math.round((goods.pay * RATE) / 100_000),
    by_name: STAFF[n % STAFF.length]!,
  };
}
function rowsOf(tree: DemoTree, platform: VoucherPlatform, account_id: string, past: Past, now_ms: number) {
  const { n, at, status } = past;
  const base = baseOf(tree, platform, account_id, past);
  const { where, used, verify_id, certificate_id, reversed_at, by_name } = base;
  const became = becameOf(past, base.times, now_ms);
  const whole = (cents: number): number => cents * base.times;
  const [voucher_id, attempt_id, voucher_hash] = [randomUUID(), randomUUID(), randomBytes(32)];
  const voucher = {
    ...where,
    ...base.bought,
    face_cents: whole(base.worth.face_cents),
    pay_cents: whole(base.worth.pay_cents),
    platform_ticket_cents: whole(base.worth.platform_ticket_cents),
    id: voucher_id,
    voucher_hash,
    tail: String(1_000 + ((n * 7_919) % 9_000)),
    certificate_id,
    status: became.status,
    times: base.times,
    used: status === 1 || status === 5 ? 1 : 0,
    ends_at: new Date(became.ends_ms).toISOString(),
    created_at: at,
    updated_at: reversed_at ?? at,
  };
  const attempt = {
    ...where,
    id: attempt_id,
    voucher_id,
    voucher_hash,
    nth: 1,
    batch_id: attempt_id,
    place: 0,
    request_id: attempt_id,
    status,
    poi_id: `720000000000000000${(n % 2) + 1}`,
    platform_order_no: `10${String(n).padStart(14, "0")}`,
    certificate_id,
    verify_id,
    ...base.worth,
    expected_fee_cents: base.expected_fee_cents,
    by_name,
    started_at: at,
    verified_at: used ? at : null,
    settled_at: used || status === 2 ? at : null,
    tries: status === 3 ? 15 : 0,
    next_at: status === 4 || status === 5 ? new Date(now_ms + 50 * 60_000).toISOString() : null,
    held_until: status === 4 ? new Date(now_ms + 7 * 86_400_000).toISOString() : null,
    message: MESSAGES[status] ?? "",
    code: status === 2 ? "already" : "",
    cancel_until: used ? new Date(Date.parse(at) + 3_600_000).toISOString() : null,
    reversed_at,
    cancel_at: status === 5 ? at : reversed_at,
    cancel_by_name: reversed_at || status === 5 ? by_name : "",
    cancel_reason: status === 5 ? "点错了" : reversed_at ? "顾客换店" : "",
  };
  return { voucher, attempt, facts: factsOf(base, { attempt_id, at, status }, shanghaiDay(now_ms)) };
}
/** Use, reversal, and what 抖音 has settled by now. */
function factsOf(base: ReturnType<typeof baseOf>, of: { attempt_id: string; at: string; status: number }, today: string): PlatformEntry[] {
  const { where, goods, bought, worth, certificate_id, reversed_at, by_name, expected_fee_cents } = base;
  if (base.verify_id === null) return [];
  const about = { ...where, ...bought, certificate_id, verify_id: base.verify_id, by_name };
  const use = { ...about, ...worth, expected_fee_cents, attempt_id: of.attempt_id };
  const facts: PlatformEntry[] = [{ ...use, kind: "verify", happened_at: of.at }];
  if (reversed_at) facts.push({ ...use, kind: "reverse", happened_at: reversed_at });
  // 抖音 settles the next day; 快手's bills come by sheet, days later.
  if (of.status === 1 && shanghaiDay(of.at) < (where.platform === "dy" ? today : addDays(today, -3))) {
    const [fee_cents, platform_fee_cents] = [Math.round(goods.pay * 0.006), Math.round(goods.pay * 0.019)];
    const total_cents = goods.pay + 300;
    const line = { fee_cents, platform_fee_cents, goods_cents: total_cents - fee_cents - platform_fee_cents, total_cents };
    facts.push({ ...about, ...line, kind: "ledger", happened_at: of.at });
  }
  return facts;
}
