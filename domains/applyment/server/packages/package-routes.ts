import { Readable } from "node:stream";
import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { idOfToken, linkToken } from "@zhangfang/server/files/signed-link.ts";
import { askerOf } from "../../../orders/server/index.ts";
import {
  addPackage,
  getPackageFile,
  listPackages,
  lookAtPackage,
  packageChannel,
  packageState,
  setPackageState,
} from "../../contract/index.ts";
import { filesOf } from "../../contract/words.ts";
import { dossierOf, merchantOf } from "../dossiers/dossier-of.ts";
import { openDossier, sealDossier } from "../dossiers/seals.ts";
import { SLOT_MS } from "../files/file-routes.ts";
import { packageZip } from "./package-zip.ts";

const purposeAt = (at_ms: number): string => `applyment-package-${Math.floor(at_ms / SLOT_MS)}`;
type Item = OutputOf<typeof listPackages>["items"][number];

/** 资料包. */
export const listPackagesRoute = implement(listPackages, async ({ tx, scope }, { merchantId }) => {
  const { service_provider_id, merchant_id } = await merchantOf(tx, scope, merchantId);
  const { rows } =
    await sql<Item>`select p.id, p.channel, p.state, p.state_at as "stateAt", p.state_by as "stateBy", p.number, p.reason, p.pictures,
      p.by_name as "byName", p.created_at as "createdAt"
    from applyment_packages p where p.service_provider_id = ${service_provider_id} and p.merchant_id = ${merchant_id}
    order by p.created_at desc, p.id desc limit 50`.execute(tx);
  return { items: rows };
});

/** 生成资料包: the copy is sealed; the file is made of it each time that it is fetched. */
export const addPackageRoute = implement(addPackage, async (ctx, { merchantId, channel }) => {
  const { tx, scope, services, now, now_ms } = ctx;
  const merchant = await merchantOf(tx, scope, merchantId);
  const { service_provider_id, merchant_id } = merchant;
  const found = await dossierOf(tx, services, merchant);
  if (!found || Object.keys(found.dossier).length === 0) throw conflict("还没有填写开户资料", "applyment.no-dossier");
  const id = services.ids.uuid(now_ms);
  const by = askerOf(ctx).name;
  const pictures = filesOf(found.dossier).length;
  await tx
    .insertInto("applyment_packages")
    .values({
      service_provider_id,
      id,
      merchant_id,
      channel,
      content_sealed: sealDossier(services, service_provider_id, `applyment_packages:${id}`, found.dossier),
      pictures,
      state_at: now,
      by_name: by,
      state_by: by,
      created_at: now,
    })
    .execute();
  ctx.note({
    targetKind: "applyment_package",
    targetId: id,
    provider: service_provider_id,
    merchant: merchant_id,
    after: { channel, pictures },
  });
  return { id };
});

interface Ref {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly state: string;
}
/** A package in sight. @throws 404 */
async function packageOf(tx: Transaction, scope: Scope, id: string): Promise<Ref> {
  const { rows } = await sql<Ref>`select p.service_provider_id, p.merchant_id, p.state from applyment_packages p
    join merchants m on m.service_provider_id = p.service_provider_id and m.id = p.merchant_id
    where p.id = ${id} and ${inScope(scope, "m", "full")}`.execute(tx);
  if (!rows[0]) throw notFound("资料包");
  return rows[0];
}
/** 下载资料包: an address for a minute. */
export const lookAtPackageRoute = implement(lookAtPackage, async (ctx, { id }) => {
  const { service_provider_id: provider, merchant_id: merchant } = await packageOf(ctx.tx, ctx.scope, id);
  ctx.note({ targetKind: "applyment_package", targetId: id, provider, merchant, after: { asked: true } });
  return { url: `/api/applyments/package/${linkToken(ctx.services, purposeAt(ctx.now_ms), id)}` };
});
/** 资料包文件: texts and pictures as a zip, by its signed address; each download is in the audit log. */
export const getPackageFileRoute = implement(getPackageFile, async (ctx, { token }) => {
  const { services, now_ms } = ctx;
  const id = [now_ms, now_ms - SLOT_MS].map((at) => idOfToken(services, purposeAt(at), token)).find((found) => found !== undefined);
  if (id === undefined) throw notFound("资料包");
  const found = await ctx.platform("a package of a dossier", async (tx) => {
    const { rows } = await sql<{
      service_provider_id: string;
      merchant_id: string;
      name: string;
      channel: Item["channel"];
      content_sealed: string;
    }>`select p.service_provider_id, p.merchant_id, m.short_name as name, p.channel, p.content_sealed from applyment_packages p
      join merchants m on m.service_provider_id = p.service_provider_id and m.id = p.merchant_id where p.id = ${id}`.execute(tx);
    const [row] = rows;
    if (!row) throw notFound("资料包");
    await ctx.audit(tx, {
      targetKind: "applyment_package",
      targetId: id,
      provider: row.service_provider_id,
      merchant: row.merchant_id,
      after: { downloaded: true },
    });
    return row;
  });
  const dossier = openDossier(services, found.service_provider_id, `applyment_packages:${id}`, found.content_sealed);
  const bytes = await packageZip(services, dossier, `${found.name}，供${packageChannel.label(found.channel)}`);
  return {
    stream: Readable.from([bytes]),
    size_bytes: bytes.length,
    fileName: `资料包-${found.name}-${packageChannel.label(found.channel)}.zip`,
    contentType: "application/zip",
  };
});

const FROM: Readonly<Record<Item["state"], Item["state"] | undefined>> = {
  MADE: undefined,
  SUBMITTED: "MADE",
  PASSED: "SUBMITTED",
  REJECTED: "SUBMITTED",
};
/** 登记资料包状态. */
export const setPackageStateRoute = implement(setPackageState, async (ctx, { id, state, number = "", reason = "" }) => {
  const { tx, scope, now } = ctx;
  const { service_provider_id, merchant_id } = await packageOf(tx, scope, id);
  const from = FROM[state];
  const moved = await sql`update applyment_packages p set state = ${state}, state_at = ${now}, state_by = ${askerOf(ctx).name},
      number = case when ${number} = '' then p.number else ${number} end, reason = ${reason}
    where p.service_provider_id = ${service_provider_id} and p.id = ${id} and p.state = ${from ?? ""}`.execute(tx);
  mustChange({ numUpdatedRows: moved.numAffectedRows ?? 0n }, () =>
    conflict(
      from ? `只有${packageState.label(from)}的能登记为${packageState.label(state)}，请刷新后再看` : "不能退回已生成",
      "applyment.package-state",
    ),
  );
  ctx.note({
    targetKind: "applyment_package",
    targetId: id,
    provider: service_provider_id,
    merchant: merchant_id,
    after: { state, number },
  });
  return { ok: true } as const;
});
