import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { addPlatformEntries, type PlatformEntry } from "@zhangfang/domains/platforms/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { demoDays } from "../history.ts";
import type { DemoTree } from "../tree/tree.ts";

const MOST_DAYS = 30;
const GOODS = [
  { title: "双人川味套餐", goods_kind: 1, face_cents: 16_800, pay_cents: 12_800 },
  { title: "100 元代金券", goods_kind: 2, face_cents: 10_000, pay_cents: 8_800 },
  { title: "四人家宴", goods_kind: 1, face_cents: 32_800, pay_cents: 25_800 },
] as const;

/** A month of vouchers of two merchants at platforms whose facts come by sheet: used, a few reversed, settled after three days. */
export async function fillGroupBuy(services: Services, tree: DemoTree): Promise<void> {
  const now_ms = services.clock.now_ms();
  const today = shanghaiDay(now_ms);
  for (const login of ["mch01", "mch02"] as const) {
    const merchant = tree.merchants[login];
    const facts: PlatformEntry[] = [];
    for (let back = Math.min(MOST_DAYS, demoDays()); back >= 0; back--)
      for (const [place, store] of merchant.stores.entries())
        for (const [p, platform] of (["meituan", "koubei"] as const).entries())
          for (let n = 0; n <= (back + place + p) % 3; n++) {
            const day = addDays(today, -back);
            const at_ms = Date.parse(dayStart(day)) + (11 * 60 + ((back * 37 + place * 17 + n * 53) % 540)) * 60_000;
            if (at_ms > now_ms) continue;
            const { title, goods_kind, face_cents, pay_cents } = GOODS[(back + place + n) % GOODS.length]!;
            const certificate_id = `${p + 6}${day.replaceAll("-", "")}${String(place).padStart(2, "0")}${String(n).padStart(2, "0")}`;
            const expected_fee_cents = Math.round(pay_cents * 0.08);
            const about = {
              service_provider_id: merchant.serviceProviderId,
              merchant_id: merchant.id,
              store_id: store.id,
              platform,
              goods_kind,
              title,
              certificate_id,
              verify_id: certificate_id,
              by_name: "表格导入",
            };
            const use = { ...about, face_cents, pay_cents, platform_ticket_cents: n === 0 ? 300 : 0, expected_fee_cents };
            facts.push({ ...use, kind: "verify", happened_at: new Date(at_ms).toISOString() });
            const reversed = (back * 7 + place + n) % 19 === 0;
            const later_ms = at_ms + 20 * 60_000;
            if (reversed && later_ms <= now_ms) facts.push({ ...use, kind: "reverse", happened_at: new Date(later_ms).toISOString() });
            if (reversed || back < 3) continue;
            const total_cents = pay_cents + use.platform_ticket_cents;
            // One line of a bill that does not add up.
            const goods_cents = total_cents - expected_fee_cents - (back === 5 && place === 0 && p === 0 && n === 0 ? 200 : 0);
            const settled = { fee_cents: expected_fee_cents, total_cents, goods_cents };
            facts.push({ ...about, ...settled, kind: "ledger", happened_at: new Date(at_ms + 3 * 86_400_000).toISOString(), day });
          }
    await withScope(services.pool, platformScope("demo group-buy"), (tx) => addPlatformEntries(tx, services, facts));
  }
}
