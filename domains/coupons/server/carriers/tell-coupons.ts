import { sql } from "kysely";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import {
  type ChannelAccount,
  type ChannelCouponState,
  CODES_AT_ONCE,
  couponChannelOf,
  type Outcome,
} from "../../../channels/server/index.ts";
import { couponState, type CouponState } from "../../contract/index.ts";
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
import { type CopyOp, copyStep, type CopyThere, THERE } from "./carrier-steps.ts";
import type { MirrorRef } from "./tell-stock.ts";

interface Copy {
  readonly coupon_id: string;
  readonly no: string;
  readonly state: CouponState;
  readonly valid_to: string;
  readonly used_at: string | null;
  readonly there: CopyThere;
  readonly op: CopyOp | null;
  readonly op_no: string | null;
  readonly op_at: string | null;
  readonly turn: number;
  readonly rev: number;
  readonly tries: number;
}
interface Step {
  readonly copy: Copy;
  readonly op: CopyOp;
  readonly op_no: string;
  readonly op_at: string;
  readonly begun: boolean;
  readonly wanted: boolean;
}
interface Taken {
  readonly about: About;
  readonly stock_id: string;
  readonly account: ChannelAccount | undefined;
  readonly codes: readonly Step[];
  readonly steps: readonly Step[];
}
const AT_ONCE = 8;
const ROUNDS = 20;
/** How long after a batch was made its codes may be uploaded at the earliest (community/pay/doc/0002cc016680008386cf2acc95bc00). */
export const AFTER_STOCK_S = 60;

/** Tells WeChat what is due of a campaign's coupons: codes by the two hundred, the rest one by one. */
export async function tellCoupons(services: Services, ref: MirrorRef): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const taken = await withScope(services.pool, CARRY, (tx) => begin(tx, services, ref));
    if (!taken) return;
    if (taken.codes.length > 0 && !(await upload(services, taken, taken.codes))) return;
    for (let from = 0; from < taken.steps.length; from += AT_ONCE) {
      const answered = await Promise.all(taken.steps.slice(from, from + AT_ONCE).map((step) => tell(services, taken, step)));
      // A WeChat that does not answer is left alone until the next round.
      if (answered.includes(false)) return;
    }
  }
}

/** Takes up to two hundred that are due and nobody else is at; what needs nothing is let go. @returns nothing where none was due */
async function begin(tx: Transaction, services: Services, { service_provider_id, campaign_id }: MirrorRef): Promise<Taken | undefined> {
  const now = new Date(services.clock.now_ms()).toISOString();
  const { rows } = await sql<
    Copy & { merchant_id: string; stock_id: string }
  >`select k.merchant_id, m.stock_id, k.coupon_id, c.no, c.state, c.valid_to, c.used_at,
      k.there, k.op, k.op_no, k.op_at, k.turn, k.rev, k.tries
    from coupon_copies k join coupon_mirrors m on m.service_provider_id = k.service_provider_id and m.campaign_id = k.campaign_id and m.stock_id is not null
    join coupons c on c.service_provider_id = k.service_provider_id and c.id = k.coupon_id
    where k.service_provider_id = ${service_provider_id} and k.campaign_id = ${campaign_id} and k.next_at <= ${now}
      and m.stocked_at <= ${now}::timestamptz - ${sql.lit(AFTER_STOCK_S)} * interval '1 second'
    order by (k.op = 'codes') desc nulls last, k.op_no, k.coupon_id limit ${CODES_AT_ONCE} for no key update of k skip locked`.execute(tx);
  if (!rows[0]) return undefined;
  const { merchant_id, stock_id } = rows[0];
  const about = { service_provider_id, merchant_id, campaign_id };
  const all = rows.map((copy): Omit<Step, "op" | "op_no"> & { op: CopyOp | undefined } => {
    const next = copyStep(copy, now);
    return {
      copy,
      op: copy.op ?? next,
      op_at: copy.op_at ?? copy.used_at ?? now,
      begun: copy.op !== null,
      wanted: copy.op === null || copy.op === next,
    };
  });
  await letGo(
    tx,
    services,
    about,
    all.filter(({ op }) => op === undefined).map(({ copy }) => copy),
  );
  const doing = all.filter((step): step is typeof step & { op: CopyOp } => step.op !== undefined);
  // Codes that were sent together are sent together again; the others go with the next round.
  const again = doing.find(({ op, begun }) => op === "codes" && begun)?.copy.op_no;
  const codes = doing.filter(({ op, copy }) => op === "codes" && (again === undefined || copy.op_no === again));
  const fresh = codes[0] ? `${codes[0].copy.no}-codes-${codes[0].copy.turn + 1}` : "";
  const numbered = [
    ...codes.map((step) => ({ ...step, op_no: again ?? fresh })),
    ...doing
      .filter(({ op }) => op !== "codes")
      .map((step) => ({ ...step, op_no: step.copy.op_no ?? `${step.copy.no}-${step.op}-${step.copy.turn + 1}` })),
  ];
  await writeDown(tx, services, about, numbered);
  return {
    about,
    stock_id,
    account: await accountOf(tx, services, about),
    codes: numbered.filter(({ op }) => op === "codes"),
    steps: numbered.filter(({ op }) => op !== "codes"),
  };
}
async function letGo(tx: Transaction, services: Services, about: About, copies: readonly Copy[]): Promise<void> {
  if (copies.length === 0) return;
  const ids = copies.map(({ coupon_id }) => coupon_id);
  await sql`update coupon_copies k set next_at = null, tries = 0, why = null where k.service_provider_id = ${about.service_provider_id}
    and k.coupon_id = any(${ids}::uuid[])`.execute(tx);
  await sql`update coupon_differences d set gone_at = ${new Date(services.clock.now_ms()).toISOString()} where d.service_provider_id = ${about.service_provider_id}
    and d.campaign_id = ${about.campaign_id} and d.coupon_id = any(${ids}::uuid[]) and d.gone_at is null and d.kind in ('codes', 'use', 'return', 'deactivate')`.execute(
    tx,
  );
}
async function writeDown(tx: Transaction, services: Services, about: About, steps: readonly Step[]): Promise<void> {
  const rows = steps.map(({ copy, op, op_no, op_at }) => ({
    id: copy.coupon_id,
    op,
    op_no,
    op_at,
    next_at: againAt(services, copy.tries),
  }));
  await sql`update coupon_copies k set op = r.op, op_no = r.op_no, op_at = r.op_at, tries = k.tries + 1, next_at = r.next_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, op text, op_no text, op_at timestamptz, next_at timestamptz)
    where k.service_provider_id = ${about.service_provider_id} and k.coupon_id = r.id`.execute(tx);
}
const NO_KEYS = { kind: "unknown", reason: "商户没有微信支付密钥" } as const;

/** Uploads the codes of some coupons; what WeChat does not take is refused one by one. @returns whether WeChat answered */
async function upload(services: Services, { about, stock_id, account }: Taken, steps: readonly Step[]): Promise<boolean> {
  const { op_no, begun } = steps[0]!;
  const channel = couponChannelOf(services, "busifavor");
  type Answer = Awaited<ReturnType<typeof channel.codes>> extends Outcome<infer T> ? T : never;
  const send = (to: ChannelAccount) => () =>
    recorded(services, about, { operation: "codes", number: op_no }, () =>
      channel.codes(to, { stockId: stock_id, requestNo: op_no, codes: steps.map(({ copy }) => copy.no) }),
    );
  const verdict: Looked<Answer> = account
    ? await takeStep<Answer>({ begun, wanted: true, look: lookBySending(send(account)), send: send(account) })
    : NO_KEYS;
  await withScope(services.pool, CARRY, async (tx) => {
    const held = await heldCopies(tx, about, op_no);
    for (const step of steps) {
      if (!held.has(step.copy.coupon_id)) continue;
      const failed = verdict.kind === "done" ? verdict.value.failed[step.copy.no] : undefined;
      const one: Looked<null> =
        verdict.kind !== "done"
          ? verdict
          : failed === undefined && verdict.value.taken.includes(step.copy.no)
            ? { kind: "done", value: null }
            : { kind: "refused", reason: (failed ?? "微信没有收下这个券码").slice(0, 200) };
      await settle(tx, services, about, step, one);
    }
  });
  return verdict.kind !== "unknown";
}
/** Those of a number, held in one order with whoever moves coupons. */
async function heldCopies(tx: Transaction, { service_provider_id, campaign_id }: About, op_no: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    coupon_id: string;
  }>`select k.coupon_id from coupon_copies k where k.service_provider_id = ${service_provider_id}
    and k.campaign_id = ${campaign_id} and k.op_no = ${op_no} order by k.coupon_id for no key update`.execute(tx);
  return new Set(rows.map(({ coupon_id }) => coupon_id));
}

const SAME: Readonly<Record<Exclude<CopyOp, "codes">, readonly ChannelCouponState[]>> = {
  use: ["USED"],
  return: ["SENDED", "UPLOADED"],
  deactivate: ["DEACTIVATED", "DELETED"],
};
/** @returns whether WeChat answered */
async function tell(services: Services, taken: Taken, step: Step): Promise<boolean> {
  const verdict = taken.account ? await carry(services, taken, step, taken.account) : NO_KEYS;
  const about = { ...taken.about, coupon_id: step.copy.coupon_id };
  await withScope(services.pool, CARRY, async (tx) => {
    if ((await heldCopies(tx, about, step.op_no)).has(step.copy.coupon_id)) await settle(tx, services, taken.about, step, verdict);
  });
  return verdict.kind !== "unknown";
}
async function carry(
  services: Services,
  { about, stock_id }: Taken,
  { copy, op, op_no, op_at, begun, wanted }: Step,
  account: ChannelAccount,
): Promise<Looked<null>> {
  const channel = couponChannelOf(services, "busifavor");
  const which = { stockId: stock_id, code: copy.no, requestNo: op_no, at: op_at };
  const of = { ...about, coupon_id: copy.coupon_id };
  const calls = {
    codes: () => Promise.resolve({ kind: "unknown", reason: "" } as const),
    use: () => channel.use(account, which),
    return: () => channel.giveBack(account, which),
    deactivate: () => channel.deactivate(account, { ...which, reason: copy.state === "DELETED" ? "顾客删除" : "商户作废" }),
  };
  const look = async (): Promise<Looked<null>> =>
    lookedAt(await recorded(services, of, { operation: "query", number: op_no }, () => channel.query(account, which)), ({ state }) =>
      op !== "codes" && SAME[op].includes(state) ? null : undefined,
    );
  return takeStep<null>({ begun, wanted, look, send: () => recorded(services, of, { operation: op, number: op_no }, calls[op]) });
}

/** Writes down how a step ended; what else is due then is seen in the next round. The copy is held. */
async function settle(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, campaign_id }: About,
  step: Step,
  verdict: Looked<unknown>,
): Promise<void> {
  const { copy, op } = step;
  const now = new Date(services.clock.now_ms()).toISOString();
  const about = { service_provider_id, merchant_id, campaign_id, coupon_id: copy.coupon_id };
  const differs = (reason: string) =>
    noteDifference(tx, services, about, { kind: op, ours: couponState.label(copy.state), theirs: THERE_WORDS[copy.there], reason });
  if (verdict.kind === "unknown") {
    await sql`update coupon_copies k set why = ${verdict.reason.slice(0, 200)} where k.service_provider_id = ${service_provider_id} and k.coupon_id = ${copy.coupon_id}`.execute(
      tx,
    );
    if (copy.tries + 1 >= LONG_TRIES) await differs(`微信还没有明确答复，系统会继续问：${verdict.reason}`.slice(0, 200));
    return;
  }
  const over = sql`op = null, op_no = null, op_at = null, turn = k.turn + 1, tries = 0`;
  if (verdict.kind === "refused") {
    await sql`update coupon_copies k set ${over}, why = ${verdict.reason}, next_at = case when k.rev > ${copy.rev} then ${now}::timestamptz end where k.service_provider_id = ${service_provider_id} and k.coupon_id = ${copy.coupon_id}`.execute(
      tx,
    );
    return differs(verdict.reason);
  }
  const there = verdict.kind === "done" ? THERE[op] : copy.there;
  await sql`update coupon_copies k set ${over}, why = null, there = ${there}, next_at = ${now} where k.service_provider_id = ${service_provider_id} and k.coupon_id = ${copy.coupon_id}`.execute(
    tx,
  );
  if (verdict.kind === "done") await endDifferences(tx, services, about, [op, "coupon"]);
}
/** Where a coupon stands at WeChat, in words. */
export const THERE_WORDS: Readonly<Record<CopyThere, string>> = { NONE: "没有券码", SENDED: "可用", USED: "已核销", DEACTIVATED: "已失效" };
