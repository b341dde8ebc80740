import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { hmacHex } from "@zhangfang/server/crypto.ts";
import { behind, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { PERSON } from "../../../coupons/server/index.ts";
import { redeemUntil } from "../manage/decide-lotteries.ts";
import { heldLottery, type LotteryHead, type LotteryRef, prizesOf } from "../manage/find-lottery.ts";
import { dayNo, type Drawn, hashOf, hitOf, rollOf } from "../rules/draw-rules.ts";
import { readChain } from "./chain.ts";
import { giveWin } from "./give-win.ts";

/** Somebody who draws; `nonce` is the phone's own and the request's id. */
export interface Draw {
  readonly member_id: string;
  readonly nonce: string;
}
/** What came of it. */
export interface Outcome {
  readonly draw_no: number;
  readonly day: string;
  readonly nth: number;
  /** The prize in whose range it fell, and the prize that it won; 0 is none. */
  readonly hit: number;
  readonly prize: number;
}

interface Person {
  readonly member_id: string;
  readonly merchant_id: string;
  /** One human in this lottery, hex: what 公示 shows. */
  readonly person: string;
  readonly stage: number;
  readonly status: number;
  readonly staff: boolean;
  /** Draws of today under this very `person`; the next is numbered by it. */
  readonly own: number;
  /** Draws of this human, whatever member they were and whatever phone they had: what the limits count. */
  readonly today: number;
  readonly total: number;
}
type Counts = Pick<Person, "own" | "today" | "total">;
/** A human in a lottery as everybody sees them: nobody is found by it, and in the next lottery it is another. */
export const personCode = ({ config }: Pick<Services, "config">, lottery: string, person: string): string =>
  hmacHex(derivedKey(config.secret, "lottery-person"), `${lottery}|${person}`);

async function readPeople(
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: LotteryRef,
  members: readonly string[],
  day: string,
): Promise<ReadonlyMap<string, Person>> {
  const { rows } = await sql<
    Omit<Person, "person" | keyof Counts> & { person: string; family: string[] }
  >`select m.id as member_id, m.merchant_id,
      encode(${PERSON}, 'hex') as person, m.stage, m.status,
      exists (select from member_identities i join lottery_staff s on s.service_provider_id = i.service_provider_id and s.merchant_id = m.merchant_id
        and s.subject_hash = i.subject_hash and s.removed_at is null where i.service_provider_id = m.service_provider_id and i.member_id = m.id and i.kind = 'phone') as staff,
      array(select f.id::text from members f where f.service_provider_id = m.service_provider_id and f.merged_into = m.id) as family
    from members m where m.service_provider_id = ${service_provider_id} and m.id = any(${[...members]}::uuid[])`.execute(tx);
  const people = rows.map(({ person, family, ...row }) => ({
    ...row,
    person: personCode(services, id, person),
    family: [row.member_id, ...family],
  }));
  const { rows: had } = await sql<{
    member_id: string;
    person: string;
    today: number;
    total: number;
  }>`select d.member_id, encode(d.person, 'hex') as person,
      (count(*) filter (where d.day = ${day}::date))::int as today, count(*)::int as total
    from lottery_draws d where d.service_provider_id = ${service_provider_id} and d.lottery_id = ${id}
      and (d.person = any(array(select decode(h, 'hex') from unnest(${people.map(({ person }) => person)}::text[]) h))
        or d.member_id = any(${people.flatMap(({ family }) => family)}::uuid[]))
    group by 1, 2`.execute(tx);
  return new Map(
    people.map(({ family, ...one }) => {
      const counted = had.filter(({ member_id, person }) => person === one.person || family.includes(member_id));
      const sum = (of: (row: (typeof had)[number]) => number) => counted.reduce((total, row) => total + of(row), 0);
      const own = sum(({ person, today: n }) => (person === one.person ? n : 0));
      return [one.member_id, { ...one, own, today: sum(({ today }) => today), total: sum(({ total }) => total) }];
    }),
  );
}

/** Why nobody, or this person, draws now. */
function barOf(lottery: LotteryHead, person: Person | undefined, now: string): Refusal | undefined {
  if (lottery.state === "UNAUDIT" || person?.merchant_id !== lottery.merchant_id) return notFound("摇一摇");
  if (lottery.state === "PAUSED") return conflict("活动暂停了，请稍后再来", "lottery.paused");
  if (lottery.state === "STOPED" || lottery.ends_at <= now) return conflict("活动已结束", "lottery.over");
  if (lottery.begins_at > now) return conflict("活动还没开始", "lottery.early");
  if (person.status === 2) return conflict("会员已冻结，不能摇", "member.frozen");
  if (person.status > 2) return conflict("会员已注销或正在注销，不能摇", "member.closed");
  if (person.stage === 0) return conflict("请先确认手机号再摇", "member.unconfirmed");
  return person.staff ? conflict("主办方员工不能参加", "lottery.staff") : undefined;
}
function limitOf({ terms }: LotteryHead, { today, total }: Pick<Person, "today" | "total">): Refusal | undefined {
  if (total >= terms.perPerson) return conflict("你的次数用完了", "lottery.person");
  return today >= terms.perDay ? conflict("今天的次数用完了，明天再来", "lottery.day") : undefined;
}

/**
 * Draws once for each of those who wait for the same lottery at the same moment, in the order in which they came, in one transaction behind
 * the lottery's row. The result is worked out of the day's seed, the person, the how-manieth and the phone's nonce; the order decides the
 * stock alone. The same nonce again is the same draw. In the scope of the platform.
 * @returns in that order what each drew, or why they did not
 */
export async function drawBatch(
  tx: Transaction,
  services: Services,
  ref: LotteryRef,
  draws: readonly Draw[],
): Promise<(Outcome | Refusal)[]> {
  const lottery = await heldLottery(tx, ref);
  // Read after the wait: whoever waited over midnight draws of the new day.
  const at_ms = services.clock.now_ms();
  const now = new Date(at_ms).toISOString();
  const day = shanghaiDay(at_ms);
  const chain = lottery && (await readChain(tx, services, ref));
  if (!lottery || !chain) return draws.map(() => notFound("摇一摇"));
  const once = [...new Map(draws.map((draw) => [draw.nonce, draw])).values()];
  const answers = await answered(tx, ref, once);
  const people = await readPeople(tx, services, ref, [...new Set(once.map(({ member_id }) => member_id))], day);
  const counts = new Map<string, Counts>([...people.values()].map((one) => [one.person, one]));
  const n = dayNo(shanghaiDay(lottery.begins_at), day);
  const seed = n > chain.published ? chain.seeds[n] : undefined;
  const prizes = await prizesOf(tx, lottery);
  const left = prizes.map(({ stock, drawn }) => stock - drawn);
  const begin = await lastOf(tx, ref);
  const made: (Drawn & { readonly member_id: string; readonly prev: string; readonly hash: string })[] = [];
  for (const { member_id, nonce } of once) {
    if (answers.has(nonce)) continue;
    const person = people.get(member_id);
    const had = person && counts.get(person.person)!;
    const bar =
      barOf(lottery, person, now) ?? limitOf(lottery, had!) ?? (seed ? undefined : conflict("今天的开奖已经结束", "lottery.over"));
    if (bar) {
      answers.set(nonce, bar);
      continue;
    }
    const nth = had!.own + 1;
    counts.set(person!.person, { own: nth, today: had!.today + 1, total: had!.total + 1 });
    const ticket = { lottery_id: lottery.id, day, nth, person: person!.person, nonce };
    const roll = rollOf(seed!, ticket);
    const hit = hitOf(roll, lottery.terms.prizes);
    const won = hit > 0 && left[hit - 1]! > 0;
    if (won) left[hit - 1]!--;
    const drawn = { ...ticket, draw_no: begin.draws + made.length + 1, roll, hit, prize: won ? hit : 0, at_ms };
    const prev = made.at(-1)?.hash ?? begin.hash;
    made.push({ ...drawn, member_id, prev, hash: hashOf(prev, drawn) });
    answers.set(nonce, { draw_no: drawn.draw_no, day, nth, hit, prize: drawn.prize });
  }
  // What was read looked at as much as there is by now; from here on all is found by a whole key, and each row's references are planned once.
  behind(tx, sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`);
  if (made.length > 0) await write(tx, services, lottery, made, now);
  return draws.map(({ member_id, nonce }) =>
    once.some((one) => one.nonce === nonce && one.member_id === member_id) ? answers.get(nonce)! : again(),
  );
}
const again = () => conflict("请再摇一次", "lottery.again");

/** Those of the draws that were made before, by their nonce. */
async function answered(
  tx: Transaction,
  { service_provider_id, id }: LotteryRef,
  draws: readonly Draw[],
): Promise<Map<string, Outcome | Refusal>> {
  const { rows } = await sql<
    Outcome & Draw
  >`select d.draw_no, d.day::text as day, d.nth, d.hit, d.prize, d.nonce, d.member_id from lottery_draws d
    where d.service_provider_id = ${service_provider_id} and d.lottery_id = ${id} and d.nonce = any(${draws.map(({ nonce }) => nonce)}::uuid[])`.execute(
    tx,
  );
  return new Map(
    rows.map(({ nonce, member_id, ...outcome }) => {
      const own = draws.some((draw) => draw.nonce === nonce && draw.member_id === member_id);
      return [nonce, own ? outcome : again()];
    }),
  );
}
async function lastOf(tx: Transaction, { service_provider_id, id }: LotteryRef): Promise<{ draws: number; hash: string }> {
  const { rows } = await sql<{ draws: number; hash: string }>`select c.draws, encode(c.last_hash, 'hex') as hash from lottery_counts c
    where c.service_provider_id = ${service_provider_id} and c.lottery_id = ${id}`.execute(tx);
  return rows[0]!;
}

type Made = Drawn & { readonly member_id: string; readonly prev: string; readonly hash: string };
/** Writes draws, takes their prizes off the stock and sets their cost aside; a job gives each after the commit. */
async function write(tx: Transaction, services: Services, lottery: LotteryHead, made: readonly Made[], now: string): Promise<void> {
  const { service_provider_id, merchant_id, id: lottery_id } = lottery;
  const rows = made.map((one) => ({ ...one, id: services.ids.uuid(services.clock.now_ms()) }));
  await sql`insert into lottery_draws (service_provider_id, id, lottery_id, merchant_id, draw_no, day, member_id, person, nth, nonce, roll, hit, prize, at, prev_hash, hash)
    select ${service_provider_id}, r.id, ${lottery_id}, ${merchant_id}, r.draw_no, r.day, r.member_id, decode(r.person, 'hex'), r.nth, r.nonce, r.roll, r.hit, r.prize,
      ${now}, decode(r.prev, 'hex'), decode(r.hash, 'hex')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, draw_no bigint, day date, member_id uuid, person text, nth int, nonce uuid, roll int, hit smallint,
      prize smallint, prev text, hash text)`.execute(tx);
  const prizes = await prizesOf(tx, lottery);
  const wins = made.flatMap(({ draw_no, member_id, prize }) => {
    const won = prizes.find(({ place }) => place === prize);
    return won ? [{ ...won, draw_no, member_id, id: services.ids.uuid(services.clock.now_ms()) }] : [];
  });
  for (const [place, own] of Map.groupBy(wins, (win) => win.place)) {
    const taken = await sql`update lottery_prizes p set drawn = p.drawn + ${own.length} where p.service_provider_id = ${service_provider_id}
      and p.lottery_id = ${lottery_id} and p.place = ${place} and p.drawn + ${own.length} <= p.stock`.execute(tx);
    mustChange({ numUpdatedRows: taken.numAffectedRows ?? 0n }, () => new Error("a held prize has less than it had"));
  }
  const cost = wins.reduce((sum, { cost_cents }) => sum + cost_cents, 0);
  const counted = await sql`update lottery_counts c set draws = c.draws + ${made.length}, last_hash = decode(${made.at(-1)!.hash}, 'hex'),
      held_cents = c.held_cents + ${cost}
    where c.service_provider_id = ${service_provider_id} and c.lottery_id = ${lottery_id} and c.draws = ${made[0]!.draw_no - 1}`.execute(
    tx,
  );
  mustChange({ numUpdatedRows: counted.numAffectedRows ?? 0n }, () => new Error("somebody drew meanwhile"));
  if (wins.length === 0) return;
  const until = redeemUntil(lottery);
  await tx
    .insertInto("lottery_wins")
    .values(
      wins.map(({ id, place, draw_no, member_id, kind, amount, cost_cents }) => ({
        service_provider_id,
        merchant_id,
        lottery_id,
        id,
        place,
        draw_no,
        member_id,
        kind,
        amount,
        cost_cents,
        at: now,
        ...(kind === "goods" && { code: services.ids.digits(10), until }),
      })),
    )
    .execute();
  for (const { id: win_id, kind } of wins) if (kind !== "goods") await services.jobs.enqueue(tx, giveWin, { service_provider_id, win_id });
}
