import { type RawBuilder, sql } from "kysely";
import { derivedKey } from "@zhangfang/server/config.ts";
import { askAsPlatform, asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Contributor, PriceAsk, PricedOrder } from "../../../pricing/server/index.ts";
import { ORDERED, PERSON, rankOn } from "../../../coupons/server/index.ts";
import { type Face, holdsAt, isFor, offerOf, randomOff, type Rule } from "../rules/offer-rules.ts";

/** The rules that are on, the most urgent first. */
async function rulesOf(
  tx: Transaction,
  { service_provider_id, merchant_id }: Pick<PriceAsk, "service_provider_id" | "merchant_id">,
): Promise<Rule[]> {
  const { rows } = await sql<Rule>`select r.id, r.name, r.kind, r.terms, r.group_name as "group", r.priority, r.once,
      b.budget_cents - b.spent_cents as left_cents
    from discount_rules r left join discount_budgets b on b.service_provider_id = r.service_provider_id and b.rule_id = r.id
    where r.service_provider_id = ${service_provider_id} and r.merchant_id = ${merchant_id} and r.state = 'active' order by r.priority desc, r.id`.execute(
    tx,
  );
  return rows;
}
/** Uses `u` that stand, of a rule that is good once, of one human `h`: by their phone or by an own name of it, and of them and whoever was merged into them. */
const hadBy = (
  rules: RawBuilder<unknown>,
  own: Buffer | null = null,
) => sql`(select u.rule_id, u.order_id from discount_uses u where u.service_provider_id = h.service_provider_id
    and u.rule_id = ${rules} and u.person = any(array[h.person, coalesce(${own}::bytea, h.person)]) and u.state in ('HELD', 'TAKEN')
  union all select u.rule_id, u.order_id from discount_uses u where u.service_provider_id = h.service_provider_id and u.rule_id = ${rules}
    and u.member_id = any(h.family) and u.person is not null and u.state in ('HELD', 'TAKEN'))`;
/** One human: who a member is now, with whoever was merged into them, whose uses keep the name that they were made under. */
const humanOf = (provider: string, member: string | null) => sql`(select m.service_provider_id, m.id, ${PERSON} as person,
    array(select m.id union all select f.id from members f where f.service_provider_id = m.service_provider_id and f.merged_into = m.id) as family
  from members m where m.service_provider_id = ${provider}
    and m.id = (select coalesce(x.merged_into, x.id) from members x where x.service_provider_id = ${provider} and x.id = ${member}))`;
/** At all stores: a till sees the orders and uses of its own alone. */
async function faceOf(tx: Transaction, { service_provider_id, customer, at }: PriceAsk, rules: readonly Rule[]): Promise<Face | undefined> {
  if (!customer) return undefined;
  const once = rules.filter((rule) => rule.once).map(({ id }) => id);
  const [face] = await askAsPlatform(
    tx,
    sql<Face>`select ${ORDERED} as ordered, ${rankOn(shanghaiDay(at))} as rank,
      coalesce((select array_agg(u.rule_id) from ${hadBy(sql`any(${once}::uuid[])`)} u), '{}') as had
    from ${humanOf(service_provider_id, customer.member_id)} h join members m on m.service_provider_id = h.service_provider_id and m.id = h.id`,
  );
  return face;
}
/** What a random amount is drawn for: the till's own number of the order, else who it is for on that day. */
const whatFor = ({ till_no, store_id, customer, at }: PriceAsk): string | undefined =>
  till_no !== undefined ? `${store_id}:${till_no}` : customer && `${customer.member_id}:${shanghaiDay(at)}`;

/** Of one human there is one use of a rule that is good once: who comes second waits here, and finds the first. */
async function lockOnce(tx: Transaction, { service_provider_id, member_id }: PricedOrder, rule_id: string): Promise<Buffer> {
  const { rows } = await sql<{ person: Buffer }>`select h.person from ${humanOf(service_provider_id, member_id)} h`.execute(tx);
  const person = rows[0]?.person;
  if (!person) throw new Error(`a use of rule ${rule_id} is nobody's`);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`discount:${rule_id}:${person.toString("hex")}`}, 0))`.execute(tx);
  return person;
}
/** @param own the name that a use of the order was made under @returns whether nobody of the same person has it at any store; they are locked */
async function isFree(tx: Transaction, order: PricedOrder, rule_id: string, own?: Buffer): Promise<boolean> {
  const { rows } = await asPlatform(tx, () =>
    sql`select 1 from ${humanOf(order.service_provider_id, order.member_id)} h, lateral ${hadBy(sql`${rule_id}::uuid`, own)} u
    where u.order_id <> ${order.id} limit 1`.execute(tx),
  );
  return rows.length === 0;
}
/** Moves what a rule has spent, where it has a budget. @returns false where that is more than there is */
async function spend(tx: Transaction, { service_provider_id }: PricedOrder, rule_id: string, cents: number): Promise<boolean> {
  const { rows } = await sql<{
    budget: boolean;
    done: boolean;
  }>`with done as (update discount_budgets b set spent_cents = b.spent_cents + ${cents}
      where b.service_provider_id = ${service_provider_id} and b.rule_id = ${rule_id} and b.spent_cents + ${cents} <= b.budget_cents returning 1)
    select exists (select 1 from discount_budgets b where b.service_provider_id = ${service_provider_id} and b.rule_id = ${rule_id}) as budget,
      exists (select 1 from done) as done`.execute(tx);
  return rows[0]!.done || !rows[0]!.budget;
}
interface Use {
  readonly id: string;
  readonly rule_id: string;
  readonly state: string;
  readonly off_cents: number;
  readonly person: Buffer | null;
}
async function usesOf(tx: Transaction, { service_provider_id, id }: PricedOrder): Promise<Use[]> {
  const { rows } = await sql<Use>`select u.id, u.rule_id, u.state, u.off_cents, u.person from discount_uses u
    where u.service_provider_id = ${service_provider_id} and u.order_id = ${id} order by u.rule_id for no key update`.execute(tx);
  return rows;
}
async function move(tx: Transaction, { service_provider_id }: PricedOrder, use: Use, to: string): Promise<void> {
  const moved = await sql`update discount_uses u set state = ${to} where u.service_provider_id = ${service_provider_id} and u.id = ${use.id}
    and u.state = ${use.state}`.execute(tx);
  if (moved.numAffectedRows !== 1n) throw new Error(`the use ${use.id} is gone`);
}

/** 优惠规则 as a step of the price: what comes off by itself. */
export const discountContributor: Contributor = {
  source: "auto",
  async offers(tx, services, ask) {
    const on = (await rulesOf(tx, ask)).filter(
      ({ terms, left_cents }) => holdsAt(terms, ask.store_id, ask.at) && (left_cents === null || left_cents > 0),
    );
    if (on.length === 0) return [];
    const face = await faceOf(tx, ask, on);
    const what = whatFor(ask);
    const key = derivedKey(services.config.secret, "discount-random");
    return on
      .filter((rule) => isFor(rule, face) && (rule.kind !== 4 || what !== undefined))
      .map((rule) => offerOf(rule, rule.kind === 4 ? randomOff(key, rule.id, what ?? "", rule.terms) : 0));
  },
  async hold(tx, services, order, used) {
    const now_ms = services.clock.now_ms();
    const known = await usesOf(tx, order);
    const refs = used.map(({ ref }) => ref);
    const { rows: rules } = await sql<{ id: string; once: boolean }>`select r.id, r.once from discount_rules r
      where r.service_provider_id = ${order.service_provider_id} and r.merchant_id = ${order.merchant_id} and r.id = any(${refs}::uuid[]) order by r.id`.execute(
      tx,
    );
    for (const { id: rule_id, once } of rules) {
      if (known.some((use) => use.rule_id === rule_id)) continue;
      const { off_cents } = used.find(({ ref }) => ref === rule_id)!;
      const person = once ? await lockOnce(tx, order, rule_id) : null;
      if (person && !(await isFree(tx, order, rule_id))) throw conflict("这条优惠每人一次，已在另一单使用，请重新报价", "discount.used");
      if (!(await spend(tx, order, rule_id, off_cents))) throw conflict("优惠预算已用完，请重新报价", "discount.budget");
      await tx
        .insertInto("discount_uses")
        .values({
          service_provider_id: order.service_provider_id,
          id: services.ids.uuid(now_ms),
          order_id: order.id,
          rule_id,
          merchant_id: order.merchant_id,
          store_id: order.store_id,
          member_id: order.member_id,
          person,
          state: "HELD",
          off_cents,
          at: new Date(now_ms).toISOString(),
        })
        .execute();
    }
  },
  async take(tx, _services, order, used) {
    for (const use of await usesOf(tx, order)) {
      if (use.state === "HELD") await move(tx, order, use, "TAKEN");
      if (use.state !== "RELEASED") continue;
      // Paid after it was closed: what is gone meanwhile the merchant bears.
      const free = !use.person || ((await lockOnce(tx, order, use.rule_id)) && (await isFree(tx, order, use.rule_id, use.person)));
      await move(tx, order, use, free && (await spend(tx, order, use.rule_id, use.off_cents)) ? "TAKEN" : "BORNE");
    }
    const borne = new Set((await usesOf(tx, order)).flatMap(({ state, rule_id }) => (state === "BORNE" ? [rule_id] : [])));
    return used.flatMap(({ ref }) => (borne.has(ref) ? [ref] : []));
  },
  async release(tx, _services, order) {
    await giveBack(tx, order, "HELD", "RELEASED");
  },
  async giveBack(tx, _services, order, _refund_id, backs) {
    if (backs.some(({ whole }) => whole)) await giveBack(tx, order, "TAKEN", "RETURNED");
  },
};
async function giveBack(tx: Transaction, order: PricedOrder, from: "HELD" | "TAKEN", to: "RELEASED" | "RETURNED"): Promise<void> {
  for (const use of await usesOf(tx, order)) {
    if (use.state !== from) continue;
    await move(tx, order, use, to);
    await spend(tx, order, use.rule_id, -use.off_cents);
  }
}
