import pg from "pg";
import { sha256 } from "@zhangfang/server/crypto.ts";
import type { SocketConnection } from "@zhangfang/server/database/embedded-postgres.ts";
import { ACTORS, AGENTS, GROUPS, idOf, MERCHANTS, SALESMEN, sqlIdOf, STORES_OF_LARGE, TEAMS } from "./actors.ts";

const STORES = STORES_OF_LARGE + 2 * (MERCHANTS - 1);
const BATCH = 500_000;
const BIG = ["pay_orders", "refunds", "ledger_entries", "number_search"];

/**
 * Fills an empty, migrated database by plain SQL as its owner: a provider with 1,000 merchants, the first of which has
 * 40 % of the orders, a second provider with 2 %, refunds for 4 %, the ledger's entries (without their postings), and the
 * statistics that the database makes from them.
 * Indexes are taken away for the load and made again from their own definitions.
 */
export async function fillWorld(owner: SocketConnection, rows: number, say: (line: string) => void): Promise<void> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    await client.query(
      "set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '1GB'; set timezone = 'UTC'",
    );
    for (const statement of organisation()) await client.query(statement);
    await addActors(client);
    const indexes = (
      await client.query<{ indexname: string; indexdef: string }>(
        "select indexname, indexdef from pg_indexes i where schemaname = 'public' and (tablename = any($1) or tablename like 'takings%\\_folded') and not exists (select 1 from pg_constraint c where c.conindid = format('public.%I', i.indexname)::regclass)",
        [BIG],
      )
    ).rows;
    for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
    for (let from = 1; from <= rows; from += BATCH) {
      const to = Math.min(from + BATCH - 1, rows);
      await client.query(orders(from, to, rows));
      say(`${to} orders`);
    }
    for (const statement of [refunds(), numbers("order"), numbers("refund"), ...entries(), REBUILT]) await client.query(statement);
    say("refunds, ledger and statistics");
    for (const { indexdef } of indexes) await client.query(indexdef);
    say("indexes");
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  } finally {
    await client.end();
  }
}

const P1 = `'${idOf("provider", 1)}'::uuid`;
const P2 = `'${idOf("provider", 2)}'::uuid`;
const EARLY = "now() - interval '400 days'";
const spread = (kind: "agent" | "group" | "team" | "salesman", count: number, m = "m") => sqlIdOf(kind, `((${m} - 1) % ${count}) + 1`);
// Merchants 1001 to 1010 are the second provider's, without attribution.
const OWN = MERCHANTS + 10;
const ATTRIBUTION = `case when m <= ${MERCHANTS} then ${spread("agent", AGENTS)} end, case when m <= ${MERCHANTS} then ${spread("group", GROUPS)} end,
  case when m <= ${MERCHANTS} then ${spread("team", TEAMS)} end, case when m <= ${MERCHANTS} then ${spread("salesman", SALESMEN)} end`;
const providerOf = (m: string) => `case when ${m} <= ${MERCHANTS} then ${P1} else ${P2} end`;
const merchantOfStore = `case when s <= ${STORES_OF_LARGE} then 1 else (s - 17) / 2 end`;

function organisation(): string[] {
  const named = (table: string, kind: "agent" | "group" | "team" | "salesman", count: number, title: string) =>
    `insert into ${table} (service_provider_id, id, name, created_at) select ${P1}, ${sqlIdOf(kind, "n")}, '${title}' || n, ${EARLY} from generate_series(1, ${count}) n`;
  const stores = `generate_series(1, ${STORES + 20}) s, lateral (select ${merchantOfStore} as m) x`;
  return [
    `insert into service_providers (id, number, name, short_name, created_at) values (${P1}, 'SP1', '第一服务商', '一商', ${EARLY}), (${P2}, 'SP2', '第二服务商', '二商', ${EARLY})`,
    named("agents", "agent", AGENTS, "代理"),
    named("business_groups", "group", GROUPS, "事业部"),
    named("business_teams", "team", TEAMS, "团队"),
    named("salesmen", "salesman", SALESMEN, "业务员"),
    `insert into merchants (service_provider_id, id, number, name, short_name, province, city, agent_id, business_group_id, business_team_id, salesman_id, opened_at, created_at)
      select ${providerOf("m")}, ${sqlIdOf("merchant", "m")}, 'M' || m, '第' || m || '号餐饮管理有限公司', '第' || m || '号小馆', (array['广东省', '浙江省', '四川省', '北京市', '湖北省'])[m % 5 + 1], '市', ${ATTRIBUTION},
      now() - (m % 420) * interval '1 day', ${EARLY} from generate_series(1, ${OWN}) m`,
    `insert into stores (service_provider_id, id, merchant_id, number, name, short_name, created_at)
      select ${providerOf("m")}, ${sqlIdOf("store", "s")}, ${sqlIdOf("merchant", "m")}, 'S' || s, '第' || m || '号小馆' || s || '店', s || '店', ${EARLY} from ${stores}`,
    `insert into cashiers (service_provider_id, id, merchant_id, store_id, code, name, created_at)
      select ${providerOf("m")}, ${sqlIdOf("cashier", "s")}, ${sqlIdOf("merchant", "m")}, ${sqlIdOf("store", "s")}, 'C' || s, '收银员' || s, ${EARLY} from ${stores}`,
    `insert into devices (service_provider_id, id, merchant_id, store_id, sn, model, name, cashier_id, key_sealed, last_seen_at, created_at)
      select ${providerOf("m")}, ${sqlIdOf("device", "s")}, ${sqlIdOf("merchant", "m")}, ${sqlIdOf("store", "s")}, 'SN' || s, 'FACEPOS-F24', '收银机' || s, ${sqlIdOf("cashier", "s")}, 'none', now() - (s % 10) * interval '1 minute', ${EARLY} from ${stores}`,
  ];
}

async function addActors(client: pg.Client): Promise<void> {
  for (const [at, { name, level, role, columns, stores, token }] of ACTORS.entries()) {
    const user = idOf("user", at + 1);
    const owned = Object.keys(columns);
    await client.query(
      `insert into users (id, login, root_login, first_name, password_hash, level, role${owned.map((column) => `, ${column}`).join("")})
       values ($1, $2, $2, $2, 'none', $3, $4${owned.map((_column, n) => `, $${n + 5}`).join("")})`,
      [user, name, level, role, ...Object.values(columns)],
    );
    for (const store of stores ?? []) {
      await client.query("insert into user_stores (service_provider_id, merchant_id, user_id, store_id) values ($1, $2, $3, $4)", [
        columns["service_provider_id"],
        columns["merchant_id"],
        user,
        idOf("store", store),
      ]);
    }
    await client.query(
      "insert into sessions (token_hash, id, user_id, created_at, seen_at, idle_ms, expires_at) values ($1, $2, $3, now(), now(), 86400000, now() + interval '30 days')",
      [sha256(token), idOf("session", at + 1), user],
    );
  }
}

// A UUIDv7 of a moment and a number, so that ids follow time as the product's own do.
const uuidAt = (at: string, salt: string) =>
  `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${salt}), 1, 3) || '8' || substr(md5(${salt}), 4, 15))::uuid`;

// As the product's numbers and the channel's end: by digits that tell nothing.
const digits = (seed: string, length: number) => `lpad((abs(hashint8extended(i, ${seed})) % 1${"0".repeat(length)})::text, ${length}, '0')`;

// Every figure follows from the order's number by hashes, so that two worlds of one size hold the same orders.
function orders(from: number, to: number, rows: number): string {
  return `
  insert into pay_orders (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, device_id, cashier_id,
    order_no, till_no, trade_type, pay_method, channel, tool, channel_no, subject, status, gross_cents, coupon_cents, paid_cents, fee_rate, fee_cents,
    refunded_cents, value_refunded_cents, refunded_fee_cents, refund_count, payer, created_at, expires_at, next_query_at, paid_at, closed_at)
  select ${providerOf("m")}, ${uuidAt("at", "i::text")}, ${sqlIdOf("merchant", "m")}, ${sqlIdOf("store", "s")}, ${ATTRIBUTION},
    ${sqlIdOf("device", "s")}, ${sqlIdOf("cashier", "s")}, to_char(at, 'YYYYMMDDHH24MISS') || ${digits("4", 10)}, 'T' || i,
    case when tool in (2, 4) then 'MICROPAY' else 'NATIVE' end, 'CARD', case when a % 10 = 0 then 1 else 0 end, tool, case when paid then '4200' || ${digits("5", 6)} || to_char(at, 'YYYYMMDD') || ${digits("6", 10)} end, '到店消费',
    case when fate in (88, 89) then 3 when paid then 2 when at > now() - interval '15 minutes' then 0 else 1 end,
    gross, coupon, gross - coupon, 380, case when paid then fee else 0 end,
    refunded, refunded, case when refunded = 0 then 0 else round(fee * refunded / (gross - coupon)::numeric) end, (refunded > 0)::int,
    case when paid then 'o' || substr(md5(i::text), 1, 27) end, at, at + interval '15 minutes', at + interval '15 minutes', case when paid then at + interval '10 seconds' end,
    case when not paid and at <= now() - interval '15 minutes' then at + interval '15 minutes' end
  from generate_series(${from}, ${to}) i,
    lateral (select now() - (${rows} - i) * (interval '365 days' / ${rows}) - interval '1 second' as at,
      abs(hashint8extended(i, 1)) as a, abs(hashint8extended(i, 2)) as b, (abs(hashint8extended(i, 3)) % 100)::int as fate) x,
    lateral (select case when b % 100 < 40 then 1 + (a % ${STORES_OF_LARGE})::int when b % 100 >= 98 then ${STORES} + 1 + (a % 20)::int
      else ${STORES_OF_LARGE} + 1 + (a % ${STORES - STORES_OF_LARGE})::int end as s) y,
    lateral (select ${merchantOfStore} as m, 100 + (a / 7 % 20000) as gross, case when a % 13 = 0 then 50 else 0 end as coupon,
      fate < 92 as paid, (array[2, 2, 2, 1, 4, 3])[1 + a / 3 % 6] as tool) z,
    lateral (select round((gross - coupon) * 380 / 100000.0) as fee, case when fate in (88, 89) then gross - coupon when fate in (90, 91) then (gross - coupon) / 2 else 0 end as refunded) w`;
}
const refunds = () => `
  insert into refunds (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, order_id, refund_no, request_id, refund_type,
    status, amount_cents, value_cents, fee_cents, reason, requested_by_name, channel_refund_no, channel_status, attempts, created_at, finished_at, order_paid_at)
  select service_provider_id, ${uuidAt("created_at", "'r' || order_no")}, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, id, 'R' || order_no, id,
    case when status = 3 then 1 else 2 end, 2, refunded_cents, refunded_cents, refunded_fee_cents, '顾客退货', '店长', '5030' || till_no, 'SUCCESS', 1, created_at + interval '1 minute', created_at + interval '2 minutes', paid_at
  from pay_orders where refunded_cents > 0`;

// Written past the triggers, as they write it.
const numbers = (kind: "order" | "refund") => `
  insert into number_search select service_provider_id, '${kind}', id, which, app.number_grams(merchant_id, number) from ${kind === "order" ? "pay_orders" : "refunds"},
    lateral (values ${kind === "order" ? "(0, order_no), (1, till_no), (2, channel_no)" : "(0, refund_no), (1, channel_refund_no)"}) as x (which, number)
  where length(regexp_replace(number, '\\D', '', 'g')) >= 5`;

const OWNERSHIP = "service_provider_id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id";
const entries = () => [
  `insert into ledger_entries (${OWNERSHIP}, id, cause, order_id, channel, tool, occurred_at, gross_cents, discount_cents, paid_cents, fee_cents)
    select ${OWNERSHIP}, ${uuidAt("paid_at", "'p' || order_no")}, 'payment', id, channel, tool, paid_at, gross_cents, discount_cents, paid_cents, fee_cents
    from pay_orders where paid_at is not null order by paid_at`,
  `insert into ledger_entries (${OWNERSHIP}, id, cause, order_id, refund_id, channel, tool, occurred_at, refund_cents, refund_fee_cents)
    select ${OWNERSHIP.replaceAll(/\w+/g, "r.$&")}, ${uuidAt("r.finished_at", "'b' || r.refund_no")}, 'refund', r.order_id, r.id, o.channel, o.tool, r.finished_at, r.amount_cents, r.fee_cents
    from refunds r join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id order by r.finished_at`,
];

const REBUILT = "select upkeep.rebuild_takings()";
