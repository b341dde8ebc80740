import { sql } from "kysely";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { MemberRef } from "../member-facts.ts";

export interface Holdings {
  readonly principal: number;
  readonly held: number;
  readonly gift: number;
  readonly points: number;
  /** Of times cards, in cents. */
  readonly times: number;
  readonly open: number;
}
/** What a member has, and the orders that are still open, at all stores. */
export async function holdingsOf(tx: Transaction, { service_provider_id, merchant_id, id }: MemberRef): Promise<Holdings> {
  const { rows } = await asPlatform(tx, () =>
    sql<Holdings>`select
      coalesce(sum(a.balance) filter (where a.kind = 'principal'), 0)::bigint as principal,
      coalesce(sum(a.balance) filter (where a.kind in ('principal-held', 'gift-held', 'points-held')), 0)::bigint as held,
      coalesce(sum(a.balance) filter (where a.kind = 'gift'), 0)::bigint as gift,
      coalesce(sum(a.balance) filter (where a.kind in ('points', 'points-pending')), 0)::bigint as points,
      coalesce(sum(a.balance) filter (where a.kind = 'times'), 0)::bigint as times,
      ((select count(*) from pay_orders o where o.service_provider_id = ${service_provider_id} and o.member_id = ${id} and o.status = 0)
      + (select count(*) from member_openings w where w.service_provider_id = ${service_provider_id} and w.member_id = ${id} and w.status = 0))::int as open
    from value_accounts a where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.owner_id = ${id}`.execute(
      tx,
    ),
  );
  return rows[0]!;
}

const NOBODY = {
  name_sealed: null,
  name_hash: null,
  name_before_sealed: null,
  name_changed_on: null,
  phone_sealed: null,
  tail_hash: null,
  phone_confirmed_at: null,
  id_card_sealed: null,
  birthday: null,
  form_sealed: null,
  pin_hash: null,
  remark: "",
  tags: sql<string[]>`'{}'::text[]`,
};
/** Takes everything personal away, and what one is known by. */
export async function forget(
  tx: Transaction,
  { service_provider_id, id }: MemberRef,
  state: { status: number; closed_at?: string; merged_into?: string },
): Promise<void> {
  const changed = await tx
    .updateTable("members")
    .set((column) => ({ ...NOBODY, ...state, revision: column("revision", "+", 1) }))
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "in", [1, 3])
    .executeTakeFirst();
  mustChange(changed, () => conflict("会员不在正常状态"));
  await tx.deleteFrom("member_identities").where("service_provider_id", "=", service_provider_id).where("member_id", "=", id).execute();
  await tx.deleteFrom("member_tickets").where("service_provider_id", "=", service_provider_id).where("member_id", "=", id).execute();
}
