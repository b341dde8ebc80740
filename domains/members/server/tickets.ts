import { sql } from "kysely";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { newToken, sha256 } from "@zhangfang/server/crypto.ts";
import { ask, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MemberRef } from "./member-facts.ts";
import type { Customer, CustomerDoor, Spends, Where } from "../../pricing/server/index.ts";
import { seeAt } from "./make-member.ts";
import { checkPin } from "./pin.ts";
import { asksPin, holdDay } from "./spent-today.ts";

const GOOD_MS = 10 * 60_000;

/** Where a ticket is good. */
export type Place = Omit<Where, "at">;

/** A new ticket of a member at a store. */
export async function issueMemberTicket(tx: Transaction, services: Services, where: Place, customer: Customer): Promise<string> {
  const token = newToken();
  const now_ms = services.clock.now_ms();
  await tx
    .insertInto("member_tickets")
    .values({
      service_provider_id: where.service_provider_id,
      merchant_id: where.merchant_id,
      store_id: where.store_id,
      token_hash: sha256(token),
      member_id: customer.member_id,
      proof: customer.proof,
      created_at: new Date(now_ms).toISOString(),
      expires_at: new Date(now_ms + GOOD_MS).toISOString(),
    })
    .execute();
  return token;
}

const GONE = "会员识别已失效，请重新识别会员";
async function read(tx: Transaction, where: Place, ticket: string) {
  const [found] = await ask(
    tx,
    tx
      .selectFrom("member_tickets as t")
      .innerJoin("members as m", (on) => on.onRef("m.service_provider_id", "=", "t.service_provider_id").onRef("m.id", "=", "t.member_id"))
      .select(["t.member_id", "t.proof", "t.order_id", "t.expires_at", "m.status", "m.stage"])
      .where("t.service_provider_id", "=", where.service_provider_id)
      .where("t.store_id", "=", where.store_id)
      .where("t.token_hash", "=", sha256(ticket)),
  );
  return found;
}

/** Whose ticket it is. @throws 400 at `ticket` where it is over, another store's, or nobody's any more */
async function open(tx: Transaction, services: Services, where: Place, ticket: string): Promise<Customer> {
  const found = await read(tx, where, ticket);
  if (!found || Date.parse(found.expires_at) <= services.clock.now_ms() || found.status > 2) throw invalid("ticket", GONE);
  return { member_id: found.member_id, proof: found.proof as Customer["proof"] };
}

/**
 * In the placing transaction: binds the ticket to this order, transfer or use, once (the same again is fine), and checks what is spent.
 * @throws 400 at `ticket` or `pin`, 409 where the member may not spend
 */
async function use(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, store_id }: Place,
  { id: order_id, member_id }: { readonly id: string; readonly member_id: string },
  ticket: string,
  spends: Spends,
  pin?: string,
): Promise<void> {
  const place = { service_provider_id, merchant_id, store_id };
  const member: MemberRef = { service_provider_id, merchant_id, id: member_id };
  const spending = !spends.proved && (spends.points > 0 || spends.stored_cents > 0);
  const [found, asks] = await Promise.all([
    read(tx, place, ticket),
    spending && holdAndAsk(tx, services, member, spends.stored_cents, pin, order_id),
  ]);
  if (!found || found.member_id !== member_id) throw invalid("ticket", GONE);
  if (found.order_id === order_id) return;
  if (found.order_id !== null) throw invalid("ticket", "会员识别已用于另一笔订单，请重新识别会员");
  if (spending) {
    mustBeReady(found);
    await maySpend(services, member, found, pin, asks);
  }
  const binding = ask(
    tx,
    tx
      .updateTable("member_tickets")
      .set({ order_id })
      .where("service_provider_id", "=", service_provider_id)
      .where("token_hash", "=", sha256(ticket))
      .where("order_id", "is", null)
      .where("expires_at", ">", new Date(services.clock.now_ms()).toISOString())
      .returning("member_id"),
  );
  const held = spending && pin === undefined;
  const [bound] = await Promise.all([binding, holdBuyer(tx, member, spends, held)]);
  if (bound.length !== 1) throw invalid("ticket", GONE);
}
/**
 * Held to the end: nobody merges, freezes or closes whoever is buying. Value first, then the row, as whoever settles does: what a recharge
 * or a level brings is written after this.
 * @param held whether their value is locked already
 */
async function holdBuyer(tx: Transaction, member: MemberRef, spends: Spends, held = false): Promise<void> {
  const { service_provider_id, id } = member;
  const there = sql`select 1 from members m where m.service_provider_id = ${service_provider_id} and m.id = ${id}
    and m.status in (1, 2) and (m.status = 1 or ${spends.points + spends.stored_cents} = 0) for no key update`;
  const [, rows] = await Promise.all([held || holdDay(tx, member), ask(tx, there)]);
  if (rows.length === 0) throw invalid("ticket", GONE);
}

/** The same of a member whose own session proves them; the store sees them from now on. @throws 400 at `pin`, 409 */
async function admit(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, store_id }: Place,
  { id: order_id }: { readonly id: string },
  { member_id, proof }: Customer,
  spends: Spends,
  pin: string | undefined,
): Promise<void> {
  const member: MemberRef = { service_provider_id, merchant_id, id: member_id };
  const found = await tx
    .selectFrom("members")
    .select(["status", "stage"])
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("id", "=", member_id)
    .where("status", "in", [1, 2])
    .executeTakeFirst();
  if (!found) throw conflict("会员正在注销或已不在，不能使用会员权益", "member.closing");
  if (spends.points > 0 || spends.stored_cents > 0) {
    mustBeReady(found);
    await maySpend(services, member, { proof }, pin, await holdAndAsk(tx, services, member, spends.stored_cents, pin, order_id));
  }
  await holdBuyer(tx, member, spends);
  await seeAt(tx, services, member, store_id);
}

/** The same question before anybody is held; what was sent without a PIN stays counted until the end. @throws as `use` */
async function prove(
  tx: Transaction,
  services: Services,
  place: Place,
  ticket: string,
  spends: Spends,
  pin: string | undefined,
): Promise<void> {
  const { service_provider_id, merchant_id } = place;
  const found = await read(tx, place, ticket);
  if (!found) throw invalid("ticket", GONE);
  if (spends.points + spends.stored_cents === 0) return;
  // Before anybody is waited for: whoever is frozen hears that, and not that others are busy.
  mustBeReady(found);
  const member: MemberRef = { service_provider_id, merchant_id, id: found.member_id };
  await maySpend(services, member, found, pin, await holdAndAsk(tx, services, member, spends.stored_cents, pin));
}

/** Pricing's customers are members. */
export const customers: CustomerDoor = { open, prove, use, admit };

/**
 * Whether a PIN is missing. One that is given is checked before anybody is held, for it counts in transactions of its own. Without one the
 * member's value is locked before the day's sum is read, and stays so until what is spent stands in it: those who come at once are counted
 * one by one. All of it is asked at once.
 */
async function holdAndAsk(
  tx: Transaction,
  services: Services,
  member: MemberRef,
  stored_cents: number,
  pin: string | undefined,
  order_id?: string,
): Promise<boolean> {
  if (pin !== undefined) return false;
  const [, asks] = await Promise.all([holdDay(tx, member), asksPin(tx, services, member, stored_cents, order_id)]);
  return asks;
}
function mustBeReady({ status, stage }: { readonly status: number; readonly stage: number }): void {
  if (status === 2) throw conflict("会员已冻结，不能使用积分和储值", "member.frozen");
  if (stage === 0) throw conflict("准会员不能使用积分和储值，请先确认手机号", "member.unconfirmed");
}
async function maySpend(
  services: Services,
  member: MemberRef,
  { proof }: { readonly proof: string },
  pin: string | undefined,
  asks: boolean,
): Promise<void> {
  if (pin !== undefined) return checkPin(services, member, pin);
  if (asks) throw invalid("pin", "储值单笔超过 200 元或当日超过 1,000 元，请顾客输入支付密码");
  if (proof !== "full") throw invalid("pin", "请顾客出示会员码，或输入支付密码、短信验证码");
}
