import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { domain } from "@zhangfang/server/calls/domain.ts";
import type { Job } from "@zhangfang/server/jobs/jobs.ts";
import { DEMO_PASSWORD } from "../../demo/index.ts";
import { giveBillChannel } from "@zhangfang/domains/channels/server/index.ts";
import { addPayoutAccount } from "@zhangfang/domains/commissions/contract/index.ts";
import { commissions, verifyCommissions } from "@zhangfang/domains/commissions/server/index.ts";
import { CLAIMS, payFrom } from "@zhangfang/domains/commissions/server/testing/commission-world.ts";
import type { Breach } from "@zhangfang/server/book.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { orders } from "@zhangfang/domains/orders/server/index.ts";
import { profitSharing } from "@zhangfang/domains/profit-sharing/server/index.ts";
import { plantTestOffers, resetTestOffers, verifyTestOffers } from "@zhangfang/domains/pricing/server/testing/test-offers.ts";
import { openShareWorld, type ShareWorld } from "@zhangfang/domains/profit-sharing/server/testing/share-world.ts";
import { reconciliation } from "@zhangfang/domains/reconciliation/server/index.ts";
import { FEE_RATE } from "@zhangfang/domains/reconciliation/server/testing/recon-world.ts";
import { statistics } from "@zhangfang/domains/statistics/server/index.ts";
import { fakeBills } from "./fake-bills.ts";

const routes = [...orders.routes, ...profitSharing.routes, ...commissions.routes, ...reconciliation.routes, ...statistics.routes];
const FIRST_DAY = "2026-11-20T02:30:00.000Z";
/** All that holds money or tells of it; the state that a refused call leaves as it was. */
const STATE =
  "pay_orders refunds refund_evidence sharing_orders sharing_lines sharing_returns ledger_entries commission_entries withdrawals price_parts price_backs test_coupons test_points commission_progress bill_files recon_days recon_differences audit_log".split(
    " ",
  );

/** What an order of the model may bring: more than are used at once, few enough to be fought for. */
export const TEST_COUPONS = ["M1", "M2", "M3", "M4"] as const;

/** Everything that moves money, together, with each of the channel's sides in the test's hand. */
export interface MoneyWorld extends ShareWorld {
  readonly payouts: Awaited<ReturnType<typeof payFrom>>;
  readonly bills: ReturnType<typeof fakeBills>;
  /** agent01's accounts, which may be paid to. */
  readonly accounts: { readonly wechat: string; readonly bank: string };
  call<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** To half past ten in the morning of the next day, with what the night does. */
  nextDay(): Promise<void>;
  /** One figure for all that a refused call may not change. */
  digest(): Promise<string>;
  /** Breaches of both books. */
  verifyAll(): Promise<Breach[]>;
}

/** The demo tree with tills, shares, claims, payouts, bills and statistics. */
export async function openMoneyWorld(): Promise<MoneyWorld> {
  // The minute's looks come round by themselves; what the night does is done when a night passes.
  const daily = ({ every }: Job): boolean => /^\d+ \d+ /.test(String(every));
  const all = [...commissions.jobs, ...reconciliation.jobs, ...statistics.jobs];
  const jobs = all.map(({ every, ...job }): Job => (every === undefined || daily({ ...job, every }) ? job : { ...job, every }));
  const share = await openShareWorld({ above: [domain({ jobs })], config: { data_dir: mkdtempSync(join(tmpdir(), "money-world-")) } });
  await plantTestOffers(share.services, share.owner);
  const resetOffers = () => resetTestOffers(share.owner, share.tree.merchants.mch01.id, 3_000, TEST_COUPONS);
  const payouts = await payFrom(share);
  await share.owner("update payout_settings set min_cents = 1, unapproved_up_to_cents = 200");
  const bills = fakeBills(share.channel, FEE_RATE, async (outRefundNo) => {
    const found = await share.owner<{ fee: number }>("select fee_cents::int as fee from refunds where refund_no = $1", [
      outRefundNo.replace(/-\d+$/, ""),
    ]);
    return found[0]?.fee ?? 0;
  });
  giveBillChannel(share.services, bills.bills);
  const call: MoneyWorld["call"] = (login, endpoint, input) => {
    const route = routes.find((one) => one.endpoint === endpoint);
    if (!route) throw new Error(`no route for ${endpoint.path}`);
    return share.ask(login, route, input as object) as never;
  };
  const account = { holder: "周锦", password: DEMO_PASSWORD };
  share.services.clock.set("2026-11-18T02:30:00.000Z");
  const wechat = await call("agent01", addPayoutAccount, { ...account, method: "wechat", number: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" });
  const bank = await call("agent01", addPayoutAccount, { ...account, method: "bank", number: "6228480402564890018", bankName: "招商银行" });
  share.services.clock.set(FIRST_DAY);
  const digest = STATE.map((table) => `(select coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) from ${table} t)::text`).join(
    " || ' ' || ",
  );
  return {
    ...share,
    payouts,
    bills,
    accounts: { wechat: wechat.id, bank: bank.id },
    call,
    async nextDay() {
      const { clock } = share.services;
      clock.set(`${new Date(clock.now_ms() + 86_400_000).toISOString().slice(0, 10)}T02:30:00.000Z`);
      for (const job of statistics.jobs.filter(daily)) await job.run(share.services, {});
      await share.runJobs();
      await share.sweep();
    },
    digest: async () => (await share.owner<{ state: string }>(`select ${digest} as state`))[0]!.state,
    verifyAll: async () => [...(await share.verify()), ...(await share.look(verifyCommissions)), ...(await verifyTestOffers(share.owner))],
    async forget() {
      await emptyTables(share.owner, `${CLAIMS}, bill_files, bill_rows, bill_flows, recon_days, recon_differences, messages`);
      await share.forget();
      await resetOffers();
      payouts.transfers.clear();
      for (const side of [payouts, bills, share.sharing, share.channel]) side.forget();
      share.services.clock.set(FIRST_DAY);
    },
  };
}
