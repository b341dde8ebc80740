import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type Outcome, said } from "../../../channels/server/index.ts";
import { openSecret, openToken } from "../config/seals.ts";
import type { Buyer, InvoiceAccount } from "../provider/provider.ts";
import { masked } from "../rules/masked.ts";

export const ISSUE = platformScope("speak with the invoice platform");
/** What a call is about. */
export interface About {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly subject_id: string;
  readonly about_id: string | null;
}
/** Writes down that the platform is asked, asks, and writes down how it ended. @param what.buyer whose facts stand in no word of the answer */
export async function recorded<T>(
  services: Services,
  about: About,
  { operation, number, buyer }: { readonly operation: string; readonly number: string; readonly buyer?: Buyer | undefined },
  call: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const { service_provider_id } = about;
  const id = services.ids.uuid(services.clock.now_ms());
  const now = () => new Date(services.clock.now_ms()).toISOString();
  await withScope(services.pool, ISSUE, (tx) =>
    tx
      .insertInto("invoice_calls")
      .values({ ...about, id, operation, number, started_at: now() })
      .execute(),
  );
  const outcome = shownOf(await call(), buyer);
  services.metrics.channelCalls.inc({ operation: `invoice-${operation}`, outcome: outcome.kind });
  await withScope(services.pool, ISSUE, (tx) =>
    tx
      .updateTable("invoice_calls")
      .set({ ended_at: now(), ...said(outcome) })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .execute(),
  );
  return outcome;
}

function shownOf<T>(outcome: Outcome<T>, buyer: Buyer | undefined): Outcome<T> {
  const { buyer: _kind, ...facts } = buyer ?? {};
  const show = (text: string): string => masked(text, Object.values(facts));
  if (outcome.kind === "unknown") return { ...outcome, reason: show(outcome.reason) };
  if (outcome.kind === "refused") return { ...outcome, message: show(outcome.message) };
  const { value } = outcome;
  const says = typeof value === "object" && value !== null && "why" in value && typeof value.why === "string";
  return says ? { ...outcome, value: { ...value, why: show(String(value.why)) } } : outcome;
}

/** What signs for a subject; undefined where its provider has no application. A paused one still ends what it began. */
export async function accountOf(
  tx: Transaction,
  services: Services,
  {
    service_provider_id,
    id,
    tax_no,
    token_sealed,
  }: { readonly service_provider_id: string; readonly id: string; readonly tax_no: string; readonly token_sealed: string },
): Promise<InvoiceAccount | undefined> {
  const settings = await tx
    .selectFrom("invoice_settings as s")
    .innerJoin("tax_subjects as t", "t.service_provider_id", "s.service_provider_id")
    .select(["s.app_key", "s.app_secret_sealed", "t.extension"])
    .where("s.service_provider_id", "=", service_provider_id)
    .where("t.id", "=", id)
    .executeTakeFirst();
  return (
    settings && {
      app_key: settings.app_key,
      app_secret: openSecret(services, service_provider_id, settings.app_secret_sealed),
      token: openToken(services, { service_provider_id, id }, token_sealed),
      tax_no,
      extension: settings.extension,
    }
  );
}
