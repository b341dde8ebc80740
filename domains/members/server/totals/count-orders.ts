import { sql } from "kysely";
import { z } from "zod";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { walletOf } from "../../../channels/contract.ts";
import { claimOrders, type Ref } from "../../../orders/server/index.ts";
import { findOrMake } from "../make-member.ts";
import { tellClaimed } from "../member-facts.ts";

interface Paid {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly id: string;
  readonly payer: string | null;
  /** The channel's tool: whose wallet it is. */
  readonly tool: number;
  readonly paid_at: string;
  readonly member_id: string | null;
  readonly member_at_pay: boolean;
  readonly friend: boolean;
}

/** Whose the order is, and what its member has spent by now. Reckoned anew each time: once more changes nothing. */
export async function countOrder(services: Services, { service_provider_id: provider, id: order }: Ref): Promise<void> {
  await withScope(services.pool, platformScope("count a member's order"), async (tx) => {
    const { rows } = await sql<Paid>`select o.service_provider_id, o.merchant_id, o.store_id, o.id, o.payer, o.tool, o.paid_at, o.member_id,
          coalesce(s.member_at_pay, true) as member_at_pay,
          exists (select from friend_pays f where f.service_provider_id = o.service_provider_id and f.order_id = o.id and f.orderer is distinct from o.payer) as friend
        from pay_orders o
        left join merchant_settings s on s.service_provider_id = o.service_provider_id and s.merchant_id = o.merchant_id
        where o.service_provider_id = ${provider} and o.id = ${order} and o.status in (2, 3)`.execute(tx);
    const [paid] = rows;
    if (!paid) return;
    const member_id = paid.member_id ?? (await memberAtPay(tx, services, paid));
    if (member_id !== undefined) await countMembers(tx, provider, [member_id]);
  });
}

/** What payments asked for before one job followed an order (migration 0311): those that still wait are done. */
export const countOrderJob = job({
  name: "count-member-order",
  data: z.object({ provider: z.string(), order: z.string() }),
  run: (services, { provider, order }) => countOrder(services, { service_provider_id: provider, id: order }),
});

/** 支付即会员: who paid is known from then on, as a 准会员; not a friend who paid for somebody else. */
async function memberAtPay(tx: Transaction, services: Services, paid: Paid): Promise<string | undefined> {
  const { payer, tool, member_at_pay, friend, service_provider_id, merchant_id, store_id } = paid;
  const whose = walletOf(tool);
  const kind = whose === "wechat" ? "openid" : whose === "alipay" ? "alipay" : undefined;
  if (!payer || !member_at_pay || friend || !kind) return undefined;
  const member = await findOrMake(tx, services, {
    service_provider_id,
    merchant_id,
    store_id,
    source: 4,
    by: { kind, subject: payer },
    stage: 0,
    by_name: "支付即会员",
  });
  const order_id = paid.id;
  if ((await claimOrders(tx, service_provider_id, [{ order_id, member_id: member.id }])) === 0) return undefined;
  await tellClaimed(tx, services, { service_provider_id, merchant_id, id: member.id, order_id });
  return member.id;
}

/** Sums up members' orders anew, under their rows' locks: of two at once the later one sees both. */
export async function countMembers(tx: Transaction, provider: string, ids: readonly string[]): Promise<void> {
  const list = sql`any(${`{${ids.join(",")}}`}::uuid[])`;
  await sql`select 1 from member_totals t where t.service_provider_id = ${provider} and t.member_id = ${list} order by t.member_id for update`.execute(
    tx,
  );
  await sql`
    with mine as (select coalesce(m.merged_into, m.id) as member_id, o.status, o.paid_at, o.paid_cents - o.refunded_cents + o.principal_cents - coalesce((select sum(r.principal_cents)
          from refunds r where r.service_provider_id = o.service_provider_id and r.order_id = o.id and r.status = 2), 0) as kept
        from members m join pay_orders o on o.service_provider_id = m.service_provider_id and o.member_id = m.id
        where m.service_provider_id = ${provider} and (m.id = ${list} or m.merged_into = ${list}) and o.status in (2, 3) and o.purpose = 0),
      sums as (select member_id, sum(kept)::bigint as spent, count(*) filter (where status = 2)::int as visits, max(paid_at) as last from mine group by member_id)
    update member_totals t set spent_cents = coalesce(s.spent, 0), visits = coalesce(s.visits, 0), growth = coalesce(s.spent, 0) / 100, last_visit_at = s.last
    from member_totals self left join sums s on s.member_id = self.member_id
    where t.service_provider_id = ${provider} and t.member_id = ${list} and self.service_provider_id = t.service_provider_id and self.member_id = t.member_id`.execute(
    tx,
  );
}
