import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MemberFacts, MemberRef } from "../../members/server/index.ts";
import { lockHolder } from "../../value-book/server/index.ts";
import { MOST_CENTS } from "../contract/index.ts";

type Merge = Parameters<NonNullable<MemberFacts["merged"]>>[2];

/** Two balances become one of a person, which the law bounds. @throws 409 */
export async function mergeStored(tx: Transaction, _services: Services, { into: member_id, ...of }: Merge): Promise<void> {
  const { service_provider_id, merchant_id } = of;
  const held = await lockHolder(tx, { service_provider_id, merchant_id, member_id });
  const sum = (held.get("principal") ?? 0) + (held.get("gift") ?? 0);
  if (sum > MOST_CENTS) throw conflict(`合并后储值 ${yuan(sum)} 元，超过每人 ${yuan(MOST_CENTS)} 元，请先用掉或退卡`, "stored.most");
}

/** What waits for somebody's yes keeps its member here; money on its way comes as an order. */
export async function storedWaits(tx: Transaction, { service_provider_id, id }: MemberRef): Promise<string | undefined> {
  const { rows } = await asPlatform(tx, () =>
    sql<{ what: string }>`
    select '充值' as what from recharges where service_provider_id = ${service_provider_id} and member_id = ${id} and status = 3
    union all select '退卡' from card_refunds where service_provider_id = ${service_provider_id} and member_id = ${id} and status in (0, 1)
    union all select '改余额' from value_adjusts where service_provider_id = ${service_provider_id} and member_id = ${id} and status = 0
    union all select '转余额' from transfer_offers where service_provider_id = ${service_provider_id} and ${id}::uuid in (member_id, to_member_id) and status = 0
    limit 1`.execute(tx),
  );
  return rows[0] && `还有待处理的${rows[0].what}`;
}
