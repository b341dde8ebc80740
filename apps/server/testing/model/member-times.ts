import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import {
  previewTimesRefund,
  refundTimesCard,
  reverseTimesUseAtTill,
  sellTimesCardAtTill,
  useTimesCard,
} from "@zhangfang/domains/vip/contract/index.ts";
import { type MemberRun, type MemberSteps, paying, place, row } from "./member-op.ts";

interface Card {
  readonly id: string;
  readonly card_no: string;
  readonly member_id: string;
  readonly status: number;
  readonly all: number;
  readonly left: number;
  readonly price: number;
  readonly single: number;
  readonly worth: number;
}
const CARD = `c.id, c.card_no, c.member_id, c.status, c.times + c.gift_times as all, c.left_times as left, c.price_cents::int as price,
  c.single_price_cents::int as single, (c.price_cents - c.earned_cents)::int as worth`;
/** What is left of a price after so many uses: it is rounded once, on all of them. */
const worthAfter = ({ price, all }: Card, used: number): number => price - Math.round((price * used) / all);
const cardOf = async ({ world }: MemberRun, id: string) =>
  (await world.owner<Card>(`select ${CARD} from times_cards c where c.id = $1`, [id]))[0]!;
/** What the book says that a member has in times. */
const timesOf = async ({ world }: MemberRun, member: string) => (await world.balance(member))["times"] ?? 0;

/** Where it was done, the card has so many fewer (or more) and the member so much of the price less (or more); else nothing has changed. */
async function moved(run: MemberRun, card: Card, by: number, done: (now: Card) => boolean, act: () => Promise<unknown>): Promise<void> {
  const before = await timesOf(run, card.member_id);
  try {
    await act();
  } finally {
    const now = await cardOf(run, card.id);
    const left = done(now) ? card.left - by : card.left;
    expect([now.left, now.worth]).toEqual([left, worthAfter(card, card.all - left)]);
    expect(await timesOf(run, card.member_id)).toBe(before + now.worth - card.worth);
  }
}

export const TIMES_STEPS: MemberSteps<"sell card" | "use card" | "use back" | "card back"> = {
  "sell card": async (run, given) => {
    const tillNo = `T${randomUUID().slice(0, 18)}`;
    const asked = { tillNo, ticket: run.members[given.who]!.id, productId: run.world.products[given.product]!, ...paying(given.how) };
    await place(run, tillNo, given.store, () => run.world.sendAt(given.store, sellTimesCardAtTill, asked));
  },
  "use card": async (run, given) => {
    const card = await row<Card>(
      run,
      `select ${CARD} from times_cards c where c.paid_at is not null order by (c.status = 1) desc, c.created_at, c.price_cents, c.card_no`,
      given.at,
    );
    if (!card) return;
    const asked = { requestId: randomUUID(), ticket: card.member_id, cardNo: card.card_no, times: given.times };
    await moved(
      run,
      card,
      given.times,
      (now) => now.left !== card.left,
      () => run.world.sendAt(given.store, useTimesCard, asked),
    );
  },
  "use back": async (run, given) => {
    const use = await row<{ id: string; card_id: string; times: number; store: number }>(
      run,
      `select u.id, u.card_id, u.times, (u.store_id <> '${run.world.tree.merchants.mch01.stores[0]!.id}')::int as store
        from times_uses u order by (u.reversed_at is null) desc, u.at, u.value_cents, u.id`,
      given.at,
    );
    if (!use) return;
    const card = await cardOf(run, use.card_id);
    await moved(
      run,
      card,
      -use.times,
      (now) => now.left !== card.left,
      () => run.world.sendAt(use.store, reverseTimesUseAtTill, { requestId: randomUUID(), useId: use.id }),
    );
  },
  "card back": async (run, given) => {
    const { world } = run;
    const card = await row<Card>(
      run,
      `select ${CARD} from times_cards c where c.paid_at is not null order by (c.status in (1, 3)) desc, c.created_at, c.price_cents, c.card_no`,
      given.at,
    );
    if (!card) return;
    const { reasons } = await world.send("mch01", previewTimesRefund, { id: card.id });
    const used = card.all - card.left;
    // The price; what is left of it; the price less what each use costs alone.
    const back = [card.price, worthAfter(card, used), Math.max(0, card.price - used * card.single)];
    expect(reasons.map(({ refundCents, forfeitedCents }) => [refundCents, forfeitedCents])).toEqual(
      back.map((cents) => [cents, card.worth - cents]),
    );
    await world.send("mch01", refundTimesCard, {
      requestId: randomUUID(),
      id: card.id,
      reason: given.reason as 1,
      refundCents: reasons[given.reason - 1]!.refundCents,
      note: "不用了",
    });
  },
};
