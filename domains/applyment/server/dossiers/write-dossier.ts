import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { conflict, invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { getDossier } from "../../contract/index.ts";
import { type Dossier, fieldOf, maskOf } from "../../contract/words.ts";
import { dossierOf, type MerchantRow } from "./dossier-of.ts";
import { licenceHash, openDossier, sealDossier } from "./seals.ts";

type Rejected = Living["rejected"][number] & {
  /** Secrets that were written by a link since, whatever with. */
  readonly rewritten?: Readonly<Record<string, true>>;
};
export type LivingRow = Omit<Living, "untouched" | "rejected"> & {
  readonly content_sealed: string;
  readonly rejected: readonly Rejected[];
};
type Value = string | string[];
/** As it may be shown: secrets masked. */
export const shown = (dossier: Dossier): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(dossier).map(([path, value]) => [path, typeof value === "string" ? maskOf(path, value) : [...(value ?? [])]]),
  );
type Living = NonNullable<OutputOf<typeof getDossier>["applyment"]>;
/** The application of a merchant's that is not over. */
export async function livingOf(tx: Transaction, { service_provider_id, merchant_id }: MerchantRow): Promise<LivingRow | undefined> {
  const { rows } =
    await sql<LivingRow>`select a.id, a.state, a.state_at as "stateAt", a.unsent or a.unheard as sending, a.rejected, a.message, a.content_sealed
    from applyments a where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.state not in ('FINISHED', 'CANCELED')`.execute(
      tx,
    );
  return rows[0];
}

/** Which of what was rejected nobody has changed yet. */
export function untouchedOf(services: Services, provider: string, { id, rejected, content_sealed }: LivingRow, dossier: Dossier): string[] {
  const sent = openDossier(services, provider, `applyments:${id}`, content_sealed);
  const paths = [...new Set(rejected.flatMap((one) => one.paths))];
  return paths.filter((path) => JSON.stringify(sent[path]) === JSON.stringify(dossier[path]));
}

/** Why a dossier can't be written now; undefined where it can. */
export const lockedBy = (living: LivingRow | undefined): string | undefined =>
  living && (living.sending || (living.state !== "EDITTING" && living.state !== "REJECTED"))
    ? "资料已提交，微信支付审核期间不能修改"
    : undefined;

export interface Writing {
  readonly changes: readonly { readonly path: string; readonly value: Value; readonly version: number }[];
  readonly by_name: string;
  readonly now_ms: number;
}
/**
 * Writes fields of a merchant's dossier, each over the version that was read, and who wrote them.
 * @throws 409 where it is on its way, or somebody else wrote a field meanwhile; 400 at a value of the wrong kind or a picture of another's
 */
export async function writeDossier(
  tx: Transaction,
  services: Services,
  merchant: MerchantRow,
  { changes, by_name, now_ms }: Writing,
): Promise<{ readonly id: string; readonly content: Dossier; readonly versions: Record<string, number> }> {
  const { service_provider_id, merchant_id } = merchant;
  const now = new Date(now_ms).toISOString();
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("dossiers")
    .values({
      service_provider_id,
      id,
      merchant_id,
      content_sealed: sealDossier(services, service_provider_id, `dossiers:${id}`, {}),
      by_name,
      created_at: now,
      updated_at: now,
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id"]).doNothing())
    .execute();
  const row = (await dossierOf(tx, services, merchant, true))!;
  // Whoever hands it in holds it too: looked at after that, or it would be changed behind what was sent.
  const locked = lockedBy(await livingOf(tx, merchant));
  if (locked) throw conflict(locked, "applyment.on-its-way");
  const [content, versions, writers] = [{ ...row.dossier } as Record<string, Value>, { ...row.versions }, { ...row.writers }];
  const taken: Record<string, string> = {};
  for (const { path, value, version } of changes) {
    const field = fieldOf(path);
    if (!field) throw invalid("changes", "没有这一栏");
    const many = field.form === "pictures" || field.form === "choices";
    if (many !== (typeof value !== "string")) throw invalid("changes", `${field.label}的内容不对`);
    if ((versions[path] ?? 0) !== version) taken[path] = `${field.label}已被他人修改，请看过再改`;
    versions[path] = version + 1;
    writers[path] = by_name;
    if (value.length === 0) delete content[path];
    else content[path] = value;
  }
  if (Object.keys(taken).length > 0) throw new Refusal(409, "dossier.changed", Object.values(taken)[0]!, taken);
  const pictures = changes.flatMap(({ path, value }) => (/^pictures?$/.test(fieldOf(path)!.form) && value.length > 0 ? value : []));
  await mustOwnFiles(tx, merchant, pictures);
  const written =
    await sql`update dossiers d set content_sealed = ${sealDossier(services, service_provider_id, `dossiers:${row.id}`, content)},
      versions = ${JSON.stringify(versions)}::jsonb, writers = ${JSON.stringify(writers)}::jsonb, licence_hash = ${licenceHash(services, content)}, version = d.version + 1, by_name = ${by_name}, updated_at = ${now}
    where d.service_provider_id = ${service_provider_id} and d.id = ${row.id}`.execute(tx);
  mustChange({ numUpdatedRows: written.numAffectedRows ?? 0n }, () => new Error("a held dossier is gone"));
  return { id: row.id, content, versions };
}

/** @throws 400 where a picture is none of this merchant's */
async function mustOwnFiles(tx: Transaction, { service_provider_id, merchant_id }: MerchantRow, given: readonly string[]): Promise<void> {
  const ids = [...new Set(given)];
  if (ids.length === 0) return;
  const wrong = () => invalid("changes", "图片不存在，请重新上传");
  if (!ids.every((one) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(one))) throw wrong();
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from applyment_files f where f.service_provider_id = ${service_provider_id}
    and f.merchant_id = ${merchant_id} and f.gone_at is null and f.id = any(${`{${ids.join(",")}}`}::uuid[])`.execute(tx);
  if (rows[0]!.n !== ids.length) throw wrong();
}
