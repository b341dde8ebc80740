import { sql } from "kysely";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { claimCoupon, ownCouponCode } from "@zhangfang/domains/coupons/server/index.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openWire } from "../live.ts";
import { makeSecond } from "../tree/second.ts";
import { signIn, type DemoTree } from "../tree/tree.ts";

const DAY_MS = 86_400_000;
const COUNTED = { wait: 0, unit: "day", mode: 3 } as const;
/** A merchant's campaigns, by what becomes of each. */
const CAMPAIGNS = [
  {
    name: "午市满 80 减 20",
    terms: {
      kind: 1,
      minCents: 8_000,
      offCents: 2_000,
      weekdays: [1, 2, 3, 4, 5],
      windows: [{ from: "11:00", to: "14:00" }],
      validity: { ...COUNTED, count: 30 },
    },
    total: 3_000,
    state: "running",
  },
  {
    name: "会员 88 折",
    terms: { kind: 2, percent: 88, capCents: 1_500, validity: { ...COUNTED, count: 14 } },
    total: 2_000,
    state: "running",
  },
  {
    name: "无门槛 3 元",
    terms: { kind: 1, minCents: 0, offCents: 300, validity: { ...COUNTED, count: 7 } },
    total: 1_000,
    state: "paused",
  },
  {
    name: "周年庆满 100 减 30",
    terms: { kind: 1, minCents: 10_000, offCents: 3_000, validity: { ...COUNTED, count: 10 } },
    total: 200,
    state: "stopped",
  },
  {
    name: "冬至羊肉汤 5 折",
    terms: { kind: 2, percent: 50, capCents: 4_000, validity: { ...COUNTED, count: 5 } },
    total: 300,
    state: "waiting",
  },
] as const;

/** Coupons of the first merchant: campaigns in every state, and what members received of them, some of it over by now. */
export async function fillCoupons(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  const merchant = tree.merchants.mch01;
  const service_provider_id = merchant.serviceProviderId;
  const second = await makeSecond(services, "mch01");
  const root = { authorization: `Bearer ${await signIn(services, "mch01")}` };
  const post = (path: string, body: object, headers: Readonly<Record<string, string>> = root) =>
    wire.post(`${api}/api/coupons/${path}?_t=1`, body, headers);
  const now_ms = services.clock.now_ms();
  const people = await withScope(services.pool, platformScope("demo members with coupons"), (tx) =>
    tx
      .selectFrom("members")
      .select("id")
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant.id)
      .where("stage", "=", 1)
      .where("status", "=", 1)
      .orderBy("no")
      .execute(),
  );
  for (const [at, { name, terms, total, state }] of CAMPAIGNS.entries()) {
    const requestId = services.ids.uuid(now_ms);
    const facts = {
      requestId,
      name,
      terms,
      total,
      perPerson: 2,
      beginsAt: new Date(now_ms - 60 * DAY_MS).toISOString(),
      endsAt: new Date(now_ms + 45 * DAY_MS).toISOString(),
    };
    const { id } = await post("campaigns/add", facts, second.headers);
    if (state === "waiting") continue;
    await post("campaigns/decide", { id, version: 1, approve: true });
    // Received over the last weeks; the older ones are over.
    const received = people.filter((_one, n) => n % CAMPAIGNS.length !== at).slice(0, state === "stopped" ? 180 : 320);
    for (let from = 0; from < received.length; from += 40) {
      const at_ms = now_ms - (1 + (from / 40) * 5) * DAY_MS;
      const past = { ...services, clock: { now_ms: () => at_ms } };
      const claimed = await Promise.allSettled(
        received
          .slice(from, from + 40)
          .map(({ id: member_id }) =>
            claimCoupon(past, { service_provider_id, campaign_id: String(id) }, { member_id, request_id: services.ids.uuid(at_ms) }),
          ),
      );
      // Who may have none is refused; nothing else may go wrong.
      for (const one of claimed) if (one.status === "rejected" && !(one.reason instanceof Refusal)) throw one.reason;
    }
    if (state === "paused") await post("campaigns/steer", { id, act: "pause" });
    if (state === "stopped") await post("campaigns/steer", { id, act: "stop" });
    if (at === 1) await comeBack(services, tree, String(id), received);
    if (at === 1)
      await post("sends/add", { requestId: services.ids.uuid(now_ms), name: "回访老客", campaignId: id, filter: {}, again: true });
  }
}

/** Some come back with theirs today. */
async function comeBack(
  services: Services,
  tree: DemoTree,
  campaign_id: string,
  people: readonly { readonly id: string }[],
): Promise<void> {
  const { wire, simulator } = openWire(services);
  const { id: merchant_id, serviceProviderId: service_provider_id, stores } = tree.merchants.mch01;
  const { rows } = await withScope(services.pool, platformScope("demo coupons that are used"), (tx) =>
    sql<{ id: string; member_id: string }>`select c.id, c.member_id from coupons c where c.service_provider_id = ${service_provider_id}
      and c.campaign_id = ${campaign_id} and c.state = 'SENDED' and c.valid_to > ${new Date(services.clock.now_ms() + DAY_MS).toISOString()}
      and c.member_id = any(${people.map(({ id }) => id)}::uuid[]) order by c.id limit 9`.execute(tx),
  );
  for (const [n, { id, member_id }] of rows.entries()) {
    const till = (path: string, body: object) =>
      wire.post(`${simulator}/_till/device`, { sn: stores[n % stores.length]!.devices[0]!.sn, path: `/api/till/${path}`, body });
    const member = { service_provider_id, merchant_id, id: member_id, status: 1 };
    const { code } = await withScope(services.pool, platformScope("a code of the demo"), (tx) => ownCouponCode(tx, services, member, id));
    const order = { tillNo: `K-${n}`, grossCents: 5_600 + n * 770 };
    const { quote } = await till("quotes", { ...order, coupons: [code] });
    const authCode = `1347${String(60_000_000_000 + n * 7_919)}`.padEnd(18, "7").slice(0, 18);
    await till("orders", { ...order, subject: "堂食", quote, tradeType: "MICROPAY", authCode });
  }
}
