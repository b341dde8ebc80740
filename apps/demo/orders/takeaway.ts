import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { keepOrder } from "@zhangfang/domains/takeaway/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { demoDays } from "../history.ts";
import { openWire } from "../live.ts";
import { signIn, type DemoMerchant, type DemoTree } from "../tree/tree.ts";

const MOST_DAYS = 30;
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const PLATFORMS = [
  { platform: "ele", stores: "ele", word: "饿了么", share: 5 },
  { platform: "meituan-wm", stores: "meituan", word: "美团外卖", share: 7 },
] as const;
const DISHES = [
  ["宫保鸡丁饭", 2_800],
  ["回锅肉饭", 3_200],
  ["鱼香肉丝饭", 2_600],
  ["酸辣粉", 1_600],
  ["冰粉", 800],
] as const;
/** Something between 0 and `most - 1` that is the same whenever it is asked. */
const spread = (seed: number, most: number): number => ((seed * 2_654_435_761) >>> 8) % most;

/** For so many days the last store is at 饿了么, where nobody mapped it yet. */
const NEW_STORE_DAYS = 1;
/** A month of takeaway of two merchants, at all stores; the last one is new at 饿了么 and not mapped yet. */
export async function fillTakeaway(services: Services, tree: DemoTree): Promise<void> {
  for (const [n, login] of (["mch01", "mch02"] as const).entries()) {
    const merchant = tree.merchants[login];
    await mapStores(services, login, merchant);
    const today = shanghaiDay(services.clock.now_ms());
    for (let back = Math.min(MOST_DAYS, demoDays()); back >= 0; back--)
      await playDay(services, merchant, { day: addDays(today, -back), back, seed: n * 1_000 + back });
  }
}

const shopOf = (store: number, platform: string): string => `${platform === "ele" ? "9100" : "8200"}${String(store + 1).padStart(6, "0")}`;
async function mapStores(services: Services, login: "mch01" | "mch02", merchant: DemoMerchant): Promise<void> {
  const { wire, api } = openWire(services);
  const as = { authorization: `Bearer ${await signIn(services, login)}` };
  for (const { stores, word, platform } of PLATFORMS)
    for (const [place, store] of merchant.stores.entries()) {
      const last = place === merchant.stores.length - 1;
      const given = {
        merchantId: merchant.id,
        platform: stores,
        platformStoreId: shopOf(place, platform),
        name: `${merchant.name}·${store.name}（${word}）`.slice(0, 64),
        storeId: last && platform === "ele" ? null : store.id,
      };
      await wire.post(`${api}/sfpfacadeservicepc/api/other_store/save`, given, as);
    }
}

async function playDay(
  services: Services,
  merchant: DemoMerchant,
  { day, back, seed }: { day: string; back: number; seed: number },
): Promise<void> {
  const now_ms = services.clock.now_ms();
  const begin_ms = Date.parse(dayStart(day));
  await withScope(services.pool, platformScope("demo takeaway"), async (tx) => {
    for (const [p, { platform, word, share }] of PLATFORMS.entries())
      for (const [place, store] of merchant.stores.entries()) {
        if (platform === "ele" && place === merchant.stores.length - 1 && back > NEW_STORE_DAYS) continue;
        for (let n = 0; n < 2 + spread(seed * 31 + place * 7 + p, share); n++) {
          const draw = seed * 9_973 + place * 613 + p * 97 + n;
          const placed_ms = begin_ms + 10 * HOUR_MS + spread(draw, 10 * 60) * MINUTE_MS;
          if (placed_ms > now_ms) continue;
          const order = orderOf(draw, placed_ms, now_ms);
          const of = { service_provider_id: merchant.serviceProviderId, merchant_id: merchant.id, platform };
          await keepOrder(tx, services, of, {
            ...order,
            platform_order_id: `${platform === "ele" ? "80" : "90"}${day.replaceAll("-", "")}${String(spread(draw, 100_000_000)).padStart(8, "0")}${place}${n}`,
            platform_store_id: shopOf(place, platform),
            platform_store_name: `${merchant.name}·${store.name}（${word}）`.slice(0, 64),
            day_no: String(n + 1),
            source: "platform",
          });
        }
      }
  });
}
function orderOf(draw: number, placed_ms: number, now_ms: number) {
  const lines = [0, 1].slice(0, 1 + spread(draw, 2)).map((k) => {
    const [name, price] = DISHES[spread(draw + k, DISHES.length)]!;
    const count = 1 + spread(draw + k + 5, 2);
    return { name, count, cents: price * count };
  });
  const goods = lines.reduce((sum, { cents }) => sum + cents, 0);
  const [package_cents, delivery_cents] = [100 * lines.length, 300 + 100 * spread(draw, 3)];
  const original_cents = goods + package_cents + delivery_cents;
  const shop_off_cents = goods > 2_500 ? 300 : 0;
  const platform_off_cents = 100 * spread(draw + 1, 4);
  const fee_cents = Math.round((goods + package_cents - shop_off_cents) * 0.16);
  const parts_cents = original_cents - shop_off_cents - fee_cents - delivery_cents;
  const cancelled = spread(draw, 29) === 0;
  const running = !cancelled && now_ms - placed_ms < HOUR_MS;
  const refund_cents = !cancelled && !running && spread(draw + 2, 23) === 0 ? Math.min(goods, 800) : 0;
  const end = new Date(Math.min(now_ms, placed_ms + 42 * MINUTE_MS)).toISOString();
  return {
    status: cancelled ? (3 as const) : running ? (1 as const) : (2 as const),
    placed_at: new Date(placed_ms).toISOString(),
    completed_at: cancelled || running ? null : end,
    changed_at: end,
    lines,
    original_cents,
    package_cents,
    delivery_cents,
    shop_off_cents,
    platform_off_cents,
    paid_cents: original_cents - shop_off_cents - platform_off_cents,
    fee_cents,
    // A few whose platform pays something else than its own parts say.
    income_cents: parts_cents - (spread(draw + 3, 97) === 0 ? 150 : 0),
    parts_cents,
    refund_cents,
    shop_refund_cents: spread(draw, 2) === 0 ? refund_cents : 0,
  };
}
