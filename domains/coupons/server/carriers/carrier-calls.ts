import { sql } from "kysely";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type ChannelAccount, NOT_FOUND, type Outcome, said } from "../../../channels/server/index.ts";
import { wechatAccountOf } from "../../../organisation/server/index.ts";

export const CARRY = platformScope("tell WeChat about coupons");
/** What a call is about. */
export interface About {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly campaign_id: string;
  readonly coupon_id?: string;
}
/** Writes down that WeChat is asked, asks, and writes down how it ended. */
export async function recorded<T>(
  services: Services,
  about: About,
  { operation, number }: { readonly operation: string; readonly number: string },
  call: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const { service_provider_id } = about;
  const id = services.ids.uuid(services.clock.now_ms());
  const now = () => new Date(services.clock.now_ms()).toISOString();
  await withScope(services.pool, CARRY, (tx) =>
    tx
      .insertInto("coupon_calls")
      .values({ ...about, id, operation, number, started_at: now() })
      .execute(),
  );
  const outcome = await call();
  services.metrics.channelCalls.inc({ operation: `coupon-${operation}`, outcome: outcome.kind });
  await withScope(services.pool, CARRY, (tx) =>
    tx
      .updateTable("coupon_calls")
      .set({ ended_at: now(), ...said(outcome) })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .execute(),
  );
  return outcome;
}

/** What signs for a merchant; undefined where it has no keys. A disabled one still ends what it began. */
export async function accountOf(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id }: Pick<About, "service_provider_id" | "merchant_id">,
): Promise<ChannelAccount | undefined> {
  const row = await tx
    .selectFrom("channel_settings")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("channel", "=", 0)
    .executeTakeFirst();
  return row && wechatAccountOf(services, row);
}

/** How a step ended: it was taken, it was not and will not be, or nobody knows yet. `open`: it was not taken so far. */
export type Verdict<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };
export type Looked<T> = Verdict<T> | { readonly kind: "open" };
/**
 * Takes a step at WeChat once: what may have been sent before is asked about first, and a no is believed only where the question after it
 * says that nothing was done.
 * @param step.wanted false: it is only asked what became of it
 */
export async function takeStep<T>(step: {
  readonly begun: boolean;
  readonly wanted: boolean;
  readonly look: () => Promise<Looked<T>>;
  readonly send: () => Promise<Outcome<T>>;
}): Promise<Looked<T>> {
  if (step.begun) {
    const seen = await step.look();
    if (seen.kind !== "open") return seen;
  }
  if (!step.wanted) return { kind: "open" };
  const outcome = await step.send();
  if (outcome.kind === "ok") return { kind: "done", value: outcome.value };
  if (outcome.kind === "unknown") return { kind: "unknown", reason: outcome.reason };
  const seen = await step.look();
  return seen.kind === "open" ? { kind: "refused", reason: reasonOf(outcome) } : seen;
}
/** The same asked by the same request: one number is one thing there. */
export const lookBySending =
  <T>(send: () => Promise<Outcome<T>>) =>
  async (): Promise<Looked<T>> => {
    const outcome = await send();
    if (outcome.kind === "ok") return { kind: "done", value: outcome.value };
    return outcome.kind === "refused" ? { kind: "open" } : { kind: "unknown", reason: outcome.reason };
  };
const reasonOf = ({ code, message }: { readonly code: string; readonly message: string }): string => `${code} ${message}`.slice(0, 200);
/** What a question says of a step: taken where `reached`, not taken where WeChat knows nothing or something else. */
export function lookedAt<S, T>(outcome: Outcome<S>, reached: (value: S) => T | undefined): Looked<T> {
  if (outcome.kind === "unknown") return { kind: "unknown", reason: outcome.reason };
  if (outcome.kind === "refused") return outcome.code === NOT_FOUND ? { kind: "open" } : { kind: "unknown", reason: reasonOf(outcome) };
  const value = reached(outcome.value);
  return value === undefined ? { kind: "open" } : { kind: "done", value };
}

/** Longer than a call lasts, and growing. */
const WAITS_S = [60, 120, 300, 900, 1_800, 7_200];
/** When something is taken up again after so many tries. */
export const againAt = (services: Services, tries: number): string =>
  new Date(services.clock.now_ms() + WAITS_S[Math.min(tries, WAITS_S.length - 1)]! * 1_000).toISOString();
/** After so many tries without an answer people are told. */
export const LONG_TRIES = 5;

export interface Differs {
  readonly kind: string;
  readonly ours: string;
  readonly theirs: string;
  readonly seen?: string;
  readonly reason: string;
}
/** Writes down what differs. The same again changes nothing; something else about the same thing is to be looked at again. */
export async function noteDifference(tx: Transaction, services: Services, about: About, differs: Differs): Promise<void> {
  const now_ms = services.clock.now_ms();
  const { service_provider_id, merchant_id, campaign_id, coupon_id = null } = about;
  const { kind, ours, theirs, seen = "", reason } = differs;
  await sql`insert into coupon_differences as d (service_provider_id, id, merchant_id, campaign_id, coupon_id, kind, ours, theirs, seen, reason, since)
    values (${service_provider_id}, ${services.ids.uuid(now_ms)}, ${merchant_id}, ${campaign_id}, ${coupon_id}, ${kind}, ${ours}, ${theirs}, ${seen}, ${reason},
      ${new Date(now_ms).toISOString()})
    on conflict (service_provider_id, campaign_id, coupon_id, kind) where gone_at is null do update
      set ours = excluded.ours, theirs = excluded.theirs, seen = excluded.seen, reason = excluded.reason, checked_at = null, checked_by_name = ''
      where (d.ours, d.theirs, d.reason) is distinct from (excluded.ours, excluded.theirs, excluded.reason)`.execute(tx);
}
/** What differed and does not any more. */
export async function endDifferences(tx: Transaction, services: Services, about: About, kinds: readonly string[]): Promise<void> {
  await sql`update coupon_differences d set gone_at = ${new Date(services.clock.now_ms()).toISOString()}
    where d.service_provider_id = ${about.service_provider_id} and d.campaign_id = ${about.campaign_id}
      and d.coupon_id is not distinct from ${about.coupon_id ?? null}::uuid and d.kind = any(${[...kinds]}::text[]) and d.gone_at is null`.execute(
    tx,
  );
}
