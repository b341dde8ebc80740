import { sql } from "kysely";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Dossier, doctor, filesOf, type Finding } from "../../contract/words.ts";
import { licenceHash, openDossier } from "./seals.ts";

export interface MerchantRow {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly name: string;
}
/** The merchant in sight. @throws 404 */
export async function merchantOf(tx: Transaction, scope: Scope, merchantId: string): Promise<MerchantRow> {
  const { rows } = await sql<MerchantRow>`select m.service_provider_id, m.id as merchant_id, m.short_name as name from merchants m
    where m.id = ${merchantId} and ${inScope(scope, "m", "full")}`.execute(tx);
  if (!rows[0]) throw notFound("商户");
  return rows[0];
}

interface Row {
  readonly id: string;
  readonly content_sealed: string;
  readonly versions: Record<string, number>;
  readonly writers: Record<string, string>;
  readonly by_name: string;
  readonly updated_at: string;
}
/** A merchant's dossier, held where it is to be written. */
export async function dossierOf(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id }: Pick<MerchantRow, "service_provider_id" | "merchant_id">,
  hold = false,
): Promise<(Row & { readonly dossier: Dossier }) | undefined> {
  const { rows } = await sql<Row>`select d.id, d.content_sealed, d.versions, d.writers, d.by_name, d.updated_at from dossiers d
    where d.service_provider_id = ${service_provider_id} and d.merchant_id = ${merchant_id} ${hold ? sql`for no key update` : sql``}`.execute(
    tx,
  );
  const [row] = rows;
  return row && { ...row, dossier: openDossier(services, service_provider_id, `dossiers:${row.id}`, row.content_sealed) };
}

/** How often a merchant's papers were handed in, in all its applications. */
export async function submissionsOf(
  tx: Transaction,
  { service_provider_id, merchant_id }: Pick<MerchantRow, "service_provider_id" | "merchant_id">,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select coalesce(sum(a.rounds), 0)::int as n from applyments a
    where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id}`.execute(tx);
  return rows[0]!.n;
}

/** Whether WeChat Pay lets the provider bring in 小微 merchants. */
export async function isMicroGranted(tx: Transaction, provider: string): Promise<boolean> {
  const { rows } = await sql<{ micro: boolean }>`select app.applyment_micro(${provider}) as micro`.execute(tx);
  return rows[0]!.micro;
}

/** Pictures of a dossier that are not kept any more. */
export async function goneOf(tx: Transaction, provider: string, dossier: Dossier): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select f.id from applyment_files f where f.service_provider_id = ${provider}
    and f.gone_at is not null and f.id = any(${`{${filesOf(dossier).join(",")}}`}::uuid[])`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** What the doctor finds, with other applications of the same licence that the asker may see. */
export async function findingsOf(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id }: Pick<MerchantRow, "service_provider_id" | "merchant_id">,
  scope: Scope,
  dossier: Dossier,
): Promise<readonly Finding[]> {
  const hash = licenceHash(services, dossier);
  const { rows } = await sql<{ id: string; at: string }>`select a.id, a.created_at as at from dossiers d
    join applyments a on a.service_provider_id = d.service_provider_id and a.merchant_id = d.merchant_id
    join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id
    where d.service_provider_id = ${service_provider_id} and d.licence_hash = ${hash} and d.merchant_id <> ${merchant_id}
      and a.state <> 'CANCELED' and ${inScope(scope, "m", "full")} order by a.created_at desc limit 5`.execute(tx);
  return doctor(dossier, {
    micro: await isMicroGranted(tx, service_provider_id),
    today: shanghaiDay(services.clock.now_ms()),
    sameLicence: rows.map(({ id, at }) => ({ id, day: shanghaiDay(at) })),
    gone: await goneOf(tx, service_provider_id, dossier),
  });
}
