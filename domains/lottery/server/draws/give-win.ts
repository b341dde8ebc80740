import { sql } from "kysely";
import { z } from "zod";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { inSavepoint, mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { giveCoupons } from "../../../coupons/server/index.ts";
import { mustBeWho } from "../../../members/server/index.ts";
import { addLot, addPoints } from "../../../value-book/server/index.ts";
import { heldLottery, type LotteryHead } from "../manage/find-lottery.ts";

const which = z.object({ service_provider_id: z.uuid(), win_id: z.uuid() });
type Which = z.output<typeof which>;
const SCOPE = platformScope("prizes of lotteries");

interface Owed {
  readonly id: string;
  readonly lottery_id: string;
  readonly place: number;
  readonly member_id: string;
  readonly store_id: string;
  readonly kind: "coupon" | "points" | "balance";
  readonly campaign_id: string | null;
  readonly amount: number;
  readonly cost_cents: number;
}
interface Told {
  readonly status: 1 | 2;
  readonly reason: string;
  readonly coupon_id: string | null;
}
/** Gives what a draw won: its coupon out of what was set aside, its points or its balance. Once more changes nothing. */
export const giveWin: Job<typeof which> = job({
  name: "give-lottery-win",
  data: which,
  run: (services, win) => withScope(services.pool, SCOPE, (tx) => giveOwed(tx, services, win)),
});
async function giveOwed(tx: Transaction, services: Services, { service_provider_id, win_id }: Which): Promise<void> {
  const { rows: found } = await sql<{ lottery_id: string }>`select w.lottery_id from lottery_wins w
    where w.service_provider_id = ${service_provider_id} and w.id = ${win_id}`.execute(tx);
  // The lottery first, as everywhere in this room; what the win is by then is read after the wait.
  const lottery = found[0] && (await heldLottery(tx, { service_provider_id, id: found[0].lottery_id }));
  if (!lottery) return;
  const { rows } =
    await sql<Owed>`select w.id, w.lottery_id, w.place, coalesce(m.merged_into, m.id) as member_id, w.kind, p.campaign_id, w.amount, w.cost_cents,
      h.store_id
    from lottery_wins w join members m on m.service_provider_id = w.service_provider_id and m.id = w.member_id
    join lottery_prizes p on p.service_provider_id = w.service_provider_id and p.lottery_id = w.lottery_id and p.place = w.place
    left join member_stores h on h.service_provider_id = m.service_provider_id and h.member_id = coalesce(m.merged_into, m.id) and h.home
    where w.service_provider_id = ${service_provider_id} and w.id = ${win_id} and w.status = 0 and w.kind <> 'goods'`.execute(tx);
  const [owed] = rows;
  if (!owed) return;
  const told = owed.kind === "coupon" ? await giveCoupon(tx, services, lottery, owed) : await giveValue(tx, services, lottery, owed);
  if (told.status === 2) await mustBeWho(tx, { service_provider_id, member_id: owed.member_id });
  await settleWin(tx, services, lottery, owed, told);
}
async function giveCoupon(tx: Transaction, services: Services, { service_provider_id, id }: LotteryHead, owed: Owed): Promise<Told> {
  const campaign = { service_provider_id, campaign_id: owed.campaign_id! };
  // It was promised when it was drawn: whatever became of the campaign since, and whomever that is for, only who has left gets none.
  const way = { source: "lottery", held: true, paid: true } as const;
  const [answer] = await giveCoupons(tx, services, campaign, [{ member_id: owed.member_id, source_id: owed.id }], way);
  // Whether it was given or not, it is set aside no longer.
  const let_go = await sql`update lottery_prizes p set held = p.held - 1 where p.service_provider_id = ${service_provider_id}
    and p.lottery_id = ${id} and p.place = ${owed.place} and p.held > 0`.execute(tx);
  mustChange({ numUpdatedRows: let_go.numAffectedRows ?? 0n }, () => new Error("a prize holds fewer coupons than it owes"));
  return answer instanceof Refusal
    ? { status: 2, reason: answer.message, coupon_id: null }
    : { status: 1, reason: "", coupon_id: answer!.coupon_id };
}
async function giveValue(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, terms }: LotteryHead,
  owed: Owed,
): Promise<Told> {
  const now_ms = services.clock.now_ms();
  const today = shanghaiDay(now_ms);
  const holder = { service_provider_id, merchant_id, member_id: owed.member_id };
  const poster = { ids: services.ids, now_ms };
  const { id: cause_id, amount, store_id } = owed;
  const give = (): Promise<unknown> =>
    owed.kind === "points"
      ? addPoints(tx, poster, holder, {
          cause: "points-given",
          cause_id,
          points: amount,
          usable_from: today,
          expires_on: terms.pointsDays === null ? null : addDays(today, terms.pointsDays),
          store_id,
        })
      : addLot(tx, poster, holder, {
          cause: "gift",
          cause_id,
          sold_store_id: store_id,
          mode: "ratio",
          principal_cents: 0,
          gift_cents: amount,
        });
  const refused = await inSavepoint(tx, give).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Refusal) return error.message;
      throw error;
    },
  );
  return { status: refused === undefined ? 1 : 2, reason: refused ?? "", coupon_id: null };
}

/** Writes down what became of a win; what it does not cost is free again. */
export async function settleWin(
  tx: Transaction,
  services: Services,
  { service_provider_id, id: lottery_id }: Pick<LotteryHead, "service_provider_id" | "id">,
  { id, cost_cents }: Pick<Owed, "id" | "cost_cents">,
  told: { readonly status: 1 | 2 | 3; readonly reason?: string; readonly coupon_id?: string | null; readonly handed?: Handed },
): Promise<void> {
  const spent = told.status === 1 ? cost_cents : 0;
  const booked = await sql`update lottery_counts c set held_cents = c.held_cents - ${cost_cents}, spent_cents = c.spent_cents + ${spent}
    where c.service_provider_id = ${service_provider_id} and c.lottery_id = ${lottery_id} and c.held_cents >= ${cost_cents}`.execute(tx);
  mustChange({ numUpdatedRows: booked.numAffectedRows ?? 0n }, () => new Error("a lottery holds less than it owes"));
  const settled = await tx
    .updateTable("lottery_wins")
    .set({
      status: told.status,
      reason: told.reason ?? "",
      coupon_id: told.coupon_id ?? null,
      settled_at: new Date(services.clock.now_ms()).toISOString(),
      ...(told.handed && { handed_store_id: told.handed.store_id, by_name: told.handed.by_name }),
    })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 0)
    .executeTakeFirst();
  mustChange(settled, () => new Error("a win was settled meanwhile"));
}
export interface Handed {
  readonly store_id: string;
  readonly by_name: string;
}

/** Each minute: what is owed for longer than a minute, whose job was lost. */
export const lookAfterWins = lookAfter<Which>({
  name: "look-after-lottery-wins",
  due: async (tx, now) =>
    (
      await sql<Which>`select w.service_provider_id, w.id as win_id from lottery_wins w
        where w.status = 0 and w.kind <> 'goods' and w.at < ${now}::timestamptz - interval '1 minute' order by w.at limit 500`.execute(tx)
    ).rows,
  one: (services, win) => withScope(services.pool, SCOPE, (tx) => giveOwed(tx, services, win)),
});
