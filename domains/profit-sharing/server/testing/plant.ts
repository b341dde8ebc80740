import type { TillWorld } from "../../../orders/server/testing/till-world.ts";
import type { Fact } from "../../../orders/server/testing/live-a-day.ts";
import { MERCHANT_KEYS, type MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant } from "../../../../apps/server/testing/world.ts";

export interface ShareFact extends Fact {
  readonly status: number;
  readonly orderId: string;
  /** Its payment is a minute old, so that it may be sent. */
  readonly ripe: boolean;
  readonly amount: number;
  readonly shared: number;
  readonly back: number;
}
export interface ReturnFact extends Fact {
  readonly status: number;
  readonly amount: number;
}
/** What a merchant set up: a group and a receiver in it. */
export interface SharingSetupFact {
  readonly merchant: MerchantKey;
  readonly id: string;
  readonly groupId: string;
}
export interface SharingFacts {
  readonly shares: readonly ShareFact[];
  readonly returns: readonly ReturnFact[];
  readonly setups: readonly SharingSetupFact[];
  /** What was said of shares and returns by hand, and turned down. */
  readonly shareRecords: readonly Fact[];
  readonly returnRecords: readonly Fact[];
  /** A proof of a transfer that waits, of the abnormal refund of each merchant. */
  readonly evidence: readonly Fact[];
}

/**
 * Gives every merchant a receiver and a rule by hand, every store a share that waits, and the first store of each also one
 * that failed and one that was made, of which a return failed with its refund. Every amount is the merchant's own prime.
 * Written past both fences.
 */
async function plantShares(world: TillWorld): Promise<readonly SharingSetupFact[]> {
  // The channel shares a payment at the earliest after a minute.
  world.services.clock.advance(61_000);
  const setups: SharingSetupFact[] = [];
  for (const [n, merchant] of MERCHANT_KEYS.entries()) {
    const { id: merchantId, serviceProviderId } = world.tree.merchants[merchant];
    const [group, receiver] = [uuid(world), uuid(world)];
    const whose = [serviceProviderId, merchantId];
    await world.owner(
      "insert into merchant_settings (service_provider_id, merchant_id, profit_sharing, updated_at) values ($1, $2, true, now()) on conflict (service_provider_id, merchant_id) do update set profit_sharing = true",
      whose,
    );
    await world.owner(
      "insert into sharing_groups (service_provider_id, merchant_id, id, name, created_at) values ($1, $2, $3, $4, now())",
      [...whose, group, `分组 ${merchant}`],
    );
    await world.owner(
      `insert into sharing_receivers (service_provider_id, merchant_id, id, group_id, alias, name_sealed, name_masked, relation, ratio, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'x', '演**', 'PARTNER', 10000, now(), now())`,
      [...whose, receiver, group, `接收方 ${merchant}`],
    );
    await world.owner(
      `insert into sharing_accounts (service_provider_id, merchant_id, receiver_id, wallet, type, account, bind_state)
       values ($1, $2, $3, 'wechat', 'MERCHANT_ID', $4, 'bound')`,
      [...whose, receiver, String(1_900_001_000 + n)],
    );
    await world.owner(
      "insert into sharing_rules (service_provider_id, merchant_id, mode, group_id, updated_at, updated_by_name) values ($1, $2, 'manual', $3, now(), 'x')",
      [...whose, group],
    );
    setups.push({ merchant, id: receiver, groupId: group });
  }
  await world.owner("update pay_orders set profit_sharing = true where till_no like '%-second'");
  await refund(world, "o.till_no like '%-second'", 0, "");
  await refund(world, "o.till_no like '%-0-second'", 3, "-f");
  await refund(world, "o.till_no like '%-0-paid'", 2, "-d");
  await world.owner("update pay_orders o set shared_cents = s.shared_cents from sharing_orders s where s.order_id = o.id and s.status = 2");
  await world.owner(
    `insert into sharing_lines (service_provider_id, id, merchant_id, store_id, sharing_id, try, position, receiver_id, type, account, alias, relation, ratio, amount_cents, result, finished_at)
     select s.service_provider_id, gen_random_uuid(), s.merchant_id, s.store_id, s.id, 1, 0, r.id, a.type, a.account, r.alias, r.relation, 10000, s.shared_cents, 'success', s.created_at
     from sharing_orders s join sharing_receivers r on r.merchant_id = s.merchant_id join sharing_accounts a on a.receiver_id = r.id where s.status = 2`,
  );
  await world.owner(
    `insert into sharing_returns (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, order_id, refund_id, sharing_id, line_id,
       return_no, status, amount_cents, attempts, failure, requested_by_name, created_at, finished_at)
     select s.service_provider_id, gen_random_uuid(), s.merchant_id, s.store_id, s.agent_id, s.business_group_id, s.business_team_id, s.salesman_id, s.order_id, f.id, s.id, l.id,
       'B' || substr(f.refund_no, 2), 3, l.amount_cents, 1, '接收方余额不足', '演示', f.created_at, f.created_at
     from sharing_orders s join sharing_lines l on l.sharing_id = s.id join refunds f on f.order_id = s.order_id and f.status = 3 where s.status = 2`,
  );
  for (const [table, column, number] of [
    ["sharing_orders", "sharing_id", "share_no"],
    ["sharing_returns", "return_id", "return_no"],
  ])
    await world.owner(
      `insert into sharing_records (service_provider_id, id, merchant_id, store_id, ${column}, channel_try, number, result, happened_on, note, state, by_user, by_name,
         created_at, decided_by, decided_by_name, decided_at)
       select service_provider_id, gen_random_uuid(), merchant_id, store_id, id, 1, ${number}, 'failed', current_date, '查不到', 'rejected', gen_random_uuid(), '演示',
         created_at, gen_random_uuid(), '演示', created_at from ${table} where status in (2, 3)`,
    );
  await world.owner("update refunds set channel_status = 'ABNORMAL', channel_refund_no = '50' where status = 3");
  await world.owner(
    `insert into refund_evidence (service_provider_id, id, merchant_id, store_id, refund_id, kind, transfer_no, transferred_at, note, state, by_user, by_name, created_at)
     select service_provider_id, gen_random_uuid(), merchant_id, store_id, id, 'transfer', '2026112000', created_at, '电汇', 'waiting', gen_random_uuid(), '演示', created_at
     from refunds where status = 3`,
  );
  return setups;
}
const uuid = (world: TillWorld): string => world.services.ids.uuid(world.services.clock.now_ms());

async function refund(world: TillWorld, orders: string, status: number, tail: string): Promise<void> {
  await world.owner(
    `insert into sharing_orders (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, order_id, kind, mode, share_no, status,
       base_cents, amount_cents, shared_cents, unfreeze, attempts, requested_by_name, created_at, sent_at, finished_at)
     select o.service_provider_id, gen_random_uuid(), o.merchant_id, o.store_id, o.agent_id, o.business_group_id, o.business_team_id, o.salesman_id, o.id, 'share', 'manual',
       'S' || substr(o.order_no, 2) || $2, $1::smallint, case when $1 = 0 then null else o.paid_cents end, case $1 when 0 then 0 when 3 then o.paid_cents / 101 else o.paid_cents / 10 end,
       case when $1 = 2 then o.paid_cents / 10 else 0 end, false, 1, '演示',
       o.created_at, o.created_at, case when $1 = 0 then null else o.created_at end from pay_orders o where ${orders}`,
    [status, tail],
  );
}
/** Every share and return of the day, also of what was paid after they were planted. */
async function readShares({ owner, tree, services }: TillWorld, setups: readonly SharingSetupFact[]): Promise<SharingFacts> {
  const whose = new Map(
    MERCHANT_KEYS.flatMap((merchant) => tree.merchants[merchant].stores.map((store, n) => [store.id, { merchant, store: n }] as const)),
  );
  const columns = `id, service_provider_id as "serviceProviderId", agent_id as "agentId", business_team_id as "businessTeamId", merchant_id as "merchantId", store_id as "storeId", status, amount_cents::int as amount`;
  const placed = <R extends Fact>(rows: R[]): R[] => rows.map((row) => ({ ...row, ...whose.get(row.storeId)! }));
  return {
    setups,
    shares: placed(
      await owner<ShareFact>(
        `select ${columns}, order_id as "orderId", created_at <= $1 as ripe, shared_cents::int as shared, returned_cents::int as back from sharing_orders order by id`,
        [new Date(services.clock.now_ms() - 60_000).toISOString()],
      ),
    ),
    evidence: placed(
      await owner<Fact>(
        `select id, service_provider_id as "serviceProviderId", null as "agentId", null as "businessTeamId", merchant_id as "merchantId", store_id as "storeId" from refund_evidence order by id`,
      ),
    ),
    shareRecords: placed(await owner<Fact>(recordsOf("sharing_id"))),
    returnRecords: placed(await owner<Fact>(recordsOf("return_id"))),
    returns: placed(await owner<ReturnFact>(`select ${columns} from sharing_returns order by id`)),
  };
}
const recordsOf = (column: string): string =>
  `select id, service_provider_id as "serviceProviderId", null as "agentId", null as "businessTeamId", merchant_id as "merchantId", store_id as "storeId"
   from sharing_records where ${column} is not null order by id`;
export const sharingSetups = plant(({ till }) => plantShares(till));
export const sharingFacts = plant(({ till, of }) => readShares(till, of(sharingSetups)));
