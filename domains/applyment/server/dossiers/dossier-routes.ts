import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { getDossier, saveDossier } from "../../contract/index.ts";
import type { Dossier } from "../../contract/words.ts";
import { dossierOf, findingsOf, isMicroGranted, merchantOf, type MerchantRow, submissionsOf } from "./dossier-of.ts";
import { type LivingRow, livingOf, shown, untouchedOf, writeDossier } from "./write-dossier.ts";

type Living = NonNullable<OutputOf<typeof getDossier>["applyment"]>;
/** As the form shows it: which of what was rejected nobody has changed yet. */
function shownLiving(services: Services, provider: string, row: LivingRow | undefined, dossier: Dossier): Living | null {
  if (!row) return null;
  const { content_sealed: _sealed, ...living } = row;
  return { ...living, rejected: [...living.rejected], untouched: untouchedOf(services, provider, row, dossier) };
}
/** The number under which an earlier application was opened. */
async function openedOf(tx: Transaction, { service_provider_id, merchant_id }: MerchantRow): Promise<string | null> {
  const { rows } = await sql<{ sub_mch_id: string }>`select a.sub_mch_id from applyments a
    where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.state = 'FINISHED'
    order by a.created_at desc, a.id desc limit 1`.execute(tx);
  return rows[0]?.sub_mch_id ?? null;
}

/** 开户资料. */
export const getDossierRoute = implement(getDossier, async ({ tx, scope, services }, { merchantId }) => {
  const merchant = await merchantOf(tx, scope, merchantId);
  const found = await dossierOf(tx, services, merchant);
  const dossier = found?.dossier ?? {};
  return {
    merchantName: merchant.name,
    values: shown(dossier),
    versions: found?.versions ?? {},
    submissions: await submissionsOf(tx, merchant),
    writers: found?.writers ?? {},
    micro: await isMicroGranted(tx, merchant.service_provider_id),
    opened: await openedOf(tx, merchant),
    findings: [...(await findingsOf(tx, services, merchant, scope, dossier))],
    byName: found?.by_name ?? null,
    updatedAt: (found?.updated_at ?? null) as never,
    applyment: shownLiving(services, merchant.service_provider_id, await livingOf(tx, merchant), dossier),
  };
});

/** 填写: each field over the version that was read; what was handed in stays as it is until the channel has answered. */
export const saveDossierRoute = implement(saveDossier, async (ctx, { merchantId, changes }) => {
  const { tx, scope, services, now_ms } = ctx;
  const merchant = await merchantOf(tx, scope, merchantId);
  const { id, content, versions } = await writeDossier(tx, services, merchant, { changes, by_name: askerOf(ctx).name, now_ms });
  ctx.note({
    targetKind: "dossier",
    targetId: id,
    provider: merchant.service_provider_id,
    merchant: merchant.merchant_id,
    // Which fields, and nothing of what stands in them.
    after: { fields: changes.map(({ path }) => path) },
  });
  const saved = Object.fromEntries(changes.map(({ path }) => [path, versions[path]!]));
  return { versions: saved, findings: [...(await findingsOf(tx, services, merchant, scope, content))] };
});
