import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { addPlatformEntries, type PlatformEntry } from "@zhangfang/domains/platforms/server/index.ts";
import { getStoreDay, namedFigures } from "@zhangfang/domains/reconciliation/contract/index.ts";
import { keepOrder } from "@zhangfang/domains/takeaway/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openWire } from "../live.ts";
import { signIn, type DemoTree } from "../tree/tree.ts";

/** The day of the first store that waits for explanations, and those that are closed; days back from today. */
const ODD = 4;
const CLOSED = [8, 7, 6] as const;

/**
 * Store-days of the first merchant's first store: one with three kinds of difference, which 对账 finds by itself (a voucher that was used in
 * the platform's app at a shop that nobody mapped, a bill that takes another fee than the rate says, a takeaway order whose income is unlike
 * its parts), and some that a clerk proposed and the merchant closed.
 */
export async function fillStoreDays(services: Services, tree: DemoTree): Promise<void> {
  const today = shanghaiDay(services.clock.now_ms());
  await addOddDay(services, tree, addDays(today, -ODD));
  const [clerk, boss] = [await signIn(services, "emp01"), await signIn(services, "mch01")];
  // A figure that moves between the two calls refuses it, as it would on any evening: the day stays open then.
  for (const back of CLOSED)
    await closeDay(services, tree, addDays(today, -back), { clerk, boss }).catch((error: unknown) =>
      services.log.warn({ err: error, back }, "a store-day of the demo world stays open"),
    );
}

async function addOddDay(services: Services, tree: DemoTree, day: string): Promise<void> {
  const { serviceProviderId: service_provider_id, id: merchant_id, stores, name } = tree.merchants.mch01;
  const store = stores[0]!;
  const at = (minutes: number): string => new Date(Date.parse(dayStart(day)) + minutes * 60_000).toISOString();
  const use = {
    service_provider_id,
    merchant_id,
    platform: "meituan" as const,
    goods_kind: 1 as const,
    title: "双人川味套餐",
    face_cents: 16_800,
    pay_cents: 12_800,
    by_name: "表格导入",
  };
  const entry = (no: string, more: Partial<PlatformEntry> & Pick<PlatformEntry, "kind" | "happened_at" | "store_id">): PlatformEntry => ({
    ...use,
    certificate_id: no,
    verify_id: no,
    ...more,
  });
  await withScope(services.pool, platformScope("demo store-days"), async (tx) => {
    await addPlatformEntries(tx, services, [
      entry("6900000000000001", { kind: "external", store_id: null, happened_at: at(12 * 60 + 41), expected_fee_cents: 1_024 }),
      entry("6900000000000002", { kind: "verify", store_id: store.id, happened_at: at(13 * 60 + 5), expected_fee_cents: 1_024 }),
      entry("6900000000000002", {
        kind: "ledger",
        store_id: store.id,
        happened_at: at(3 * 24 * 60),
        day,
        fee_cents: 1_280,
        total_cents: 12_800,
        goods_cents: 11_520,
      }),
    ]);
    const of = { service_provider_id, merchant_id, platform: "ele" as const };
    await keepOrder(tx, services, of, {
      platform_order_id: `80${day.replaceAll("-", "")}99999999`,
      platform_store_id: "9100000001",
      platform_store_name: `${name}·${store.name}（饿了么）`.slice(0, 64),
      day_no: "99",
      status: 2,
      placed_at: at(18 * 60 + 10),
      completed_at: at(18 * 60 + 52),
      changed_at: at(18 * 60 + 52),
      lines: [{ name: "宫保鸡丁饭", count: 1, cents: 2_800 }],
      original_cents: 3_200,
      package_cents: 100,
      delivery_cents: 300,
      shop_off_cents: 300,
      platform_off_cents: 200,
      paid_cents: 2_700,
      fee_cents: 416,
      income_cents: 2_154,
      parts_cents: 2_184,
      refund_cents: 0,
      shop_refund_cents: 0,
      source: "platform",
    });
  });
}

/** Proposed by the clerk of the store, confirmed by the merchant, as on every evening. */
async function closeDay(services: Services, tree: DemoTree, day: string, { clerk, boss }: { clerk: string; boss: string }): Promise<void> {
  const { wire, api } = openWire(services);
  const storeId = tree.merchants.mch01.stores[0]!.id;
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const look = async (token: string) =>
    (await wire.get(`${api}${getStoreDay.path}?_t=1&storeId=${storeId}&day=${day}`, as(token))) as unknown as OutputOf<typeof getStoreDay>;
  const found = await look(clerk);
  // A refund that is still on its way holds the day back here as it would there.
  if (found.hindrances.some(({ blocks }) => blocks)) return;
  const about = { storeId, day, seen: namedFigures(found.figures) };
  const requestId = (): string => services.ids.uuid(services.clock.now_ms());
  await wire.post(`${api}/api/reconciliation/store-days/propose?_t=1`, { requestId: requestId(), ...about }, as(clerk));
  const { version } = await look(boss);
  await wire.post(`${api}/api/reconciliation/store-days/close?_t=1`, { requestId: requestId(), ...about, version }, as(boss));
}
