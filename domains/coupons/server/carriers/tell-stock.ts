import { sql } from "kysely";
import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type ChannelAccount, couponChannelOf, type CouponCarrier } from "../../../channels/server/index.ts";
import type { CouponTerms } from "../../contract/index.ts";
import {
  type About,
  accountOf,
  againAt,
  CARRY,
  endDifferences,
  LONG_TRIES,
  lookBySending,
  lookedAt,
  type Looked,
  noteDifference,
  recorded,
  takeStep,
} from "./carrier-calls.ts";
import { type MirrorNow, type MirrorOp, mirrorStep } from "./carrier-steps.ts";
import { stockOrderOf } from "./stock-order.ts";

export interface MirrorRef {
  readonly service_provider_id: string;
  readonly campaign_id: string;
}
interface Row extends MirrorNow, MirrorRef {
  readonly merchant_id: string;
  readonly carrier: CouponCarrier;
  readonly no: string;
  readonly name: string;
  readonly said: string;
  readonly terms: CouponTerms;
  readonly per_person: number;
  readonly per_day: number | null;
  readonly begins_at: string;
  readonly ends_at: string;
  readonly op: MirrorOp | null;
  readonly op_no: string | null;
  readonly op_at: string | null;
  readonly op_total: number | null;
  readonly turn: number;
  readonly rev: number;
  readonly tries: number;
}
/** A step that was written down, and what it needs. */
interface Begun {
  readonly row: Row;
  readonly op: MirrorOp;
  readonly op_no: string;
  readonly op_at: string;
  readonly op_total: number;
  readonly begun: boolean;
  readonly wanted: boolean;
  readonly account: ChannelAccount | undefined;
}

/** Tells WeChat the next thing of a campaign's batch, where something is due. Whoever else is at it is left alone. */
export async function tellStock(services: Services, ref: MirrorRef): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const step = await withScope(services.pool, CARRY, (tx) => begin(tx, services, ref));
    if (!step) return;
    const verdict = step.account ? await carry(services, step, step.account) : NO_KEYS;
    await withScope(services.pool, CARRY, (tx) => settle(tx, services, step, verdict));
  }
}
const ROUNDS = 4;
const NO_KEYS = { kind: "unknown", reason: "商户没有微信支付密钥" } as const;

async function begin(tx: Transaction, services: Services, { service_provider_id, campaign_id }: MirrorRef): Promise<Begun | undefined> {
  const now = new Date(services.clock.now_ms()).toISOString();
  const { rows } =
    await sql<Row>`select m.service_provider_id, m.campaign_id, m.merchant_id, c.carrier, c.state, c.no, c.name, t.said, t.terms, c.per_person,
      s.per_day, c.begins_at, c.ends_at, s.total, m.stock_id, m.there, m.total as there_total, m.op, m.op_no, m.op_at, m.op_total, m.turn, m.rev, m.tries
    from coupon_mirrors m join coupon_campaigns c on c.service_provider_id = m.service_provider_id and c.id = m.campaign_id
    join coupon_stock s on s.service_provider_id = m.service_provider_id and s.campaign_id = m.campaign_id
    join coupon_terms t on t.service_provider_id = m.service_provider_id and t.campaign_id = m.campaign_id and t.version = c.version
    where m.service_provider_id = ${service_provider_id} and m.campaign_id = ${campaign_id} and m.next_at <= ${now}
    for no key update of m skip locked`.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  const next = mirrorStep(row);
  const op = row.op ?? next;
  if (op === undefined) {
    await sql`update coupon_mirrors m set next_at = null, tries = 0, why = null where m.service_provider_id = ${service_provider_id}
      and m.campaign_id = ${campaign_id}`.execute(tx);
    await endDifferences(tx, services, row, ["budget", "start", "pause", "restart"]);
    return undefined;
  }
  const step = {
    op,
    op_no: row.op_no ?? `${row.no}-${op}-${row.turn + 1}`,
    op_at: row.op_at ?? now,
    op_total: row.op_total ?? row.total,
  };
  const written =
    await sql`update coupon_mirrors m set op = ${op}, op_no = ${step.op_no}, op_at = ${step.op_at}, op_total = ${step.op_total},
      tries = m.tries + 1, next_at = ${againAt(services, row.tries)}
    where m.service_provider_id = ${service_provider_id} and m.campaign_id = ${campaign_id}`.execute(tx);
  mustChange({ numUpdatedRows: written.numAffectedRows ?? 0n }, () => new Error("a locked mirror is gone"));
  return { ...step, row, begun: row.op !== null, wanted: op === next, account: await accountOf(tx, services, row) };
}
const aboutOf = ({ service_provider_id, merchant_id, campaign_id }: Row): About => ({ service_provider_id, merchant_id, campaign_id });

interface There {
  readonly stock_id?: string;
  readonly there?: MirrorNow["there"];
  readonly total?: number;
}
const REACHED = { start: "running", restart: "running", pause: "paused" } as const;
async function carry(services: Services, step: Begun, account: ChannelAccount): Promise<Looked<There>> {
  const { row, op, op_no, op_total, begun, wanted } = step;
  const channel = couponChannelOf(services, row.carrier);
  const stockId = row.stock_id ?? "";
  if (op === "create") {
    const send = () =>
      recorded(services, aboutOf(row), { operation: op, number: op_no }, async () => {
        const made = await channel.createStock(account, orderOf(step));
        if (made.kind !== "ok") return made;
        const there = row.carrier === "busifavor" ? ("running" as const) : ("waiting" as const);
        return { kind: "ok" as const, value: { stock_id: made.value.stockId, there, total: op_total } };
      });
    return takeStep<There>({ begun, wanted, look: lookBySending<There>(send), send });
  }
  const verify = () => recorded(services, aboutOf(row), { operation: "verify", number: op_no }, () => channel.verify(account, stockId));
  if (op === "budget") {
    // 请获取批次详情查看最新值: it is looked at first in any case.
    let from = row.there_total ?? 0;
    const look = async (): Promise<Looked<There>> =>
      lookedAt(await verify(), ({ total }) => {
        from = total;
        return total === op_total ? { total } : undefined;
      });
    const send = () =>
      recorded(services, aboutOf(row), { operation: op, number: op_no }, () =>
        channel.changeBudget(account, { stockId, requestNo: op_no, from, to: op_total }),
      );
    return takeStep<There>({ begun: true, wanted, look, send });
  }
  const to = REACHED[op];
  const send = () =>
    recorded(services, aboutOf(row), { operation: op, number: op_no }, async () => {
      const steered = await channel.steer(account, stockId, op);
      return steered.kind === "ok" ? { kind: "ok" as const, value: { there: to } } : steered;
    });
  const look = async (): Promise<Looked<There>> => lookedAt(await verify(), ({ state }) => (state === to ? { there: to } : undefined));
  return takeStep<There>({ begun, wanted, look, send });
}
function orderOf({ row, op_no, op_at, op_total }: Begun) {
  const { carrier, name, terms, per_person, per_day, begins_at, ends_at, said } = row;
  return stockOrderOf(
    { carrier, name, terms, total: op_total, perPerson: per_person, perDay: per_day, beginsAt: begins_at, endsAt: ends_at },
    { sentence: said, requestNo: op_no, at: op_at },
  );
}

const OURS: Readonly<Record<MirrorOp, (total: number) => string>> = {
  create: (total) => `发放中，共 ${total.toLocaleString("en-US")} 张`,
  budget: (total) => `共 ${total.toLocaleString("en-US")} 张`,
  start: () => "发放中",
  restart: () => "发放中",
  pause: () => "不再发放",
};
async function settle(tx: Transaction, services: Services, step: Begun, verdict: Looked<There>): Promise<void> {
  const { row, op, op_no, op_total } = step;
  const now = new Date(services.clock.now_ms()).toISOString();
  const mine = async () => {
    const { rows } = await sql<{ rev: number }>`select m.rev from coupon_mirrors m where m.service_provider_id = ${row.service_provider_id}
      and m.campaign_id = ${row.campaign_id} and m.op_no = ${op_no} for no key update`.execute(tx);
    return rows[0];
  };
  // Somebody else has settled it.
  const held = await mine();
  if (!held) return;
  const differs = (reason: string) =>
    noteDifference(tx, services, aboutOf(row), {
      kind: op,
      ours: OURS[op](op_total),
      theirs:
        op === "create"
          ? "没有批次"
          : op === "budget"
            ? `共 ${(row.there_total ?? 0).toLocaleString("en-US")} 张`
            : `批次${row.there === "paused" ? "已暂停" : row.there === "waiting" ? "未激活" : "运行中"}`,
      reason,
    });
  if (verdict.kind === "unknown") {
    await sql`update coupon_mirrors m set why = ${verdict.reason.slice(0, 200)} where m.service_provider_id = ${row.service_provider_id}
      and m.campaign_id = ${row.campaign_id}`.execute(tx);
    if (row.tries + 1 >= LONG_TRIES) await differs(`微信还没有明确答复，系统会继续问：${verdict.reason}`.slice(0, 200));
    return;
  }
  const over = sql`op = null, op_no = null, op_at = null, op_total = null, turn = m.turn + 1, tries = 0`;
  if (verdict.kind === "refused") {
    await sql`update coupon_mirrors m set ${over}, why = ${verdict.reason}, next_at = case when m.rev > ${row.rev} then ${now}::timestamptz end
      where m.service_provider_id = ${row.service_provider_id} and m.campaign_id = ${row.campaign_id}`.execute(tx);
    return differs(verdict.reason);
  }
  const { stock_id = null, there = null, total = null } = verdict.kind === "done" ? verdict.value : {};
  await sql`update coupon_mirrors m set ${over}, why = null, next_at = ${now}, stock_id = coalesce(m.stock_id, ${stock_id}),
      stocked_at = coalesce(m.stocked_at, case when ${stock_id}::text is not null then ${now}::timestamptz end),
      there = coalesce(${there}, m.there), total = coalesce(${total}::bigint, m.total)
    where m.service_provider_id = ${row.service_provider_id} and m.campaign_id = ${row.campaign_id}`.execute(tx);
  if (verdict.kind === "done") await endDifferences(tx, services, aboutOf(row), [op]);
}
